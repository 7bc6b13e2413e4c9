import { sql } from 'drizzle-orm'
import type { Clock } from '../clock.js'
import type { Database } from '../db/database.js'
import { type SharedGauges, sharedGauges } from '../metrics/shared-gauges.js'

/** Limits the cost of the counts. */
const MOST = 100_000

interface Backlog {
  due: number
  scheduled: number
  running: number
  givenUp: number
  oldestDue: Date | null
  mails: number
  oldestMail: Date | null
}

/** The backlog of jobs and mails, for the metrics. */
export const jobBacklog = ({ db, clock }: { db: Database; clock: Clock }): SharedGauges =>
  sharedGauges({
    gauges: {
      keyward_jobs: { help: 'Stored background jobs by state, up to 100,000', label: 'state' },
      keyward_jobs_oldest_due_seconds: { help: 'Time that the oldest due job has waited for a worker' },
      keyward_mails_waiting: { help: 'Mails that are not sent yet, also those that are sent again later' },
      keyward_mails_oldest_waiting_seconds: { help: 'Age of the oldest mail that is not sent yet' },
    },
    async read() {
      const now = clock.now()
      const [row] = await db.read<Backlog>(sql`
        WITH job AS (
          SELECT run_at, created_at, kind LIKE 'mail.send%' AND failed_at IS NULL AS mail, CASE
            WHEN failed_at IS NOT NULL THEN 'given_up' WHEN leased_until > ${now} THEN 'running'
            WHEN run_at <= ${now} THEN 'due' ELSE 'scheduled' END AS state
          FROM jobs LIMIT ${MOST})
        SELECT count(*) FILTER (WHERE state = 'due')::int AS due, count(*) FILTER (WHERE state = 'scheduled')::int AS scheduled,
          count(*) FILTER (WHERE state = 'running')::int AS running, count(*) FILTER (WHERE state = 'given_up')::int AS "givenUp",
          min(run_at) FILTER (WHERE state = 'due') AS "oldestDue",
          count(*) FILTER (WHERE mail)::int AS mails, min(created_at) FILTER (WHERE mail) AS "oldestMail"
        FROM job`)
      if (!row) return {}
      const ageOf = (at: Date | null) => (at ? Math.max(0, now.getTime() - at.getTime()) / 1_000 : 0)
      return {
        keyward_jobs: { due: row.due, scheduled: row.scheduled, running: row.running, given_up: row.givenUp },
        keyward_jobs_oldest_due_seconds: ageOf(row.oldestDue),
        keyward_mails_waiting: row.mails,
        keyward_mails_oldest_waiting_seconds: ageOf(row.oldestMail),
      }
    },
  })
