import type { Actor } from '../../platform/http/actor.js'
import { refuseStale } from '../../platform/http/entity-tag.js'
import { type GroupId, parseId, type UserId } from '../../platform/ids.js'
import { lockMembers, memberRefusal } from '../members/index.js'
import { changeMembers } from './change-members.js'
import type { GroupDeps } from './deps.js'
import { lockGroup } from './lock-groups.js'
import { type GroupUser, groupRepository } from './repository.js'

/**
 * Makes `userIds` the whole set of the group's members. Whoever leaves it loses at once what only the group opened for them.
 * @param ifMatch the header: the tag of the set that the caller read
 * @throws group_not_found, stale_version, user_not_found
 */
export function replaceMembers(
  deps: GroupDeps,
  actor: Actor,
  id: string,
  userIds: string[],
  ifMatch: string | undefined,
): Promise<{ id: GroupId; users: GroupUser[] }> {
  const ids = [...new Set(userIds.map((text) => parseId<UserId>(text)))]
  return deps.db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    const repository = groupRepository(tx, actor.teamId)
    const before = new Set(await repository.memberIds(group.id))
    refuseStale([...before], ifMatch)
    if (!isKnown(ids)) throw memberRefusal('user_not_found')
    // Who is in the group is in the team; only the others are looked for.
    const added = ids.filter((userId) => !before.has(userId))
    if ((await lockMembers(tx, actor.teamId, added)).length < added.length) throw memberRefusal('user_not_found')

    const wanted = new Set(ids)
    const removed = [...before].filter((userId) => !wanted.has(userId))
    await changeMembers(tx, deps, actor, group, { added, removed })
    return { id: group.id, users: await repository.members(group.id) }
  })
}

const isKnown = (ids: (UserId | undefined)[]): ids is UserId[] => !ids.includes(undefined)
