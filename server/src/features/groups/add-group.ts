import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { refusal as platformRefusal } from '../../platform/errors.js'
import type { GroupId } from '../../platform/ids.js'
import type { GroupDeps, GroupWriter } from './deps.js'
import { refusal } from './errors.js'
import { type CountedGroup, groupRepository } from './repository.js'

/**
 * A step: makes a group with nobody in it, with its audit entry.
 * @param about what else the entry says
 * @throws group_name_taken
 */
export async function addGroup(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  actor: GroupWriter,
  { name, description = null }: { name: string; description?: string | null | undefined },
  about: Record<string, unknown> = {},
): Promise<CountedGroup> {
  const repository = groupRepository(tx, actor.teamId)
  // The team may have been deleted since the request was let in.
  if (!(await repository.keepTeam())) throw platformRefusal('invalid_access_token')
  const now = clock.now()
  const id = uuidv7<GroupId>(clock)
  const group = await repository.insert({ id, name: name.trim(), description, createdAt: now, updatedAt: now })
  if (!group) throw refusal('group_name_taken')
  await audit.record(tx, actor, 'group.created', { resource: `group:${id}`, metadata: { name: group.name, ...about } })
  return { ...group, memberCount: 0 }
}
