import { SECOND } from '../../../platform/clock.js'
import type { LdapClient, LdapEntry, LdapSearch } from '../../../protocols/ldap/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import { connectDirectory } from '../model/directory.js'
import {
  BINARY,
  GROUP_ATTRIBUTES,
  keyOf,
  type MappedGroup,
  type MappedUser,
  mapGroup,
  mapUser,
  NAMING_ATTRIBUTES,
  nextRange,
  type Unusable,
  uniqueByKey,
  userAttributes,
} from '../model/map-entry.js'
import { pageSizeOf } from '../model/page-size.js'
import { applyGroups } from './apply-groups.js'
import { applyMembers } from './apply-members.js'
import { applyUsers } from './apply-users.js'
import { deprovision } from './deprovision.js'
import { entryRepository, type KnownEntry } from './entry-repository.js'
import { type Changed, findChanged } from './find-changed.js'
import { isTooSlow, MAX_DURATION, pagesInTime, requireTimeLeft, tooSlow } from './minimum-rate.js'
import { extendLease, phaseOf, runBatch } from './run-batch.js'
import { RunError, type RunningSync, SeenEntries } from './running-sync.js'

/** Entries that are read individually and then applied in one batch. */
const ENTRIES_PER_BATCH = 50
const EXTEND_LEASE_AFTER = 10 * SECOND
/** The maximum number of undecided entries. More of them indicate a misconfiguration rather than renames. */
const MAX_UNDECIDED = 1_000
const MAX_RANGES = 1_000

/**
 * Reads a directory page by page and applies users, groups, leavers and group members.
 * @returns a notice for the user who started the run, if any
 * @throws RunInterrupted, LdapFailure, RunError, AppError
 */
export async function readDirectory(
  deps: DirectoryDeps,
  leased: Pick<RunningSync, 'id' | 'runner' | 'dryRun' | 'mode' | 'directory'>,
  { confirmLeavers }: { confirmLeavers: boolean },
): Promise<string | undefined> {
  const { directory } = leased
  const nextNo = await deps.db.transaction((tx) => entryRepository(tx, directory.id).nextNo())
  const end = performance.now() + MAX_DURATION
  const sync: RunningSync = { ...leased, deps, seen: new SeenEntries(), nextNo, wouldJoin: new Set(), end }
  await extendLease(sync, 'connecting')
  let notice: string | undefined
  const client = await connectDirectory(deps, directory)
  try {
    const search = { base: directory.baseDn, binary: BINARY }
    const usersSeen = await readUsers(sync, client, {
      ...search,
      filter: directory.userFilter,
      attributes: userAttributes(directory),
      pageSize: pageSizeOf(directory, 'user'),
    })
    const groupsSeen = await readGroups(sync, client, {
      ...search,
      filter: directory.groupFilter,
      attributes: GROUP_ATTRIBUTES,
      pageSize: pageSizeOf(directory, 'group'),
    })
    notice = await deprovision(sync, { usersSeen, groupsSeen, confirmLeavers })
  } finally {
    client.close()
  }
  if (!leased.dryRun) await applyMembers(sync)
  return notice
}

/** Returns the number of user entries, valid or not. */
async function readUsers(sync: RunningSync, client: LdapClient, search: LdapSearch): Promise<number> {
  const changes = await findChanges(sync, client, 'user', search)
  if (changes) {
    // All present entries were seen: an email address without one is free.
    for await (const entries of readIndividually(sync, client, 'user', search, changes.changed))
      await applyUserEntries(sync, entries, { isLast: true })
    return changes.count
  }
  const undecided: MappedUser[] = []
  let count = 0
  for await (const { entries, references } of pagesInTime(sync, client, search)) {
    const applied = await applyUserEntries(sync, entries, { references })
    count += applied.count
    undecided.push(...applied.undecided)
    if (undecided.length > MAX_UNDECIDED)
      throw new RunError(
        'incomplete',
        `More than ${MAX_UNDECIDED.toLocaleString('en')} entries have the email address of another entry`,
      )
  }
  if (undecided.length > 0) await applyUsers(sync, undecided, { isLast: true })
  return count
}

async function applyUserEntries(
  sync: RunningSync,
  entries: LdapEntry[],
  { references = 0, isLast = false },
): Promise<{ count: number; undecided: MappedUser[] }> {
  const mapped = uniqueByKey(entries.flatMap((entry) => mapUser(entry, sync.directory, sync.deps.clock) ?? []))
  const users = await recordUnusable(sync, 'user', mapped, references)
  return { count: mapped.length, undecided: users.length > 0 ? await applyUsers(sync, users, { isLast }) : [] }
}

async function readGroups(sync: RunningSync, client: LdapClient, search: LdapSearch): Promise<number> {
  const changes = await findChanges(sync, client, 'group', search)
  if (changes) {
    // Includes groups whose change marker was cleared because of another entry.
    const changed = await withEntriesWithoutMarker(sync, changes.changed)
    for await (const entries of readIndividually(sync, client, 'group', search, changed))
      await applyGroupEntries(sync, client, entries)
    return changes.count
  }
  let count = 0
  for await (const { entries, references } of pagesInTime(sync, client, search))
    count += await applyGroupEntries(sync, client, entries, references)
  return count
}

