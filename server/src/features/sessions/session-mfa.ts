import { DAY } from '../../platform/clock.js'
import type { MfaTerms } from '../settings/index.js'

/** What a session says of second factors: what the account has, and what is asked of it. */
export interface SessionMfa {
  enabled: boolean
  /** The instance asks everybody for one. */
  required: boolean
  /** Until when an account without one may put it off; null where the instance asks for none. */
  graceEndsAt: Date | null
  /** The session opens little else until one is enrolled. */
  enrollmentRequired: boolean
}

/** Which requirement a user without a valid second factor does not meet: the instance's, in every team, or that of the team's rules, in the team. */
export interface FactorDue {
  instance: boolean
  team: boolean
}

/** The grace begins when the requirement was switched on, or with the account, whichever is later. */
export function graceEnd(
  { mfaRequired, mfaRequiredSince, mfaGracePeriodDays }: MfaTerms,
  accountMadeAt: Date,
): Date | null {
  if (!mfaRequired || !mfaRequiredSince) return null
  return new Date(Math.max(mfaRequiredSince.getTime(), accountMadeAt.getTime()) + mfaGracePeriodDays * DAY)
}

export const presentMfa = ({ graceEndsAt, ...mfa }: SessionMfa) => ({
  ...mfa,
  graceEndsAt: graceEndsAt?.toISOString() ?? null,
})
