import { sql } from 'drizzle-orm'
import { type SharedGauges, sharedGauges } from '../../../platform/metrics/shared-gauges.js'
import type { AuditDeps } from './deps.js'

/** Limits the cost of the count. */
const MAX_COUNTED = 100_000

/** The backlog of the sealer, for the metrics. */
export const sealBacklog = ({ db, clock }: Pick<AuditDeps, 'db' | 'clock'>): SharedGauges =>
  sharedGauges({
    gauges: {
      keyward_audit_entries_unsealed: {
        help: `Audit entries that are not sealed yet, up to ${MAX_COUNTED.toLocaleString('en')}`,
      },
      keyward_audit_oldest_unsealed_seconds: { help: 'Age of the oldest audit entry that is not sealed yet' },
    },
    async read() {
      // IDs are in the order of their creation.
      const [row] = await db.read<{ count: number; oldest: Date | null }>(sql`
        SELECT (SELECT count(*)::int FROM (SELECT FROM audit_pending LIMIT ${MAX_COUNTED}) waiting) AS count,
          (SELECT e.created_at FROM audit_pending p JOIN audit_entries e ON e.id = p.entry_id ORDER BY p.entry_id LIMIT 1) AS oldest`)
      const age = row?.oldest ? (clock.ms() - row.oldest.getTime()) / 1_000 : 0
      return {
        keyward_audit_entries_unsealed: row?.count ?? 0,
        keyward_audit_oldest_unsealed_seconds: Math.max(0, age),
      }
    },
  })
