import { HOUR } from '../../platform/clock.js'
import type { LdapClient, LdapEntry, LdapPage, LdapSearch } from '../../protocols/ldap/index.js'
import { connectDirectory } from './connect.js'
import type { DirectoryDeps } from './deps.js'
import { entryRepository } from './entry-repository.js'
import { letGo } from './let-go.js'
import {
  BINARY,
  GROUP_ATTRIBUTES,
  type MappedGroup,
  type MappedUser,
  mapGroup,
  mapUser,
  nextRange,
  type Unusable,
  userAttributes,
} from './map-entry.js'
import { atPace } from './pace.js'
import { type LeasedRun, runBatch } from './run-batch.js'
import { RunFault } from './run-fault.js'
import { SeenEntries } from './seen-entries.js'
import { settleMembers } from './settle-members.js'
import { takeGroups } from './take-groups.js'
import { type Reading, takeUsers } from './take-users.js'

const USERS_A_PAGE = 500
/** A group comes with all its members. */
const GROUPS_A_PAGE = 50
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
  const reading: Reading = { leased, seen: new SeenEntries(), nextNo, planned: 0, end: performance.now() + LONGEST }
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
    notice = await letGo(deps, reading, { usersSeen, groupsSeen, confirmed })
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
  const { leased } = reading
  const undecided: MappedUser[] = []
  let count = 0
  for await (const { entries, references } of inTime(reading, client, search)) {
    const mapped = once(entries.flatMap((entry) => mapUser(entry, leased.directory) ?? []))
    count += mapped.length
    await noteUnusable(deps, reading, 'user', mapped.filter(isUnusable), references)
    const users = mapped.filter((one): one is MappedUser => !isUnusable(one))
    if (users.length > 0) undecided.push(...(await takeUsers(deps, reading, users)))
    if (undecided.length > MOST_UNDECIDED)
      throw new RunFault('incomplete', 'The directory has more than 1,000 entries with addresses of other entries')
  }
  if (undecided.length > 0) await takeUsers(deps, reading, undecided, { isLast: true })
  return count
}

async function readGroups(
  deps: DirectoryDeps,
  reading: Reading,
  client: LdapClient,
  search: LdapSearch,
): Promise<number> {
  let count = 0
  for await (const { entries, references } of inTime(reading, client, search)) {
    const mapped: (MappedGroup | Unusable)[] = []
    for (const entry of entries) mapped.push(mapGroup(entry, await furtherMembers(deps, reading, client, entry)))
    const groups = once(mapped)
    count += groups.length
    await noteUnusable(deps, reading, 'group', groups.filter(isUnusable), references)
    await takeGroups(
      deps,
      reading,
      groups.filter((one): one is MappedGroup => !isUnusable(one)),
    )
  }
  return count
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

/** A server that names one entry twice in a page means one. */
const once = <T extends { key: Buffer }>(mapped: T[]): T[] => [
  ...new Map(mapped.map((one) => [one.key.toString('hex'), one])).values(),
]

/** Entries that cannot be taken over are there all the same: whoever they were before has not left. */
async function noteUnusable(
  deps: DirectoryDeps,
  { leased, seen }: Reading,
  kind: 'user' | 'group',
  unusable: Unusable[],
  references: number,
): Promise<void> {
  if (unusable.length === 0 && references === 0) return
  const { known } = await runBatch(deps, leased, kind === 'user' ? 'users' : 'groups', async (tx) => ({
    known: await entryRepository(tx, leased.directory.id).states(
      kind,
      unusable.map(({ key }) => key),
    ),
    counts: { processed: unusable.length, references },
    failures: unusable.map(({ failure }) => failure),
  }))
  for (const { no } of known.values()) seen.add(no)
}
