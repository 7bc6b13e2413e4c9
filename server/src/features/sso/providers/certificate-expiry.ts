import { sql } from 'drizzle-orm'
import { type ExpiryKind, type OwnedCertificates, summarizeCertificates } from '../../../platform/metrics/expiries.js'
import type { SsoDeps } from '../model/deps.js'

/** The certificates of enabled SAML providers, for the metrics. */
export const providerCertificateExpiry = ({ db, clock }: Pick<SsoDeps, 'db' | 'clock'>): ExpiryKind => ({
  kind: 'saml_provider_certificate',
  read: () =>
    summarizeCertificates(clock, (after, limit) =>
      db.read<OwnedCertificates>(sql`
        SELECT id, saml_certificates AS certificates FROM sso_providers
        WHERE enabled AND protocol = 'SAML2' AND cardinality(saml_certificates) > 0 AND id > ${after}::uuid ORDER BY id LIMIT ${limit}`),
    ),
})
