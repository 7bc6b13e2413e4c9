import { HOUR, SECOND } from '../../platform/clock.js'
import type { LdapClient, LdapEntry, LdapPage, LdapSearch } from '../../protocols/ldap/index.js'
import { connectDirectory } from './connect.js'
import { deprovision } from './deprovision.js'
import type { DirectoryDeps } from './deps.js'
import { entryRepository } from './entry-repository.js'
import { type Changed, findChanged } from './find-changed.js'
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
  once,
  type Unusable,
  userAttributes,
} from './map-entry.js'
import { atPace, isTooSlow, tooSlow } from './pace.js'
import { type LeasedRun, runBatch } from './run-batch.js'
import { RunFault } from './run-fault.js'
import { SeenEntries } from './seen-entries.js'
import { settleMembers } from './settle-members.js'
import { takeGroups } from './take-groups.js'
import { type Reading, takeUsers } from './take-users.js'

const USERS_A_PAGE = 500
/** A group comes with all its members. */
const GROUPS_A_PAGE = 50
/** Of names alone: no more, for servers refuse a page that is larger than what they give out at most. */
const NAMES_A_PAGE = USERS_A_PAGE
/** Entries that are read by their names and then taken over together. */
const SINGLE_A_BATCH = 50
const SLOW_ANSWERS = 10 * SECOND
/** How long a reading may take in all. */
const LONGEST = 2 * HOUR
/** People whose address another entry has that was not seen yet: more of them are no rename but a mistake. */
const MOST_UNDECIDED = 1_000
const MOST_RANGES = 1_000

/**
 * Reads a directory, page by page, and does what it says: people, groups, who is not there any more, and who is in which group.
 * @returns what whoever asked for it should know, if anything
 * @throws RunOver, LdapFailure, RunFault, AppError
 */
export async function readDirectory(
  deps: DirectoryDeps,
  leased: LeasedRun,
  { confirmed }: { confirmed: boolean },
): Promise<string | undefined> {
  const { directory } = leased
  const nextNo = await deps.db.transaction((tx) => entryRepository(tx, directory.id).nextNo())
  const reading: Reading = {
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
    const usersSeen = await readUsers(deps, reading, client, {
      ...search,
      filter: directory.userFilter,
      attributes: userAttributes(directory),
      pageSize: USERS_A_PAGE,
    })
    const groupsSeen = await readGroups(deps, reading, client, {
      ...search,
      filter: directory.groupFilter,
      attributes: GROUP_ATTRIBUTES,
      pageSize: GROUPS_A_PAGE,
    })
    notice = await deprovision(deps, reading, { usersSeen, groupsSeen, confirmed })
  } finally {
    client.close()
  }
  if (!leased.dryRun) await settleMembers(deps, reading)
  return notice
}

/** The pages of a search, as long as there is time. */
async function* inTime(reading: Reading, client: LdapClient, search: LdapSearch): AsyncGenerator<LdapPage> {
  for await (const page of atPace(client, search)) {
    checkTime(reading)
    yield page
  }
}

function checkTime({ end }: Reading): void {
  if (performance.now() > end) throw new RunFault('too_long', 'The directory could not be read within two hours')
}

/** @returns how many entries of people there were, usable or not */
async function readUsers(
  deps: DirectoryDeps,
  reading: Reading,
  client: LdapClient,
  search: LdapSearch,
): Promise<number> {
  const changes = await findChanges(deps, reading, client, 'user', search)
  if (changes) {
    // Everybody who is there was seen: an address that no entry has is free.
    for await (const entries of oneByOne(deps, reading, client, 'user', { ...search, changed: changes.changed }))
      await takeUserEntries(deps, reading, entries, { isLast: true })
    return changes.count
  }
  const undecided: MappedUser[] = []
  let count = 0
  for await (const { entries, references } of inTime(reading, client, search)) {
    const taken = await takeUserEntries(deps, reading, entries, { references })
    count += taken.count
    undecided.push(...taken.undecided)
    if (undecided.length > MOST_UNDECIDED)
      throw new RunFault('incomplete', 'The directory has more than 1,000 entries with addresses of other entries')
  }
  if (undecided.length > 0) await takeUsers(deps, reading, undecided, { isLast: true })
  return count
}

async function takeUserEntries(
  deps: DirectoryDeps,
  reading: Reading,
  entries: LdapEntry[],
  { references = 0, isLast = false },
): Promise<{ count: number; undecided: MappedUser[] }> {
  const mapped = once(entries.flatMap((entry) => mapUser(entry, reading.leased.directory, deps.clock) ?? []))
  await noteUnusable(deps, reading, 'user', mapped.filter(isUnusable), references)
  const users = mapped.filter((one): one is MappedUser => !isUnusable(one))
  return { count: mapped.length, undecided: users.length > 0 ? await takeUsers(deps, reading, users, { isLast }) : [] }
}

