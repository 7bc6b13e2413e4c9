import { sql } from 'drizzle-orm'
import type { AppError } from '../../../platform/app-error.js'
import { fromNow, MINUTE } from '../../../platform/clock.js'
import { createFairQueue } from '../../../platform/concurrency/fair-queue.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { DirectoryActor } from '../../user-management/index.js'
import { actingPermissions, type Directory } from '../model/directory.js'
import { rejection } from '../model/errors.js'
import { type DirectoryRun, lockRun, updateRun } from '../model/run-repository.js'
import type { PlannedChange, RunCounts, RunFailure } from '../tables.js'
import { type Entries, entryRepository } from './entry-repository.js'
import { RunInterrupted, type RunningSync } from './running-sync.js'

/** The lease of a run, longer than any response of a directory may take. */
export const LEASE = 2 * MINUTE
const MAX_FAILURES = 100
const MAX_PLANNED = 200

/** The transaction of a batch, the directory as the actor of its changes, and the stored entries. */
export interface Batch {
  tx: Transaction
  actor: DirectoryActor
  entries: Entries
}

/** The result of a batch; missing counts are 0. */
export interface BatchResult {
  counts?: Partial<RunCounts>
  failures?: RunFailure[]
  planned?: PlannedChange[]
}

/** The permissions that a directory needs for a sync. */
const NEEDED = ['users:write', 'groups:write', 'groups:members']

/** Concurrent batches of a node, over all its runs. The other database connections remain available for requests. */
const batches = createFairQueue(4)

/**
 * Runs one batch in its own transaction, which also stores the progress: after a crash, all of it is applied or none. A dry run is rolled
 * back except for its progress.
 * @param work may be called again, so it must not store results elsewhere
 * @throws RunInterrupted; directory_disabled, directory_orphaned, forbidden, stale_version: then the run has failed
 */
export function runBatch<T extends BatchResult>(
  { deps, id, runner, directory: leased }: RunningSync,
  phase: DirectoryRun['phase'],
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  const batch = async (tx: Transaction) => {
    const held = await lockRun(tx, id, runner)
    if (!held) throw new RunInterrupted()
    const { run, directory } = held
    if (directory.version !== leased.version)
      throw platformError('stale_version', { detail: 'The configuration was changed during the sync' })
    const actor = await actorOf(tx, run, directory)
    if (run.dryRun) await tx.execute(sql`SAVEPOINT batch`)
    const result = await work({ tx, actor, entries: entryRepository(tx, directory.id) })
    if (run.dryRun) await tx.execute(sql`ROLLBACK TO SAVEPOINT batch`)
    const { counts = {} } = result
    const failures = (result.failures ?? []).map(storable)
    const planned = (result.planned ?? []).map(storable)
    const all = { ...run.counts }
    for (const [name, count] of Object.entries(counts)) all[name as keyof RunCounts] += count
    await updateRun(tx, run.id, {
      phase,
      leasedUntil: fromNow(deps.clock, LEASE),
      counts: { ...all, failed: all.failed + failures.length },
      ...(failures.length > 0 && { failures: [...run.failures, ...failures].slice(0, MAX_FAILURES) }),
      ...(planned.length > 0 && run.dryRun && { planned: [...run.planned, ...planned].slice(0, MAX_PLANNED) }),
    })
    return result
  }
  return batches.run('all', () => deps.db.transaction(batch))
}

/** Returns the phase in which the entries of a kind are applied. */
export const phaseOf = (kind: 'user' | 'group') => (kind === 'user' ? 'users' : 'groups')

/** Extends the lease of a run in this phase. @throws as `runBatch` */
export async function extendLease(sync: RunningSync, phase: DirectoryRun['phase']): Promise<void> {
  await runBatch(sync, phase, async () => ({}))
}

const MAX_STORED_LENGTH = 1_000

/** Makes strings of a directory storable: shortens them and replaces characters that PostgreSQL rejects. */
function storable<T extends { dn: string | null; email?: string | null; name?: string }>(one: T): T {
  const cut = (text: string) => text.slice(0, MAX_STORED_LENGTH).replaceAll('\0', '\uFFFD').toWellFormed()
  return {
    ...one,
    dn: one.dn && cut(one.dn),
    ...(one.email && { email: cut(one.email) }),
    ...(one.name && { name: cut(one.name) }),
  }
}

async function actorOf(tx: Transaction, run: DirectoryRun, directory: Directory): Promise<DirectoryActor> {
  if (!directory.enabled) throw rejection('directory_disabled')
  const permissions = await actingPermissions(tx, directory)
  const missing = NEEDED.find((permission) => !permissions.has(permission))
  if (missing)
    throw platformError('forbidden', {
      detail: `The last editor of the configuration does not have the permission ${missing}`,
    })
  const { organizationId: teamId, origin } = run
  const responsibleId = directory.savedBy
  const source = { directory: directory.id }
  return { userId: null, teamId, permissions, origin, responsibleId, method: 'ldap', source }
}

export const failureOf = (dn: string, email: string | null, error: AppError): RunFailure => ({
  dn,
  email,
  code: error.code,
  message: error.detail ?? error.title,
})
