/**
 * A hot query: its SQL is written out, prepared once a connection under its name, and typed by hand. Everything that is not
 * hot goes through the query builder, which costs about three times as much a query.
 */
export interface NamedQuery<Row, Values extends readonly unknown[]> {
  readonly name: string
  readonly text: string
  /** Carries the types; never read. */
  readonly types?: { row: Row; values: Values }
}

const names = new Set<string>()

/** @param name unique in the whole service, `room.what`; PostgreSQL cuts names at 63 bytes. */
export function namedQuery<Row, Values extends readonly unknown[] = []>(
  name: string,
  text: string,
): NamedQuery<Row, Values> {
  if (names.has(name) || name.length > 63) throw new Error(`The query name ${name} is taken or too long`)
  names.add(name)
  return { name, text: text.replace(/\s+/g, ' ').trim() }
}
