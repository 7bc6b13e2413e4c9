import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR, MINUTE, SECOND } from '../clock.js'
import { uuidv7 } from '../crypto/random.js'
import type { Database, Transaction } from '../db/database.js'
import { namedQuery } from '../db/named-query.js'
import { jobs } from '../db/platform-tables.js'
import { deletedAfter, deleteExpired, type RetentionRule } from '../db/retention.js'
import { type JobId, NO_TEAM, type TeamId } from '../ids.js'
import type { Logger } from '../log.js'
import type { Metrics } from '../metrics/metrics.js'

/** A kind of background work. `run` can be called again after a crash, so it must be idempotent. */
export interface JobKind {
  kind: string
  run(payload: Record<string, unknown>): Promise<void>
  /** Milliseconds between two runs of a recurring job. */
  every?: number
  /**
   * Delays the first run by `every`, for kinds that have nothing to do in a new database. Also applies after an upgrade that adds the
   * kind.
   */
  delaysFirstRun?: boolean
  /**
   * The number of tries, with increasing pauses, before the job is given up. A try that ended in a crash of its node counts too.
   * `PermanentFailure` ends a job at once. Recurring jobs are never given up.
   */
  attempts?: number
  /** Runs in the transaction that gives a job up, to release state that would otherwise wait for it indefinitely. */
  onGivenUp?(tx: Transaction, payload: Record<string, unknown>): Promise<void>
  /** Concurrent jobs of this kind on a node; default: all workers. For kinds that wait for third parties. */
  concurrency?: number
  /** The kind mostly waits for third parties: its jobs occupy no worker. Requires `concurrency`. */
  aside?: boolean
  /**
   * The jobs of this kind belong to teams, which are served round-robin: a team with thousands of jobs delays another team by one job.
   * The value is the number of concurrent jobs of one team on a node. Requires `aside`.
   */
  perTeam?: number
  /** Milliseconds after which another node takes the job over: longer than every timeout inside. */
  leaseMs?: number
}

export interface Jobs {
  register(kind: JobKind): void
  /**
   * Adds a job, which exists if and only if the transaction commits. Runs in the caller's transaction.
   * @param team required for kinds with `perTeam`, and only for those
   */
  enqueue(tx: Transaction, kind: string, payload: Record<string, unknown>, team?: TeamId): Promise<void>
  /** Like `enqueue`, and deletes the team's waiting jobs of the kind, but not running ones. For kinds of which only the newest job counts. */
  replaceWaiting(tx: Transaction, kind: string, payload: Record<string, unknown>, team: TeamId): Promise<void>
  /** Starts the workers. `stop` waits for running jobs. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Runs jobs until none is due, and waits for running ones. */
  drain(): Promise<void>
}

/**
 * SQL: enqueues a job for each row of `from`, in a statement that also makes the change, to save a round trip for each job. For kinds whose
 * jobs belong to teams.
 * @param values expressions for the team, the payload and the current time
 */
export const enqueueingEach = (
  kind: string,
  { team, payload, now }: { team: string; payload: string; now: string },
  from: string,
): string => `INSERT INTO jobs (id, kind, team_id, payload, run_at, attempts, created_at)
  SELECT gen_random_uuid(), '${kind}', ${team}, ${payload}, ${now}, 0, ${now} ${from}`

/** SQL condition: at least `count` jobs of the kind wait for the team. */
export const hasWaitingJobs = (kind: string, team: string, count: number): string =>
  `EXISTS (SELECT FROM jobs WHERE kind = '${kind}' AND team_id = ${team} AND failed_at IS NULL OFFSET ${count - 1})`

const deleteWaiting = namedQuery<never, { kind: string; team: TeamId; now: Date }>(
  'jobs.delete_waiting',
  `DELETE FROM jobs WHERE kind = :kind AND team_id = :team AND failed_at IS NULL AND (leased_until IS NULL OR leased_until <= :now)`,
)

interface JobRow {
  id: JobId
  kind: string
  payload: Record<string, unknown>
  attempts: number
  team_id: TeamId | null
}

/** The kinds that a node claims, and the end of a lease of each. */
interface Claim {
  now: Date
  kinds: string[]
  leases: Date[]
}

const isDue = 'run_at <= :now AND failed_at IS NULL AND (leased_until IS NULL OR leased_until <= :now)'

