import type { Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupDeps, GroupWriter } from './deps.js'
import { rejection } from './errors.js'
import { findGroup, lockGroup } from './lock-groups.js'
import { type CountedGroup, type Group, groupRepository } from './repository.js'

export interface GroupChange {
  name?: string
  description?: string | null
}

/**
 * Updates the given fields; null clears the description. An update that changes nothing is not recorded.
 * @throws group_not_found, group_name_taken
 */
export const updateGroup = (deps: GroupDeps, actor: Actor, id: string, wanted: GroupChange): Promise<CountedGroup> =>
  deps.db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    await changeGroup(tx, deps, actor, group, wanted)
    return findGroup(tx, actor.teamId, group.id)
  })

/**
 * Updates a locked group. Returns whether anything changed. Runs in the caller's transaction.
 * @param about additional metadata of the audit entry
 * @throws group_name_taken
 */
export async function changeGroup(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  writer: GroupWriter,
  before: Group,
  wanted: GroupChange,
  about: Record<string, unknown> = {},
): Promise<boolean> {
  const { name = before.name, description = before.description } = wanted
  const change = { name: name.trim(), description, updatedAt: clock.now() }
  const changed = (['description', 'name'] as const).filter((field) => change[field] !== before[field])
  if (changed.length === 0) return false
  await groupRepository(tx, writer.teamId)
    .update(before.id, change)
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'groups_organization_name') ? rejection('group_name_taken') : error
    })
  await audit.record(tx, writer, 'group.updated', {
    resource: `group:${before.id}`,
    metadata: { changed, name: change.name, ...about },
  })
  return true
}
