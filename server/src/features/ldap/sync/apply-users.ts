import { memberAddresses, memberError, type Seats, seatsOf } from '../../members/index.js'
import {
  inSavepoint,
  lockUserOfTeam,
  mayRename,
  provisionDirectoryUser,
  updateProvisionedUser,
} from '../../user-management/index.js'
import { BATCH_LIMITS, lockBatch } from '../../users/index.js'
import type { MappedUser } from '../model/map-entry.js'
import type { PlannedChange, RunCounts, RunFailure } from '../tables.js'
import type { Entries, EntryState, KnownEntry } from './entry-repository.js'
import { type Batch, failureOf, runBatch } from './run-batch.js'
import { type RunningSync, recordSeen } from './running-sync.js'

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
  sync: RunningSync,
  users: MappedUser[],
  { isLast = false } = {},
): Promise<MappedUser[]> {
  const { known, changed } = await runBatch(sync, 'users', async ({ entries }) => {
    const known = await entries.states('user', users)
    const changed = users.filter((user) => !isUnchanged(user, known.get(user)))
    const unchanged = users.length - changed.length
    await entries.writeChangeMarkers(users.flatMap((user) => newMarker(user, known.get(user)) ?? []))
    return { known, changed, counts: { unchanged, processed: unchanged } }
  })
  for (const { no } of known.all) sync.seen.add(no)
  const undecided: MappedUser[] = []
  for (let at = 0; at < changed.length; ) {
    const some = changed.slice(at, at + BATCH)
    const applied = await runBatch(sync, 'users', (batch) => applyBatch(sync, batch, some, isLast))
    recordSeen(sync, applied.seen)
    if (sync.dryRun) for (const email of applied.joined) sync.wouldJoin.add(email)
    undecided.push(...applied.undecided)
    at += applied.done
  }
  return undecided
}

const isUnchanged = (user: MappedUser, known: EntryState | undefined): boolean =>
  known !== undefined && known.goneSince === null && known.contentHash.equals(user.contentHash)

/** Returns the new change marker of an entry that is otherwise unchanged. */
const newMarker = (user: MappedUser, known: EntryState | undefined) =>
  known && isUnchanged(user, known) && known.changeMarker !== user.changeMarker
    ? { no: known.no, changeMarker: user.changeMarker }
    : undefined

async function applyBatch(sync: RunningSync, batch: Batch, some: MappedUser[], isLast: boolean): Promise<AppliedBatch> {
  const { tx, actor, entries } = batch
  const until = performance.now() + BATCH_LIMITS.milliseconds
  const known = await entries.known('user', some)
  // Locks accounts before the team, like every other transaction, and all at once, because the first new member locks the team.
  const ids = known.all.flatMap(({ userId }) => userId ?? [])
  const addresses = await memberAddresses(tx, actor.teamId, ids)
  const users = await lockBatch(tx, some, (user) => {
    const member = known.get(user)?.userId
    return [user.email, (member && addresses.get(member)) ?? user.email]
  })
  const owned = await entries.owned(users.map(({ email }) => email))
  // Counted when the first member is added. That locks the team, so no other transaction adds members.
  let seats: Seats | undefined

  const applied: AppliedBatch = { counts: {}, failures: [], planned: [], seen: [], joined: [], done: 0, undecided: [] }
  const count = (name: keyof RunCounts) => {
    applied.counts[name] = (applied.counts[name] ?? 0) + 1
  }
  let { nextNo } = sync
  const namesToCheck: Buffer[] = []
  for (const user of users) {
    if (applied.done > 0 && performance.now() > until) break
    applied.done++
    const { dn, email } = user
    const isFree = !owned.has(email)
    owned.add(email)
    const isNew = isFree && !sync.wouldJoin.has(email)
    const entry = known.get(user) ?? (isNew ? undefined : await findReplaced(entries, sync, applied.seen, user, isLast))
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
    if (!entry?.userId) seats ??= await seatsIncludingPlanned(sync, batch)
    let outcome: 'created' | 'updated' | 'unchanged' = 'unchanged'
    const rejected = await inSavepoint(tx, async () => {
      if (entry?.userId)
        outcome = await changeKnown(sync, batch, user, entry, (failure) => applied.failures.push(failure))
      else {
        outcome = await addNew(sync, batch, user, seats, nextNo)
        if (outcome === 'created') applied.joined.push(email)
        if (outcome === 'created' && seats) seats.taken++
      }
    })
    if (rejected) {
      applied.failures.push(failureOf(dn, email, rejected))
      if (entry) await entries.writeChangeMarkers([{ no: entry.no, changeMarker: null }])
    } else {
      namesToCheck.push(...namesToRecheck(user, entry))
      count(outcome)
      if (outcome !== 'unchanged')
        applied.planned.push({ what: outcome === 'created' ? 'create' : 'update', dn: dn.slice(0, 1_000), name: email })
    }
    if (entry) applied.seen.push(entry.no)
    else if (!rejected) applied.seen.push(nextNo++)
  }
  await entries.clearMarkersOfGroupsListing(namesToCheck)
  return applied
}

