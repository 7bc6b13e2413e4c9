import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { hashParts } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { type ImportRunId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { memberships } from '../../members/index.js'
import { type DelegatedBy, isDelegated } from '../../sessions/index.js'
import { organizations } from '../../teams/index.js'
import { users } from '../../users/index.js'
import { importRuns, type RunFailure } from '../tables.js'

type Stored = typeof importRuns.$inferSelect
/** A run without its pending rows. */
export type Run = Omit<Stored, 'rows'>
export type RunRow = Stored['rows'][number]
export type RunCounts = Pick<Run, 'processed' | 'created' | 'updated' | 'unchanged'>

const { rows: _rows, ...withoutRows } = getTableColumns(importRuns)
/** A list shows the number of failures only. */
const { failures: _failures, ...summary } = withoutRows

export type RunSummary = Omit<Run, 'failures'>

export type RunKindName = 'import' | 'bulk'

const ofKind = (kind: RunKindName) => (kind === 'import' ? isNull(importRuns.action) : isNotNull(importRuns.action))

/** Returns the change that appends failures: none if there are none, because it would write all stored ones again. */
const appended = (failures: RunFailure[]) =>
  failures.length > 0 ? { failures: sql`${importRuns.failures} || ${JSON.stringify(failures)}::jsonb` } : {}

/** Queries bound to one team. */
export const runRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (id: ImportRunId) => and(eq(importRuns.id, id), eq(importRuns.organizationId, teamId))
  const lockQueue = () => {
    const key = hashParts('import_runs.running', teamId).readBigInt64BE().toString()
    return tx.execute(sql`SELECT pg_advisory_xact_lock(${key}::bigint)`)
  }

  return {
    insert: (run: Omit<Stored, 'organizationId'>) => tx.insert(importRuns).values({ ...run, organizationId: teamId }),

    /**
     * Returns undefined if the ID is malformed, unknown, of another kind, or belongs to another team.
     * @param options.lock waits for the current batch and locks the run
     */
    async find(kind: RunKindName, id: string, { lock = false } = {}): Promise<Run | undefined> {
      const known = parseId<ImportRunId>(id)
      const found =
        known &&
        tx
          .select(withoutRows)
          .from(importRuns)
          .where(and(one(known), ofKind(kind)))
      return (found ? await (lock ? found.for('update') : found) : [])[0]
    },

    /** Returns one page of the imports, newest first. */
    page: ({ page, limit }: { page: number; limit: number }): Promise<RunSummary[]> =>
      tx
        .select(summary)
        .from(importRuns)
        .where(and(eq(importRuns.organizationId, teamId), ofKind('import')))
        .orderBy(desc(importRuns.createdAt), desc(importRuns.id))
        .limit(limit)
        .offset((page - 1) * limit),

    async total(): Promise<number> {
      const [row] = await tx
        .select({ total: sql<number>`count(*)::int` })
        .from(importRuns)
        .where(and(eq(importRuns.organizationId, teamId), ofKind('import')))
      return row?.total ?? 0
    },

    /** Returns the number of runs that are queued or running. Concurrent calls are serialized. */
    async countOpen(): Promise<number> {
      await lockQueue()
      const isOpen = inArray(importRuns.status, ['queued', 'running'])
      const [row] = await tx
        .select({ open: sql<number>`count(*)::int` })
        .from(importRuns)
        .where(and(eq(importRuns.organizationId, teamId), isOpen))
      return row?.open ?? 0
    },

    /** Deletes the oldest runs that have ended, except for the newest `count` of them. */
    deleteOldest: (count: number) =>
      tx.delete(importRuns).where(
        inArray(
          importRuns.id,
          tx
            .select({ id: importRuns.id })
            .from(importRuns)
            .where(and(eq(importRuns.organizationId, teamId), isNotNull(importRuns.finishedAt)))
            .orderBy(desc(importRuns.createdAt), desc(importRuns.id))
            .offset(count),
        ),
      ),

    /** Removes the first rows, which were processed, and adds their results. */
    takeRows: (id: ImportRunId, { processed, created, updated, unchanged }: RunCounts, failures: RunFailure[]) =>
      tx
        .update(importRuns)
        .set({
          rows: sql`(SELECT coalesce(jsonb_agg(row ORDER BY place), '[]') FROM jsonb_array_elements(${importRuns.rows}) WITH ORDINALITY AS waiting(row, place) WHERE place > ${processed})`,
          processed: sql`${importRuns.processed} + ${processed}`,
          created: sql`${importRuns.created} + ${created}`,
          updated: sql`${importRuns.updated} + ${updated}`,
          unchanged: sql`${importRuns.unchanged} + ${unchanged}`,
          ...appended(failures),
        })
        .where(one(id)),

    /** Marks the oldest queued run of the team as running and returns it, unless one is running. Concurrent calls are serialized. */
    async startOldest(): Promise<Pick<Run, 'id' | 'action'> | undefined> {
      await lockQueue()
      const ofStatus = (status: Stored['status']) =>
        and(eq(importRuns.organizationId, teamId), eq(importRuns.status, status))
      const running = await tx.select({ id: importRuns.id }).from(importRuns).where(ofStatus('running')).limit(1)
      if (running.length > 0) return undefined
      const [next] = await tx
        .select({ id: importRuns.id, action: importRuns.action })
        .from(importRuns)
        .where(ofStatus('queued'))
        .orderBy(importRuns.createdAt, importRuns.id)
        .limit(1)
        .for('update')
      if (next) await tx.update(importRuns).set({ status: 'running' }).where(one(next.id))
      return next
    },

    /** Ends the run and deletes its pending rows. */
    async finish(
      id: ImportRunId,
      status: Exclude<Run['status'], 'queued' | 'running'>,
      finishedAt: Date,
      why: RunFailure[] = [],
    ): Promise<Run> {
      const [run] = await tx
        .update(importRuns)
        .set({
          status,
          finishedAt,
          rows: [],
          ...appended(why),
        })
        .where(one(id))
        .returning(withoutRows)
      if (!run) throw new Error('The run was deleted while it was locked')
      return run
    },
  }
}

