const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Parses a date or time in ISO 8601. The default zone is UTC, the default time the beginning of the day.
 * @returns milliseconds since the epoch; undefined for any other string, and for a date that does not exist, such as 30 February
 */
export function parseTimestamp(value: string): number | undefined {
  if (!ISO_8601.test(value)) return undefined
  const date = value.slice(0, 10)
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined
  const timestamp = Date.parse(value === date || /(Z|[+-]\d\d:?\d\d)$/.test(value.slice(10)) ? value : `${value}Z`)
  return Number.isNaN(timestamp) ? undefined : timestamp
}
