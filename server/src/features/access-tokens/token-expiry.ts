import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import { rejection as platformError } from '../../platform/errors.js'
import { parseTimestamp } from '../../platform/timestamps.js'

/** The requested expiry of a token. At most one of both fields may be set. */
export interface RequestedExpiry {
  /** RFC 3339; null or absent: the token does not expire. */
  expiresAt?: string | null | undefined
  expiresInDays?: number | null | undefined
}

/** `date-time` of RFC 3339, 5.6. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Returns the expiry, or null if the token does not expire. @throws invalid_request for a malformed or past time, or if both fields are set */
export function tokenExpiry(clock: Clock, { expiresAt, expiresInDays }: RequestedExpiry): Date | null {
  const fieldError = (path: string, message: string) =>
    platformError('invalid_request', { detail: 'The expiry is not valid', errors: [{ path, message }] })
  if (typeof expiresAt === 'string' && typeof expiresInDays === 'number')
    throw fieldError('/expiresInDays', 'cannot be combined with expiresAt')
  if (typeof expiresInDays === 'number') return fromNow(clock, expiresInDays * DAY)
  if (typeof expiresAt !== 'string') return null
  const timestamp = RFC_3339.test(expiresAt) ? parseTimestamp(expiresAt.toUpperCase()) : undefined
  if (timestamp === undefined) throw fieldError('/expiresAt', 'must be a date and time (RFC 3339)')
  const end = new Date(timestamp)
  if (end.getUTCFullYear() > 9999) throw fieldError('/expiresAt', 'must be before the year 10000')
  if (end <= clock.now()) throw fieldError('/expiresAt', 'must be in the future')
  return end
}
