import Type, { type TSchema } from 'typebox'

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** An optional field that can be null. In a change, null removes the value, and an omitted field stays unchanged. */
export const clearable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/** An optional URI that null removes. */
export const clearableUri = (description: string) => clearable(Type.String({ maxLength: 2_000, description }))

export const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  Type.Unsafe<Names[number]>({ type: 'string', enum: names })

/** A date and time (RFC 3339). */
export const timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

/** The response of a change that returns no object. */
export const Message = Type.Object({ message: Type.String() })

/** One page of a list, with the total number of items and the effective values of `PageQuery`. */
export const pageSchema = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), total: Type.Integer(), page: Type.Integer(), limit: Type.Integer() })

/**
 * A JSON object with any content. Not `Type.Record`, whose pattern excludes keys with a line separator.
 * @param options further keywords, such as `maxProperties`
 */
export const anyObject = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })
