import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { rejectStale } from '../../platform/http/entity-tag.js'
import { type GroupId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { setChange } from '../audit/index.js'
import { lockMembers, memberError } from '../members/index.js'
import type { GroupDeps } from './deps.js'
import { rejection } from './errors.js'
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
  actor: Pick<Actor, 'userId' | 'teamId' | 'origin'>,
  userId: UserId,
  groupIds: string[],
  ifMatch?: string,
): Promise<void> {
  const ids = [...new Set(groupIds.map((id) => parseId<GroupId>(id)))]
  const { teamId } = actor
  if ((await lockMembers(tx, teamId, [userId])).length === 0) throw memberError('user_not_found')
  const known = await lockTouched(
    tx,
    teamId,
    userId,
    ids.filter((id) => id !== undefined),
  )
  const locked = sql`${sql.param([...known])}::uuid[]`
  const current = await tx.execute<{ id: GroupId }>(
    sql`SELECT gm.group_id AS id FROM ${groupMembers} gm WHERE gm.user_id = ${userId} AND gm.group_id = ANY(${locked})`,
  )
  rejectStale(
    current.rows.map(({ id }) => id),
    ifMatch,
  )
  if (!isKnown(ids) || ids.some((id) => !known.has(id))) throw rejection('group_not_found')

  const wanted = sql`${sql.param(ids)}::uuid[]`
  const removed = await tx.execute<{ id: GroupId }>(
    sql`DELETE FROM ${groupMembers} gm WHERE gm.user_id = ${userId} AND gm.organization_id = ${teamId}
      AND gm.group_id = ANY(${locked}) AND gm.group_id <> ALL(${wanted}) RETURNING gm.group_id AS id`,
  )
  const added = await tx.execute<{ id: GroupId }>(
    sql`INSERT INTO ${groupMembers} (group_id, organization_id, user_id) SELECT unnest(${wanted}), ${teamId}::uuid, ${userId}::uuid
      ON CONFLICT DO NOTHING RETURNING group_id AS id`,
  )
  await audit.record(tx, actor, 'user.groups_replaced', {
    resource: `user:${userId}`,
    metadata: setChange({ added: added.rows.map(({ id }) => id), removed: removed.rows.map(({ id }) => id) }),
  })
}

/** Locks these groups and the member's current ones, in the order of their IDs to prevent deadlocks. Returns those of the team. */
async function lockTouched(tx: Transaction, teamId: TeamId, userId: UserId, ids: GroupId[]): Promise<Set<GroupId>> {
  const rows = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(
      and(
        eq(groups.organizationId, teamId),
        sql`(${groups.id} = ANY(${sql.param(ids)}::uuid[]) OR EXISTS (
          SELECT 1 FROM ${groupMembers} gm WHERE gm.group_id = ${groups.id} AND gm.user_id = ${userId}))`,
      ),
    )
    .orderBy(groups.id)
    .for('no key update')
  return new Set(rows.map(({ id }) => id))
}

const isKnown = (ids: (GroupId | undefined)[]): ids is GroupId[] => !ids.includes(undefined)
