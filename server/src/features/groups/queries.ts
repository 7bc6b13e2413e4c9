import type { Actor } from '../../platform/http/actor.js'
import type { GroupId } from '../../platform/ids.js'
import type { GroupDeps } from './deps.js'
import { findGroup } from './lock-groups.js'
import { type CountedGroup, type GroupUser, groupRepository } from './repository.js'

type QueryDeps = Pick<GroupDeps, 'db'>

/** Returns one page of the team's groups, newest first; with `search`, only those whose name contains it. */
export const listGroups = (
  { db }: QueryDeps,
  actor: Actor,
  { search, ...page }: { search: string | undefined; page: number; limit: number },
): Promise<{ groups: CountedGroup[]; total: number }> =>
  db.transaction(async (tx) => {
    const repository = groupRepository(tx, actor.teamId)
    const term = search?.trim() || undefined
    return { groups: await repository.page(term, page), total: await repository.total(term) }
  })

/** @throws group_not_found */
export const readGroup = ({ db }: QueryDeps, actor: Actor, id: string): Promise<CountedGroup> =>
  db.transaction((tx) => findGroup(tx, actor.teamId, id))

/** Returns the group's members, by email address. @throws group_not_found */
export const readMembers = (
  { db }: QueryDeps,
  actor: Actor,
  id: string,
): Promise<{ id: GroupId; users: GroupUser[] }> =>
  db.transaction(async (tx) => {
    const group = await findGroup(tx, actor.teamId, id)
    return { id: group.id, users: await groupRepository(tx, actor.teamId).members(group.id) }
  })
