/** Returns the fields of a body that its schema declares. Unknown keys, read-only keys and those of other routes are ignored. */
export const declaredFields = <T extends object>(body: T, schema: { properties: object }): T =>
  Object.fromEntries(Object.entries(body).filter(([key]) => Object.hasOwn(schema.properties, key))) as T
