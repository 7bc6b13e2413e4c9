import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupId, UserId } from '../../platform/ids.js'
import type { GroupDeps } from './deps.js'
import { rejection } from './errors.js'
import { groupMembers, groups } from './tables.js'

/**
 * Adds a locked member to these groups, with an audit entry. Returns whether any membership was added. Locks the groups in the order of
 * their IDs. Runs in the caller's transaction.
 * @throws group_not_found for one that was deleted concurrently
 */
export async function joinGroups(
  tx: Transaction,
  { audit }: Pick<GroupDeps, 'audit'>,
  actor: Pick<Actor, 'userId' | 'teamId' | 'origin'>,
  userId: UserId,
  groupIds: GroupId[],
): Promise<boolean> {
  if (groupIds.length === 0) return false
  const ids = sql`${sql.param(groupIds)}::uuid[]`
  const known = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.organizationId, actor.teamId), sql`${groups.id} = ANY(${ids})`))
    .orderBy(groups.id)
    .for('no key update')
  if (known.length < new Set(groupIds).size) throw rejection('group_not_found')
  const { rows: added } = await tx.execute<{ id: GroupId }>(
    sql`INSERT INTO ${groupMembers} (group_id, organization_id, user_id) SELECT unnest(${ids}), ${actor.teamId}::uuid, ${userId}::uuid
      ON CONFLICT DO NOTHING RETURNING group_id AS id`,
  )
  if (added.length === 0) return false
  await audit.record(tx, actor, 'user.groups_replaced', {
    resource: `user:${userId}`,
    metadata: { addedIds: added.map(({ id }) => id), removedIds: [] },
  })
  return true
}
