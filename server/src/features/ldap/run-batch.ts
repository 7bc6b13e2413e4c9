import { sql } from 'drizzle-orm'
import { AppError } from '../../platform/app-error.js'
import { fromNow, MINUTE } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { DirectoryRunId } from '../../platform/ids.js'
import type { DirectoryActor } from '../user-management/index.js'
import { actingPermissions } from './acting-permissions.js'
import { inPlace } from './batch-places.js'
import type { DirectoryDeps } from './deps.js'
import type { Directory } from './directory.js'
import { rejection } from './errors.js'
import { type DirectoryRun, lockRun, noteRun } from './run-repository.js'
import type { PlannedChange, RunCounts, RunFailure } from './tables.js'

/** How long others leave a run to whoever works on it: longer than any answer of a directory takes. */
export const LEASE = 2 * MINUTE
const MOST_FAILURES = 100
const MOST_PLANNED = 200

/** A run that somebody works on. */
export interface LeasedRun {
  id: DirectoryRunId
  runner: string
  dryRun: boolean
  mode: DirectoryRun['mode']
  /** As it was when the run was taken. */
  directory: Directory
}

/** What a batch did; the rest of what it counts is nothing. */
export interface BatchResult {
  counts?: Partial<RunCounts>
  failures?: RunFailure[]
  planned?: PlannedChange[]
}

/** The run was cancelled, or somebody else works on it: whoever worked on it stops without a word. */
export class RunOver extends Error {
  override readonly name = 'RunOver'
}

/** Permissions without which a directory cannot be read in. */
const NEEDED = ['users:write', 'groups:write', 'groups:members']

/**
 * Does one batch of a run in a transaction of its own, and notes there how far the run is: after a crash nothing of it is done, or all. Of
 * a dry run nothing stays but that note.
 * @param work may be called again, and so keeps nothing of what it finds
 * @throws RunOver; directory_disabled, directory_orphaned, forbidden, stale_version: then the run has failed
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
    if (!held) throw new RunOver()
    const { run, directory } = held
    if (directory.version !== leased.directory.version)
      throw platformError('stale_version', { detail: 'The configuration was changed while it was being read' })
    const actor = await actorOf(tx, run, directory)
    if (run.dryRun) await tx.execute(sql`SAVEPOINT batch`)
    const result = await work(tx, actor)
    if (run.dryRun) await tx.execute(sql`ROLLBACK TO SAVEPOINT batch`)
    const { counts = {} } = result
    const failures = (result.failures ?? []).map(told)
    const planned = (result.planned ?? []).map(told)
    const all = { ...run.counts }
    for (const [name, count] of Object.entries(counts)) all[name as keyof RunCounts] += count
    await noteRun(tx, run.id, {
      phase,
      leasedUntil: fromNow(clock, LEASE),
      counts: { ...all, failed: all.failed + failures.length },
      ...(failures.length > 0 && { failures: [...run.failures, ...failures].slice(0, MOST_FAILURES) }),
      ...(planned.length > 0 && run.dryRun && { planned: [...run.planned, ...planned].slice(0, MOST_PLANNED) }),
    })
    return result
  }
  return inPlace(() => db.transaction(batch))
}

const LONGEST_TOLD = 1_000

/** As it can be laid down: texts of a strange directory have any length, and characters that no database takes. */
function told<T extends { dn: string | null; email?: string | null; name?: string }>(one: T): T {
  const cut = (text: string) => text.slice(0, LONGEST_TOLD).replaceAll('\0', '\uFFFD').toWellFormed()
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
      detail: `Whoever saved the configuration does not have the permission ${missing}`,
    })
  const { organizationId: teamId, origin } = run
  const responsibleId = directory.savedBy
  const source = { directory: directory.id }
  return { userId: null, teamId, permissions, origin, responsibleId, method: 'ldap', source }
}

/**
 * Does what one entry says, or leaves no trace of it.
 * @returns the refusal, if it was refused
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
