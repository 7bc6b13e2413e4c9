import { AppError } from '../../../platform/app-error.js'
import { fromNow } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { DirectoryRunId } from '../../../platform/ids.js'
import { LdapFailure } from '../../../protocols/ldap/index.js'
import type { AuditSubject } from '../../audit/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import { nextSync } from '../model/directory.js'
import { recordSyncTimes } from '../model/repository.js'
import { type DirectoryRun, leaseRun, lockRun, updateRun } from '../model/run-repository.js'
import { ZERO_COUNTS } from '../tables.js'
import { readDirectory } from './read-directory.js'
import { LEASE } from './run-batch.js'
import { announceEnd } from './run-ends.js'
import { RunError, RunInterrupted } from './running-sync.js'

/**
 * Processes a run until it ends, unless another process has leased it. After a crash of its node a run starts again and counts the entries
 * that it has already changed as unchanged.
 */
export async function runSync(deps: DirectoryDeps, id: DirectoryRunId): Promise<void> {
  const { db, clock } = deps
  const runner = uuidv7(clock)
  const leasedRun = await db.transaction(async (tx) => {
    const run = await leaseRun(tx, id, { runner, now: clock.now(), until: fromNow(clock, LEASE) })
    if (!run) return undefined
    // An earlier attempt has applied its changes, so their counts remain. All entries are processed again, so those counts restart.
    const counts = run.dryRun ? ZERO_COUNTS : { ...run.counts, processed: 0, unchanged: 0, references: 0, failed: 0 }
    await updateRun(tx, id, { counts, failures: [], planned: [] })
    return lockRun(tx, id, runner)
  })
  if (!leasedRun) return
  const { run, directory } = leasedRun
  const leased = { id, runner, dryRun: run.dryRun, mode: run.mode, directory }
  try {
    const detail = await readDirectory(deps, leased, { confirmLeavers: run.confirmLeavers })
    await endRun(deps, id, runner, { detail })
  } catch (error) {
    if (error instanceof RunInterrupted) return
    const failed = failedResultOf(error)
    if (failed) return endRun(deps, id, runner, failed)
    // An internal error or an unavailable database: release the lease, so that the job can retry.
    await db.transaction((tx) => updateRun(tx, id, { leasedUntil: clock.now() })).catch(() => {})
    throw error
  }
}

/** The result of a run; `error` if it failed. */
interface RunResult {
  error?: string
  detail?: string | undefined
}

function failedResultOf(error: unknown): RunResult | undefined {
  if (error instanceof LdapFailure) return { error: error.kind, detail: error.message }
  if (error instanceof RunError) return { error: error.code, detail: error.message }
  if (error instanceof AppError && error.status < 500) return { error: error.code, detail: error.detail ?? error.title }
  return undefined
}

/** Marks a run as failed after the last attempt of its job. Runs in the caller's transaction. */
export async function failRun(tx: Transaction, deps: DirectoryDeps, id: DirectoryRunId): Promise<void> {
  const run = await leaseRun(tx, id, { runner: uuidv7(deps.clock), now: deps.clock.now(), until: deps.clock.now() })
  if (!run) return
  const { code, title } = platformError('internal_error')
  await storeResult(tx, deps, run, 'failed', { error: code, detail: title })
}

const endRun = ({ db, ...deps }: DirectoryDeps, id: DirectoryRunId, runner: string, end: RunResult): Promise<void> =>
  db.transaction(async (tx) => {
    const held = await lockRun(tx, id, runner)
    if (!held) return
    const { run, directory } = held
    const isSync = !run.dryRun && !end.error
    await recordSyncTimes(tx, directory.id, {
      nextSyncAt: nextSync(deps.clock, directory),
      ...(isSync && { lastSyncAt: deps.clock.now() }),
      ...(isSync && run.mode === 'full' && { lastFullSyncAt: deps.clock.now() }),
    })
    await storeResult(tx, deps, run, end.error ? 'failed' : 'completed', end)
  })

/**
 * Stores the result of a locked run and records its audit entry, with its counts. Runs in the caller's transaction.
 * @param by the actor of the audit entry; default: the user who started the run
 * @returns the run with its result
 */
export async function storeResult(
  tx: Transaction,
  { clock, audit }: Pick<DirectoryDeps, 'clock' | 'audit'>,
  run: DirectoryRun,
  status: 'completed' | 'failed' | 'cancelled',
  { error, detail }: RunResult,
  by: AuditSubject = { userId: run.startedBy, teamId: run.organizationId, origin: run.origin },
): Promise<DirectoryRun> {
  const result = { error: error ?? null, detail: detail ?? null, leasedUntil: null, finishedAt: clock.now() }
  const ended = { ...run, status, phase: 'done', ...result } as const
  await updateRun(tx, run.id, { status, phase: 'done', ...result })
  tx.afterCommit(() => announceEnd(run.id))
  const { id, dryRun, mode, scheduled, counts } = run
  await audit.record(tx, by, 'directory.synced', {
    resource: `directory:${run.directoryId}`,
    ...(status === 'failed' && { result: 'FAILURE' as const }),
    metadata: { run: id, status, dryRun, mode, scheduled, ...counts, ...(error !== undefined && { error }) },
  })
  return ended
}
