import type { Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import type { GroupDeps, GroupWriter } from './deps.js'
import { refusal } from './errors.js'
import { lockGroup } from './lock-groups.js'
import { groupRepository } from './repository.js'

/**
 * A step: changes what is given of a group and leaves the rest, with its audit entry; null takes the description away. Answers whether there
 * was anything to change, which alone is recorded.
 * @param about what else the entry says
 * @throws group_not_found; group_name_taken: then nothing may be kept
 */
export async function writeGroup(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  actor: GroupWriter,
  id: string,
  wanted: { name?: string; description?: string | null },
  about: Record<string, unknown> = {},
): Promise<boolean> {
  const before = await lockGroup(tx, actor.teamId, id)
  const { name = before.name, description = before.description } = wanted
  const change = { name: name.trim(), description, updatedAt: clock.now() }
  const changed = (['description', 'name'] as const).filter((field) => change[field] !== before[field])
  if (changed.length === 0) return false
  await groupRepository(tx, actor.teamId)
    .update(before.id, change)
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'groups_organization_name') ? refusal('group_name_taken') : error
    })
  await audit.record(tx, actor, 'group.updated', {
    resource: `group:${before.id}`,
    metadata: { changed, name: change.name, ...about },
  })
  return true
}
