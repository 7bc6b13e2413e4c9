import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'

const store = namedQuery<never, [TeamId, string, UserId, Date]>(
  'members.record_removal',
  `INSERT INTO removed_members (organization_id, email, user_id, removed_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (organization_id, email) DO UPDATE SET user_id = excluded.user_id, removed_at = excluded.removed_at`,
)
const clear = namedQuery<never, [TeamId, string, UserId]>(
  'members.clear_removal',
  'DELETE FROM removed_members WHERE organization_id = $1 AND (email = $2 OR user_id = $3)',
)
const find = namedQuery<{ found: number }, [TeamId, string, UserId | null, Date | null]>(
  'members.find_removal',
  `SELECT 1 AS found FROM removed_members
   WHERE organization_id = $1 AND (email = $2 OR user_id = $3) AND ($4::timestamptz IS NULL OR removed_at > $4) LIMIT 1`,
)

/**
 * SQL: whether a membership has a limit that leaving the team would lift: a suspension, a leave date, or a lock-down or reset of factors as long
 * as the user has the password or a factor from before.
 */
const IS_LIMITED = `(m.status = 'suspended' OR m.leave_at IS NOT NULL OR u.password_set_at < m.passwords_since
  OR EXISTS (SELECT FROM factors f WHERE f.user_id = u.id AND f.restricted_to_team_id IS NULL AND coalesce(f.verified_at, f.created_at) <= m.factors_since))`

const findLimited = namedQuery<{ found: number }, [TeamId, UserId]>(
  'members.find_limited',
  `SELECT 1 AS found FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND m.user_id = $2 AND ${IS_LIMITED}`,
)

const storeLimited = namedQuery<never, [UserId, string[], Date]>(
  'members.record_limits',
  `INSERT INTO removed_members (organization_id, email, user_id, removed_at)
   SELECT m.organization_id, a.email, m.user_id, $3 FROM memberships m JOIN users u ON u.id = m.user_id CROSS JOIN unnest($2::text[]) a (email)
   WHERE m.user_id = $1 AND ${IS_LIMITED}
   ON CONFLICT (organization_id, email) DO UPDATE SET user_id = excluded.user_id, removed_at = excluded.removed_at`,
)

interface Account {
  id: UserId
  email: string
}

/**
 * Records that the team removed the user, who then returns only through an administrator, SCIM, LDAP or a later invitation. Runs in the
 * caller's transaction.
 */
export async function recordRemoval(tx: Transaction, clock: Clock, teamId: TeamId, user: Account): Promise<void> {
  await tx.run(store, [teamId, user.email, user.id, clock.now()])
}

/** Returns whether leaving the team would lift a limit of the member. Runs in the caller's transaction, which has locked the account. */
export const isLimitedMember = async (tx: Transaction, teamId: TeamId, userId: UserId): Promise<boolean> =>
  (await tx.run(findLimited, [teamId, userId])).length > 0

/**
 * Records the same for every team that has limited the user, before the email address changes or the account is deleted, because neither may lift
 * a limit. Runs in the caller's transaction, which has locked the account.
 * @param emails the current and the new email address
 */
export async function recordLimits(tx: Transaction, clock: Clock, userId: UserId, emails: string[]): Promise<void> {
  await tx.run(storeLimited, [userId, [...new Set(emails)].sort(), clock.now()])
}

/** Clears the record of an active user who leaves on their own after the team added them again. Runs in the caller's transaction. */
export async function clearRemoval(tx: Transaction, teamId: TeamId, user: Account): Promise<void> {
  await tx.run(clear, [teamId, user.email, user.id])
}

/**
 * Returns whether the team removed the user, or an earlier account of the email address. Only meaningful for users who are not in the team.
 * Runs in the caller's transaction.
 * @param after ignores removals up to this time: a later invitation is valid
 */
export async function wasRemoved(
  tx: Transaction,
  teamId: TeamId,
  user: { id?: UserId; email: string },
  after?: Date,
): Promise<boolean> {
  return (await tx.run(find, [teamId, user.email, user.id ?? null, after ?? null])).length > 0
}
