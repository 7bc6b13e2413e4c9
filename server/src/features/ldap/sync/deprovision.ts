import { memberAddresses } from '../../members/index.js'
import { inSavepoint, lockUserOfTeam, updateProvisionedUser } from '../../user-management/index.js'
import { BATCH_LIMITS, lockBatch } from '../../users/index.js'
import type { PlannedChange, RunFailure } from '../tables.js'
import { entryRepository, type KnownEntry } from './entry-repository.js'
import { type Batch, failureOf, runBatch } from './run-batch.js'
import { RunError, type RunningSync } from './running-sync.js'

type Gone = Pick<KnownEntry, 'no' | 'dn' | 'userId' | 'groupId'>

const BATCH = 50
const PAGE = 2_000
/** In a directory with more users or groups than this, a share of leavers above `MAX_LEAVER_SHARE` requires confirmation. */
const MAX_SMALL_DIRECTORY = 10
const MAX_LEAVER_SHARE = 0.1

/** Returns the stored entries that this run did not see. */
async function unseen({ deps, directory, seen }: RunningSync, kind: KnownEntry['kind']): Promise<Gone[]> {
  const gone: Gone[] = []
  for (let after = -1; ; ) {
    const page = await deps.db.transaction((tx) => entryRepository(tx, directory.id).page(kind, after, PAGE))
    gone.push(...page.filter(({ no }) => !seen.has(no)))
    const last = page.at(-1)
    if (page.length < PAGE || !last) return gone
    after = last.no
  }
}

/**
 * Suspends the users whom this run did not see although it read everything, and empties groups that are gone. A large share of leavers
 * requires confirmation. If the directory returned no users at all, the result is not trusted.
 * @returns the confirmation that a sync would require, for an unconfirmed dry run
 * @throws RunError empty_result, leavers_unconfirmed: no user was suspended and no group emptied
 */
export async function deprovision(
  sync: RunningSync,
  { usersSeen, groupsSeen, confirmLeavers }: { usersSeen: number; groupsSeen: number; confirmLeavers: boolean },
): Promise<string | undefined> {
  const { deps, directory, dryRun } = sync
  const leavers = await unseen(sync, 'user')
  const gone = groupsSeen === 0 ? [] : await unseen(sync, 'group')
  if (leavers.length + gone.length === 0) return undefined
  const known = await deps.db.transaction(async (tx) => {
    const entries = entryRepository(tx, directory.id)
    return { users: await entries.count('user'), groups: await entries.count('group') }
  })
  if (usersSeen === 0 && leavers.length > 0)
    throw new RunError(
      'empty_result',
      `The directory returned no users but had ${known.users} before: no user was suspended`,
    )
  const many = [
    ...(areMany(leavers.length, known.users) ? [`${leavers.length} of ${known.users} users`] : []),
    ...(areMany(gone.length, known.groups) ? [`${gone.length} of ${known.groups} groups`] : []),
  ].join(' and ')
  if (many && !confirmLeavers && !dryRun)
    throw new RunError(
      'leavers_unconfirmed',
      `${many} are no longer in the directory: no user was suspended and no group emptied. If this is correct, start a sync with confirmLeavers`,
    )
  for (let at = 0; at < leavers.length; ) {
    const some = leavers.slice(at, at + BATCH)
    const { done } = await runBatch(sync, 'leavers', (batch) => suspendSome(sync, batch, some))
    at += done
  }
  await emptyGroups(sync, gone)
  return many && !confirmLeavers ? `${many} are no longer in the directory: a sync requires confirmLeavers` : undefined
}

const areMany = (gone: number, known: number): boolean => known > MAX_SMALL_DIRECTORY && gone > known * MAX_LEAVER_SHARE

async function suspendSome({ deps }: RunningSync, { tx, actor, entries }: Batch, some: Gone[]) {
  const until = performance.now() + BATCH_LIMITS.milliseconds
  const ids = some.flatMap(({ userId }) => userId ?? [])
  const addresses = await memberAddresses(tx, actor.teamId, ids)
  const leavers = await lockBatch(tx, some, ({ userId }) => [addresses.get(userId ?? '') ?? ''])
  const failures: RunFailure[] = []
  const planned: PlannedChange[] = []
  let suspended = 0
  let done = 0
  for (const { no, dn, userId } of leavers) {
    if (done > 0 && performance.now() > until) break
    done++
    const email = addresses.get(userId ?? '') ?? null
    // Removed from the team in the meantime.
    if (!userId || email === null) continue
    let isChange = false
    const rejected = await inSavepoint(tx, async () => {
      const user = await lockUserOfTeam(tx, actor.teamId, userId)
      isChange = (await updateProvisionedUser(tx, deps, actor, user, { active: false })) === 'updated'
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

/** Removes all members of groups that are gone. The groups remain, with their assigned applications. */
async function emptyGroups(sync: RunningSync, gone: Gone[]): Promise<void> {
  for (let at = 0; at < gone.length; at += BATCH) {
    const some = gone.slice(at, at + BATCH)
    await runBatch(sync, 'leavers', async ({ entries }) => {
      for (const { no } of some) {
        await entries.update(no, { goneSince: sync.deps.clock.now() })
        await entries.replaceMembers(no, [])
      }
      const planned = some.map(({ dn }) => ({ what: 'empty_group' as const, dn, name: dn.slice(0, 200) }))
      return { counts: { groupsUpdated: some.length }, planned }
    })
  }
}