/** The hash of no content. */
const NOTHING = Buffer.alloc(0)

/** Applies the directory's values to a user who was imported before. Runs in the caller's transaction. */
async function changeKnown(
  { deps }: RunningSync,
  { tx, actor, entries }: Batch,
  { email, profile, active, ...names }: MappedUser,
  entry: KnownEntry,
  fail: (failure: RunFailure) => void,
): Promise<'updated' | 'unchanged'> {
  const locked = await lockUserOfTeam(tx, actor.teamId, entry.userId ?? '')
  // If the team may not change the email address, that fails and all other changes are applied.
  const isRenameDenied = locked.account.email !== email && !(await mayRename(tx, actor.teamId, locked.account, email))
  const emptied = entry.fields.filter((field) => !Object.hasOwn(profile, field)).map((field) => [field, null])
  const outcome = await updateProvisionedUser(tx, deps, actor, locked, {
    ...(!isRenameDenied && { email }),
    profile: { ...profile, ...Object.fromEntries(emptied) },
    // A user whom an administrator suspended remains so until the status in the directory changes.
    ...((entry.goneSince !== null || entry.active !== active) && { active }),
  })
  await entries.update(entry.no, {
    ...names,
    fields: Object.keys(profile),
    active,
    goneSince: null,
    // The next sync must try and report the rejected change again, so the stored hash must not match.
    ...(isRenameDenied && { changeMarker: null, contentHash: NOTHING }),
  })
  if (isRenameDenied) fail(failureOf(names.dn, email, memberError('user_not_managed')))
  return outcome
}

/** Adds the user of a new entry as a member, or finds the existing member. Runs in the caller's transaction. */
async function addNew(
  { deps }: RunningSync,
  { tx, actor, entries }: Batch,
  { email, profile, active, ...names }: MappedUser,
  seats: Seats | undefined,
  no: number,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { account, outcome } = await provisionDirectoryUser(tx, deps, actor, { email, profile, active }, seats)
  const { teamId: organizationId } = actor
  const fields = Object.keys(profile)
  await entries.insert({ ...names, no, kind: 'user', fields, organizationId, userId: account.id, active })
  return outcome === 'joined' ? 'created' : outcome
}

/** Returns the member names that refer to another entry once this one is applied: its own, and its previous one. */
const namesToRecheck = ({ key, dnHash }: MappedUser, before: KnownEntry | undefined): Buffer[] => {
  if (!before) return [dnHash]
  const isSame = before.goneSince === null && before.key.equals(key) && before.dnHash.equals(dnHash)
  return isSame ? [] : [before.dnHash, dnHash]
}

async function seatsIncludingPlanned({ wouldJoin }: RunningSync, { tx, actor }: Batch): Promise<Seats | undefined> {
  const seats = await seatsOf(tx, actor.teamId)
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
  entries: Entries,
  { seen, wouldJoin }: RunningSync,
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
