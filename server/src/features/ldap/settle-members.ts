import { lockGroup, writeMembers } from '../groups/index.js'
import { lockMembers } from '../members/index.js'
import type { DirectoryDeps } from './deps.js'
import { entryRepository } from './entry-repository.js'
import { runBatch } from './run-batch.js'
import { about } from './take-groups.js'
import type { Reading } from './take-users.js'

/** Groups that are compared in one transaction. */
const PAGE = 20

/**
 * Makes the members of each group those that the directory names, with those of the groups inside it. What is as it should be is not
 * written; each change of a group is a transaction of its own, so that nobody waits for two of them.
 */
export async function settleMembers(
  deps: Pick<DirectoryDeps, 'db' | 'clock' | 'audit'>,
  { leased }: Pick<Reading, 'leased'>,
): Promise<void> {
  for (let after = -1; ; ) {
    const { page, changing } = await runBatch(deps, leased, 'members', async (tx) => {
      const entries = entryRepository(tx, leased.directory.id)
      const page = await entries.groupsAfter(after, PAGE)
      const changing: typeof page = []
      for (const group of page) {
        const { added, removed } = await entries.membersToChange(group.no, group.groupId)
        if (added.length + removed.length > 0) changing.push(group)
      }
      return { page, changing, counts: {} }
    })
    for (const { no, groupId } of changing)
      await runBatch(deps, leased, 'members', async (tx, actor) => {
        const group = await lockGroup(tx, actor.teamId, groupId)
        const { added, removed } = await entryRepository(tx, leased.directory.id).membersToChange(no, groupId)
        // Who was removed from the team at this moment is passed over.
        const members = await lockMembers(tx, actor.teamId, added)
        await writeMembers(tx, deps, actor, group, { added: members, removed }, about(actor))
        return { counts: { membersAdded: members.length, membersRemoved: removed.length } }
      })
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.no
  }
}
