import type { Clock } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { type ApplicationId, parseId } from '../../../platform/ids.js'

/** The application of a pending request, as the sign-in page shows it. */
export interface SamlRequestDescription {
  application: { id: ApplicationId; name: string; logoUrl: string | null }
  team: { id: string; name: string; slug: string; logoUrl: string | null; primaryColor: string | null }
  /** SAML can name an expected user only by a subject, which is not shown. */
  loginHint: null
  /** Maximum age of the sign-in in seconds; 0 requires a new one. */
  maxAge: number | null
}

const describe = namedQuery<
  {
    name: string
    logo_url: string | null
    id: string
    team_name: string
    team_logo: string | null
    primary_color: string | null
    slug: string
    forced: boolean
  },
  [Buffer, ApplicationId, Date]
>(
  'saml_provider.describe_request',
  `SELECT a.name, a.logo_url, o.id, o.name AS team_name, o.slug, o.logo_url AS team_logo, o.primary_color, (r.payload->>'forceAuthn')::boolean AS forced
   FROM saml_requests r JOIN applications a ON a.id = r.application_id JOIN organizations o ON o.id = a.organization_id
   WHERE r.hash = $1 AND r.application_id = $2 AND r.expires_at > $3 AND a.stopped_at IS NULL`,
)

/**
 * Returns the public description of a pending request; undefined if it has expired. Runs in the caller's transaction.
 * @param saml the parameter of the sign-in page: application ID, colon, request ID
 */
export async function describeSamlRequest(
  tx: Transaction,
  clock: Clock,
  saml: string,
): Promise<SamlRequestDescription | undefined> {
  const [appId = '', token = ''] = saml.split(':')
  const application = parseId<ApplicationId>(appId)
  const [row] = application ? await tx.run(describe, [tokenHash(token), application, clock.now()]) : []
  return (
    row &&
    application && {
      application: { id: application, name: row.name, logoUrl: row.logo_url },
      team: {
        id: row.id,
        name: row.team_name,
        slug: row.slug,
        logoUrl: row.team_logo,
        primaryColor: row.primary_color,
      },
      loginHint: null,
      maxAge: row.forced ? 0 : null,
    }
  )
}
