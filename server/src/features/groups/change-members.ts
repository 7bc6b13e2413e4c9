import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { rejectStale } from '../../platform/http/entity-tag.js'
import { type GroupId, parseId, parseIds, type UserId } from '../../platform/ids.js'
import { setChange, type TeamSubject } from '../audit/index.js'
import { lockMembers, memberError } from '../members/index.js'
import type { GroupDeps } from './manage-groups.js'
import { findGroup, type Group, type GroupUser, groupRepository, lockGroup } from './repository.js'

/** Returns the group's members, by email address. @throws group_not_found */
export const readMembers = (
  { db }: GroupDeps,
  actor: Actor,
  id: string,
): Promise<{ id: GroupId; users: GroupUser[] }> =>
  db.transaction(async (tx) => {
    const group = await findGroup(tx, actor.teamId, id)
    return { id: group.id, users: await groupRepository(tx, actor.teamId).members(group.id) }
  })

/**
 * Replaces the set of the group's members.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws group_not_found, stale_version, user_not_found
 */
export const replaceMembers = (
  deps: GroupDeps,
  actor: Actor,
  id: string,
  userIds: string[],
  ifMatch: string | undefined,
): Promise<{ id: GroupId; users: GroupUser[] }> =>
  deps.db.transaction(async (tx) => {
    const group = await lockGroup(tx, actor.teamId, id)
    const repository = groupRepository(tx, actor.teamId)
    const before = await repository.memberIds(group.id)
    rejectStale(before, ifMatch)
    await writeMembers(tx, deps, actor, group, replacement(before, userIds))
    return { id: group.id, users: await repository.members(group.id) }
  })

/** A change of the members of a group. The IDs are not validated yet. */
export type MembersChange = { replace: readonly string[] } | { add: readonly string[]; remove: readonly string[] }

/**
 * Changes the members of a locked group, with an audit entry unless nothing changes. The number of statements does not depend on the number
 * of members. Removing a user who is not a member is ignored. Runs in the caller's transaction.
 * @throws user_not_found for an added user who is not in the team
 */
export async function changeMembers(
  tx: Transaction,
  deps: Pick<GroupDeps, 'clock' | 'audit'>,
  writer: TeamSubject,
  group: Group,
  wanted: MembersChange,
): Promise<void> {
  const repository = groupRepository(tx, writer.teamId)
  let difference: Difference
  if ('replace' in wanted) difference = replacement(await repository.memberIds(group.id), wanted.replace)
  else {
    const ids = knownIds(wanted.add)
    const leaving = wanted.remove.map((id) => parseId<UserId>(id)).filter((id) => id !== undefined)
    const present = new Set(await repository.membersAmong(group.id, [...ids, ...leaving]))
    difference = { added: ids.filter((id) => !present.has(id)), removed: leaving.filter((id) => present.has(id)) }
  }
  if (difference.added.length > 0 || difference.removed.length > 0)
    await writeMembers(tx, deps, writer, group, difference)
}

interface Difference {
  added: UserId[]
  removed: UserId[]
}

/** Returns the difference that makes `userIds` the whole set of members. @throws user_not_found for a malformed ID */
function replacement(before: UserId[], userIds: readonly string[]): Difference {
  const after = knownIds(userIds)
  const [present, wanted] = [new Set(before), new Set(after)]
  return { added: after.filter((id) => !present.has(id)), removed: before.filter((id) => !wanted.has(id)) }
}

/** Returns the distinct IDs. @throws user_not_found for a malformed ID */
function knownIds(userIds: readonly string[]): UserId[] {
  const ids = parseIds<UserId>(userIds)
  if (!ids) throw memberError('user_not_found')
  return ids
}

/**
 * Removes members from a locked group and adds others, with an audit entry. Runs in the caller's transaction.
 * @param about additional metadata of the audit entry
 * @throws user_not_found
 */
export async function writeMembers(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  writer: TeamSubject,
  group: Group,
  { added, removed }: Difference,
  about: Record<string, unknown> = {},
): Promise<void> {
  // Only the added users are verified: members of the group are in the team.
  if ((await lockMembers(tx, writer.teamId, added)).length < added.length) throw memberError('user_not_found')
  const repository = groupRepository(tx, writer.teamId)
  await repository.changeMembers(group.id, { added, removed })
  await repository.update(group.id, { updatedAt: clock.now() })
  await audit.record(tx, writer, 'group.members_replaced', {
    resource: `group:${group.id}`,
    metadata: { name: group.name, ...setChange({ added, removed }), ...about },
  })
}
