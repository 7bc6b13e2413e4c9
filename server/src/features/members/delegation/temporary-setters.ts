import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { temporarySetters } from '../tables.js'

/** Records that this member set a temporary password of the user in the team. Runs in the caller's transaction. */
export async function recordTemporarySetter(
  tx: Transaction,
  row: { userId: UserId; organizationId: TeamId; setBy: UserId },
): Promise<void> {
  await tx.insert(temporarySetters).values(row).onConflictDoNothing()
}

/** Deletes the records of members whose temporary passwords for the user were revoked. Runs in the caller's transaction. */
export async function deleteTemporarySetters(
  tx: Transaction,
  userId: UserId,
  { teamId, setBy }: { teamId: TeamId; setBy: UserId[] },
): Promise<void> {
  const { userId: user, organizationId, setBy: by } = temporarySetters
  await tx.delete(temporarySetters).where(and(eq(user, userId), eq(organizationId, teamId), inArray(by, setBy)))
}

const usersAbove = namedQuery<{ id: UserId }, [TeamId, UserId, string[], number]>(
  'members.temporary_users_above',
  `SELECT t.user_id AS id FROM temporary_setters t JOIN memberships m ON m.user_id = t.user_id AND m.organization_id = t.organization_id
   WHERE t.organization_id = $1 AND t.set_by = $2 AND t.user_id <> $2 AND NOT m.role = ANY($3) ORDER BY t.user_id LIMIT $4`,
)

/**
 * Returns the first members, ordered by ID, for whom this one set a temporary password and whose role is not in `covered`. Runs in the
 * caller's transaction.
 */
export const temporaryUsersAbove = async (
  tx: Transaction,
  { teamId, setBy, covered, limit }: { teamId: TeamId; setBy: UserId; covered: string[]; limit: number },
): Promise<UserId[]> => (await tx.run(usersAbove, [teamId, setBy, covered, limit])).map(({ id }) => id)
