import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import type { Membership } from './repository.js'
import { memberships } from './tables.js'

const one = (teamId: TeamId, userId: UserId) =>
  and(eq(memberships.userId, userId), eq(memberships.organizationId, teamId))

/** Returns the user's membership in the team. Runs in the caller's transaction. @throws user_not_found also for a malformed ID */
export async function findMembership(tx: Transaction, teamId: TeamId, userId: string): Promise<Membership> {
  const known = parseId<UserId>(userId)
  const [row] = known ? await tx.select().from(memberships).where(one(teamId, known)) : []
  if (!row) throw rejection('user_not_found')
  return row
}

/** Returns the user's membership in the team, if any. Runs in the caller's transaction. */
export async function findMember(tx: Transaction, teamId: TeamId, userId: UserId): Promise<Membership | undefined> {
  return (await tx.select().from(memberships).where(one(teamId, userId)))[0]
}

/** Returns the memberships of those of the users that are in the team. Runs in the caller's transaction. */
export async function findMembers(
  tx: Transaction,
  teamId: TeamId,
  userIds: UserId[],
): Promise<Map<UserId, Membership>> {
  const rows = await tx
    .select()
    .from(memberships)
    .where(and(eq(memberships.organizationId, teamId), inArray(memberships.userId, userIds)))
  return new Map(rows.map((row) => [row.userId, row]))
}

/** Like `findMembership`, and locks the membership until the transaction ends. */
export async function lockMembership(tx: Transaction, teamId: TeamId, userId: string): Promise<Membership> {
  const known = parseId<UserId>(userId)
  const [row] = known ? await tx.select().from(memberships).where(one(teamId, known)).for('no key update') : []
  if (!row) throw rejection('user_not_found')
  return row
}
