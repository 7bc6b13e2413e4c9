import type { Transaction } from '../../../platform/db/database.js'
import { addGroup, changeGroup, lockGroup } from '../../groups/index.js'
import type { DirectoryActor } from '../../user-management/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import type { MappedGroup } from '../model/map-entry.js'
import type { PlannedChange, RunCounts, RunFailure } from '../tables.js'
import type { SyncState } from './apply-users.js'
import { entryRepository, type KnownEntry } from './entry-repository.js'
import { failureOf, runBatch, trying } from './run-batch.js'

/** Small, because a group may have many members. */
const BATCH = 20

/**
 * Applies the groups of a page and stores the member names that each lists. `applyMembers` applies the members after all entries were
 * seen.
 */
export async function applyGroups(
  deps: Pick<DirectoryDeps, 'db' | 'clock' | 'audit'>,
  state: SyncState,
  groups: MappedGroup[],
): Promise<void> {
  for (let at = 0; at < groups.length; at += BATCH) {
    const some = groups.slice(at, at + BATCH)
    const { seen } = await runBatch(deps, state.leased, 'groups', (tx, actor) =>
      applyBatch(tx, deps, actor, state, some),
    )
    for (const no of seen) state.seen.add(no)
    state.nextNo = Math.max(state.nextNo, ...seen.map((no) => no + 1))
  }
}

async function applyBatch(
  tx: Transaction,
  deps: Pick<DirectoryDeps, 'clock' | 'audit'>,
  actor: DirectoryActor,
  { leased, nextNo: firstNo }: SyncState,
  groups: MappedGroup[],
) {
  const entries = entryRepository(tx, leased.directory.id)
  const known = await entries.known(
    'group',
    groups.map(({ key }) => key),
  )
  const counts: Partial<RunCounts> = { processed: groups.length }
  const failures: RunFailure[] = []
  const planned: PlannedChange[] = []
  const seen: number[] = []
  const marks: { no: number; mark: string | null }[] = []
  let nextNo = firstNo
  for (const group of groups) {
    const entry = known.get(group.key.toString('hex'))
    if (entry) seen.push(entry.no)
    if (entry && entry.goneSince === null && entry.contentHash.equals(group.contentHash)) {
      if (entry.mark !== group.mark) marks.push({ no: entry.no, mark: group.mark })
      continue
    }
    const rejected = await trying(tx, () =>
      entry ? changeKnown(tx, deps, actor, entries, group, entry) : addNew(tx, deps, actor, entries, group, nextNo),
    )
    if (rejected) {
      failures.push(failureOf(group.dn, null, rejected))
      if (entry) marks.push({ no: entry.no, mark: null })
      continue
    }
    if (!entry) seen.push(nextNo++)
    const count = entry ? 'groupsUpdated' : 'groupsCreated'
    counts[count] = (counts[count] ?? 0) + 1
    planned.push({ what: entry ? 'update_group' : 'create_group', dn: group.dn, name: group.name })
  }
  await entries.mark(marks)
  return { counts, failures, planned, seen }
}

type Entries = ReturnType<typeof entryRepository>
type Deps = Pick<DirectoryDeps, 'clock' | 'audit'>

async function addNew(
  tx: Transaction,
  deps: Deps,
  actor: DirectoryActor,
  entries: Entries,
  { name, description, members, ...names }: MappedGroup,
  no: number,
): Promise<void> {
  const { id: groupId } = await addGroup(tx, deps, actor, { name, description }, about(actor))
  const { key, dn, dnHash, mark, contentHash } = names
  await entries.insert({
    no,
    kind: 'group',
    key,
    dn,
    dnHash,
    uidHash: null,
    mark,
    contentHash,
    fields: [],
    organizationId: actor.teamId,
    userId: null,
    groupId,
    active: true,
  })
  await entries.replaceMembers(no, members)
}

async function changeKnown(
  tx: Transaction,
  deps: Deps,
  actor: DirectoryActor,
  entries: Entries,
  { name, description, members, dn, dnHash, mark, contentHash }: MappedGroup,
  { no, groupId, dnHash: before }: KnownEntry,
): Promise<void> {
  const group = await lockGroup(tx, actor.teamId, groupId ?? '')
  await changeGroup(tx, deps, actor, group, { name, description }, about(actor))
  await entries.update(no, { dn, dnHash, mark, contentHash, goneSince: null })
  if (!dnHash.equals(before)) await entries.clearMarksOfGroupsListing([before, dnHash])
  await entries.replaceMembers(no, members)
}

/** The audit metadata that identifies the directory. */
export const about = ({ method, source }: DirectoryActor): Record<string, string> => ({ method, ...source })
