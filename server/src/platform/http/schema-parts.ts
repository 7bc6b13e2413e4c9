import Type, { type TSchema } from 'typebox'

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** An optional field that can be null. In a change, null removes the value, and an omitted field stays unchanged. */
export const clearable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/** A date and time (RFC 3339). */
export const timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

/**
 * A JSON object with any content. Not `Type.Record`, whose pattern excludes keys with a line separator.
 * @param options further keywords, such as `maxProperties`
 */
export const anyObject = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })
