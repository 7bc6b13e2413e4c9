import { DAY } from '../../platform/clock.js'
import type { MfaTerms } from '../settings/index.js'

/** The second factor state of a session. */
export interface SessionMfa {
  enabled: boolean
  /** The instance requires a factor of every user. */
  required: boolean
  /** The end of the grace period of an account without a factor; null if the instance requires none. */
  graceEndsAt: Date | null
  /** The session can only enroll a factor until that is done. */
  enrollmentRequired: boolean
}

/** The requirements that a user without a valid factor does not meet: of the instance (in every team), or of the team's policies. */
export interface FactorDue {
  instance: boolean
  team: boolean
}

/** Returns the end of the grace period, which starts when the requirement was turned on or the account was created, if that is later. */
export function graceEnd(
  { mfaRequired, mfaRequiredSince, mfaGracePeriodDays }: MfaTerms,
  accountCreatedAt: Date,
): Date | null {
  if (!mfaRequired || !mfaRequiredSince) return null
  return new Date(Math.max(mfaRequiredSince.getTime(), accountCreatedAt.getTime()) + mfaGracePeriodDays * DAY)
}

export const presentMfa = ({ graceEndsAt, ...mfa }: SessionMfa) => ({
  ...mfa,
  graceEndsAt: graceEndsAt?.toISOString() ?? null,
})
