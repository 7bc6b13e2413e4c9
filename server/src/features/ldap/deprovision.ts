import type { Transaction } from '../../platform/db/database.js'
import { memberAddresses } from '../members/index.js'
import {
  changeProvisioned,
  type DirectoryActor,
  lockUserOfTeam,
  type ProvisioningDeps,
} from '../user-management/index.js'
import { BATCH_LIMITS, lockBatch } from '../users/index.js'
import type { DirectoryDeps } from './deps.js'
import { entryRepository, type KnownEntry } from './entry-repository.js'
import { failureOf, runBatch, trying } from './run-batch.js'
import { RunFault } from './run-fault.js'
import type { PlannedChange, RunFailure } from './tables.js'
import type { Reading } from './take-users.js'

type Gone = Pick<KnownEntry, 'no' | 'dn' | 'userId' | 'groupId'>

const BATCH = 50
const PAGE = 2_000
/** From how many people, or groups, on a tenth of them is many. */
const FEW = 10
const MANY = 0.1

/** Those that are known and were not seen. */
async function unseen(
  deps: Pick<DirectoryDeps, 'db'>,
  { leased, seen }: Reading,
  kind: 'user' | 'group',
): Promise<Gone[]> {
  const gone: Gone[] = []
  for (let after = -1; ; ) {
    const page = await deps.db.transaction((tx) => entryRepository(tx, leased.directory.id).page(kind, after, PAGE))
    gone.push(...page.filter(({ no }) => !seen.has(no)))
    const last = page.at(-1)
    if (page.length < PAGE || !last) return gone
    after = last.no
  }
}

/**
 * Suspends whom an earlier reading brought and this one, which saw everything, did not: they are out at once; groups that are not there any
 * more let go of everybody. Where either are many, somebody has to have agreed; and where nobody at all was seen the directory has not told
 * the truth.
 * @returns what a sync would ask for, where this is a dry run that has not been told
 * @throws RunFault empty_result, leavers_unconfirmed: then nobody is suspended, and no group is emptied
 */
export async function deprovision(
  deps: Pick<
    DirectoryDeps,
    'db' | 'clock' | 'audit' | 'mailer' | 'endWhatActsFor' | 'endSamlSessions' | 'endTemporaryOf'
  >,
  reading: Reading,
  { usersSeen, groupsSeen, confirmed }: { usersSeen: number; groupsSeen: number; confirmed: boolean },
): Promise<string | undefined> {
  const { leased } = reading
  const leavers = await unseen(deps, reading, 'user')
  const gone = groupsSeen === 0 ? [] : await unseen(deps, reading, 'group')
  if (leavers.length + gone.length === 0) return undefined
  const known = await deps.db.transaction(async (tx) => {
    const entries = entryRepository(tx, leased.directory.id)
    return { users: await entries.count('user'), groups: await entries.count('group') }
  })
  if (usersSeen === 0 && leavers.length > 0)
    throw new RunFault(
      'empty_result',
      `The directory shows nobody any more, and had ${known.users}: nobody was suspended`,
    )
  const many = [
    ...(areMany(leavers.length, known.users) ? [`${leavers.length} of ${known.users} people`] : []),
    ...(areMany(gone.length, known.groups) ? [`${gone.length} of ${known.groups} groups`] : []),
  ].join(' and ')
  if (many && !confirmed && !leased.dryRun)
    throw new RunFault(
      'leavers_unconfirmed',
      `${many} are not in the directory any more: nobody was suspended, and no group emptied. Look whether that is right, and start a sync with confirmLeavers`,
    )
  for (let at = 0; at < leavers.length; ) {
    const some = leavers.slice(at, at + BATCH)
    const { done } = await runBatch(deps, leased, 'leavers', (tx, actor) => suspendSome(tx, deps, actor, reading, some))
    at += done
  }
  await emptyGroups(deps, reading, gone)
  return many && !confirmed ? `${many} are not in the directory any more: a sync asks for confirmLeavers` : undefined
}

const areMany = (gone: number, known: number): boolean => known > FEW && gone > known * MANY

async function suspendSome(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  { leased }: Reading,
  some: Gone[],
) {
  const until = performance.now() + BATCH_LIMITS.milliseconds
  const entries = entryRepository(tx, leased.directory.id)
  const addresses = await memberAddresses(
    tx,
    actor.teamId,
    some.flatMap(({ userId }) => userId ?? []),
  )
  const leavers = await lockBatch(tx, some, ({ userId }) => [addresses.get(userId ?? '') ?? ''])
  const failures: RunFailure[] = []
  const planned: PlannedChange[] = []
  let suspended = 0
  let done = 0
  for (const { no, dn, userId } of leavers) {
    if (done > 0 && performance.now() > until) break
    done++
    const email = addresses.get(userId ?? '') ?? null
    // Removed from the team meanwhile.
    if (!userId || email === null) continue
    let isChange = false
    const rejected = await trying(tx, async () => {
      const user = await lockUserOfTeam(tx, actor.teamId, userId, true)
      isChange = (await changeProvisioned(tx, deps, actor, user, { active: false })).outcome !== 'unchanged'
      await entries.update(no, { goneSince: deps.clock.now() })
    })
    if (rejected) failures.push(failureOf(dn, email, rejected))
    else if (isChange) {
      suspended++
      planned.push({ what: 'suspend', dn, name: email })
    }
  }
  return { counts: { suspended }, failures, planned, done }
}

/** Groups that are gone let go of everybody; they stay, with the applications that are assigned to them. */
async function emptyGroups(deps: Pick<DirectoryDeps, 'db' | 'clock'>, reading: Reading, gone: Gone[]): Promise<void> {
  for (let at = 0; at < gone.length; at += BATCH) {
    const some = gone.slice(at, at + BATCH)
    await runBatch(deps, reading.leased, 'leavers', async (tx) => {
      const entries = entryRepository(tx, reading.leased.directory.id)
      for (const { no } of some) {
        await entries.update(no, { goneSince: deps.clock.now() })
        await entries.replaceMembers(no, [])
      }
      const planned = some.map(({ dn }) => ({
        what: 'empty_group' as const,
        dn,
        name: dn.slice(0, 200),
      }))
      return { counts: { groupsUpdated: some.length }, planned }
    })
  }
}
