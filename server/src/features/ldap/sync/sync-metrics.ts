import { sql } from 'drizzle-orm'
import { MINUTE } from '../../../platform/clock.js'
import { type SharedGauges, sharedGauges } from '../../../platform/metrics/shared-gauges.js'
import type { DirectoryDeps } from '../model/deps.js'

const OUTCOMES = ['completed', 'failed', 'cancelled', 'never'] as const

interface OutcomeRow {
  outcome: (typeof OUTCOMES)[number]
  count: number
  overdue: number
  oldest: Date | null
}

/** The outcome and age of the last sync of all directories, for the metrics. */
export const syncGauges = ({ db, clock }: Pick<DirectoryDeps, 'db' | 'clock'>): SharedGauges =>
  sharedGauges({
    gauges: {
      keyward_directories: { help: 'Enabled directories by the outcome of their last sync', label: 'outcome' },
      keyward_directories_overdue: {
        help: 'Enabled directories whose last completed sync is older than three times their schedule',
      },
      keyward_directory_oldest_sync_timestamp_seconds: {
        help: 'The last completed sync of the enabled and scheduled directory for which it is the longest ago',
      },
    },
    everyMs: MINUTE,
    async read() {
      const rows = await db.read<OutcomeRow>(sql`
        SELECT coalesce(last.status, 'never') AS outcome, count(*)::int AS count,
          count(*) FILTER (WHERE d.schedule_minutes > 0
            AND coalesce(d.last_sync_at, d.created_at) < ${clock.now()}::timestamptz - 3 * d.schedule_minutes * interval '1 minute')::int AS overdue,
          min(d.last_sync_at) FILTER (WHERE d.schedule_minutes > 0) AS oldest
        FROM directories d LEFT JOIN LATERAL (
          SELECT r.status FROM directory_runs r
          WHERE r.organization_id = d.organization_id AND r.directory_id = d.id AND NOT r.dry_run AND r.status <> 'running'
          ORDER BY r.created_at DESC LIMIT 1) last ON true
        WHERE d.enabled GROUP BY 1`)
      const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0]))
      for (const { outcome, count } of rows) counts[outcome] = count
      const oldest = Math.min(...rows.flatMap(({ oldest }) => oldest?.getTime() ?? []))
      return {
        keyward_directories: counts,
        keyward_directories_overdue: rows.reduce((sum, { overdue }) => sum + overdue, 0),
        ...(Number.isFinite(oldest) && { keyward_directory_oldest_sync_timestamp_seconds: oldest / 1_000 }),
      }
    },
  })
