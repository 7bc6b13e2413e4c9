import type { Transaction } from '../../platform/db/database.js'
import { lockUsersByEmail } from '../identities/index.js'
import { managesUser, memberAddresses, memberRefusal } from '../members/index.js'
import {
  changeProvisioned,
  type DirectoryActor,
  lockUserOfTeam,
  type ProvisioningDeps,
  provisionMember,
} from '../users/index.js'
import type { DirectoryDeps } from './deps.js'
import { entryRepository, type KnownEntry } from './entry-repository.js'
import type { MappedUser } from './map-entry.js'
import { failureOf, type LeasedRun, runBatch, trying } from './run-batch.js'
import type { SeenEntries } from './seen-entries.js'
import type { PlannedChange, RunCounts, RunFailure } from './tables.js'

/** What a run knows while it goes on. */
export interface Reading {
  leased: LeasedRun
  seen: SeenEntries
  /** The number of the next entry that is not known yet. */
  nextNo: number
}

/** Entries of one transaction, at most; and how long it may go on: on the embedded database everybody else waits for its end. */
const BATCH = 50
const BATCH_MS = 500

interface Taken {
  counts: Partial<RunCounts>
  failures: RunFailure[]
  planned: PlannedChange[]
  seen: number[]
  /** How many were worked on; the rest did not have its turn. */
  done: number
  /** Whose address is that of an entry which this reading has not seen (yet). */
  undecided: MappedUser[]
}

/**
 * Takes over the people of a page. Of those that are as they were nothing is written.
 * @param isLast the page is over: who is undecided now takes the place of an entry that is gone
 * @returns those whose address another entry has that was not seen yet
 */
export async function takeUsers(
  deps: Pick<DirectoryDeps, 'db' | 'clock' | 'audit' | 'mailer'>,
  reading: Reading,
  users: MappedUser[],
  { isLast = false } = {},
): Promise<MappedUser[]> {
  const { leased, seen } = reading
  const { known, changed } = await runBatch(deps, leased, 'users', async (tx) => {
    const known = await entryRepository(tx, leased.directory.id).known(
      'user',
      users.map(({ key }) => key),
    )
    const changed = users.filter((user) => !isAsItWas(user, known.get(user.key.toString('hex'))))
    const unchanged = users.length - changed.length
    return { known, changed, counts: { unchanged, processed: unchanged } }
  })
  for (const { no } of known.values()) seen.add(no)
  const undecided: MappedUser[] = []
  for (let at = 0; at < changed.length; ) {
    const some = changed.slice(at, at + BATCH)
    const taken = await runBatch(deps, leased, 'users', (tx, actor) => takeSome(tx, deps, actor, reading, some, isLast))
    for (const no of taken.seen) seen.add(no)
    reading.nextNo = Math.max(reading.nextNo, ...taken.seen.map((no) => no + 1))
    undecided.push(...taken.undecided)
    at += taken.done
  }
  return undecided
}

const isAsItWas = (user: MappedUser, known: KnownEntry | undefined): boolean =>
  known !== undefined && known.goneSince === null && known.contentHash.equals(user.contentHash)

async function takeSome(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  reading: Reading,
  users: MappedUser[],
  isLast: boolean,
): Promise<Taken> {
  const entries = entryRepository(tx, reading.leased.directory.id)
  const known = await entries.known(
    'user',
    users.map(({ key }) => key),
  )
  // Accounts before the team, as everybody locks them; and all of them at once, since the first who joins locks the team.
  const ids = [...known.values()].flatMap(({ userId }) => userId ?? [])
  const addresses = [...(await memberAddresses(tx, actor.teamId, ids)).values()]
  await lockUsersByEmail(tx, [...addresses, ...users.map(({ email }) => email)])

  const taken: Taken = { counts: {}, failures: [], planned: [], seen: [], done: 0, undecided: [] }
  const count = (name: keyof RunCounts) => {
    taken.counts[name] = (taken.counts[name] ?? 0) + 1
  }
  const until = performance.now() + BATCH_MS
  let nextNo = reading.nextNo
  for (const user of users) {
    if (taken.done > 0 && performance.now() > until) break
    taken.done++
    const { dn, email } = user
    const entry = known.get(user.key.toString('hex')) ?? (await placeOf(entries, reading, taken.seen, user, isLast))
    if (entry === 'undecided') {
      taken.undecided.push(user)
      continue
    }
    count('processed')
    if (entry === 'taken') {
      taken.failures.push(duplicate(user))
      continue
    }
    let outcome: 'created' | 'updated' | 'unchanged' = 'unchanged'
    const refused = await trying(tx, async () => {
      if (entry?.userId)
        outcome = await changeKnown(tx, deps, actor, user, entry, (failure) => taken.failures.push(failure))
      else outcome = await addNew(tx, deps, actor, user, { directoryId: reading.leased.directory.id, no: nextNo })
    })
    if (refused) taken.failures.push(failureOf(dn, email, refused))
    else {
      count(outcome)
      if (outcome !== 'unchanged')
        taken.planned.push({ what: outcome === 'created' ? 'create' : 'update', dn: dn.slice(0, 1_000), name: email })
    }
    if (entry) taken.seen.push(entry.no)
    else if (!refused) taken.seen.push(nextNo++)
  }
  return taken
}

