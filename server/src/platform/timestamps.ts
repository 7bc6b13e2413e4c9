const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * A date or time in ISO 8601 as milliseconds since the epoch. Without a zone it is UTC, without a time the beginning of the day.
 * @returns undefined for any other text, and for a day that no calendar has: the language takes 30 February for 2 March
 */
export function parseTimestamp(text: string): number | undefined {
  if (!ISO_8601.test(text)) return undefined
  const date = text.slice(0, 10)
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined
  const timestamp = Date.parse(text === date || /(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) ? text : `${text}Z`)
  return Number.isNaN(timestamp) ? undefined : timestamp
}
