import type { Clock } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type ApplicationId, parseId } from '../../platform/ids.js'

/** What the sign-in page shows of the application on whose behalf somebody signs in. */
export interface SamlRequestDescription {
  application: { id: ApplicationId; name: string; logoUrl: string | null }
  team: { id: string; name: string; slug: string; logoUrl: string | null }
  /** SAML has no way to say whom an application expects but a subject, which is not shown. */
  loginHint: null
  /** Seconds that a sign-in may be old at most; 0 where the application wants a new one. */
  maxAge: number | null
}

const describe = namedQuery<
  {
    name: string
    logo_url: string | null
    id: string
    team_name: string
    team_logo: string | null
    slug: string
    forced: boolean
  },
  [Buffer, ApplicationId, Date]
>(
  'saml_provider.describe_request',
  `SELECT a.name, a.logo_url, o.id, o.name AS team_name, o.slug, o.logo_url AS team_logo, (r.payload->>'forceAuthn')::boolean AS forced
   FROM saml_requests r JOIN applications a ON a.id = r.application_id JOIN organizations o ON o.id = a.organization_id
   WHERE r.hash = $1 AND r.application_id = $2 AND r.expires_at > $3 AND a.stopped_at IS NULL`,
)

/**
 * A step: what may be shown of a request that waits, to whoever has its id; undefined when it is over.
 * @param saml what the address of the sign-in page carries: the application's id, a colon, the request's
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
      team: { id: row.id, name: row.team_name, slug: row.slug, logoUrl: row.team_logo },
      loginHint: null,
      maxAge: row.forced ? 0 : null,
    }
  )
}
