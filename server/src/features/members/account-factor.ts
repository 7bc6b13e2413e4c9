import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId, TeamId } from '../../platform/ids.js'

/**
 * SQL: whether an unrestricted session has verified none of the unrestricted factors of its account.
 * @param s alias of the session; `u` is its user
 */
export const verifiedNoOwnFactor = (s: string, u: string): string =>
  `(${s}.confined_team_id IS NULL AND ${u}.second_factor_since IS NOT NULL
  AND NOT EXISTS (SELECT FROM factors f WHERE f.id = ANY(${s}.verified_factor_ids) AND f.user_id = ${u}.id AND f.epoch = ${u}.epoch
    AND f.verified_at IS NOT NULL AND f.restricted_to_team_id IS NULL))`

/**
 * SQL: whether such a session must not act on the account. A team that has reset the factors, or
 * that enrolled one of its own, admits such a session to itself; it must not act on the account. A session of a user who chose to be challenged
 * less often has not verified one either, and may act: at its sign-in an unrestricted factor was valid in its team, and was waived.
 * @param s alias of the session; `u` is its user and `m` the membership in its team
 */
const lacksAccountFactor = (s: string, u: string, m: string): string => `(${verifiedNoOwnFactor(s, u)}
  AND NOT (cardinality(${s}.verified_factor_ids) = 0 AND EXISTS (SELECT FROM adaptive_users a WHERE a.user_id = ${u}.id)
    AND EXISTS (SELECT FROM factors f WHERE f.user_id = ${u}.id AND f.epoch = ${u}.epoch AND f.restricted_to_team_id IS NULL
      AND f.type <> 'BACKUP_CODE' AND f.verified_at <= ${s}.signed_in_at AND (${m}.factors_since IS NULL OR f.verified_at > ${m}.factors_since))))`

const isLacking = namedQuery<{ lacks: boolean }, [SessionId, TeamId | null]>(
  'sessions.lacks_account_factor',
  `SELECT ${lacksAccountFactor('s', 'u', 'm')} AS lacks FROM sessions s JOIN users u ON u.id = s.user_id
   JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = coalesce($2, s.organization_id) WHERE s.id = $1`,
)

/**
 * Returns whether the session must not act on the account.
 * @param team in which the session is used; the one that it has open by default
 */
export async function isWithoutAccountFactor(
  runner: Runner,
  id: SessionId,
  team: TeamId | null = null,
): Promise<boolean> {
  return (await runner.run(isLacking, [id, team]))[0]?.lacks ?? false
}
