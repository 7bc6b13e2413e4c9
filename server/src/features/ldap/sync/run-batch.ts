import { sql } from 'drizzle-orm'
import { AppError } from '../../../platform/app-error.js'
import { fromNow, MINUTE } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { DirectoryRunId } from '../../../platform/ids.js'
import type { DirectoryActor } from '../../user-management/index.js'
import { actingPermissions } from '../model/acting-permissions.js'
import type { DirectoryDeps } from '../model/deps.js'
import type { Directory } from '../model/directory.js'
import { rejection } from '../model/errors.js'
import { type DirectoryRun, lockRun, updateRun } from '../model/run-repository.js'
import type { PlannedChange, RunCounts, RunFailure } from '../tables.js'

/** The lease of a run, longer than any response of a directory may take. */
export const LEASE = 2 * MINUTE
const MAX_FAILURES = 100
const MAX_PLANNED = 200

/** A run that is leased to this process. */
export interface LeasedRun {
  id: DirectoryRunId
  runner: string
  dryRun: boolean
  mode: DirectoryRun['mode']
  /** The settings when the run was leased. */
  directory: Directory
}

/** The result of a batch; missing counts are 0. */
export interface BatchResult {
  counts?: Partial<RunCounts>
  failures?: RunFailure[]
  planned?: PlannedChange[]
}

/** The run was cancelled or is leased to another process. The current process stops without an error. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted'
}

/** The permissions that a directory needs for a sync. */
const NEEDED = ['users:write', 'groups:write', 'groups:members']

/**
 * Runs one batch in its own transaction, which also stores the progress: after a crash, all of it is applied or none. A dry run is rolled
 * back except for its progress.
 * @param work may be called again, so it must not store results elsewhere
 * @throws RunInterrupted; directory_disabled, directory_orphaned, forbidden, stale_version: then the run has failed
 */
export function runBatch<T extends BatchResult>(
  deps: Pick<DirectoryDeps, 'db' | 'clock'>,
  leased: LeasedRun,
  phase: DirectoryRun['phase'],
  work: (tx: Transaction, actor: DirectoryActor) => Promise<T>,
): Promise<T> {
  const { db, clock } = deps
  const batch = async (tx: Transaction) => {
    const held = await lockRun(tx, leased.id, leased.runner)
    if (!held) throw new RunInterrupted()
    const { run, directory } = held
    if (directory.version !== leased.directory.version)
      throw platformError('stale_version', { detail: 'The configuration was changed during the sync' })
    const actor = await actorOf(tx, run, directory)
    if (run.dryRun) await tx.execute(sql`SAVEPOINT batch`)
    const result = await work(tx, actor)
    if (run.dryRun) await tx.execute(sql`ROLLBACK TO SAVEPOINT batch`)
    const { counts = {} } = result
    const failures = (result.failures ?? []).map(storable)
    const planned = (result.planned ?? []).map(storable)
    const all = { ...run.counts }
    for (const [name, count] of Object.entries(counts)) all[name as keyof RunCounts] += count
    await updateRun(tx, run.id, {
      phase,
      leasedUntil: fromNow(clock, LEASE),
      counts: { ...all, failed: all.failed + failures.length },
      ...(failures.length > 0 && { failures: [...run.failures, ...failures].slice(0, MAX_FAILURES) }),
      ...(planned.length > 0 && run.dryRun && { planned: [...run.planned, ...planned].slice(0, MAX_PLANNED) }),
    })
    return result
  }
  return withSlot(() => db.transaction(batch))
}

/** Concurrent batches of a node, over all its runs. The other database connections remain available for requests. */
const SLOTS = 4

let free = SLOTS
const waiting: (() => void)[] = []

/** Runs the work when a slot is free, in order of arrival. */
async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // Passes the slot on directly, so that no later caller can take it.
    if (next) next()
    else free++
  }
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

/**
 * Applies one entry in a savepoint, which is rolled back if the entry is rejected.
 * @returns the rejection, if any
 */
export async function trying(tx: Transaction, work: () => Promise<void>): Promise<AppError | undefined> {
  await tx.execute(sql`SAVEPOINT one_entry`)
  try {
    await work()
    await tx.execute(sql`RELEASE SAVEPOINT one_entry`)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await tx.execute(sql`ROLLBACK TO SAVEPOINT one_entry`)
    return error
  }
}

export const failureOf = (dn: string, email: string | null, error: AppError): RunFailure => ({
  dn,
  email,
  code: error.code,
  message: error.detail ?? error.title,
})
