import { lockGroup, writeMembers } from '../../groups/index.js'
import { lockMembers } from '../../members/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import { about } from './apply-groups.js'
import type { SyncState } from './apply-users.js'
import { entryRepository } from './entry-repository.js'
import { runBatch } from './run-batch.js'

/** Number of groups to compare in one transaction. */
const PAGE = 20

/**
 * Replaces the members of each group with those that the directory lists, including members of nested groups. Writes nothing for
 * unchanged groups. Each changed group has its own transaction, so no transaction locks two groups.
 */
export async function applyMembers(
  deps: Pick<DirectoryDeps, 'db' | 'clock' | 'audit'>,
  { leased }: Pick<SyncState, 'leased'>,
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
        // Skips users who were removed from the team in the meantime.
        const members = await lockMembers(tx, actor.teamId, added)
        await writeMembers(tx, deps, actor, group, { added: members, removed }, about(actor))
        return { counts: { membersAdded: members.length, membersRemoved: removed.length } }
      })
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.no
  }
}
