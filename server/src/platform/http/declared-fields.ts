/** The fields of a body that its schema declares: unknown and read-only keys, and those that another route writes, are ignored. */
export const declaredFields = <T extends object>(body: T, schema: { properties: object }): T =>
  Object.fromEntries(Object.entries(body).filter(([key]) => Object.hasOwn(schema.properties, key))) as T
