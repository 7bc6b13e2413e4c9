/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Returns the value at a path of keys and indexes; undefined if there is none. */
export function valueAt(json: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let value = json
  for (const step of path) {
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined
    else if (value !== null && typeof value === 'object') value = Object.hasOwn(value, step) ? value[step] : undefined
    else return undefined
  }
  return value
}

/** Returns the elements of a list; empty if it is not a list. */
export const listAt = (json: Json | undefined, ...path: (string | number)[]): Json[] => {
  const value = valueAt(json, ...path)
  return Array.isArray(value) ? value : []
}