async function applyGroupEntries(
  sync: RunningSync,
  client: LdapClient,
  entries: LdapEntry[],
  references = 0,
): Promise<number> {
  const mapped: (MappedGroup | Unusable)[] = []
  for (const entry of entries) mapped.push(mapGroup(entry, await furtherMembers(sync, client, entry), sync.deps.clock))
  const groups = uniqueByKey(mapped)
  await applyGroups(sync, await recordUnusable(sync, 'group', groups, references))
  return groups.length
}

/** Returns the changed entries of a kind in an incremental run; undefined if all entries must be read. */
async function findChanges(sync: RunningSync, client: LdapClient, kind: KnownEntry['kind'], search: LdapSearch) {
  if (sync.mode === 'full') return undefined
  const names = { ...search, attributes: NAMING_ATTRIBUTES, pageSize: pageSizeOf(sync.directory, 'user') }
  return findChanged(sync, kind, pagesInTime(sync, client, names))
}

async function withEntriesWithoutMarker(
  { deps, directory, seen }: RunningSync,
  changed: Changed[],
): Promise<Changed[]> {
  const withoutMarker = await deps.db.transaction((tx) => entryRepository(tx, directory.id).withoutMarker('group'))
  const known = new Set(changed.map(({ key }) => key.toString('hex')))
  const more = withoutMarker.filter(({ no, key }) => seen.has(no) && !known.has(key.toString('hex')))
  return [...changed, ...more.map(({ key, dn }) => ({ key, dn, isKnown: true }))]
}

/**
 * Reads entries individually. Known entries come first, to free the email addresses that they no longer have. An entry that has
 * disappeared in the meantime is left to the next sync.
 */
async function* readIndividually(
  sync: RunningSync,
  client: LdapClient,
  kind: KnownEntry['kind'],
  { attributes, binary }: LdapSearch,
  changed: Changed[],
): AsyncGenerator<LdapEntry[]> {
  const { clock } = sync.deps
  const inOrder = [...changed.filter(({ isKnown }) => isKnown), ...changed.filter(({ isKnown }) => !isKnown)]
  let waited = 0
  for (let at = 0; at < inOrder.length; at += ENTRIES_PER_BATCH) {
    const some = inOrder.slice(at, at + ENTRIES_PER_BATCH)
    const found: LdapEntry[] = []
    let heldSince = clock.ms()
    for (const { dn, key } of some) {
      requireTimeLeft(sync)
      const since = performance.now()
      const entry = await client.read(dn, attributes, binary)
      waited += performance.now() - since
      if (isTooSlow(waited, at + found.length)) throw tooSlow()
      if (entry && keyOf(entry).equals(key)) found.push(entry)
      // Slow responses, alone or together, may take longer than the lease.
      if (clock.ms() - heldSince > EXTEND_LEASE_AFTER) {
        await extendLease(sync, phaseOf(kind))
        heldSince = clock.ms()
      }
    }
    yield found
  }
}

/** Returns the members of a group that the server returns in ranges. */
async function furtherMembers(sync: RunningSync, client: LdapClient, entry: LdapEntry): Promise<string[]> {
  const members: string[] = []
  let range = nextRange(entry)
  for (let reads = 0; range; reads++) {
    members.push(...range.values)
    if (range.next === undefined) return members
    if (reads === MAX_RANGES) throw new RunError('incomplete', 'A group has too many ranges of members')
    requireTimeLeft(sync)
    // A page of such groups may take longer than the lease.
    await extendLease(sync, 'groups')
    const more = await client.read(entry.dn, [`member;range=${range.next}-*`])
    range = more && nextRange(more)
    if (!range) throw new RunError('incomplete', 'A group changed while its members were being read')
  }
  return members
}

/** Records invalid entries as seen: they are present, so their users have not left. @returns the valid entries */
async function recordUnusable<T extends MappedUser | MappedGroup>(
  sync: RunningSync,
  kind: KnownEntry['kind'],
  mapped: (T | Unusable)[],
  references: number,
): Promise<T[]> {
  const isUnusable = (one: T | Unusable): one is Unusable => 'failure' in one
  const unusable = mapped.filter(isUnusable)
  if (unusable.length > 0 || references > 0) {
    const { known } = await runBatch(sync, phaseOf(kind), async ({ entries }) => {
      const known = await entries.states(kind, unusable)
      // Clears the change marker, so that the next sync reports the entry again.
      await entries.writeChangeMarkers(
        known.all.filter(({ changeMarker }) => changeMarker !== null).map(({ no }) => ({ no, changeMarker: null })),
      )
      const failures = unusable.map(({ failure }) => failure)
      return { known, counts: { processed: unusable.length, references }, failures }
    })
    for (const { no } of known.all) sync.seen.add(no)
  }
  return mapped.filter((one): one is T => !isUnusable(one))
}
