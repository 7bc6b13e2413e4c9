import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { GroupId, TeamId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import { type CountedGroup, type Group, groupRepository } from './repository.js'
import { groups } from './tables.js'

/** Returns the group. Runs in the caller's transaction. @throws group_not_found if the ID is malformed, unknown, or belongs to another team */
export async function findGroup(tx: Transaction, teamId: TeamId, id: string): Promise<CountedGroup> {
  const group = await groupRepository(tx, teamId).find(id)
  if (!group) throw rejection('group_not_found')
  return group
}

/** Returns the group, and locks it, its members and its applications. Runs in the caller's transaction. @throws group_not_found */
export async function lockGroup(tx: Transaction, teamId: TeamId, id: string): Promise<Group> {
  const group = await groupRepository(tx, teamId).lock(id)
  if (!group) throw rejection('group_not_found')
  return group
}

/** Returns those of `ids` that are groups of the team, and prevents their deletion. Runs in the caller's transaction. */
export async function lockGroups(tx: Transaction, teamId: TeamId, ids: GroupId[]): Promise<GroupId[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.organizationId, teamId), anyOf(groups.id, ids)))
    .orderBy(groups.id)
    .for('key share')
  return rows.map(({ id }) => id)
}
