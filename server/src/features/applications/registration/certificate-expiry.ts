import { sql } from 'drizzle-orm'
import { type ExpiryKind, type OwnedCertificates, summarizeCertificates } from '../../../platform/metrics/expiries.js'
import type { ApplicationDeps } from '../manage-applications.js'

/** The certificates of SAML service providers, for the metrics. */
export const applicationCertificateExpiry = ({ db, clock }: Pick<ApplicationDeps, 'db' | 'clock'>): ExpiryKind => ({
  kind: 'saml_application_certificate',
  read: () =>
    summarizeCertificates(clock, (after, limit) =>
      db.read<OwnedCertificates>(sql`
        SELECT id, ARRAY[saml_sp_certificate] AS certificates FROM applications
        WHERE saml_sp_certificate IS NOT NULL AND stopped_at IS NULL AND id > ${after}::uuid ORDER BY id LIMIT ${limit}`),
    ),
})
