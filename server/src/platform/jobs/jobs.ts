import { eq, lt } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR, MINUTE, SECOND } from '../clock.js'
import { uuidv7 } from '../crypto/random.js'
import type { Database, Transaction } from '../db/database.js'
import { deleteInBatches } from '../db/delete-in-batches.js'
import { namedQuery } from '../db/named-query.js'
import { jobs } from '../db/platform-tables.js'
import type { JobId } from '../ids.js'
import type { Logger } from '../log.js'
import type { Metrics } from '../metrics.js'

/** A kind of work outside requests. `run` may be called again after a crash: what it does must bear that. */
export interface JobKind {
  kind: string
  run(payload: Record<string, unknown>): Promise<void>
  /** Milliseconds between two runs of a recurring job. */
  every?: number
  /** How often a failing job is tried, with growing pauses, before it is given up. Recurring jobs are never given up. */
  attempts?: number
  /** How many of this kind a node works on at once; default: as many as of any. For what waits for strangers, so that others get their turn. */
  atOnce?: number
  /** How long a node may work on it before another takes over: longer than every timeout inside. */
  leaseMs?: number
}

export interface Jobs {
  register(kind: JobKind): void
  /** A step: the job exists if and only if the transaction commits. */
  enqueue(tx: Transaction, kind: string, payload: Record<string, unknown>): Promise<void>
  /** Starts to work; `stop` lets what runs come to its end. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Works until nothing is due, and waits for what runs already. */
  drain(): Promise<void>
}

interface JobRow {
  id: JobId
  kind: string
  payload: Record<string, unknown>
  attempts: number
}

const claimNext = namedQuery<JobRow, [Date, Date, string[]]>(
  'jobs.claim',
  `UPDATE jobs SET leased_until = $2, attempts = attempts + 1 WHERE id = (
     SELECT id FROM jobs WHERE run_at <= $1 AND failed_at IS NULL AND (leased_until IS NULL OR leased_until <= $1) AND kind = ANY($3::text[])
     ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING id, kind, payload, attempts`,
)

const POLL_MS = SECOND
const LONGEST_PAUSE = HOUR

/** @param parallel how many jobs this node works on at once */
export function createJobs(deps: {
  db: Database
  clock: Clock
  log: Logger
  metrics: Metrics
  parallel: number
}): Jobs {
  const { db, clock, log, metrics } = deps
  const kinds = new Map<string, JobKind>([['jobs.purge', purgeGivenUp(db, clock)]])
  const workers = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const running = new Map<string, number>()
  /** The claims of this node, one after the other: each sees what the one before it took. */
  let claims: Promise<unknown> = Promise.resolve()

  /** Takes and does one job after another until none is due. */
  async function work(): Promise<void> {
    while (!stopped) {
      const claim = claims.then(claimOne)
      claims = claim.catch(() => undefined)
      const job = await claim
      if (!job) return
      try {
        await runOne(job)
      } finally {
        running.set(job.kind, (running.get(job.kind) ?? 1) - 1)
      }
    }
  }

  async function claimOne(): Promise<JobRow | undefined> {
    const lease = Math.max(...[...kinds.values()].map((kind) => kind.leaseMs ?? 2 * MINUTE))
    const open = [...kinds.values()].filter(({ kind, atOnce }) => (running.get(kind) ?? 0) < (atOnce ?? deps.parallel))
    const [job] = await db.run(claimNext, [clock.now(), fromNow(clock, lease), open.map(({ kind }) => kind)])
    if (job) running.set(job.kind, (running.get(job.kind) ?? 0) + 1)
    return job
  }

  async function runOne(job: JobRow): Promise<void> {
    const kind = kinds.get(job.kind)
    if (!kind) return
    try {
      await kind.run(job.payload)
      metrics.observeJob(job.kind, 'done')
      if (kind.every) await reschedule(job.id, kind.every)
      else await db.transaction((tx) => tx.delete(jobs).where(eq(jobs.id, job.id)))
    } catch (error) {
      metrics.observeJob(job.kind, 'failed')
      const givenUp = !kind.every && job.attempts >= (kind.attempts ?? 12)
      log[givenUp ? 'error' : 'warn'](
        { kind: job.kind, job: job.id, attempt: job.attempts, err: error },
        givenUp ? 'a job was given up' : 'a job failed',
      )
      const pause = Math.min(5 * SECOND * 2 ** (job.attempts - 1), LONGEST_PAUSE)
      await db.transaction((tx) =>
        tx
          .update(jobs)
          .set({
            leasedUntil: null,
            runAt: fromNow(clock, pause),
            lastError: error instanceof Error ? error.name : 'unknown',
            ...(givenUp && { failedAt: clock.now() }),
          })
          .where(eq(jobs.id, job.id)),
      )
    }
  }

  const reschedule = (id: JobId, every: number) =>
    db.transaction((tx) =>
      tx
        .update(jobs)
        .set({ leasedUntil: null, attempts: 0, runAt: fromNow(clock, every), lastError: null })
        .where(eq(jobs.id, id)),
    )

  function wake(): void {
    if (stopped || workers.size >= deps.parallel) return
    const worker = work()
      .catch((error: unknown) => log.warn({ err: error }, 'the job queue cannot be read'))
      .finally(() => workers.delete(worker))
    workers.add(worker)
  }

  return {
    register: (kind) => void kinds.set(kind.kind, kind),
    async enqueue(tx, kind, payload) {
      await tx
        .insert(jobs)
        .values({ id: uuidv7<JobId>(clock), kind, payload, runAt: clock.now(), createdAt: clock.now() })
      if (timer) tx.afterCommit(wake)
    },
    async start() {
      const recurring = [...kinds.values()].filter((kind) => kind.every)
      await db.transaction(async (tx) => {
        for (const { kind } of recurring) {
          await tx
            .insert(jobs)
            .values({
              id: uuidv7<JobId>(clock),
              kind,
              payload: {},
              uniqueName: kind,
              runAt: clock.now(),
              createdAt: clock.now(),
            })
            .onConflictDoNothing({ target: jobs.uniqueName })
        }
      })
      timer = setInterval(wake, POLL_MS)
      wake()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await Promise.all(workers)
    },
    async drain() {
      do {
        await work()
        await Promise.all(workers)
      } while (workers.size > 0)
    },
  }
}

const KEEP_GIVEN_UP = 7 * DAY

/** What was given up stays for a week, for somebody to look at. */
const purgeGivenUp = (db: Database, clock: Clock): JobKind => ({
  kind: 'jobs.purge',
  every: HOUR,
  run: () => deleteInBatches(db, jobs, lt(jobs.failedAt, fromNow(clock, -KEEP_GIVEN_UP))),
})
