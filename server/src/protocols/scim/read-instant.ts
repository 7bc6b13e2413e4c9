/** An xsd:dateTime (RFC 7643, section 2.3.5); without a zone it is UTC. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/i

/** The instant that a text names, to the millisecond; undefined where it names none. */
export function readInstant(text: string): Date | undefined {
  const found = INSTANT.exec(text)
  if (!found) return undefined
  const instant = new Date(found[1] ? text.toUpperCase() : `${text.toUpperCase()}Z`)
  return Number.isNaN(instant.getTime()) ? undefined : instant
}
