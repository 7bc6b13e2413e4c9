import type { Transaction } from '../../platform/db/database.js'
import { parseId, type UserId } from '../../platform/ids.js'
import { setChange } from '../audit/index.js'
import { lockMembers, memberError } from '../members/index.js'
import type { GroupDeps } from './deps.js'
import type { GroupWriter } from './group-writer.js'
import { type Group, groupRepository } from './repository.js'

/** What becomes of the members of a group. Ids are texts as somebody sent them. */
export type MembersChange = { replace: readonly string[] } | { add: readonly string[]; remove: readonly string[] }

/**
 * A step: changes who is in a locked group, in as many statements however many they are, with its audit entry. Whoever leaves it loses
 * at once what only the group opened for them. Who is to be removed and is not in it is no fault. What changes nothing is not recorded.
 * @throws user_not_found for somebody to be added who is no member of the team
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
    const leaving = remove.map((text) => parseId<UserId>(text)).filter((id) => id !== undefined)
    const there = new Set(await repository.membersAmong(group.id, [...ids, ...leaving]))
    return { added: ids.filter((id) => !there.has(id)), removed: leaving.filter((id) => there.has(id)) }
  }
}

interface Difference {
  added: UserId[]
  removed: UserId[]
}

/** What makes `userIds` the whole set of members. @throws user_not_found for a text that is no id */
export function membersAfter(before: ReadonlySet<UserId>, userIds: readonly string[]): Difference {
  const ids = knownIds(userIds)
  const after = new Set(ids)
  return { added: ids.filter((id) => !before.has(id)), removed: [...before].filter((id) => !after.has(id)) }
}

/**
 * A step: takes some out of a locked group and puts others in, with its audit entry.
 * @param about what else the entry says
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
  // Who is in the group is in the team; only the others are looked for.
  if ((await lockMembers(tx, writer.teamId, added)).length < added.length) throw memberError('user_not_found')
  const repository = groupRepository(tx, writer.teamId)
  await repository.changeMembers(group.id, { added, removed })
  await repository.update(group.id, { updatedAt: clock.now() })
  await audit.record(tx, writer, 'group.members_replaced', {
    resource: `group:${group.id}`,
    metadata: { name: group.name, ...setChange({ added, removed }), ...about },
  })
}

/** Each once. @throws user_not_found for a text that is no id */
function knownIds(texts: readonly string[]): UserId[] {
  const ids = [...new Set(texts.map((text) => parseId<UserId>(text)))]
  if (!isKnown(ids)) throw memberError('user_not_found')
  return ids
}

const isKnown = (ids: (UserId | undefined)[]): ids is UserId[] => !ids.includes(undefined)
