import type { Actor } from '../../platform/http/actor.js'
import { rejectStale } from '../../platform/http/entity-tag.js'
import type { GroupId } from '../../platform/ids.js'
import { membersAfter, writeMembers } from './change-members.js'
import type { GroupDeps } from './deps.js'
import { lockGroup } from './lock-groups.js'
import { type GroupUser, groupRepository } from './repository.js'

/**
 * Replaces the set of the group's members.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws group_not_found, stale_version, user_not_found
 */
export function replaceMembers(
  { db, clock, audit }: GroupDeps,
  actor: Actor,
  id: string,
  userIds: string[],
  ifMatch: string | undefined,
): Promise<{ id: GroupId; users: GroupUser[] }> {
  return db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    const repository = groupRepository(tx, actor.teamId)
    const before = new Set(await repository.memberIds(group.id))
    rejectStale([...before], ifMatch)
    await writeMembers(tx, { clock, audit }, actor, group, membersAfter(before, userIds))
    return { id: group.id, users: await repository.members(group.id) }
  })
}
