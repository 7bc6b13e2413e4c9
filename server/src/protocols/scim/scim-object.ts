/** What a value of an attribute is. */
export type ScimValue = string | boolean | ScimObject | readonly ScimValue[]

/**
 * A resource, or a complex value: attributes by their names as the schemas spell them, extensions by their URN. What has no value is
 * not there: neither null nor an empty text, list or object.
 */
export interface ScimObject {
  readonly [name: string]: ScimValue
}

export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
