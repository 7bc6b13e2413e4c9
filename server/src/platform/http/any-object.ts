import Type from 'typebox'

/**
 * A JSON object of any content. Not `Type.Record`, whose pattern for keys leaves out those with a line separator.
 * @param options further keywords, such as `maxProperties`
 */
export const anyObject = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })
