import { sql } from 'drizzle-orm'
import { type ExpiryKind, type OwnedCertificates, summarizeCertificates } from '../../../platform/metrics/expiries.js'
import type { OidcConfigDeps } from '../deps.js'

/** The certificates of the keys that sign tokens, for the metrics. */
export const signingKeyCertificateExpiry = ({ db, clock }: Pick<OidcConfigDeps, 'db' | 'clock'>): ExpiryKind => ({
  kind: 'signing_key_certificate',
  read: () =>
    summarizeCertificates(clock, (after, limit) =>
      db.read<OwnedCertificates>(sql`
        SELECT id, certificate_chain[1:1] AS certificates FROM signing_keys
        WHERE retired_at IS NULL AND cardinality(certificate_chain) > 0 AND id > ${after}::uuid ORDER BY id LIMIT ${limit}`),
    ),
})
