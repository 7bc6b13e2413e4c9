import type { Transaction } from '../../platform/db/database.js'
import { parseId, type UserId } from '../../platform/ids.js'
import { setChange } from '../audit/index.js'
import { lockMembers, memberError } from '../members/index.js'
import type { GroupDeps, GroupWriter } from './deps.js'
import { type Group, groupRepository } from './repository.js'

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
  writer: GroupWriter,
  group: Group,
  wanted: MembersChange,
): Promise<void> {
  const repository = groupRepository(tx, writer.teamId)
  const difference =
    'replace' in wanted
      ? membersAfter(new Set(await repository.memberIds(group.id)), wanted.replace)
      : await changing(wanted)
  if (difference.added.length > 0 || difference.removed.length > 0)
    await writeMembers(tx, deps, writer, group, difference)

  async function changing({ add, remove }: { add: readonly string[]; remove: readonly string[] }): Promise<Difference> {
    const ids = knownIds(add)
    const leaving = remove.map((id) => parseId<UserId>(id)).filter((id) => id !== undefined)
    const present = new Set(await repository.membersAmong(group.id, [...ids, ...leaving]))
    return { added: ids.filter((id) => !present.has(id)), removed: leaving.filter((id) => present.has(id)) }
  }
}

interface Difference {
  added: UserId[]
  removed: UserId[]
}

/** Returns the difference that makes `userIds` the whole set of members. @throws user_not_found for a malformed ID */
export function membersAfter(before: ReadonlySet<UserId>, userIds: readonly string[]): Difference {
  const ids = knownIds(userIds)
  const after = new Set(ids)
  return { added: ids.filter((id) => !before.has(id)), removed: [...before].filter((id) => !after.has(id)) }
}

/**
 * Removes members from a locked group and adds others, with an audit entry. Runs in the caller's transaction.
 * @param about additional metadata of the audit entry
 * @throws user_not_found
 */
export async function writeMembers(
  tx: Transaction,
  { clock, audit }: Pick<GroupDeps, 'clock' | 'audit'>,
  writer: GroupWriter,
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

/** Returns the distinct IDs. @throws user_not_found for a malformed ID */
function knownIds(userIds: readonly string[]): UserId[] {
  const ids = [...new Set(userIds.map((id) => parseId<UserId>(id)))]
  if (!isKnown(ids)) throw memberError('user_not_found')
  return ids
}

const isKnown = (ids: (UserId | undefined)[]): ids is UserId[] => !ids.includes(undefined)
