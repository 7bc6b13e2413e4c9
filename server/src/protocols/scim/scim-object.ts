/** A value of an attribute. */
export type ScimValue = string | boolean | ScimObject | readonly ScimValue[]

/**
 * A resource or a complex value: attributes by their canonical names, extensions by their URN. Unassigned attributes are absent: null and
 * empty strings, lists and objects do not occur.
 */
export interface ScimObject {
  readonly [name: string]: ScimValue
}

export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Returns an own attribute of a value: names such as `constructor` are no attributes. */
export const own = (value: ScimValue | undefined, name: string): ScimValue | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
