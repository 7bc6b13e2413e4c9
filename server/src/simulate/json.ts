/** What a SCIM service answers, as far as anybody knows beforehand. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** The value at a path of names and places; undefined where there is none. */
export function valueAt(json: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let value = json
  for (const step of path) {
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined
    else if (value !== null && typeof value === 'object') value = Object.hasOwn(value, step) ? value[step] : undefined
    else return undefined
  }
  return value
}

/** The elements of a list; none where there is no list. */
export const listAt = (json: Json | undefined, ...path: (string | number)[]): Json[] => {
  const value = valueAt(json, ...path)
  return Array.isArray(value) ? value : []
}