/** Returns the team of a run, its progress, and its next rows; undefined if there is no such run. Takes no lock. */
export async function nextOf(
  tx: Transaction,
  id: ImportRunId,
  count: number,
): Promise<(Pick<Run, 'organizationId' | 'action' | 'processed'> & { rows: RunRow[] }) | undefined> {
  const rows = sql<RunRow[]>`jsonb_path_query_array(rows, ${`$[0 to ${count - 1}]`}::jsonpath)`
  const { organizationId, action, processed } = importRuns
  return (await tx.select({ organizationId, action, processed, rows }).from(importRuns).where(eq(importRuns.id, id)))[0]
}

/** Locks a run by ID alone, for its job, until the batch is done. Returns undefined if it has ended. */
export async function lockRunning(tx: Transaction, id: ImportRunId): Promise<Run | undefined> {
  const [run] = await tx
    .select(withoutRows)
    .from(importRuns)
    .where(and(eq(importRuns.id, id), eq(importRuns.status, 'running')))
    .for('update')
  return run
}

/** Locks the queued and running runs that the user started, in all teams or in those that `which` selects. */
export const lockOpenOf = (tx: Transaction, userId: UserId, which?: DelegatedBy): Promise<Run[]> =>
  tx
    .select(withoutRows)
    .from(importRuns)
    .where(
      and(
        eq(importRuns.startedBy, userId),
        inArray(importRuns.status, ['queued', 'running']),
        which && isDelegated(importRuns, which),
      ),
    )
    .orderBy(importRuns.id)
    .for('update')

/** Returns the role, status, team and email address of the user who started a run; undefined if they left the team. */
export async function starterOf(tx: Transaction, teamId: TeamId, userId: UserId) {
  const [row] = await tx
    .select({
      role: memberships.role,
      active: sql<boolean>`${memberships.status} = 'active' AND ${users.status} = 'active'`,
      team: { name: organizations.name, status: organizations.status },
      user: {
        email: users.email,
        emailVerified: sql<boolean>`${users.emailVerifiedAt} IS NOT NULL`,
      },
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.organizationId, teamId)))
  return row
}
