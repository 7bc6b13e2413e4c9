import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import { rejection as platformError } from '../../platform/errors.js'
import { parseTimestamp } from '../../platform/timestamps.js'

/** The requested expiry of a token. */
export interface RequestedExpiry {
  /** RFC 3339; null or absent: the token does not expire. */
  expiresAt?: string | null | undefined
  expiresInDays?: number | null | undefined
}

/** The subset of ISO 8601 with seconds and a time zone, and letters in either case. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Returns the expiry; null: none. @throws invalid_request for a malformed or past time, or if both fields are present */
export function tokenExpiry(clock: Clock, { expiresAt, expiresInDays }: RequestedExpiry): Date | null {
  const wrong = (path: string, message: string) =>
    platformError('invalid_request', { detail: 'Some fields are missing or not valid', errors: [{ path, message }] })
  if (typeof expiresAt === 'string' && typeof expiresInDays === 'number')
    throw wrong('/expiresInDays', 'cannot be combined with expiresAt')
  if (typeof expiresInDays === 'number') return fromNow(clock, expiresInDays * DAY)
  if (typeof expiresAt !== 'string') return null
  const timestamp = RFC_3339.test(expiresAt) ? parseTimestamp(expiresAt.toUpperCase()) : undefined
  if (timestamp === undefined) throw wrong('/expiresAt', 'must be a date and time (RFC 3339)')
  const end = new Date(timestamp)
  if (end.getUTCFullYear() > 9999) throw wrong('/expiresAt', 'must be before the year 10000')
  if (end <= clock.now()) throw wrong('/expiresAt', 'must be in the future')
  return end
}
