/**
 * A hot query: handwritten SQL, prepared once per connection under its name, and typed by hand. All other queries use the query
 * builder, which costs about three times as much per query.
 */
export interface NamedQuery<Row, Values extends readonly unknown[]> {
  readonly name: string
  readonly text: string
  /** Carries the types; never read. */
  readonly types?: { row: Row; values: Values }
}

const names = new Set<string>()

/** @param name unique in the whole service, `module.action`; PostgreSQL truncates names to 63 bytes */
export function namedQuery<Row, Values extends readonly unknown[] = []>(
  name: string,
  text: string,
): NamedQuery<Row, Values> {
  if (names.has(name) || name.length > 63) throw new Error(`The query name ${name} is taken or too long`)
  names.add(name)
  return { name, text: text.replace(/\s+/g, ' ').trim() }
}
