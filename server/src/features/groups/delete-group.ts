import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupDeps, GroupWriter } from './deps.js'
import { rejection } from './errors.js'
import { groupRepository } from './repository.js'

/**
 * Deletes the group with its memberships and assignments. An application that was assigned to no one else stays closed to all.
 * @throws group_not_found
 */
export const deleteGroup = (deps: GroupDeps, actor: Actor, id: string): Promise<void> =>
  deps.db.transaction((tx) => removeGroup(tx, deps, actor, id))

/** Deletes the group. Runs in the caller's transaction. @throws group_not_found */
export async function removeGroup(
  tx: Transaction,
  { audit }: Pick<GroupDeps, 'audit'>,
  writer: GroupWriter,
  id: string,
): Promise<void> {
  const repository = groupRepository(tx, writer.teamId)
  const group = await repository.find(id)
  // The second of two concurrent deletions deletes nothing, although both found the group.
  if (!group || !(await repository.delete(group.id))) throw rejection('group_not_found')
  await audit.record(tx, writer, 'group.deleted', {
    resource: `group:${group.id}`,
    metadata: { name: group.name, members: group.memberCount },
  })
}
