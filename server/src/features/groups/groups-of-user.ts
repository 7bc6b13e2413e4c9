import { and, eq, type SQL, sql } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejectStale } from '../../platform/http/entity-tag.js'
import { type GroupId, parseIds, type TeamId, type UserId } from '../../platform/ids.js'
import { setChange, type TeamSubject } from '../audit/index.js'
import { lockMembers, memberError } from '../members/index.js'
import { rejection } from './errors.js'
import type { GroupDeps } from './manage-groups.js'
import { groupMembers, groups } from './tables.js'

/**
 * Replaces the set of groups of a member, with an audit entry. The number of statements does not depend on the number of groups. The ETag
 * is compared while the groups are locked, so no membership can change in between. Runs in the caller's transaction.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws user_not_found, group_not_found, stale_version
 */
export async function replaceGroupsOfUser(
  tx: Transaction,
  { audit }: Pick<GroupDeps, 'audit'>,
  actor: TeamSubject,
  userId: UserId,
  groupIds: string[],
  ifMatch?: string,
): Promise<void> {
  const { teamId } = actor
  if ((await lockMembers(tx, teamId, [userId])).length === 0) throw memberError('user_not_found')
  const ids = parseIds<GroupId>(groupIds)
  const isMember = and(eq(groupMembers.userId, userId), eq(groupMembers.organizationId, teamId))
  const ofUser = tx.select({ id: groupMembers.groupId }).from(groupMembers).where(isMember)
  const locked = await lockGroupsWhere(tx, teamId, sql`(${anyOf(groups.id, ids ?? [])} OR ${groups.id} IN (${ofUser}))`)
  const current = (await ofUser).map(({ id }) => id).filter((id) => locked.has(id))
  rejectStale(current, ifMatch)
  if (!ids?.every((id) => locked.has(id))) throw rejection('group_not_found')

  const wanted = new Set(ids)
  const removed = current.filter((id) => !wanted.has(id))
  await tx.delete(groupMembers).where(and(isMember, anyOf(groupMembers.groupId, removed)))
  const added = await addToGroups(tx, teamId, userId, ids)
  await audit.record(tx, actor, 'user.groups_replaced', {
    resource: `user:${userId}`,
    metadata: setChange({ added, removed }),
  })
}

/**
 * Adds a locked member to these groups, with an audit entry. Returns whether any membership was added. Runs in the caller's transaction.
 * @throws group_not_found for one that was deleted concurrently
 */
export async function joinGroups(
  tx: Transaction,
  { audit }: Pick<GroupDeps, 'audit'>,
  actor: TeamSubject,
  userId: UserId,
  groupIds: GroupId[],
): Promise<boolean> {
  if (groupIds.length === 0) return false
  const locked = await lockGroupsWhere(tx, actor.teamId, anyOf(groups.id, groupIds))
  if (locked.size < new Set(groupIds).size) throw rejection('group_not_found')
  const added = await addToGroups(tx, actor.teamId, userId, groupIds)
  if (added.length === 0) return false
  await audit.record(tx, actor, 'user.groups_replaced', {
    resource: `user:${userId}`,
    metadata: { addedIds: added, removedIds: [] },
  })
  return true
}

/**
 * Removes a locked member from a group, with an audit entry. Returns whether the user was in it. Runs in the caller's transaction.
 * @throws group_not_found
 */
export async function leaveGroup(
  tx: Transaction,
  { audit }: Pick<GroupDeps, 'audit'>,
  actor: TeamSubject,
  userId: UserId,
  groupId: GroupId,
): Promise<boolean> {
  if ((await lockGroupsWhere(tx, actor.teamId, anyOf(groups.id, [groupId]))).size === 0)
    throw rejection('group_not_found')
  const left = await tx
    .delete(groupMembers)
    .where(and(eq(groupMembers.userId, userId), eq(groupMembers.groupId, groupId)))
    .returning({ id: groupMembers.groupId })
  if (left.length === 0) return false
  await audit.record(tx, actor, 'user.groups_replaced', {
    resource: `user:${userId}`,
    metadata: { addedIds: [], removedIds: [groupId] },
  })
  return true
}

/** Locks groups of the team in the order of their IDs, to prevent deadlocks. Returns their IDs. */
async function lockGroupsWhere(tx: Transaction, teamId: TeamId, condition: SQL): Promise<Set<GroupId>> {
  const rows = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.organizationId, teamId), condition))
    .orderBy(groups.id)
    .for('no key update')
  return new Set(rows.map(({ id }) => id))
}

/** Returns the groups of which the user was not a member yet. */
async function addToGroups(tx: Transaction, teamId: TeamId, userId: UserId, ids: GroupId[]): Promise<GroupId[]> {
  const { rows } = await tx.execute<{ id: GroupId }>(
    sql`INSERT INTO ${groupMembers} (group_id, organization_id, user_id) SELECT unnest(${sql.param(ids)}::uuid[]), ${teamId}::uuid, ${userId}::uuid
      ON CONFLICT DO NOTHING RETURNING group_id AS id`,
  )
  return rows.map(({ id }) => id)
}
