import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupId } from '../../platform/ids.js'
import type { GroupDeps, GroupWriter } from './deps.js'
import { rejection } from './errors.js'
import { type CountedGroup, type Group, groupRepository } from './repository.js'

export interface NewGroup {
  name: string
  description?: string | null | undefined
}

/** Creates an empty group. @throws group_name_taken */
export const createGroup = (deps: GroupDeps, actor: Actor, group: NewGroup): Promise<CountedGroup> =>
  deps.db.transaction(async (tx) => ({ ...(await addGroup(tx, deps, actor, group)), memberCount: 0 }))

/**
 * Creates an empty group. Runs in the caller's transaction.
 * @param about additional metadata of the audit entry
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
  // The team may have been deleted since the request was authenticated.
  if (!(await repository.keepTeam())) throw platformError('invalid_access_token')
  const now = clock.now()
  const id = uuidv7<GroupId>(clock)
  const group = await repository.insert({ id, name: name.trim(), description, createdAt: now, updatedAt: now })
  if (!group) throw rejection('group_name_taken')
  await audit.record(tx, writer, 'group.created', { resource: `group:${id}`, metadata: { name: group.name, ...about } })
  return group
}
