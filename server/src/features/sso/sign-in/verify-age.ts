import { DAY, SECOND } from '../../../platform/clock.js'
import type { Check } from '../../../protocols/id-token/index.js'

/** Milliseconds: a sign-in without a time counts as this old, and one with an earlier time as no older. */
export const OLDEST_SIGN_IN = 30 * DAY
/** Accepted clock difference. */
const TOLERANCE = 120 * SECOND

/** The requested and the stated age of the sign-in at the provider. */
export interface AgeQuery {
  /** The provider's statement (AuthnInstant, auth_time), in milliseconds; undefined if there is none. */
  stated: number | undefined
  /** Requested maximum age, in seconds; undefined accepts any. */
  maxAge: number | undefined
  /** When it was requested, in milliseconds. */
  begunAt: number
  /** Milliseconds. */
  now: number
}

/**
 * Verifies when the user authenticated (OpenID Connect Core 3.1.3.7 (13), SAML Core 3.4.1). The result is never later than now. A time
 * within the clock tolerance of the requested age counts as exactly that age.
 * @returns the timestamp in milliseconds and the check for the report; no timestamp if the sign-in is older than requested
 */
export function verifyAge({ stated, maxAge, begunAt, now }: AgeQuery): { at?: number; check: Check } {
  const id = 'sign_in_age'
  const found = stated === undefined ? 'not stated' : `${Math.round((now - stated) / SECOND)} s ago`
  if (maxAge === undefined) {
    const at = Math.min(now, Math.max(stated ?? 0, now - OLDEST_SIGN_IN))
    return { at, check: { id, status: 'skipped', detail: 'No maximum age was requested', found } }
  }
  const earliest = begunAt - maxAge * SECOND
  const expected = `at most ${Math.round((now - earliest) / SECOND)} s ago`
  if (stated !== undefined && stated + TOLERANCE >= earliest)
    return { at: Math.min(now, Math.max(stated, earliest)), check: { id, status: 'ok', expected, found } }
  const detail =
    stated === undefined
      ? 'A recent sign-in was requested, but the provider does not state when the user authenticated'
      : 'A recent sign-in was requested, but the provider returned an older one'
  return { check: { id, status: 'failed', expected, found, detail } }
}
