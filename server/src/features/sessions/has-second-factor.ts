import { showsOwnProfile } from '../members/index.js'

/**
 * SQL: whether the user has a second factor that is valid in the team of a membership, by the columns that `updateFactorState` of mfa updates.
 * Null if there is no such membership.
 * @param m alias of the membership; `u` is its user
 * @param restrictedTo an expression for the team that the session is restricted to
 */
export const hasSecondFactor = (m: string, restrictedTo: string): string => `(${m}.second_factor_at IS NOT NULL
  OR u.second_factor_since IS NOT NULL AND (${m}.factors_since IS NULL OR u.second_factor_since > ${m}.factors_since)
    AND (${restrictedTo} IS NULL OR ${showsOwnProfile(m, 'u')}))`

/**
 * SQL: whether the valid second factors of a team can differ from those of other teams. Then a factor that was verified for one team may not
 * be accepted in another.
 */
export const hasOwnFactors = (...memberships: string[]): string =>
  `(${memberships.map((m) => `${m}.second_factor_at IS NOT NULL OR ${m}.factors_since IS NOT NULL`).join(' OR ')})`
