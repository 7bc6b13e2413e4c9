import { and, eq, or, type SQL } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import { type MembershipId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import { memberships } from './tables.js'

export type Membership = typeof memberships.$inferSelect

const ofUser = (tx: Transaction, teamId: TeamId, userId: UserId) =>
  tx
    .select()
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.organizationId, teamId)))

/** Returns the user's membership in the team, if any. Runs in the caller's transaction. */
export async function findMember(tx: Transaction, teamId: TeamId, userId: UserId): Promise<Membership | undefined> {
  return (await ofUser(tx, teamId, userId))[0]
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
    .where(and(eq(memberships.organizationId, teamId), anyOf(memberships.userId, userIds)))
  return new Map(rows.map((row) => [row.userId, row]))
}

/** Returns the user's membership in the team. Runs in the caller's transaction. @throws user_not_found also for a malformed ID */
export async function findMembership(tx: Transaction, teamId: TeamId, userId: string): Promise<Membership> {
  const known = parseId<UserId>(userId)
  const [row] = known ? await ofUser(tx, teamId, known) : []
  if (!row) throw rejection('user_not_found')
  return row
}

/** Like `findMembership`, and locks the membership until the transaction ends. */
export async function lockMembership(tx: Transaction, teamId: TeamId, userId: string): Promise<Membership> {
  const known = parseId<UserId>(userId)
  const [row] = known ? await ofUser(tx, teamId, known).for('no key update') : []
  if (!row) throw rejection('user_not_found')
  return row
}

/** Selects the member of the team with this membership ID or user ID. */
const ofEitherId = (teamId: TeamId, id: string): SQL | undefined =>
  and(
    eq(memberships.organizationId, teamId),
    or(eq(memberships.id, id as MembershipId), eq(memberships.userId, id as UserId)),
  )

/** Returns the user with this membership ID or user ID in the team, if any. Runs in the caller's transaction. */
export async function memberOfEitherId(tx: Transaction, teamId: TeamId, id: string): Promise<UserId | undefined> {
  const [row] = await tx.select({ userId: memberships.userId }).from(memberships).where(ofEitherId(teamId, id))
  return row?.userId
}

/** Returns the member with this membership or user ID, locked; undefined if it is malformed, unknown, or of another team. */
export async function lockMember(tx: Transaction, teamId: TeamId, id: string): Promise<Membership | undefined> {
  const known = parseId<string>(id)
  if (!known) return undefined
  return (await tx.select().from(memberships).where(ofEitherId(teamId, known)).for('no key update'))[0]
}

/**
 * Rejects a change of the caller's own membership whose role or status changed while the request waited for it: with the former permissions,
 * they could undo their own demotion or suspension.
 * @param actor without `role` for a run, which changes no membership of its user
 * @throws invalid_access_token
 */
export function requireSameRole(
  actor: { userId: UserId | null; role?: string },
  { userId, role, status }: Pick<Membership, 'userId' | 'role' | 'status'>,
): void {
  if (actor.role === undefined || actor.userId !== userId) return
  if (actor.role !== role || status !== 'active') throw invalidAccessToken()
}

/** Returns the membership, locked, if it is active. Runs in the caller's transaction. */
export async function lockActiveMember(tx: Transaction, teamId: TeamId, id: UserId): Promise<Membership | undefined> {
  const member = await lockMember(tx, teamId, id)
  return member?.status === 'active' ? member : undefined
}

/** Returns those of `userIds` that are members of the team, and prevents their removal. Runs in the caller's transaction. */
export async function lockMembers(tx: Transaction, teamId: TeamId, userIds: UserId[]): Promise<UserId[]> {
  const rows = await tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, teamId), anyOf(memberships.userId, userIds)))
    .orderBy(memberships.userId)
    .for('key share')
  return rows.map(({ id }) => id)
}
