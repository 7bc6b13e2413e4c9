import { addGroup, changeGroup, lockGroup } from '../../groups/index.js'
import { auditMetadataOf, inSavepoint } from '../../user-management/index.js'
import type { MappedGroup } from '../model/map-entry.js'
import type { PlannedChange, RunCounts, RunFailure } from '../tables.js'
import type { KnownEntry } from './entry-repository.js'
import { type Batch, failureOf, runBatch } from './run-batch.js'
import { type RunningSync, recordSeen } from './running-sync.js'

/** Small, because a group may have many members. */
const BATCH = 20

/**
 * Applies the groups of a page and stores the member names that each lists. `applyMembers` applies the members after all entries were
 * seen.
 */
export async function applyGroups(sync: RunningSync, groups: MappedGroup[]): Promise<void> {
  for (let at = 0; at < groups.length; at += BATCH) {
    const some = groups.slice(at, at + BATCH)
    const { seen } = await runBatch(sync, 'groups', (batch) => applyBatch(sync, batch, some))
    recordSeen(sync, seen)
  }
}

async function applyBatch(sync: RunningSync, batch: Batch, groups: MappedGroup[]) {
  const { tx, entries } = batch
  const known = await entries.known('group', groups)
  const counts: Partial<RunCounts> = { processed: groups.length }
  const failures: RunFailure[] = []
  const planned: PlannedChange[] = []
  const seen: number[] = []
  const markers: { no: number; changeMarker: string | null }[] = []
  let { nextNo } = sync
  for (const group of groups) {
    const entry = known.get(group)
    if (entry) seen.push(entry.no)
    if (entry && entry.goneSince === null && entry.contentHash.equals(group.contentHash)) {
      if (entry.changeMarker !== group.changeMarker) markers.push({ no: entry.no, changeMarker: group.changeMarker })
      continue
    }
    const rejected = await inSavepoint(tx, () =>
      entry ? changeKnown(sync, batch, group, entry) : addNew(sync, batch, group, nextNo),
    )
    if (rejected) {
      failures.push(failureOf(group.dn, null, rejected))
      if (entry) markers.push({ no: entry.no, changeMarker: null })
      continue
    }
    if (!entry) seen.push(nextNo++)
    const count = entry ? 'groupsUpdated' : 'groupsCreated'
    counts[count] = (counts[count] ?? 0) + 1
    planned.push({ what: entry ? 'update_group' : 'create_group', dn: group.dn, name: group.name })
  }
  await entries.writeChangeMarkers(markers)
  return { counts, failures, planned, seen }
}

async function addNew(
  { deps }: RunningSync,
  { tx, actor, entries }: Batch,
  { name, description, members, ...names }: MappedGroup,
  no: number,
): Promise<void> {
  const { id: groupId } = await addGroup(tx, deps, actor, { name, description }, auditMetadataOf(actor))
  const { teamId: organizationId } = actor
  await entries.insert({ ...names, no, kind: 'group', fields: [], organizationId, groupId, active: true })
  await entries.replaceMembers(no, members)
}

async function changeKnown(
  { deps }: RunningSync,
  { tx, actor, entries }: Batch,
  { name, description, members, ...names }: MappedGroup,
  { no, groupId, dnHash: before }: KnownEntry,
): Promise<void> {
  const group = await lockGroup(tx, actor.teamId, groupId ?? '')
  await changeGroup(tx, deps, actor, group, { name, description }, auditMetadataOf(actor))
  await entries.update(no, { ...names, goneSince: null })
  if (!names.dnHash.equals(before)) await entries.clearMarkersOfGroupsListing([before, names.dnHash])
  await entries.replaceMembers(no, members)
}
