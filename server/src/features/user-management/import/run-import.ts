import { sql } from 'drizzle-orm'
import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { ImportRunId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { lockApiToken } from '../../access-tokens/index.js'
import { seatsOf } from '../../members/index.js'
import { permissionsOf } from '../../permissions/index.js'
import { rejectWhileSuspended, teamError } from '../../teams/index.js'
import { BATCH_LIMITS, lockBatch } from '../../users/index.js'
import type { UserDeps } from '../deps.js'
import { inSavepoint } from '../provisioning/in-savepoint.js'
import { endRun, failureOf, RUN_IMPORT, startNext } from './end-run.js'
import { type ImportActor, importUser } from './import-user.js'
import {
  type ImportCounts,
  type ImportFailure,
  type ImportRun,
  importRepository,
  lockRunning,
  nextOf,
  starterOf,
} from './repository.js'
import { emailOf, type ImportRow } from './rows.js'

/** Maximum rows of one transaction; `BATCH_LIMITS` may end it earlier. */
const BATCH = 100
/** Imports that a node runs concurrently, each of another team. */
const CONCURRENCY = 2

/**
 * Runs an import, one batch of at most 100 rows and 20 existing accounts per job. The batch's transaction removes its rows from the run and
 * enqueues the next batch, so a crash never repeats a row. The job that ends a run, or finds it ended, starts the team's next.
 */
export const importJob = (deps: UserDeps): JobKind => ({
  kind: RUN_IMPORT,
  aside: true,
  concurrency: CONCURRENCY,
  perTeam: 1,
  run: ({ runId }) => runBatch(deps, runId as ImportRunId),
  onGivenUp: (tx, { runId }) => giveUp(tx, deps, runId as ImportRunId),
})

function runBatch(deps: UserDeps, id: ImportRunId): Promise<void> {
  const { db, clock, jobs } = deps
  return db.transaction(async (tx) => {
    const until = performance.now() + BATCH_LIMITS.milliseconds
    const next = await nextOf(tx, id, BATCH)
    if (!next) return
    // Accounts before the run, because a transaction that cancels a user's imports has locked the account. All accounts before the first
    // row, because adding a member locks the team.
    const rows = await lockBatch(tx, next.rows, (row) => [emailOf(row)])
    const run = await lockRunning(tx, id)
    if (!run) return void (await startNext(tx, jobs, next.organizationId))
    // Another node ran this batch concurrently and enqueued the next.
    if (run.processed !== next.processed) return
    const actor = await actorOf(tx, clock, run)
    if (actor instanceof AppError) return failRun(tx, deps, run, actor)
    const { counts, failures } = await importRows(tx, deps, actor, run, { rows, until })
    await importRepository(tx, run.organizationId).takeRows(id, counts, failures)
    if (run.processed + counts.processed < run.total)
      return jobs.enqueue(tx, RUN_IMPORT, { runId: id }, run.organizationId)
    await endRun(tx, deps, run, 'completed')
    await startNext(tx, jobs, run.organizationId)
  })
}

/** Fails a run, and starts the team's next one. Runs in the caller's transaction. */
async function failRun(tx: Transaction, deps: UserDeps, run: ImportRun, why: AppError): Promise<void> {
  await endRun(tx, deps, run, 'failed', [failureOf(undefined, why)])
  await startNext(tx, deps.jobs, run.organizationId)
}

/** Fails a run whose batch failed too often on our side: it must neither seem to continue nor store personal data. */
async function giveUp(tx: Transaction, deps: UserDeps, id: ImportRunId): Promise<void> {
  const run = await lockRunning(tx, id)
  const detail = 'The remaining rows could not be imported after several attempts'
  if (run) await failRun(tx, deps, run, platformError('internal_error', { detail }))
}

/** Returns the user who started the run, with their current permissions; or the error that stops it. */
async function actorOf(tx: Transaction, clock: UserDeps['clock'], run: ImportRun): Promise<ImportActor | AppError> {
  const { startedBy: userId, organizationId: teamId } = run
  const starter = userId ? await starterOf(tx, teamId, userId) : undefined
  const now = starter?.active ? permissionsOf(starter.role) : new Set<string>()
  const permissions = new Set(run.options.permissions.filter((permission) => now.has(permission)))
  if (!userId || !starter || !permissions.has('users:write'))
    return platformError('forbidden', {
      detail: 'The user who started the import no longer has the permission users:write in this team',
    })
  const { apiTokenId } = run.options.origin
  if (apiTokenId && !(await lockApiToken(tx, clock, apiTokenId)))
    return platformError('forbidden', { detail: 'The API token that started the import was revoked or has expired' })
  try {
    rejectWhileSuspended(starter, 'users:write')
  } catch (error) {
    return error as AppError
  }
  return { userId, teamId, permissions, origin: run.options.origin, user: starter.user, team: starter.team }
}

/** Imports the rows one by one, each in a savepoint. A dry run is rolled back as a whole. */
async function importRows(
  tx: Transaction,
  deps: UserDeps,
  actor: ImportActor,
  run: ImportRun,
  { rows, until }: { rows: ImportRow[]; until: number },
): Promise<{ counts: ImportCounts; failures: ImportFailure[] }> {
  const counts: ImportCounts = { processed: 0, created: 0, updated: 0, unchanged: 0 }
  const failures: ImportFailure[] = []
  await tx.execute(sql`SAVEPOINT batch`)
  // A dry run rolled back the members of its earlier batches, so they are counted by `run.created`.
  const seats = (run.dryRun && (await seatsOf(tx, actor.teamId))) || { taken: 0, limit: Number.POSITIVE_INFINITY }
  const seatsLeft = seats.limit - seats.taken - run.created
  for (const row of rows) {
    if (counts.processed > 0 && performance.now() > until) break
    counts.processed++
    const rejected = await inSavepoint(tx, async () => {
      const outcome = await importUser(tx, deps, actor, row, run.options)
      if (outcome === 'created' && counts.created >= seatsLeft)
        throw teamError('limit_reached', { detail: `The limit of the team is ${seats.limit} members` })
      counts[outcome]++
    })
    if (rejected) failures.push(failureOf(row, rejected))
  }
  await tx.execute(run.dryRun ? sql`ROLLBACK TO SAVEPOINT batch` : sql`RELEASE SAVEPOINT batch`)
  return { counts, failures }
}
