import { HOUR, SECOND } from '../../../platform/clock.js'
import type { LdapClient, LdapEntry, LdapPage, LdapSearch } from '../../../protocols/ldap/index.js'
import { connectDirectory } from '../model/connect.js'
import type { DirectoryDeps } from '../model/deps.js'
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
import { applyGroups } from './apply-groups.js'
import { applyMembers } from './apply-members.js'
import { applyUsers, type SyncState } from './apply-users.js'
import { deprovision } from './deprovision.js'
import { entryRepository } from './entry-repository.js'
import { type Changed, findChanged } from './find-changed.js'
import { isTooSlow, pagesAtMinimumRate, tooSlow } from './minimum-rate.js'
import { type LeasedRun, runBatch } from './run-batch.js'
import { RunError } from './run-error.js'
import { SeenEntries } from './seen-entries.js'

const USERS_A_PAGE = 500
/** Smaller, because a group is returned with all its members. */
const GROUPS_A_PAGE = 50
/** Not larger for names alone: servers reject pages above their size limit. */
const NAMES_A_PAGE = USERS_A_PAGE
/** Entries that are read individually and then applied in one batch. */
const SINGLE_A_BATCH = 50
const SLOW_ANSWERS = 10 * SECOND
/** The maximum duration of a sync. */
const LONGEST = 2 * HOUR
/** Undecided entries. More of them indicate a misconfiguration rather than renames. */
const MAX_UNDECIDED = 1_000
const MAX_RANGES = 1_000

/**
 * Reads a directory page by page and applies users, groups, leavers and group members.
 * @returns a notice for the user who started the run, if any
 * @throws RunInterrupted, LdapFailure, RunError, AppError
 */
export async function readDirectory(
  deps: DirectoryDeps,
  leased: LeasedRun,
  { confirmed }: { confirmed: boolean },
): Promise<string | undefined> {
  const { directory } = leased
  const nextNo = await deps.db.transaction((tx) => entryRepository(tx, directory.id).nextNo())
  const state: SyncState = {
    leased,
    seen: new SeenEntries(),
    nextNo,
    wouldJoin: new Set(),
    end: performance.now() + LONGEST,
  }
  await runBatch(deps, leased, 'connecting', async () => ({}))
  let notice: string | undefined
  const client = await connectDirectory(deps, directory)
  try {
    const search = { base: directory.baseDn, binary: BINARY }
    const usersSeen = await readUsers(deps, state, client, {
      ...search,
      filter: directory.userFilter,
      attributes: userAttributes(directory),
      pageSize: USERS_A_PAGE,
    })
    const groupsSeen = await readGroups(deps, state, client, {
      ...search,
      filter: directory.groupFilter,
      attributes: GROUP_ATTRIBUTES,
      pageSize: GROUPS_A_PAGE,
    })
    notice = await deprovision(deps, state, { usersSeen, groupsSeen, confirmed })
  } finally {
    client.close()
  }
  if (!leased.dryRun) await applyMembers(deps, state)
  return notice
}

/** Yields the pages of a search until the deadline. */
async function* inTime(state: SyncState, client: LdapClient, search: LdapSearch): AsyncGenerator<LdapPage> {
  for await (const page of pagesAtMinimumRate(client, search)) {
    checkTime(state)
    yield page
  }
}

function checkTime({ end }: SyncState): void {
  if (performance.now() > end) throw new RunError('too_long', 'The sync took longer than two hours')
}

/** Returns the number of user entries, valid or not. */
async function readUsers(
  deps: DirectoryDeps,
  state: SyncState,
  client: LdapClient,
  search: LdapSearch,
): Promise<number> {
  const changes = await findChanges(deps, state, client, 'user', search)
  if (changes) {
    // All present entries were seen: an email address without one is free.
    for await (const entries of readIndividually(deps, state, client, 'user', { ...search, changed: changes.changed }))
      await applyUserEntries(deps, state, entries, { isLast: true })
    return changes.count
  }
  const undecided: MappedUser[] = []
  let count = 0
  for await (const { entries, references } of inTime(state, client, search)) {
    const applied = await applyUserEntries(deps, state, entries, { references })
    count += applied.count
    undecided.push(...applied.undecided)
    if (undecided.length > MAX_UNDECIDED)
      throw new RunError('incomplete', 'More than 1,000 entries have the email address of another entry')
  }
  if (undecided.length > 0) await applyUsers(deps, state, undecided, { isLast: true })
  return count
}

async function applyUserEntries(
  deps: DirectoryDeps,
  state: SyncState,
  entries: LdapEntry[],
  { references = 0, isLast = false },
): Promise<{ count: number; undecided: MappedUser[] }> {
  const mapped = uniqueByKey(entries.flatMap((entry) => mapUser(entry, state.leased.directory, deps.clock) ?? []))
  await recordUnusable(deps, state, 'user', mapped.filter(isUnusable), references)
  const users = mapped.filter((one): one is MappedUser => !isUnusable(one))
  return { count: mapped.length, undecided: users.length > 0 ? await applyUsers(deps, state, users, { isLast }) : [] }
}

async function readGroups(
  deps: DirectoryDeps,
  state: SyncState,
  client: LdapClient,
  search: LdapSearch,
): Promise<number> {
  const changes = await findChanges(deps, state, client, 'group', search)
  if (changes) {
    // Includes groups whose mark was cleared because of another entry.
    const changed = await withUnmarked(deps, state, changes.changed)
    for await (const entries of readIndividually(deps, state, client, 'group', { ...search, changed }))
      await applyGroupEntries(deps, state, client, entries)
    return changes.count
  }
  let count = 0
  for await (const { entries, references } of inTime(state, client, search))
    count += await applyGroupEntries(deps, state, client, entries, references)
  return count
}

