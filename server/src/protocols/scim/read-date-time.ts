/** An xsd:dateTime (RFC 7643 section 2.3.5); UTC without a time zone. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/i

/** The range of PostgreSQL and of four-digit years, in UTC. */
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** Parses a timestamp to the millisecond, from year 1 to 9999 in UTC; undefined if it is invalid. */
export function readDateTime(text: string): Date | undefined {
  const found = INSTANT.exec(text)
  if (!found) return undefined
  const dateTime = new Date(found[1] ? text.toUpperCase() : `${text.toUpperCase()}Z`)
  return dateTime.getTime() >= FIRST && dateTime.getTime() <= LAST ? dateTime : undefined
}
