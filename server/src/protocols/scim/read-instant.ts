/** An xsd:dateTime (RFC 7643, section 2.3.5); without a zone it is UTC. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/i

/** Of the years that four digits write, in UTC: a database counts from the year 1, and nothing here is older or comes later. */
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** The instant that a text names, to the millisecond, of the years 1 to 9999 in UTC; undefined where it names none. */
export function readInstant(text: string): Date | undefined {
  const found = INSTANT.exec(text)
  if (!found) return undefined
  const instant = new Date(found[1] ? text.toUpperCase() : `${text.toUpperCase()}Z`)
  return instant.getTime() >= FIRST && instant.getTime() <= LAST ? instant : undefined
}
