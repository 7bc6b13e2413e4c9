import Type from 'typebox'

export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const oneOf = <const Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>({ type: 'string', enum: [...names] })
export const Timestamp = Type.String({ format: 'date-time' })
