import Type from 'typebox'

/**
 * The schema of a JSON object with any content. Not `Type.Record`, whose pattern excludes keys with a line separator.
 * @param options further keywords, such as `maxProperties`
 */
export const anyObject = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })
