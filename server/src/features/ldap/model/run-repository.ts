import { and, desc, eq, getTableColumns, isNull, lte, or, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { type DirectoryId, type DirectoryRunId, parseId, type TeamId } from '../../../platform/ids.js'
import { directories, directoryRuns } from '../tables.js'
import type { Directory } from './directory.js'

export type DirectoryRun = typeof directoryRuns.$inferSelect
const { failures: _failures, planned: _planned, ...summary } = getTableColumns(directoryRuns)
/** A run without its lists of failed entries and planned changes. */
export type RunSummary = Omit<DirectoryRun, 'failures' | 'planned'>

/** Queries for the runs of one team. */
export const runRepository = (tx: Transaction, teamId: TeamId) => {
  const isRun = (id: DirectoryRunId) => and(eq(directoryRuns.id, id), eq(directoryRuns.organizationId, teamId))
  return {
    /** Inserts a run. Returns undefined if the directory already has an active run. */
    async insert(run: Omit<DirectoryRun, 'organizationId'>): Promise<DirectoryRun | undefined> {
      const [row] = await tx
        .insert(directoryRuns)
        .values({ ...run, organizationId: teamId })
        .onConflictDoNothing()
        .returning()
      return row
    },

    async running(directory: DirectoryId): Promise<DirectoryRun | undefined> {
      const isRunning = and(eq(directoryRuns.directoryId, directory), eq(directoryRuns.status, 'running'))
      return (await tx.select().from(directoryRuns).where(isRunning))[0]
    },

    /**
     * @param options.lock locks the run, which waits for its current batch
     * @returns undefined if the ID is malformed, unknown, or belongs to another team
     */
    async find(id: string, { lock = false } = {}): Promise<DirectoryRun | undefined> {
      const runId = parseId<DirectoryRunId>(id)
      const found = runId && tx.select().from(directoryRuns).where(isRun(runId))
      return found && (await (lock ? found.for('update') : found))[0]
    },

    page: ({ page, limit }: { page: number; limit: number }): Promise<RunSummary[]> =>
      tx
        .select(summary)
        .from(directoryRuns)
        .where(eq(directoryRuns.organizationId, teamId))
        .orderBy(desc(directoryRuns.createdAt), desc(directoryRuns.id))
        .limit(limit)
        .offset((page - 1) * limit),

    async total(): Promise<number> {
      const [row] = await tx
        .select({ total: sql<number>`count(*)::int` })
        .from(directoryRuns)
        .where(eq(directoryRuns.organizationId, teamId))
      return row?.total ?? 0
    },
  }
}

/** Locks the active run of a directory: waits for its current batch and blocks the next one. Runs in the caller's transaction. */
export async function lockRunningRun(tx: Transaction, directory: DirectoryId): Promise<void> {
  await tx
    .select({ id: directoryRuns.id })
    .from(directoryRuns)
    .where(and(eq(directoryRuns.directoryId, directory), eq(directoryRuns.status, 'running')))
    .for('update')
}

/** Leases the run to this runner. Returns undefined if another runner has the lease or the run has ended. Runs in the caller's transaction. */
export async function leaseRun(
  tx: Transaction,
  id: DirectoryRunId,
  lease: { runner: string; now: Date; until: Date },
): Promise<DirectoryRun | undefined> {
  const isUnleased = or(isNull(directoryRuns.leasedUntil), lte(directoryRuns.leasedUntil, lease.now))
  const [row] = await tx
    .update(directoryRuns)
    .set({ runner: lease.runner, leasedUntil: lease.until })
    .where(and(eq(directoryRuns.id, id), eq(directoryRuns.status, 'running'), isUnleased))
    .returning()
  return row
}

/**
 * Locks the run and returns it with its directory. Returns undefined if the run has ended or is leased to another runner. Runs in the
 * caller's transaction.
 */
export async function lockRun(
  tx: Transaction,
  id: DirectoryRunId,
  runner: string,
): Promise<{ run: DirectoryRun; directory: Directory } | undefined> {
  const [run] = await tx
    .select()
    .from(directoryRuns)
    .where(and(eq(directoryRuns.id, id), eq(directoryRuns.status, 'running'), eq(directoryRuns.runner, runner)))
    .for('update')
  if (!run) return undefined
  const [directory] = await tx.select().from(directories).where(eq(directories.id, run.directoryId))
  return directory && { run, directory }
}

/** Stores the progress or the result of a locked run. Runs in the caller's transaction. */
export async function updateRun(tx: Transaction, id: DirectoryRunId, changes: Partial<DirectoryRun>): Promise<void> {
  await tx.update(directoryRuns).set(changes).where(eq(directoryRuns.id, id))
}

/** Returns the active runs whose lease has expired because their node stopped or crashed. Runs in the caller's transaction. */
export const runsWithExpiredLease = (
  tx: Transaction,
  now: Date,
): Promise<Pick<DirectoryRun, 'id' | 'organizationId'>[]> =>
  tx
    .select({ id: directoryRuns.id, organizationId: directoryRuns.organizationId })
    .from(directoryRuns)
    .where(and(eq(directoryRuns.status, 'running'), lte(directoryRuns.leasedUntil, now)))
