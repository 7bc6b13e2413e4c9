import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { OriginId, TeamId, UserId } from '../../../platform/ids.js'
import { temporarySetters } from '../tables.js'
import { settersBehind } from './joint-setters.js'

const record = namedQuery<never, [UserId, TeamId, OriginId]>(
  'members.record_temporary_setters',
  `INSERT INTO temporary_setters (user_id, organization_id, set_by) SELECT m.user_id, m.organization_id, setter.id FROM ${settersBehind('$3::uuid')} setter
   JOIN memberships m ON m.user_id = $1 AND m.organization_id = $2 ON CONFLICT DO NOTHING`,
)

/**
 * Records the members on whose temporary passwords credentials of this origin depend, which the user gets in the team. Runs in the
 * caller's transaction.
 */
export const recordTemporarySetters = async (
  tx: Transaction,
  userId: UserId,
  teamId: TeamId,
  origin: OriginId,
): Promise<void> => void (await tx.run(record, [userId, teamId, origin]))

/** Deletes the record of a member whose temporary passwords for the user were revoked. Runs in the caller's transaction. */
export async function deleteTemporarySetter(
  tx: Transaction,
  { userId, teamId, setBy }: { userId: UserId; teamId: TeamId; setBy: UserId },
): Promise<void> {
  const { userId: user, organizationId, setBy: by } = temporarySetters
  await tx.delete(temporarySetters).where(and(eq(user, userId), eq(organizationId, teamId), eq(by, setBy)))
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
