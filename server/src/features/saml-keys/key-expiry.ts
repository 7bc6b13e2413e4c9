import { sql } from 'drizzle-orm'
import type { ExpiryKind, ExpirySummary } from '../../platform/metrics/expiries.js'
import type { ExchangeDeps } from './exchange-keys.js'

/** The certificates of the keys that sign SAML messages, for the metrics. */
export const samlKeyExpiry = ({ db, clock }: Pick<ExchangeDeps, 'db' | 'clock'>): ExpiryKind => ({
  kind: 'saml_key',
  async read() {
    const now = clock.now()
    const [row] = await db.read<ExpirySummary>(sql`
      SELECT min(not_after) FILTER (WHERE not_after > ${now}) AS earliest,
        count(*) FILTER (WHERE state = 'active' AND not_after <= ${now})::int AS expired
      FROM saml_keys WHERE state <> 'retired'`)
    return row ?? { earliest: null, expired: 0 }
  },
})