/** Returns SQL that leases the job with the ID for the duration of its kind: `:leases` are the ends of the leases of `:kinds`. */
const take = (id: string): string => `
  UPDATE jobs SET leased_until = lease.until, attempts = attempts + 1
  FROM unnest(:kinds::text[], :leases::timestamptz[]) AS lease (kind, until)
  WHERE lease.kind = jobs.kind AND jobs.id = (${id})
  RETURNING jobs.id, jobs.kind, jobs.payload, jobs.attempts, jobs.team_id`

/**
 * Claims the job that has been due longest and belongs to no team. Returns one row, which also contains whether there are jobs of
 * teams: usually there are none, and planning `claimOfTeam` costs ten times as much.
 */
const claimOfNoTeam = namedQuery<(JobRow | Record<keyof JobRow, null>) & { teamsWait: boolean }, Claim>(
  'jobs.claim_of_no_team',
  `WITH taken AS (${take(`
     SELECT id FROM jobs WHERE ${isDue} AND team_id IS NULL AND kind = ANY(:kinds::text[]) ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED`)})
   SELECT taken.*, EXISTS (SELECT FROM jobs WHERE team_id IS NOT NULL AND failed_at IS NULL) AS "teamsWait"
   FROM (SELECT) AS one LEFT JOIN taken ON true`,
)

/**
 * Claims the oldest due job of the next team. For each kind in `teamKinds` the search begins after the team in `lastServed` and wraps
 * around. The pairs of `busyKinds` and `busyTeams` are the kinds and teams at their limit. It skips from team to team in the index, so
 * the cost does not depend on the number of jobs of one team.
 */
const claimOfTeam = namedQuery<
  JobRow,
  Claim & { teamKinds: string[]; lastServed: string[]; busyKinds: string[]; busyTeams: string[] }
>(
  'jobs.claim_of_team',
  take(`
    WITH RECURSIVE turns (kind, last, team, wrapped) AS (
      SELECT kind, last, last, false FROM unnest(:teamKinds::text[], :lastServed::uuid[]) AS first (kind, last)
      UNION ALL
      SELECT t.kind, t.last, next.team, next.wrapped FROM turns t CROSS JOIN LATERAL (
        (SELECT team_id, t.wrapped FROM jobs WHERE kind = t.kind AND team_id > t.team AND failed_at IS NULL ORDER BY team_id LIMIT 1)
        UNION ALL
        (SELECT team_id, true FROM jobs
         WHERE kind = t.kind AND team_id IS NOT NULL AND failed_at IS NULL AND NOT t.wrapped ORDER BY team_id LIMIT 1)
        LIMIT 1) AS next (team, wrapped)
      WHERE NOT next.wrapped OR next.team <= t.last)
    SELECT due.id FROM turns t CROSS JOIN LATERAL (
      SELECT id FROM jobs WHERE kind = t.kind AND team_id = t.team AND ${isDue}
      ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
    WHERE (t.team > t.last OR t.wrapped)
      AND NOT EXISTS (SELECT FROM unnest(:busyKinds::text[], :busyTeams::uuid[]) AS busy (kind, team) WHERE busy.kind = t.kind AND busy.team = t.team)
    LIMIT 1`),
)

/** Thrown by the run of a job that no further try can complete: the job is given up at once. A recurring job runs again. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

class NodeCrashed extends Error {
  override name = 'NodeCrashed'
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

const POLL_MS = SECOND
const ATTEMPTS = 12
const LEASE = 2 * MINUTE
const MAX_PAUSE = HOUR
/** A failed recurring job waits no longer than its interval, or than this if the interval is shorter. */
const MAX_RECURRING_PAUSE = MINUTE

/** Returns the pause after a number of failures, in milliseconds. */
const pauseAfter = (failures: number, { every }: JobKind): number =>
  Math.min(5 * SECOND * 2 ** (failures - 1), MAX_PAUSE, every ? Math.max(every, MAX_RECURRING_PAUSE) : MAX_PAUSE)

