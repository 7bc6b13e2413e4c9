import { rejection as platformError } from '../../platform/errors.js'
import { parseTimestamp } from '../../platform/timestamps.js'

export const invalidField = (path: string, message: string) =>
  platformError('invalid_request', { detail: `${path.slice(1)} ${message}`, errors: [{ path, message }] })

const MIN_YEAR = 1970
const MAX_YEAR = 9999

/** Returns the time of a field in ISO 8601, in UTC without a zone, from the years that the database stores. @throws invalid_request */
export function requestedTime(path: string, value: string): Date {
  // A plus sign that a query does not encode arrives as a space.
  const time = parseTimestamp(value.replace(' ', '+'))
  const date = new Date(time ?? Number.NaN)
  const year = date.getUTCFullYear()
  if (!(year >= MIN_YEAR && year <= MAX_YEAR))
    throw invalidField(path, `must be a date or time in ISO 8601, from ${MIN_YEAR} to ${MAX_YEAR}`)
  return date
}