const duplicate = ({ dn, email }: MappedUser): RunFailure => ({
  dn: dn.slice(0, 1_000),
  email,
  code: 'duplicate_address',
  message: 'Another entry of the directory has this address',
})

/**
 * Which entry a new one is, by its address: none; one that is there as well, which keeps the address; or one that is gone, whose place it
 * takes. Which of the two is not known before everything was seen.
 */
async function placeOf(
  entries: ReturnType<typeof entryRepository>,
  { seen }: Reading,
  seenNow: number[],
  user: MappedUser,
  isLast: boolean,
): Promise<KnownEntry | 'taken' | 'undecided' | undefined> {
  const owner = await entries.byAddress(user.email)
  if (!owner) return undefined
  if (seen.has(owner.no) || seenNow.includes(owner.no)) return 'taken'
  return isLast ? owner : 'undecided'
}

/** A step: somebody whom the directory brought before is as it says now. */
async function changeKnown(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  user: MappedUser,
  entry: KnownEntry,
  fail: (failure: RunFailure) => void,
): Promise<'updated' | 'unchanged'> {
  const { directoryId, no, userId, fields, active, goneSince } = entry
  const locked = await lockUserOfTeam(tx, actor.teamId, userId ?? '')
  // The address of somebody who belongs to another team too is theirs; all else of the entry is taken over.
  const isTheirs = locked.account.email !== user.email && !(await managesUser(tx, actor.teamId, locked.account.id))
  const emptied = Object.fromEntries(
    fields.filter((field) => !Object.hasOwn(user.texts, field)).map((field) => [field, null]),
  )
  const { outcome } = await changeProvisioned(tx, deps, actor, locked, {
    ...(!isTheirs && { email: user.email }),
    profile: { ...user.texts, ...emptied },
    // Whom an administrator has suspended stays so until the directory says something else than before.
    ...((goneSince !== null || active !== user.active) && { active: user.active }),
  })
  const { key, dn, dnHash, uidHash, contentHash } = user
  const change = { key, dn, dnHash, uidHash, fields: Object.keys(user.texts), active: user.active, goneSince: null }
  // What was not taken over is tried anew, and told anew, by the next reading.
  await entryRepository(tx, directoryId).update(no, isTheirs ? change : { ...change, contentHash })
  if (isTheirs) fail(failureOf(dn, user.email, memberRefusal('user_not_managed')))
  return outcome === 'unchanged' ? 'unchanged' : 'updated'
}

/** A step: a person who was not known becomes a member, or is found to be one. */
async function addNew(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  { email, texts, active, ...names }: MappedUser,
  { directoryId, no }: Pick<KnownEntry, 'directoryId' | 'no'>,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { account, outcome } = await provisionMember(tx, deps, actor, { email, profile: texts, active })
  const { key, dn, dnHash, uidHash, contentHash } = names
  await entryRepository(tx, directoryId).insert({
    no,
    kind: 'user',
    key,
    dn,
    dnHash,
    uidHash,
    contentHash,
    fields: Object.keys(texts),
    organizationId: actor.teamId,
    userId: account.id,
    groupId: null,
    active,
  })
  if (outcome === 'created' || outcome === 'joined') return 'created'
  return outcome
}