/** @param parallel the number of workers of this node */
export function createJobs(deps: {
  db: Database
  clock: Clock
  log: Logger
  metrics: Metrics
  parallel: number
}): Jobs {
  const { db, clock, log, metrics } = deps
  const kinds = new Map<string, JobKind>([
    [
      'jobs.purge',
      { kind: 'jobs.purge', every: HOUR, delaysFirstRun: true, run: () => deleteExpired({ db, clock }, JOB_RETENTION) },
    ],
  ])
  const workers = new Set<Promise<void>>()
  const aside = new Set<Promise<void>>()
  let begunAside = 0
  /** Whether the last claim skipped a kind or a team at its limit: the end of a job then makes another one claimable. */
  let isHeldBack = false
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const running = new Map<string, number>()
  /** For each kind with `perTeam`: the running jobs of each team on this node, and the team that was served last. */
  const runningOfTeams = new Map<string, Map<TeamId, number>>()
  const lastServed = new Map<string, TeamId>()
  /** The claims of this node run one at a time, so that each sees the jobs of the previous one. */
  let claims: Promise<unknown> = Promise.resolve()

  /** Claims and runs one job after another until none is due. */
  async function work(): Promise<void> {
    while (!stopped) {
      const claim = claims.then(claimOne)
      claims = claim.catch(() => undefined)
      const job = await claim
      if (!job) return
      if (kinds.get(job.kind)?.aside) workAside(job)
      else await finish(job)
    }
  }

  async function finish(job: JobRow): Promise<void> {
    try {
      await runOne(job)
    } finally {
      count(job, -1)
    }
  }

  function count({ kind, team_id: team }: JobRow, change: 1 | -1): void {
    running.set(kind, (running.get(kind) ?? 0) + change)
    if (!team) return
    const teams = runningOfTeams.get(kind) ?? new Map<TeamId, number>()
    runningOfTeams.set(kind, teams)
    const now = (teams.get(team) ?? 0) + change
    if (now > 0) teams.set(team, now)
    else teams.delete(team)
  }

  function workAside(job: JobRow): void {
    const working = finish(job)
      .catch((error: unknown) => log.warn({ err: error }, 'the job queue is not readable'))
      .finally(() => {
        aside.delete(working)
        if (timer && isHeldBack) wake()
      })
    aside.add(working)
    begunAside++
  }

  async function claimOne(): Promise<JobRow | undefined> {
    const open = [...kinds.values()].filter(
      ({ kind, concurrency }) => (running.get(kind) ?? 0) < (concurrency ?? deps.parallel),
    )
    const byTeam = open.filter(({ perTeam }) => perTeam !== undefined)
    const busy = byTeam.flatMap(({ kind, perTeam = 0 }) =>
      [...(runningOfTeams.get(kind) ?? [])].filter(([, jobs]) => jobs >= perTeam).map(([team]) => ({ kind, team })),
    )
    isHeldBack = open.length < kinds.size || busy.length > 0
    const claim: Claim = {
      now: clock.now(),
      kinds: open.map(({ kind }) => kind),
      leases: open.map(({ leaseMs = LEASE }) => fromNow(clock, leaseMs)),
    }
    const [claimed] = await db.run(claimOfNoTeam, claim)
    if (claimed?.id) return begin(claimed)
    if (!claimed?.teamsWait || byTeam.length === 0) return undefined
    const [job] = await db.run(claimOfTeam, {
      ...claim,
      teamKinds: byTeam.map(({ kind }) => kind),
      lastServed: byTeam.map(({ kind }) => lastServed.get(kind) ?? NO_TEAM),
      busyKinds: busy.map(({ kind }) => kind),
      busyTeams: busy.map(({ team }) => team),
    })
    return job && begin(job)
  }

  function begin(job: JobRow): JobRow {
    count(job, 1)
    if (job.team_id) lastServed.set(job.kind, job.team_id)
    return job
  }

  async function runOne(job: JobRow): Promise<void> {
    const kind = kinds.get(job.kind)
    if (!kind) return
    const { attempts = ATTEMPTS } = kind
    // The node of the last try crashed without recording the failure: there must be no further try.
    if (!kind.every && job.attempts > attempts) {
      metrics.observeJob(job.kind, 'failed')
      return giveUp(job, kind, attempts, new NodeCrashed())
    }
    try {
      await kind.run(job.payload)
      metrics.observeJob(job.kind, 'done')
      if (kind.every) await reschedule(job.id, kind.every)
      else await db.execute(sql`DELETE FROM ${jobs} WHERE ${eq(jobs.id, job.id)}`)
    } catch (error) {
      metrics.observeJob(job.kind, 'failed')
      if (!kind.every && (error instanceof PermanentFailure || job.attempts >= attempts))
        return giveUp(job, kind, job.attempts, error)
      log.warn({ kind: job.kind, job: job.id, attempt: job.attempts, err: error }, 'a job failed')
      await db.transaction((tx) =>
        tx
          .update(jobs)
          .set({ leasedUntil: null, runAt: fromNow(clock, pauseAfter(job.attempts, kind)), lastError: nameOf(error) })
          .where(eq(jobs.id, job.id)),
      )
    }
  }

  async function giveUp(job: JobRow, kind: JobKind, attempts: number, error: unknown): Promise<void> {
    metrics.observeJob(job.kind, 'given_up')
    log.error({ kind: job.kind, job: job.id, attempt: attempts, err: error }, 'a job was given up')
    await db.transaction(async (tx) => {
      const given = await tx
        .update(jobs)
        .set({ leasedUntil: null, attempts, failedAt: clock.now(), lastError: nameOf(error) })
        .where(and(eq(jobs.id, job.id), isNull(jobs.failedAt)))
        .returning({ id: jobs.id })
      // Another node may have taken the job over and completed it.
      if (given.length > 0) await kind.onGivenUp?.(tx, job.payload)
    })
  }

  const reschedule = (id: JobId, every: number) =>
    db.execute(
      sql`UPDATE ${jobs} SET leased_until = NULL, attempts = 0, run_at = ${fromNow(clock, every)}, last_error = NULL WHERE ${eq(jobs.id, id)}`,
    )

  /** Inserts a row for each recurring kind that has none. */
  async function addRecurring(): Promise<void> {
    const now = clock.now()
    const rows = [...kinds.values()]
      .filter(({ every }) => every)
      .map(({ kind, every = 0, delaysFirstRun }) => ({
        id: uuidv7<JobId>(clock),
        kind,
        payload: {},
        uniqueName: kind,
        runAt: delaysFirstRun ? fromNow(clock, every) : now,
        createdAt: now,
      }))
    if (rows.length === 0) return
    await db.transaction((tx) => tx.insert(jobs).values(rows).onConflictDoNothing({ target: jobs.uniqueName }))
  }

  function wake(): void {
    if (stopped || workers.size >= deps.parallel) return
    const worker = work()
      .catch((error: unknown) => log.warn({ err: error }, 'the job queue is not readable'))
      .finally(() => workers.delete(worker))
    workers.add(worker)
  }

  return {
    register: (kind) => void kinds.set(kind.kind, kind),
    async enqueue(tx, kind, payload, team) {
      const known = kinds.get(kind)
      if (known && (known.perTeam !== undefined) !== (team !== undefined))
        throw new Error(`Jobs of the kind ${kind} ${team ? 'belong to no team' : 'belong to a team'}`)
      await tx.insert(jobs).values({
        id: uuidv7<JobId>(clock),
        kind,
        payload,
        teamId: team ?? null,
        runAt: clock.now(),
        createdAt: clock.now(),
      })
      if (timer) tx.afterCommit(wake)
    },
    async replaceWaiting(tx, kind, payload, team) {
      await tx.run(deleteWaiting, { kind, team, now: clock.now() })
      await this.enqueue(tx, kind, payload, team)
    },
    async start() {
      await addRecurring()
      timer = setInterval(wake, POLL_MS)
      wake()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      // A worker may have claimed another job with `aside` meanwhile.
      while (workers.size + aside.size > 0) await Promise.all([...workers, ...aside])
    },
    async drain() {
      for (let waited = true; waited; ) {
        const before = begunAside
        await work()
        // Jobs at the limit of their kind or team can run after those that were waited for.
        waited = workers.size > 0 || begunAside > before
        await Promise.all([...workers, ...aside])
      }
    },
  }
}

const KEEP_GIVEN_UP = 7 * DAY

/** For inspection. */
export const JOB_RETENTION: RetentionRule[] = [
  deletedAfter(jobs, jobs.failedAt, KEEP_GIVEN_UP, 'when they are done; a week after the last failed attempt'),
]
