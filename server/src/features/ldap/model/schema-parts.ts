import Type from 'typebox'

export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const timestamp = Type.String({ format: 'date-time' })
