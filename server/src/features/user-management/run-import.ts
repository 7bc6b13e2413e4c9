import { sql } from 'drizzle-orm'
import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { ImportRunId } from '../../platform/ids.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { lockApiToken } from '../credentials/index.js'
import { seatsOf } from '../members/index.js'
import { permissionsOf } from '../permissions/index.js'
import { rejectWhileSuspended, teamError } from '../teams/index.js'
import { BATCH_LIMITS, lockBatch } from '../users/index.js'
import type { ImportActor, ImportDeps } from './import-deps.js'
import {
  type ImportCounts,
  type ImportFailure,
  type ImportRun,
  importRepository,
  lockRunning,
  nextOf,
  standingOf,
} from './import-repository.js'
import { emailOf, type ImportRow } from './import-rows.js'
import { importUser } from './import-user.js'
import { RUN_IMPORT, startNext } from './start-next.js'

/** Rows of one transaction, at most; `BATCH_LIMITS` may end it earlier. */
const BATCH = 100
/** Imports that a node works on at the same time, each of another team. */
const AT_ONCE = 2

type Running = NonNullable<Awaited<ReturnType<typeof lockRunning>>>

/**
 * Works on an import, a batch of at most 100 rows and 20 existing accounts a job. The transaction of the batch removes its rows from the run and
 * enqueues the job of the next batch: after a crash nothing is done twice. The job that ends a run, or finds that it is over, starts the
 * team's next.
 */
export const importJob = (deps: ImportDeps): JobKind => ({
  kind: RUN_IMPORT,
  aside: true,
  atOnce: AT_ONCE,
  perTeam: 1,
  run: ({ runId }) => runBatch(deps, runId as ImportRunId),
  onGivenUp: (tx, { runId }) => failRun(tx, deps, runId as ImportRunId),
})

function runBatch(deps: ImportDeps, id: ImportRunId): Promise<void> {
  const { db, clock, jobs } = deps
  return db.transaction(async (tx) => {
    const until = performance.now() + BATCH_LIMITS.milliseconds
    const next = await nextOf(tx, id, BATCH)
    if (!next) return
    // Accounts before the run, because a transaction that cancels the imports of a user has locked the account; and all of them before the
    // first row, because a row that joins locks the team.
    const rows = await lockBatch(tx, next.rows, (row) => [emailOf(row)])
    const run = await lockRunning(tx, id)
    if (!run) return void (await startNext(tx, jobs, next.organizationId))
    // Another node did this batch meanwhile, and enqueued the next.
    if (run.processed !== next.processed) return
    const repository = importRepository(tx, run.organizationId)
    const actor = await actorOf(tx, clock, run)
    if (actor instanceof AppError) {
      await recordEnd(tx, deps, run, await repository.finish(id, 'failed', clock.now(), [failureOf(actor)]))
      return void (await startNext(tx, jobs, run.organizationId))
    }
    const { counts, failures } = await doRows(tx, deps, actor, run, { rows, until })
    await repository.takeRows(id, counts.processed, counts, failures)
    if (run.processed + counts.processed < run.total)
      return jobs.enqueue(tx, RUN_IMPORT, { runId: id }, run.organizationId)
    await recordEnd(tx, deps, run, await repository.finish(id, 'completed', clock.now()))
    await startNext(tx, jobs, run.organizationId)
  })
}

/** Ends a run whose batch failed too often, for reasons of ours: it must not seem to go on, nor keep the rows of people. */
async function failRun(tx: Transaction, deps: ImportDeps, id: ImportRunId): Promise<void> {
  const run = await lockRunning(tx, id)
  if (!run) return
  const why = platformError('internal_error', { detail: 'The rows that were left could not be done, time and again' })
  const repository = importRepository(tx, run.organizationId)
  await recordEnd(tx, deps, run, await repository.finish(id, 'failed', deps.clock.now(), [failureOf(why)]))
  await startNext(tx, deps.jobs, run.organizationId)
}

/** Who started it, with the rights that they have now; or why it may not go on. */
async function actorOf(tx: Transaction, clock: ImportDeps['clock'], run: Running): Promise<ImportActor | AppError> {
  const { startedBy: userId, organizationId: teamId } = run
  const standing = userId ? await standingOf(tx, teamId, userId) : undefined
  const now = standing?.active ? permissionsOf(standing.role) : new Set<string>()
  const permissions = new Set(run.options.permissions.filter((permission) => now.has(permission)))
  if (!userId || !standing || !permissions.has('users:write'))
    return platformError('forbidden', {
      detail: 'Whoever started the import no longer has the permission users:write in this team',
    })
  const { apiTokenId } = run.options.origin
  if (apiTokenId && !(await lockApiToken(tx, clock, apiTokenId)))
    return platformError('forbidden', { detail: 'The API token that started the import is revoked or over' })
  try {
    rejectWhileSuspended(standing, 'users:write')
  } catch (error) {
    return error as AppError
  }
  return { userId, teamId, permissions, origin: run.options.origin, user: standing.user, team: standing.team }
}

/** Does one row after the other, each for itself: what is refused leaves no trace. A dry run leaves none at all. */
async function doRows(
  tx: Transaction,
  deps: ImportDeps,
  actor: ImportActor,
  run: Running,
  { rows, until }: { rows: ImportRow[]; until: number },
): Promise<{ counts: ImportCounts; failures: ImportFailure[] }> {
  const counts: ImportCounts = { processed: 0, created: 0, updated: 0, unchanged: 0 }
  const failures: ImportFailure[] = []
  await tx.execute(sql`SAVEPOINT batch`)
  // What earlier batches of a dry run made is not there to be counted.
  const seats = (run.dryRun && (await seatsOf(tx, actor.teamId))) || { taken: 0, limit: Number.POSITIVE_INFINITY }
  const seatsLeft = seats.limit - seats.taken - run.created
  for (const row of rows) {
    if (counts.processed > 0 && performance.now() > until) break
    counts.processed++
    await tx.execute(sql`SAVEPOINT one_row`)
    try {
      const outcome = await importUser(tx, deps, actor, row, run.options)
      if (outcome === 'created' && counts.created >= seatsLeft)
        throw teamError('limit_reached', { detail: `The limit of the team is ${seats.limit} members` })
      counts[outcome]++
      await tx.execute(sql`RELEASE SAVEPOINT one_row`)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await tx.execute(sql`ROLLBACK TO SAVEPOINT one_row`)
      failures.push(failureOf(error, row))
    }
  }
  await tx.execute(run.dryRun ? sql`ROLLBACK TO SAVEPOINT batch` : sql`RELEASE SAVEPOINT batch`)
  return { counts, failures }
}

/** A refusal as the run tells it; without a row it is of the run as a whole. */
const failureOf = (error: AppError, row?: ImportRow): ImportFailure => ({
  line: Number(row?.line ?? 0),
  email: row?.email ?? '',
  code: error.code,
  message: error.detail ?? error.title,
})

/** The entry that ends a run, with its numbers. */
export async function recordEnd(
  tx: Transaction,
  { audit }: Pick<ImportDeps, 'audit'>,
  by: Pick<ImportRun, 'startedBy' | 'organizationId'> & { options: Running['options'] },
  { id, status, dryRun, total, processed, created, updated, unchanged, failures }: ImportRun,
): Promise<void> {
  const subject = { userId: by.startedBy, teamId: by.organizationId, origin: by.options.origin }
  await audit.record(tx, subject, 'users.imported', {
    resource: `import:${id}`,
    ...(status === 'failed' && { result: 'FAILURE' as const }),
    metadata: { status, dryRun, total, processed, created, updated, unchanged, failed: failures.length },
  })
}
