import type { Transaction } from '../../../platform/db/database.js'
import { memberAddresses, type Seats, seatsOf } from '../../members/index.js'
import type { DirectoryActor, ProvisioningDeps } from '../../user-management/index.js'
import { BATCH_LIMITS, lockBatch } from '../../users/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import type { MappedUser } from '../model/map-entry.js'
import type { PlannedChange, RunCounts, RunFailure } from '../tables.js'
import { addNew, changeKnown } from './apply-user.js'
import { type EntryState, entryRepository, type KnownEntry } from './entry-repository.js'
import { failureOf, type LeasedRun, runBatch, trying } from './run-batch.js'
import type { SeenEntries } from './seen-entries.js'

/** The state of a run in memory. */
export interface SyncState {
  leased: LeasedRun
  seen: SeenEntries
  /** The number for the next new entry. */
  nextNo: number
  /** The email addresses of users whom a dry run would have added so far; they are not in the database. */
  wouldJoin: Set<string>
  /** The deadline, in the time of `performance.now()`. */
  end: number
}

/** The maximum number of entries in one transaction; `BATCH_LIMITS` may end it earlier. */
const BATCH = 50

interface AppliedBatch {
  counts: Partial<RunCounts>
  failures: RunFailure[]
  planned: PlannedChange[]
  seen: number[]
  /** The email addresses of new members. */
  joined: string[]
  /** The number of processed entries; the rest is left for the next batch. */
  done: number
  /** Entries with the email address of an entry that this run has not seen yet. */
  undecided: MappedUser[]
}

/**
 * Applies the users of a page. Writes nothing for unchanged users.
 * @param isLast all pages were read: an undecided entry now replaces the one that is gone
 * @returns the undecided entries
 */
export async function applyUsers(
  deps: DirectoryDeps,
  state: SyncState,
  users: MappedUser[],
  { isLast = false } = {},
): Promise<MappedUser[]> {
  const { leased, seen } = state
  const { known, changed } = await runBatch(deps, leased, 'users', async (tx) => {
    const entries = entryRepository(tx, leased.directory.id)
    const known = await entries.states(
      'user',
      users.map(({ key }) => key),
    )
    const changed = users.filter((user) => !isUnchanged(user, known.get(user.key.toString('hex'))))
    const unchanged = users.length - changed.length
    await entries.mark(users.flatMap((user) => newMark(user, known.get(user.key.toString('hex'))) ?? []))
    return { known, changed, counts: { unchanged, processed: unchanged } }
  })
  for (const { no } of known.values()) seen.add(no)
  const undecided: MappedUser[] = []
  for (let at = 0; at < changed.length; ) {
    const some = changed.slice(at, at + BATCH)
    const applied = await runBatch(deps, leased, 'users', (tx, actor) =>
      applyBatch(tx, deps, actor, state, some, isLast),
    )
    for (const no of applied.seen) seen.add(no)
    state.nextNo = Math.max(state.nextNo, ...applied.seen.map((no) => no + 1))
    if (leased.dryRun) for (const email of applied.joined) state.wouldJoin.add(email)
    undecided.push(...applied.undecided)
    at += applied.done
  }
  return undecided
}

const isUnchanged = (user: MappedUser, known: EntryState | undefined): boolean =>
  known !== undefined && known.goneSince === null && known.contentHash.equals(user.contentHash)

/** The new mark of an entry that is otherwise unchanged. */
const newMark = (user: MappedUser, known: EntryState | undefined) =>
  known && isUnchanged(user, known) && known.mark !== user.mark ? { no: known.no, mark: user.mark } : undefined

