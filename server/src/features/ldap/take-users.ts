import type { Transaction } from '../../platform/db/database.js'
import { memberAddresses, type Seats, seatsOf } from '../members/index.js'
import type { DirectoryActor, ProvisioningDeps } from '../user-management/index.js'
import { BATCH_LIMITS, lockBatch } from '../users/index.js'
import type { DirectoryDeps } from './deps.js'
import { type EntryState, entryRepository, type KnownEntry } from './entry-repository.js'
import type { MappedUser } from './map-entry.js'
import { failureOf, type LeasedRun, runBatch, trying } from './run-batch.js'
import type { SeenEntries } from './seen-entries.js'
import type { PlannedChange, RunCounts, RunFailure } from './tables.js'
import { addNew, changeKnown } from './take-user.js'

/** What a run knows while it goes on. */
export interface Reading {
  leased: LeasedRun
  seen: SeenEntries
  /** The number of the next entry that is not known yet. */
  nextNo: number
  /** The addresses of those whom a dry run would have made members so far: they are not there to be found, or counted. */
  wouldJoin: Set<string>
  /** When it has to be over, by `performance.now()`. */
  end: number
}

/** Entries of one transaction, at most; `BATCH_LIMITS` may end it earlier. */
const BATCH = 50

interface Taken {
  counts: Partial<RunCounts>
  failures: RunFailure[]
  planned: PlannedChange[]
  seen: number[]
  /** The addresses of those who were made members. */
  joined: string[]
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
  deps: Pick<
    DirectoryDeps,
    'db' | 'clock' | 'audit' | 'mailer' | 'endWhatActsFor' | 'endSamlSessions' | 'endTemporaryOf'
  >,
  reading: Reading,
  users: MappedUser[],
  { isLast = false } = {},
): Promise<MappedUser[]> {
  const { leased, seen } = reading
  const { known, changed } = await runBatch(deps, leased, 'users', async (tx) => {
    const entries = entryRepository(tx, leased.directory.id)
    const known = await entries.states(
      'user',
      users.map(({ key }) => key),
    )
    const changed = users.filter((user) => !isAsItWas(user, known.get(user.key.toString('hex'))))
    const unchanged = users.length - changed.length
    await entries.mark(users.flatMap((user) => newMark(user, known.get(user.key.toString('hex'))) ?? []))
    return { known, changed, counts: { unchanged, processed: unchanged } }
  })
  for (const { no } of known.values()) seen.add(no)
  const undecided: MappedUser[] = []
  for (let at = 0; at < changed.length; ) {
    const some = changed.slice(at, at + BATCH)
    const taken = await runBatch(deps, leased, 'users', (tx, actor) => takeSome(tx, deps, actor, reading, some, isLast))
    for (const no of taken.seen) seen.add(no)
    reading.nextNo = Math.max(reading.nextNo, ...taken.seen.map((no) => no + 1))
    if (leased.dryRun) for (const email of taken.joined) reading.wouldJoin.add(email)
    undecided.push(...taken.undecided)
    at += taken.done
  }
  return undecided
}

const isAsItWas = (user: MappedUser, known: EntryState | undefined): boolean =>
  known !== undefined && known.goneSince === null && known.contentHash.equals(user.contentHash)

/** The mark of an entry that is as it was, where it has another one. */
const newMark = (user: MappedUser, known: EntryState | undefined) =>
  known && isAsItWas(user, known) && known.mark !== user.mark ? { no: known.no, mark: user.mark } : undefined