async function applyGroupEntries(
  deps: DirectoryDeps,
  state: SyncState,
  client: LdapClient,
  entries: LdapEntry[],
  references = 0,
): Promise<number> {
  const mapped: (MappedGroup | Unusable)[] = []
  for (const entry of entries)
    mapped.push(mapGroup(entry, await furtherMembers(deps, state, client, entry), deps.clock))
  const groups = uniqueByKey(mapped)
  await recordUnusable(deps, state, 'group', groups.filter(isUnusable), references)
  await applyGroups(
    deps,
    state,
    groups.filter((one): one is MappedGroup => !isUnusable(one)),
  )
  return groups.length
}

/** Returns the changed entries of a kind in an incremental run; undefined if all entries must be read. */
async function findChanges(
  deps: DirectoryDeps,
  state: SyncState,
  client: LdapClient,
  kind: 'user' | 'group',
  search: LdapSearch,
) {
  if (state.leased.mode === 'full') return undefined
  const names = { ...search, attributes: NAMING_ATTRIBUTES, pageSize: NAMES_A_PAGE }
  return findChanged(deps, state, kind, inTime(state, client, names))
}

async function withUnmarked(
  { db }: DirectoryDeps,
  { leased, seen }: SyncState,
  changed: Changed[],
): Promise<Changed[]> {
  const unmarked = await db.transaction((tx) => entryRepository(tx, leased.directory.id).unmarked('group'))
  const known = new Set(changed.map(({ key }) => key.toString('hex')))
  const more = unmarked.filter(({ no, key }) => seen.has(no) && !known.has(key.toString('hex')))
  return [...changed, ...more.map(({ key, dn }) => ({ key, dn, isKnown: true }))]
}

/**
 * Reads entries individually. Known entries come first, to free the email addresses that they no longer have. An entry that has
 * disappeared in the meantime is left to the next sync.
 */
async function* readIndividually(
  deps: DirectoryDeps,
  state: SyncState,
  client: LdapClient,
  kind: 'user' | 'group',
  { changed, attributes, binary }: Pick<LdapSearch, 'attributes' | 'binary'> & { changed: Changed[] },
): AsyncGenerator<LdapEntry[]> {
  const inOrder = [...changed.filter(({ isKnown }) => isKnown), ...changed.filter(({ isKnown }) => !isKnown)]
  let waited = 0
  for (let at = 0; at < inOrder.length; at += SINGLE_A_BATCH) {
    const some = inOrder.slice(at, at + SINGLE_A_BATCH)
    const found: LdapEntry[] = []
    let heldSince = deps.clock.ms()
    for (const { dn, key } of some) {
      checkTime(state)
      const since = performance.now()
      const entry = await client.read(dn, attributes, binary)
      waited += performance.now() - since
      if (isTooSlow(waited, at + found.length)) throw tooSlow()
      if (entry && keyOf(entry).equals(key)) found.push(entry)
      // Slow responses, alone or together, may take longer than the lease.
      if (deps.clock.ms() - heldSince > SLOW_ANSWERS) {
        await runBatch(deps, state.leased, kind === 'user' ? 'users' : 'groups', async () => ({}))
        heldSince = deps.clock.ms()
      }
    }
    yield found
  }
}

/** Returns the members of a group that the server returns in ranges. */
async function furtherMembers(
  deps: DirectoryDeps,
  state: SyncState,
  client: LdapClient,
  entry: LdapEntry,
): Promise<string[]> {
  const members: string[] = []
  let range = nextRange(entry)
  for (let reads = 0; range; reads++) {
    members.push(...range.values)
    if (range.next === undefined) return members
    if (reads === MAX_RANGES) throw new RunError('incomplete', 'A group has too many ranges of members')
    checkTime(state)
    // A page of such groups may take longer than the lease.
    await runBatch(deps, state.leased, 'groups', async () => ({}))
    const more = await client.read(entry.dn, [`member;range=${range.next}-*`])
    range = more && nextRange(more)
    if (!range) throw new RunError('incomplete', 'A group changed while its members were being read')
  }
  return members
}

const isUnusable = (one: MappedUser | MappedGroup | Unusable): one is Unusable => 'failure' in one

/** Records invalid entries as seen: they are present, so their users have not left. */
async function recordUnusable(
  deps: DirectoryDeps,
  { leased, seen }: SyncState,
  kind: 'user' | 'group',
  unusable: Unusable[],
  references: number,
): Promise<void> {
  if (unusable.length === 0 && references === 0) return
  const { known } = await runBatch(deps, leased, kind === 'user' ? 'users' : 'groups', async (tx) => {
    const entries = entryRepository(tx, leased.directory.id)
    const known = await entries.states(
      kind,
      unusable.map(({ key }) => key),
    )
    // Clears the mark, so that the next sync reports the entry again.
    await entries.mark([...known.values()].filter(({ mark }) => mark !== null).map(({ no }) => ({ no, mark: null })))
    const failures = unusable.map(({ failure }) => failure)
    return { known, counts: { processed: unusable.length, references }, failures }
  })
  for (const { no } of known.values()) seen.add(no)
}
