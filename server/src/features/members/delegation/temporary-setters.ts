import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { lockUser, lockUsers, type User } from '../../users/index.js'
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

const usersOf = namedQuery<{ id: UserId }, [TeamId, UserId]>(
  'members.temporary_users_of',
  'SELECT user_id AS id FROM temporary_setters WHERE organization_id = $1 AND set_by = $2 AND user_id <> $2 ORDER BY user_id',
)

/** Returns the members for whom this one set a temporary password, ordered by ID. Runs in the caller's transaction. */
export const temporaryUsersOf = async (tx: Transaction, teamId: TeamId, setBy: UserId): Promise<UserId[]> =>
  (await tx.run(usersOf, [teamId, setBy])).map(({ id }) => id)

const usersOfMany = namedQuery<{ id: UserId }, [TeamId, UserId[]]>(
  'members.temporary_users_of_many',
  'SELECT DISTINCT user_id AS id FROM temporary_setters WHERE organization_id = $1 AND set_by = ANY($2::uuid[])',
)

/**
 * Locks the accounts of members who may lose permissions like `lockSetter`, all in the order of their IDs. Runs in the caller's transaction.
 */
export async function lockSetters(tx: Transaction, teamId: TeamId, userIds: UserId[]): Promise<void> {
  const dependent = await tx.run(usersOfMany, [teamId, userIds])
  await lockUsers(tx, [...new Set([...userIds, ...dependent.map(({ id }) => id)])])
}

/**
 * Locks the account of a member who may lose permissions, and the accounts for which they set a temporary password, ordered by ID: what
 * depends on these passwords may be revoked. Call it before locking the team. Runs in the caller's transaction.
 */
export async function lockSetter(tx: Transaction, teamId: TeamId, userId: UserId): Promise<User | undefined> {
  let account: User | undefined
  for (const id of [...(await temporaryUsersOf(tx, teamId, userId)), userId].sort()) {
    const user = await lockUser(tx, id)
    if (id === userId) account = user
  }
  return account
}
