import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupId } from '../../platform/ids.js'
import type { GroupDeps } from './deps.js'
import { rejection } from './errors.js'
import type { GroupWriter } from './group-writer.js'
import { type CountedGroup, type Group, groupRepository } from './repository.js'

export interface NewGroup {
  name: string
  description?: string | null | undefined
}

/** Makes a group with nobody in it. @throws group_name_taken */
export const createGroup = (deps: GroupDeps, actor: Actor, group: NewGroup): Promise<CountedGroup> =>
  deps.db.transaction(async (tx) => ({ ...(await addGroup(tx, deps, actor, group)), memberCount: 0 }))

/**
 * A step: makes a group with nobody in it.
 * @param about what else the entry says
 * @throws group_name_taken
 */
export async function addGroup(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  writer: GroupWriter,
  { name, description = null }: NewGroup,
  about: Record<string, unknown> = {},
): Promise<Group> {
  const repository = groupRepository(tx, writer.teamId)
  // The team may have been deleted since the request was let in.
  if (!(await repository.keepTeam())) throw platformError('invalid_access_token')
  const now = clock.now()
  const id = uuidv7<GroupId>(clock)
  const group = await repository.insert({ id, name: name.trim(), description, createdAt: now, updatedAt: now })
  if (!group) throw rejection('group_name_taken')
  await audit.record(tx, writer, 'group.created', { resource: `group:${id}`, metadata: { name: group.name, ...about } })
  return group
}
