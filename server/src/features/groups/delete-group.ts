import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupDeps } from './deps.js'
import { rejection } from './errors.js'
import type { GroupWriter } from './group-writer.js'
import { groupRepository } from './repository.js'

/**
 * Deletes the group: nobody is in it, and no application is assigned to it any more. An application that was assigned to it alone
 * stays closed to everybody else.
 * @throws group_not_found
 */
export const deleteGroup = (deps: GroupDeps, actor: Actor, id: string): Promise<void> =>
  deps.db.transaction((tx) => removeGroup(tx, deps, actor, id))

/** A step: as `deleteGroup`. @throws group_not_found */
export async function removeGroup(
  tx: Transaction,
  { audit }: Pick<GroupDeps, 'audit'>,
  writer: GroupWriter,
  id: string,
): Promise<void> {
  const repository = groupRepository(tx, writer.teamId)
  const group = await repository.find(id)
  // Of two who delete it at once the second finds nothing, although both saw it.
  if (!group || !(await repository.delete(group.id))) throw rejection('group_not_found')
  await audit.record(tx, writer, 'group.deleted', {
    resource: `group:${group.id}`,
    metadata: { name: group.name, members: group.memberCount },
  })
}
