import { isUniqueViolation } from '../../platform/db/database-errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { GroupDeps } from './deps.js'
import { refusal } from './errors.js'
import { findGroup, lockGroup } from './lock-groups.js'
import { type CountedGroup, groupRepository } from './repository.js'

/** Changes what is given and leaves the rest; null takes the description away. What changes nothing is not recorded. @throws group_not_found, group_name_taken */
export function updateGroup(
  { db, clock, audit }: GroupDeps,
  actor: Actor,
  id: string,
  wanted: { name?: string; description?: string | null },
): Promise<CountedGroup> {
  return db.transaction(async (tx) => {
    const before = await lockGroup(tx, actor.teamId, id)
    const repository = groupRepository(tx, actor.teamId)
    const { name = before.name, description = before.description } = wanted
    const change = { name: name.trim(), description, updatedAt: clock.now() }
    const changed = (['description', 'name'] as const).filter((field) => change[field] !== before[field])
    if (changed.length === 0) return findGroup(tx, actor.teamId, before.id)
    await repository.update(before.id, change).catch((error: unknown) => {
      throw isUniqueViolation(error, 'groups_organization_name') ? refusal('group_name_taken') : error
    })
    await audit.record(tx, actor, 'group.updated', {
      resource: `group:${before.id}`,
      metadata: { changed, name: change.name },
    })
    return findGroup(tx, actor.teamId, before.id)
  })
}
