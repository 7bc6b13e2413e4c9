import type { Transaction } from '../../platform/db/database.js'
import type { UserId } from '../../platform/ids.js'
import { setChange } from '../audit/index.js'
import type { GroupDeps, GroupWriter } from './deps.js'
import { type Group, groupRepository } from './repository.js'

/**
 * A step: puts locked members of the team into a locked group and takes others out, with its audit entry, in as many statements however
 * many they are.
 * @param about what else the entry says
 */
export async function changeMembers(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  actor: GroupWriter,
  group: Pick<Group, 'id' | 'name'>,
  { added, removed }: { added: UserId[]; removed: UserId[] },
  about: Record<string, unknown> = {},
): Promise<void> {
  const repository = groupRepository(tx, actor.teamId)
  await repository.changeMembers(group.id, { added, removed })
  await repository.update(group.id, { updatedAt: clock.now() })
  await audit.record(tx, actor, 'group.members_replaced', {
    resource: `group:${group.id}`,
    metadata: { name: group.name, ...setChange({ added, removed }), ...about },
  })
}