async function readGroups(
  deps: DirectoryDeps,
  reading: Reading,
  client: LdapClient,
  search: LdapSearch,
): Promise<number> {
  const changes = await findChanges(deps, reading, client, 'group', search)
  if (changes) {
    // Those too that a change of somebody else makes doubtful.
    const changed = await withUnmarked(deps, reading, changes.changed)
    for await (const entries of oneByOne(deps, reading, client, 'group', { ...search, changed }))
      await takeGroupEntries(deps, reading, client, entries)
    return changes.count
  }
  let count = 0
  for await (const { entries, references } of inTime(reading, client, search))
    count += await takeGroupEntries(deps, reading, client, entries, references)
  return count
}

async function takeGroupEntries(
  deps: DirectoryDeps,
  reading: Reading,
  client: LdapClient,
  entries: LdapEntry[],
  references = 0,
): Promise<number> {
  const mapped: (MappedGroup | Unusable)[] = []
  for (const entry of entries)
    mapped.push(mapGroup(entry, await furtherMembers(deps, reading, client, entry), deps.clock))
  const groups = once(mapped)
  await noteUnusable(deps, reading, 'group', groups.filter(isUnusable), references)
  await takeGroups(
    deps,
    reading,
    groups.filter((one): one is MappedGroup => !isUnusable(one)),
  )
  return groups.length
}

/** What of a kind is to be read, where this reading is of changes; undefined where all of it is. */
async function findChanges(
  deps: DirectoryDeps,
  reading: Reading,
  client: LdapClient,
  kind: 'user' | 'group',
  search: LdapSearch,
) {
  if (reading.leased.mode === 'full') return undefined
  const names = { ...search, attributes: NAMING_ATTRIBUTES, pageSize: NAMES_A_PAGE }
  return findChanged(deps, reading, kind, inTime(reading, client, names))
}

async function withUnmarked({ db }: DirectoryDeps, { leased, seen }: Reading, changed: Changed[]): Promise<Changed[]> {
  const unmarked = await db.transaction((tx) => entryRepository(tx, leased.directory.id).unmarked('group'))
  const known = new Set(changed.map(({ key }) => key.toString('hex')))
  const more = unmarked.filter(({ no, key }) => seen.has(no) && !known.has(key.toString('hex')))
  return [...changed, ...more.map(({ key, dn }) => ({ key, dn, isKnown: true }))]
}

/**
 * Reads entries by their names, some at a time; those first that were there before, so that what they have no longer is free for the new
 * ones. Who is not there any more at this moment is left to the next reading.
 */
async function* oneByOne(
  deps: DirectoryDeps,
  reading: Reading,
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
      checkTime(reading)
      const since = performance.now()
      const entry = await client.read(dn, attributes, binary)
      waited += performance.now() - since
      if (isTooSlow(waited, at + found.length)) throw tooSlow()
      if (entry && keyOf(entry).equals(key)) found.push(entry)
      // Slow answers, each of them or all together, may take longer than others leave the run to this node.
      if (deps.clock.ms() - heldSince > SLOW_ANSWERS) {
        await runBatch(deps, reading.leased, kind === 'user' ? 'users' : 'groups', async () => ({}))
        heldSince = deps.clock.ms()
      }
    }
    yield found
  }
}

/** The members of a group that the server gave out in part. */
async function furtherMembers(
  deps: DirectoryDeps,
  reading: Reading,
  client: LdapClient,
  entry: LdapEntry,
): Promise<string[]> {
  const members: string[] = []
  let range = nextRange(entry)
  for (let reads = 0; range; reads++) {
    members.push(...range.values)
    if (range.next === undefined) return members
    if (reads === MOST_RANGES) throw new RunFault('incomplete', 'The members of a group do not come to an end')
    checkTime(reading)
    // A page of such groups may take longer than others leave the run to this node.
    await runBatch(deps, reading.leased, 'groups', async () => ({}))
    const more = await client.read(entry.dn, [`member;range=${range.next}-*`])
    range = more && nextRange(more)
    if (!range) throw new RunFault('incomplete', 'A group changed while its members were read')
  }
  return members
}

const isUnusable = (one: MappedUser | MappedGroup | Unusable): one is Unusable => 'failure' in one

/** Entries that cannot be taken over are there all the same: whoever they were before has not left. */
async function noteUnusable(
  deps: DirectoryDeps,
  { leased, seen }: Reading,
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
    // It is told by the next reading as well, whatever its mark says.
    await entries.mark([...known.values()].filter(({ mark }) => mark !== null).map(({ no }) => ({ no, mark: null })))
    const failures = unusable.map(({ failure }) => failure)
    return { known, counts: { processed: unusable.length, references }, failures }
  })
  for (const { no } of known.values()) seen.add(no)
}
