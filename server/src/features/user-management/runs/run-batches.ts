import { sql } from 'drizzle-orm'
import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { ImportRunId, TeamId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { lockApiToken } from '../../access-tokens/index.js'
import { isCovered, seatsOf, setterCovers } from '../../members/index.js'
import { permissionsOf } from '../../permissions/index.js'
import { rejectWhileSuspended, teamError } from '../../teams/index.js'
import { BATCH_LIMITS } from '../../users/index.js'
import type { UserDeps } from '../deps.js'
import { inSavepoint } from '../provisioning/in-savepoint.js'
import type { WelcomeSender } from '../send-welcome.js'
import type { RunFailure } from '../tables.js'
import { endRun, enqueueBatch, failureOfRun, type Rejected, startNext } from './end-run.js'
import { withinLimit } from './failures.js'
import {
  lockRunning,
  nextOf,
  type Run,
  type RunCounts,
  type RunKindName,
  type RunRow,
  runRepository,
  starterOf,
} from './repository.js'

/** The user who started a run, with their current permissions. */
export type RunActor = Pick<Actor, 'userId' | 'permissions' | 'origin'> & WelcomeSender

/** The row operations of a kind of run. All functions run in the transaction of the batch. */
export interface RunKind {
  /** Returns the permission without which the run fails. */
  permissionOf(run: Pick<Run, 'action'>): string
  /** Locks the accounts of the first rows, in the order of their IDs, and returns these rows: at least one if there is any. */
  lockRows(tx: Transaction, teamId: TeamId, rows: RunRow[], action: Run['action']): Promise<RunRow[]>
  /** Whether the permissions of the user who started the run are read before each row, instead of each batch. */
  verifiesEachRow: boolean
  /** @throws the reason why a row is rejected: its changes are rolled back */
  applyRow(
    tx: Transaction,
    deps: UserDeps,
    actor: RunActor,
    run: Run,
    row: RunRow,
  ): Promise<'created' | 'updated' | 'unchanged'>
  failureOf(row: RunRow, why: Rejected, place: number): RunFailure
}

export type RunKinds = Record<RunKindName, RunKind>

const kindOf = (kinds: RunKinds, { action }: Pick<Run, 'action'>): RunKind => (action ? kinds.bulk : kinds.import)

/** Maximum rows of one transaction; `BATCH_LIMITS` may end it earlier. */
const BATCH = 100
/** Runs of a kind that a node processes concurrently, each of another team. */
const CONCURRENCY = 2

/**
 * Processes a run, one batch of at most 100 rows and 20 existing accounts per job. The batch's transaction removes its rows from the run and
 * enqueues the next batch, so a crash never repeats a row. The job that ends a run, or finds it ended, starts the team's next.
 */
export const runJob = (deps: UserDeps, kind: string, kinds: RunKinds): JobKind => ({
  kind,
  aside: true,
  concurrency: CONCURRENCY,
  perTeam: 1,
  run: ({ runId }) => runBatch(deps, kinds, runId as ImportRunId),
  onGivenUp: (tx, { runId }) => giveUp(tx, deps, runId as ImportRunId),
})

function runBatch(deps: UserDeps, kinds: RunKinds, id: ImportRunId): Promise<void> {
  const { db, clock, jobs } = deps
  return db.transaction(async (tx) => {
    const until = performance.now() + BATCH_LIMITS.milliseconds
    const next = await nextOf(tx, id, BATCH)
    if (!next) return
    // Accounts before the run, because a transaction that cancels a user's imports has locked the account. All accounts before the first
    // row, because adding a member locks the team.
    const kind = kindOf(kinds, next)
    const rows = await kind.lockRows(tx, next.organizationId, next.rows, next.action)
    const run = await lockRunning(tx, id)
    if (!run) return void (await startNext(tx, jobs, next.organizationId))
    // Another node ran this batch concurrently and enqueued the next.
    if (run.processed !== next.processed) return
    const actor = await actorOf(tx, clock, run, kind)
    if (actor instanceof AppError) return failRun(tx, deps, run, actor)
    const { counts, failures, stoppedBy } = await applyRows(tx, deps, actor, run, kind, { rows, until })
    await runRepository(tx, run.organizationId).takeRows(id, counts, withinLimit(failures, run.failures))
    if (stoppedBy) return failRun(tx, deps, run, stoppedBy)
    if (run.processed + counts.processed < run.total) return enqueueBatch(tx, jobs, run, run.organizationId)
    await endRun(tx, deps, run, 'completed')
    await startNext(tx, jobs, run.organizationId)
  })
}

/** Fails a run, and starts the team's next one. Runs in the caller's transaction. */
async function failRun(tx: Transaction, deps: UserDeps, run: Run, why: AppError): Promise<void> {
  await endRun(tx, deps, run, 'failed', [failureOfRun(why)])
  await startNext(tx, deps.jobs, run.organizationId)
}

/** Fails a run whose batch failed too often on our side: it must neither seem to continue nor store personal data. */
async function giveUp(tx: Transaction, deps: UserDeps, id: ImportRunId): Promise<void> {
  const run = await lockRunning(tx, id)
  const detail = 'The remaining rows could not be processed after several attempts'
  if (run) await failRun(tx, deps, run, platformError('internal_error', { detail }))
}

/** Returns the user who started the run, with their current permissions; or the error that stops it. */
async function actorOf(
  tx: Transaction,
  clock: UserDeps['clock'],
  run: Run,
  { permissionOf }: RunKind,
): Promise<RunActor | AppError> {
  const { startedBy: userId, organizationId: teamId, temporarySetBy: setBy } = run
  const starter = userId ? await starterOf(tx, teamId, userId) : undefined
  // A run of an API token does not depend on the editor of the provider or directory.
  const covers = run.options.origin.apiTokenId ? setterCovers : isCovered
  const isActive = starter?.active && (!setBy || (await covers(tx, setBy, starter.role, teamId)))
  const now = isActive ? permissionsOf(starter.role) : new Set<string>()
  const permissions = new Set(run.options.permissions.filter((permission) => now.has(permission)))
  const required = permissionOf(run)
  if (!userId || !starter || !permissions.has(required))
    return platformError('forbidden', {
      detail: `The user who started the run, or a member on whom their session depends, no longer has the permission ${required} in this team`,
    })
  const { apiTokenId } = run.options.origin
  if (apiTokenId && !(await lockApiToken(tx, clock, apiTokenId)))
    return platformError('forbidden', { detail: 'The API token that started the run was revoked or has expired' })
  try {
    rejectWhileSuspended(starter, required)
  } catch (error) {
    return error as AppError
  }
  return { userId, teamId, permissions, origin: run.options.origin, user: starter.user, team: starter.team }
}

interface Applied {
  counts: RunCounts
  failures: RunFailure[]
  /** The user who started the run lost the permission. */
  stoppedBy?: AppError
}

/** Applies the rows one by one, each in a savepoint. A dry run is rolled back as a whole. */
async function applyRows(
  tx: Transaction,
  deps: UserDeps,
  first: RunActor,
  run: Run,
  kind: RunKind,
  { rows, until }: { rows: RunRow[]; until: number },
): Promise<Applied> {
  const counts: RunCounts = { processed: 0, created: 0, updated: 0, unchanged: 0 }
  const failures: RunFailure[] = []
  await tx.execute(sql`SAVEPOINT batch`)
  // A dry run rolled back the members of its earlier batches, so they are counted by `run.created`.
  const seats = (run.dryRun && (await seatsOf(tx, first.teamId))) || { taken: 0, limit: Number.POSITIVE_INFINITY }
  const seatsLeft = seats.limit - seats.taken - run.created
  for (const row of rows) {
    if (counts.processed > 0 && performance.now() > until) break
    const actor = kind.verifiesEachRow && counts.processed > 0 ? await actorOf(tx, deps.clock, run, kind) : first
    if (actor instanceof AppError) return { counts, failures, stoppedBy: actor }
    counts.processed++
    const rejected = await inSavepoint(tx, async () => {
      const outcome = await kind.applyRow(tx, deps, actor, run, row)
      if (outcome === 'created' && counts.created >= seatsLeft)
        throw teamError('limit_reached', { detail: `The limit of the team is ${seats.limit} members` })
      counts[outcome]++
    })
    if (rejected) failures.push(kind.failureOf(row, rejected, run.processed + counts.processed))
  }
  await tx.execute(run.dryRun ? sql`ROLLBACK TO SAVEPOINT batch` : sql`RELEASE SAVEPOINT batch`)
  return { counts, failures }
}
