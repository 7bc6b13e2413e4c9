import type { Transaction } from '../../../platform/db/database.js'
import type { ImportRunId, TeamId } from '../../../platform/ids.js'
import type { Jobs } from '../../../platform/jobs/jobs.js'
import type { AuditSubject } from '../../audit/index.js'
import type { EndDeps } from '../deps.js'
import type { RunFailure } from '../tables.js'
import { countFailed } from './failures.js'
import { type Run, runRepository } from './repository.js'

export const RUN_IMPORT = 'users.import'
export const RUN_BULK = 'users.bulk'

/** Enqueues the job of the next batch. Runs in the caller's transaction. */
export const enqueueBatch = (
  tx: Transaction,
  jobs: Pick<Jobs, 'enqueue'>,
  { id, action }: Pick<Run, 'id' | 'action'>,
  teamId: TeamId,
): Promise<void> => jobs.enqueue(tx, action ? RUN_BULK : RUN_IMPORT, { runId: id }, teamId)

/**
 * Ends a locked run and records the end with its counts. Runs in the caller's transaction.
 * @param why the failure of the run as a whole
 * @param by the actor of the audit entry; default: the user who started the run
 */
export async function endRun(
  tx: Transaction,
  { clock, audit }: Pick<EndDeps, 'clock' | 'audit'>,
  { id, organizationId, startedBy, options, action }: Run,
  status: 'completed' | 'failed' | 'cancelled',
  why: RunFailure[] = [],
  by: AuditSubject = { userId: startedBy, teamId: organizationId, origin: options.origin },
): Promise<Run> {
  const ended = await runRepository(tx, organizationId).finish(id, status, clock.now(), why)
  const { dryRun, total, processed, created, updated, unchanged } = ended
  const failed = countFailed(ended)
  const result = status === 'failed' && { result: 'FAILURE' as const }
  if (action)
    await audit.record(tx, by, 'users.bulk_changed', {
      resource: `bulk:${id}`,
      ...result,
      metadata: { status, action: action.name, total, processed, updated, unchanged, failed },
    })
  else
    await audit.record(tx, by, 'users.imported', {
      resource: `import:${id}`,
      ...result,
      metadata: { status, dryRun, total, processed, created, updated, unchanged, failed },
    })
  return ended
}

/**
 * Starts the oldest queued run of the team unless one is running: only one at a time locks accounts. Code that ends a running one calls it,
 * or leaves it to the job of the run. Runs in the caller's transaction, which concurrent starts and ends for the team wait for.
 * @returns the run that was started, if any
 */
export async function startNext(
  tx: Transaction,
  jobs: Pick<Jobs, 'enqueue'>,
  teamId: TeamId,
): Promise<ImportRunId | undefined> {
  const started = await runRepository(tx, teamId).startOldest()
  if (started) await enqueueBatch(tx, jobs, started, teamId)
  return started?.id
}

/** Returns why the whole run failed. */
export const failureOfRun = (error: Rejected): RunFailure => ({ line: 0, email: '', ...reasonOf(error) })

export interface Rejected {
  code: string
  detail?: string | undefined
  title: string
}

export const reasonOf = ({ code, detail, title }: Rejected): Pick<RunFailure, 'code' | 'message'> => ({
  code,
  message: detail ?? title,
})
