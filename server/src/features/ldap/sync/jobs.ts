import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import { deletedAfter, type RetentionRule } from '../../../platform/db/retention.js'
import type { DirectoryRunId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { purgeJob } from '../../../platform/jobs/purge-job.js'
import { organizations } from '../../teams/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import { nextSync } from '../model/directory.js'
import { recordSyncTimes } from '../model/repository.js'
import { runsWithExpiredLease, updateRun } from '../model/run-repository.js'
import { directories, directoryRuns } from '../tables.js'
import { failRun, runSync } from './run-sync.js'
import { RUN_SYNC, startRun, syncQueueKey } from './start-sync.js'

/** Concurrent syncs of a node. They mostly wait for external servers, and the memory of each is bounded. */
const MAX_CONCURRENT = 20
/** The teams of one user (`syncQueueKey`) run at most a quarter of these syncs, so that their slow servers do not delay others. */
const MAX_CONCURRENT_OF_USER = MAX_CONCURRENT / 4
/** Longer than the maximum duration of a sync. */
const LEASE = 3 * HOUR
const BATCH = 100

export const DIRECTORY_RETENTION: RetentionRule[] = [
  deletedAfter(directoryRuns, directoryRuns.finishedAt, 90 * DAY, '90 days after they finish'),
]

/** Starts scheduled syncs, and restarts runs whose node stopped or crashed. */
export const directoryJobs = (deps: DirectoryDeps): JobKind[] => [
  { kind: 'directory.sweep', every: MINUTE, run: () => sweep(deps) },
  {
    kind: RUN_SYNC,
    attempts: 3,
    concurrency: MAX_CONCURRENT,
    aside: true,
    perTeam: MAX_CONCURRENT_OF_USER,
    leaseMs: LEASE,
    run: ({ runId }) => runSync(deps, runId as DirectoryRunId),
    onGivenUp: (tx, { runId }) => failRun(tx, deps, runId as DirectoryRunId),
  },
  purgeJob(deps, 'directory.purge', DIRECTORY_RETENTION),
]

async function sweep(deps: DirectoryDeps): Promise<void> {
  const { db, clock, jobs } = deps
  await db.transaction(async (tx) => {
    for (const { id, organizationId } of await runsWithExpiredLease(tx, clock.now())) {
      // If this job is lost too, the next sweep finds the run again.
      await updateRun(tx, id, { leasedUntil: clock.now() })
      await jobs.enqueue(tx, RUN_SYNC, { runId: id }, await syncQueueKey(tx, organizationId))
    }
  })
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const { nextSyncAt } = directories
      const due = await tx
        .select({ directory: directories })
        .from(directories)
        .innerJoin(organizations, eq(organizations.id, directories.organizationId))
        .where(and(isNotNull(nextSyncAt), lte(nextSyncAt, clock.now()), eq(organizations.status, 'ACTIVE')))
        .orderBy(asc(nextSyncAt))
        .limit(BATCH)
        .for('update', { of: directories, skipLocked: true })
      for (const { directory } of due) {
        const origin = { ip: null, userAgent: null, requestId: uuidv7(clock) }
        const options = { dryRun: false, confirmLeavers: false, incremental: true }
        await startRun(tx, deps, directory, { ...options, scheduled: true, startedBy: null, origin })
        // The end of the run sets this again; this value applies if the run never ends.
        await recordSyncTimes(tx, directory.id, { nextSyncAt: nextSync(clock, directory) })
      }
      return due.length
    })
    if (count < BATCH) return
  }
}
