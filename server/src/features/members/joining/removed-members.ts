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

const storeSuspended = namedQuery<never, [UserId, string[], Date]>(
  'members.record_suspensions',
  `INSERT INTO removed_members (organization_id, email, user_id, removed_at)
   SELECT m.organization_id, a.email, m.user_id, $3 FROM memberships m CROSS JOIN unnest($2::text[]) a (email)
   WHERE m.user_id = $1 AND (m.status = 'suspended' OR m.leave_at IS NOT NULL OR m.passwords_since IS NOT NULL)
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

/**
 * Records the same for every team that has suspended the user, locked the user down or set a leave date, before the email address changes or the
 * account is deleted: neither must lift that. Runs in the caller's transaction, which has locked the account.
 * @param emails the current and the new email address
 */
export async function recordSuspensions(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  emails: string[],
): Promise<void> {
  await tx.run(storeSuspended, [userId, [...new Set(emails)].sort(), clock.now()])
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
