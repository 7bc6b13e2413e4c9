import { lockGroup, writeMembers } from '../../groups/index.js'
import { lockMembers } from '../../members/index.js'
import { auditMetadataOf } from '../../user-management/index.js'
import { runBatch } from './run-batch.js'
import type { RunningSync } from './running-sync.js'

/** Number of groups to compare in one transaction. */
const PAGE = 20

/**
 * Replaces the members of each group with those that the directory lists, including members of nested groups. Writes nothing for
 * unchanged groups. Each changed group has its own transaction, so no transaction locks two groups.
 */
export async function applyMembers(sync: RunningSync): Promise<void> {
  for (let after = -1; ; ) {
    const { page, changing } = await runBatch(sync, 'members', async ({ entries }) => {
      const page = await entries.groupsAfter(after, PAGE)
      const changing: typeof page = []
      for (const group of page) {
        const { added, removed } = await entries.membersToChange(group.no, group.groupId)
        if (added.length + removed.length > 0) changing.push(group)
      }
      return { page, changing, counts: {} }
    })
    for (const { no, groupId } of changing)
      await runBatch(sync, 'members', async ({ tx, actor, entries }) => {
        const group = await lockGroup(tx, actor.teamId, groupId)
        const { added, removed } = await entries.membersToChange(no, groupId)
        // Skips users who were removed from the team in the meantime.
        const members = await lockMembers(tx, actor.teamId, added)
        await writeMembers(tx, sync.deps, actor, group, { added: members, removed }, auditMetadataOf(actor))
        return { counts: { membersAdded: members.length, membersRemoved: removed.length } }
      })
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.no
  }
}
