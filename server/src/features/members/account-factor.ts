import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId, TeamId } from '../../platform/ids.js'

/**
 * SQL: whether an unrestricted session has verified none of its account's unrestricted factors.
 * @param s alias of the session; `u` is its user
 */
export const verifiedNoOwnFactor = (s: string, u: string): string =>
  `(${s}.confined_team_id IS NULL AND ${u}.second_factor_since IS NOT NULL
  AND NOT EXISTS (SELECT FROM factors f WHERE f.id = ANY(${s}.verified_factor_ids) AND f.user_id = ${u}.id AND f.epoch = ${u}.epoch
    AND f.verified_at IS NOT NULL AND f.restricted_to_team_id IS NULL))`

/**
 * SQL: whether such a session must not act on the account. A team that reset the factors or enrolled its own admits the session to itself
 * only. Exception: a user with adaptive MFA, whose unrestricted factor was valid in the team at sign-in and was waived.
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
 * @param team in which the session is used; default: the session's own
 */
export async function isWithoutAccountFactor(
  runner: Runner,
  id: SessionId,
  team: TeamId | null = null,
): Promise<boolean> {
  return (await runner.run(isLacking, [id, team]))[0]?.lacks ?? false
}
