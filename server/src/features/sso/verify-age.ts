import { DAY, SECOND } from '../../platform/clock.js'
import type { Check } from '../../protocols/id-token/index.js'

/** Milliseconds: no provider is believed to know a sign-in that is older; one of which it does not say when it was may be as old. */
export const OLDEST_SIGN_IN = 30 * DAY
/** Clocks that differ by so much agree. */
const TOLERANCE = 120 * SECOND

/** How old the sign-in at the provider may be. */
export interface AgeQuestion {
  /** When the provider says that it was (AuthnInstant, auth_time), in milliseconds; undefined where it does not say. */
  said: number | undefined
  /** Seconds that were asked for when the browser was sent there; undefined where any age is right. */
  maxAge: number | undefined
  /** When that was, in milliseconds. */
  begunAt: number
  /** Milliseconds. */
  now: number
}

/**
 * When the person proved who they are (OpenID Connect Core 3.1.3.7 (13), SAML Core 3.4.1): never later than now. What the provider was
 * asked to be young enough and is, but for what clocks differ by, is told as just young enough.
 * @returns the moment in milliseconds, and the check for the report; without the moment it is older than what was asked for
 */
export function verifyAge({ said, maxAge, begunAt, now }: AgeQuestion): { at?: number; check: Check } {
  const id = 'sign_in_age'
  const found = said === undefined ? 'it does not say' : `${Math.round((now - said) / SECOND)} s ago`
  if (maxAge === undefined) {
    const at = Math.min(now, Math.max(said ?? 0, now - OLDEST_SIGN_IN))
    return { at, check: { id, status: 'skipped', detail: 'Any age is right', found } }
  }
  const earliest = begunAt - maxAge * SECOND
  const expected = `at most ${Math.round((now - earliest) / SECOND)} s ago`
  if (said !== undefined && said + TOLERANCE >= earliest)
    return { at: Math.min(now, Math.max(said, earliest)), check: { id, status: 'ok', expected, found } }
  const detail =
    said === undefined
      ? 'The provider was asked for a recent sign-in, and does not say when it was'
      : 'The provider was asked for a recent sign-in, and brings an older one'
  return { check: { id, status: 'failed', expected, found, detail } }
}
