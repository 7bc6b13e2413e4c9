import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId, TeamId, UserId } from '../../platform/ids.js'

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

/**
 * SQL: sets `memberships.second_factor_at` of the user `$1` in each team.
 * @param newest expression for the enrollment time of the newest factor of the membership `m` that is restricted to its team
 */
export const recordingTeamFactors = (newest: string): string =>
  `UPDATE memberships m SET second_factor_at = n.newest
   FROM (SELECT m.id, ${newest} AS newest FROM memberships m WHERE m.user_id = $1) n
   WHERE m.id = n.id AND m.second_factor_at IS DISTINCT FROM n.newest`

const disregard = namedQuery<never, [UserId, TeamId[], Date]>(
  'members.disregard_earlier_factors',
  'UPDATE memberships SET factors_since = $3 WHERE user_id = $1 AND organization_id = ANY($2)',
)

/** Makes unrestricted factors from before `since` neither accepted nor required in these teams. Runs in the caller's transaction. */
export async function disregardEarlierFactors(
  tx: Transaction,
  userId: UserId,
  teamIds: TeamId[],
  since: Date,
): Promise<void> {
  await tx.run(disregard, [userId, teamIds, since])
}
