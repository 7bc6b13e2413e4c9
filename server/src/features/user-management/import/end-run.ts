import type { Transaction } from '../../../platform/db/database.js'
import type { ImportRunId, TeamId } from '../../../platform/ids.js'
import type { Jobs } from '../../../platform/jobs/jobs.js'
import type { AuditSubject } from '../../audit/index.js'
import type { EndDeps } from '../deps.js'
import { type ImportFailure, type ImportRun, importRepository } from './repository.js'
import type { ImportRow } from './rows.js'

export const RUN_IMPORT = 'users.import'

/**
 * Ends a locked run and records the end with its counts. Runs in the caller's transaction.
 * @param why the failure of the run as a whole
 * @param by the actor of the audit entry; default: the user who started the run
 */
export async function endRun(
  tx: Transaction,
  { clock, audit }: Pick<EndDeps, 'clock' | 'audit'>,
  { id, organizationId, startedBy, options }: ImportRun,
  status: 'completed' | 'failed' | 'cancelled',
  why: ImportFailure[] = [],
  by: AuditSubject = { userId: startedBy, teamId: organizationId, origin: options.origin },
): Promise<ImportRun> {
  const ended = await importRepository(tx, organizationId).finish(id, status, clock.now(), why)
  const { dryRun, total, processed, created, updated, unchanged, failures } = ended
  await audit.record(tx, by, 'users.imported', {
    resource: `import:${id}`,
    ...(status === 'failed' && { result: 'FAILURE' as const }),
    metadata: { status, dryRun, total, processed, created, updated, unchanged, failed: failures.length },
  })
  return ended
}

/**
 * Starts the oldest queued import of the team unless one is running: only one at a time locks accounts. Code that ends a running import
 * calls it, or leaves it to the import's job. Runs in the caller's transaction, which concurrent starts and ends for the team wait for.
 * @returns the import that was started, if any
 */
export async function startNext(
  tx: Transaction,
  jobs: Pick<Jobs, 'enqueue'>,
  teamId: TeamId,
): Promise<ImportRunId | undefined> {
  const started = await importRepository(tx, teamId).startOldest()
  if (started) await jobs.enqueue(tx, RUN_IMPORT, { runId: started }, teamId)
  return started
}

/** Returns why a row was not imported; without a row, why the whole run failed. */
export const failureOf = (
  row: ImportRow | undefined,
  { code, detail, title }: { code: string; detail?: string | undefined; title: string },
): ImportFailure => ({
  line: Number(row?.line ?? 0),
  email: row?.email ?? '',
  code,
  message: detail ?? title,
})
