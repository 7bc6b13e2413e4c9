import { AppError } from '../../platform/app-error.js'
import { fromNow } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { DirectoryRunId } from '../../platform/ids.js'
import { LdapFailure } from '../../protocols/ldap/index.js'
import type { DirectoryDeps } from './deps.js'
import { nextSync } from './next-sync.js'
import { readDirectory } from './read-directory.js'
import { noteDirectory } from './repository.js'
import { LEASE, RunOver } from './run-batch.js'
import { RunFault } from './run-fault.js'
import { type DirectoryRun, leaseRun, lockRun, NO_COUNTS, noteRun } from './run-repository.js'

/**
 * Works on a run until it is over, if nobody else does. One that was begun by a node that is gone begins anew: what was done stays, and is
 * found to be done.
 */
export async function runSync(deps: DirectoryDeps, id: DirectoryRunId): Promise<void> {
  const { db, clock } = deps
  const runner = uuidv7(clock)
  const held = await db.transaction(async (tx) => {
    const run = await leaseRun(tx, id, { runner, now: clock.now(), until: fromNow(clock, LEASE) })
    if (!run) return undefined
    // What an earlier try did is done, and counts; what it looked at is looked at anew.
    const counts = run.dryRun ? NO_COUNTS : { ...run.counts, processed: 0, unchanged: 0, references: 0, failed: 0 }
    await noteRun(tx, id, { counts, failures: [], planned: [] })
    return lockRun(tx, id, runner)
  })
  if (!held) return
  const { run, directory } = held
  const leased = { id, runner, dryRun: run.dryRun, mode: run.mode, directory }
  try {
    const detail = await readDirectory(deps, leased, { confirmed: run.confirmLeavers })
    await endRun(deps, id, runner, { detail })
  } catch (error) {
    if (error instanceof RunOver) return
    const failed = failureOf(error)
    if (failed) return endRun(deps, id, runner, failed)
    // A fault of ours, or the database is away: another try begins anew.
    await db.transaction((tx) => noteRun(tx, id, { leasedUntil: clock.now() })).catch(() => {})
    throw error
  }
}

/** How a run ended: `error` says why it failed. */
interface End {
  error?: string
  detail?: string | undefined
}

function failureOf(error: unknown): End | undefined {
  if (error instanceof LdapFailure) return { error: error.kind, detail: error.message }
  if (error instanceof RunFault) return { error: error.code, detail: error.message }
  if (error instanceof AppError && error.status < 500) return { error: error.code, detail: error.detail ?? error.title }
  return undefined
}

/** Ends a run whose job failed too often, for reasons of ours: it must not seem to go on. */
export async function giveUpRun(tx: Transaction, deps: DirectoryDeps, id: DirectoryRunId): Promise<void> {
  const run = await leaseRun(tx, id, { runner: uuidv7(deps.clock), now: deps.clock.now(), until: deps.clock.now() })
  if (!run) return
  const { code, title } = platformError('internal_error')
  await finish(tx, deps, run, { error: code, detail: title })
}

const endRun = ({ db, ...deps }: DirectoryDeps, id: DirectoryRunId, runner: string, end: End): Promise<void> =>
  db.transaction(async (tx) => {
    const held = await lockRun(tx, id, runner)
    if (!held) return
    const { run, directory } = held
    const isSync = !run.dryRun && !end.error
    await noteDirectory(tx, directory.id, {
      nextSyncAt: nextSync(deps.clock, directory),
      ...(isSync && { lastSyncAt: deps.clock.now() }),
      ...(isSync && run.mode === 'full' && { lastFullSyncAt: deps.clock.now() }),
    })
    await finish(tx, deps, run, end)
  })

/** Writes that a held run is over, with its entry for the audit log. */
async function finish(
  tx: Transaction,
  { clock, audit }: Pick<DirectoryDeps, 'clock' | 'audit'>,
  run: DirectoryRun,
  { error, detail }: End,
): Promise<void> {
  const status = error ? 'failed' : 'completed'
  await noteRun(tx, run.id, {
    status,
    phase: 'done',
    error: error ?? null,
    detail: detail ?? null,
    leasedUntil: null,
    finishedAt: clock.now(),
  })
  await recordRun(tx, { audit }, run, status, error)
}

/** A step: the entry that ends a run, with its numbers. */
export const recordRun = (
  tx: Transaction,
  { audit }: Pick<DirectoryDeps, 'audit'>,
  run: DirectoryRun,
  status: DirectoryRun['status'],
  error?: string,
): Promise<void> =>
  audit.record(tx, { userId: run.startedBy, teamId: run.organizationId, origin: run.origin }, 'directory.synced', {
    resource: `directory:${run.directoryId}`,
    ...(status === 'failed' && { result: 'FAILURE' as const }),
    metadata: {
      run: run.id,
      status,
      dryRun: run.dryRun,
      mode: run.mode,
      scheduled: run.scheduled,
      ...run.counts,
      ...(error !== undefined && { error }),
    },
  })