async function applyBatch(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  state: SyncState,
  some: MappedUser[],
  isLast: boolean,
): Promise<AppliedBatch> {
  const until = performance.now() + BATCH_LIMITS.milliseconds
  const entries = entryRepository(tx, state.leased.directory.id)
  const known = await entries.known(
    'user',
    some.map(({ key }) => key),
  )
  // Locks accounts before the team, like every other transaction, and all at once, because the first new member locks the team.
  const ids = [...known.values()].flatMap(({ userId }) => userId ?? [])
  const addresses = await memberAddresses(tx, actor.teamId, ids)
  const users = await lockBatch(tx, some, ({ key, email }) => {
    const member = known.get(key.toString('hex'))?.userId
    return [email, (member && addresses.get(member)) ?? email]
  })
  const owned = await entries.owned(users.map(({ email }) => email))
  // Counted when the first member is added. That locks the team, so no other transaction adds members.
  let seats: Seats | undefined

  const applied: AppliedBatch = { counts: {}, failures: [], planned: [], seen: [], joined: [], done: 0, undecided: [] }
  const count = (name: keyof RunCounts) => {
    applied.counts[name] = (applied.counts[name] ?? 0) + 1
  }
  let nextNo = state.nextNo
  const namesToCheck: Buffer[] = []
  for (const user of users) {
    if (applied.done > 0 && performance.now() > until) break
    applied.done++
    const { dn, email } = user
    const isFree = !owned.has(email)
    owned.add(email)
    const entry =
      known.get(user.key.toString('hex')) ??
      (isFree && !state.wouldJoin.has(email)
        ? undefined
        : await findReplaced(entries, state, applied.seen, user, isLast))
    if (entry === 'undecided') {
      applied.undecided.push(user)
      continue
    }
    count('processed')
    if (entry === 'taken') {
      applied.failures.push(duplicate(user))
      continue
    }
    // Before the savepoint: rolling back to it would release the lock on the team.
    if (!entry?.userId) seats ??= await seatsIncludingPlanned(tx, actor, state)
    let outcome: 'created' | 'updated' | 'unchanged' = 'unchanged'
    const rejected = await trying(tx, async () => {
      if (entry?.userId)
        outcome = await changeKnown(tx, deps, actor, user, entry, (failure) => applied.failures.push(failure))
      else {
        outcome = await addNew(tx, deps, actor, user, seats, { directoryId: state.leased.directory.id, no: nextNo })
        if (outcome === 'created') applied.joined.push(email)
        if (outcome === 'created' && seats) seats.taken++
      }
    })
    if (rejected) {
      applied.failures.push(failureOf(dn, email, rejected))
      if (entry) await entries.mark([{ no: entry.no, mark: null }])
    } else {
      namesToCheck.push(...namesToRecheck(user, entry))
      count(outcome)
      if (outcome !== 'unchanged')
        applied.planned.push({ what: outcome === 'created' ? 'create' : 'update', dn: dn.slice(0, 1_000), name: email })
    }
    if (entry) applied.seen.push(entry.no)
    else if (!rejected) applied.seen.push(nextNo++)
  }
  await entries.clearMarksOfGroupsListing(namesToCheck)
  return applied
}

/** Returns the member names that refer to another entry once this one is applied: its own, and its previous one. */
const namesToRecheck = ({ key, dnHash }: MappedUser, before: KnownEntry | undefined): Buffer[] => {
  if (!before) return [dnHash]
  const isSame = before.goneSince === null && before.key.equals(key) && before.dnHash.equals(dnHash)
  return isSame ? [] : [before.dnHash, dnHash]
}

async function seatsIncludingPlanned(
  tx: Transaction,
  { teamId }: DirectoryActor,
  { wouldJoin }: SyncState,
): Promise<Seats | undefined> {
  const seats = await seatsOf(tx, teamId)
  return seats && { ...seats, taken: seats.taken + wouldJoin.size }
}

const duplicate = ({ dn, email }: MappedUser): RunFailure => ({
  dn: dn.slice(0, 1_000),
  email,
  code: 'duplicate_address',
  message: 'Another entry of the directory has the same email address',
})

/**
 * Finds the entry that has the email address of a new entry: none, one that is present and keeps the address ('taken'), or one that is
 * gone and is replaced. Until all entries were seen, the latter two cannot be distinguished ('undecided').
 */
async function findReplaced(
  entries: ReturnType<typeof entryRepository>,
  { seen, wouldJoin }: SyncState,
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