async function takeSome(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  reading: Reading,
  some: MappedUser[],
  isLast: boolean,
): Promise<Taken> {
  const until = performance.now() + BATCH_LIMITS.milliseconds
  const entries = entryRepository(tx, reading.leased.directory.id)
  const known = await entries.known(
    'user',
    some.map(({ key }) => key),
  )
  // Accounts before the team, as everybody locks them; and all of them at once, since the first who joins locks the team.
  const ids = [...known.values()].flatMap(({ userId }) => userId ?? [])
  const addresses = await memberAddresses(tx, actor.teamId, ids)
  const users = await lockBatch(tx, some, ({ key, email }) => {
    const member = known.get(key.toString('hex'))?.userId
    return [email, (member && addresses.get(member)) ?? email]
  })
  const owned = await entries.owned(users.map(({ email }) => email))
  // Counted when the first one joins, who locks the team: until the end of this transaction nobody else does.
  let seats: Seats | undefined

  const taken: Taken = { counts: {}, failures: [], planned: [], seen: [], joined: [], done: 0, undecided: [] }
  const count = (name: keyof RunCounts) => {
    taken.counts[name] = (taken.counts[name] ?? 0) + 1
  }
  let nextNo = reading.nextNo
  const meansOther: Buffer[] = []
  for (const user of users) {
    if (taken.done > 0 && performance.now() > until) break
    taken.done++
    const { dn, email } = user
    const isFree = !owned.has(email)
    owned.add(email)
    const entry =
      known.get(user.key.toString('hex')) ??
      (isFree && !reading.wouldJoin.has(email) ? undefined : await placeOf(entries, reading, taken.seen, user, isLast))
    if (entry === 'undecided') {
      taken.undecided.push(user)
      continue
    }
    count('processed')
    if (entry === 'taken') {
      taken.failures.push(duplicate(user))
      continue
    }
    // Before the savepoint: whoever goes back behind it lets the team go.
    if (!entry?.userId) seats ??= await seatsSoFar(tx, actor, reading)
    let outcome: 'created' | 'updated' | 'unchanged' = 'unchanged'
    const rejected = await trying(tx, async () => {
      if (entry?.userId)
        outcome = await changeKnown(tx, deps, actor, user, entry, (failure) => taken.failures.push(failure))
      else {
        outcome = await addNew(tx, deps, actor, user, seats, { directoryId: reading.leased.directory.id, no: nextNo })
        if (outcome === 'created') taken.joined.push(email)
        if (outcome === 'created' && seats) seats.taken++
      }
    })
    if (rejected) {
      taken.failures.push(failureOf(dn, email, rejected))
      if (entry) await entries.mark([{ no: entry.no, mark: null }])
    } else {
      meansOther.push(...namesThatMeanOther(user, entry))
      count(outcome)
      if (outcome !== 'unchanged')
        taken.planned.push({ what: outcome === 'created' ? 'create' : 'update', dn: dn.slice(0, 1_000), name: email })
    }
    if (entry) taken.seen.push(entry.no)
    else if (!rejected) taken.seen.push(nextNo++)
  }
  await entries.doubtGroupsOf(meansOther)
  return taken
}

/** The names by which groups mean somebody else when the entry is taken over: that which it had, and that which another may have had. */
const namesThatMeanOther = ({ key, dnHash }: MappedUser, before: KnownEntry | undefined): Buffer[] => {
  if (!before) return [dnHash]
  const isSame = before.goneSince === null && before.key.equals(key) && before.dnHash.equals(dnHash)
  return isSame ? [] : [before.dnHash, dnHash]
}

async function seatsSoFar(
  tx: Transaction,
  { teamId }: DirectoryActor,
  { wouldJoin }: Reading,
): Promise<Seats | undefined> {
  const seats = await seatsOf(tx, teamId)
  return seats && { ...seats, taken: seats.taken + wouldJoin.size }
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
  { seen, wouldJoin }: Reading,
  seenNow: number[],
  user: MappedUser,
  isLast: boolean,
): Promise<KnownEntry | 'taken' | 'undecided' | undefined> {
  if (wouldJoin.has(user.email)) return 'taken'
  const owner = await entries.byAddress(user.email)
  if (!owner) return undefined
  if (seen.has(owner.no) || seenNow.includes(owner.no)) return 'taken'
  return isLast ? owner : 'undecided'
}
