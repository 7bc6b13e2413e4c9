import type { Clock } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId } from '../../../platform/ids.js'
import { isRequestCurrent } from '../model/client.js'
import { maxAgeOf } from './find-interaction.js'

/** The data about an application that its sign-in page shows. */
export interface RequestDescription {
  application: { id: ApplicationId; name: string; logoUrl: string | null }
  team: { id: string; name: string; slug: string; logoUrl: string | null }
  loginHint: string | null
  /** Maximum age of the sign-in in seconds; 0 requires a new sign-in. */
  maxAge: number | null
}

const describe = namedQuery<
  {
    application_id: ApplicationId
    name: string
    logo_url: string | null
    id: string
    team_name: string
    team_logo: string | null
    slug: string
    login_hint: string | null
    prompt: string | null
    max_age: string | null
  },
  [Buffer, Date]
>(
  'oidc_provider.describe_request',
  `SELECT a.id AS application_id, a.name, a.logo_url, o.id, o.name AS team_name, o.slug, o.logo_url AS team_logo, i.payload->'params'->>'login_hint' AS login_hint,
     i.payload->'params'->>'prompt' AS prompt, i.payload->'params'->>'max_age' AS max_age
   FROM interactions i JOIN applications a ON a.id = i.application_id JOIN organizations o ON o.id = a.organization_id
   WHERE i.hash = $1 AND i.expires_at > $2 AND ${isRequestCurrent('i')}`,
)

/** Returns the public data of a pending request; undefined if it has expired. Runs in the caller's transaction. */
export async function describeRequest(
  tx: Transaction,
  clock: Clock,
  uid: string,
): Promise<RequestDescription | undefined> {
  const [row] = await tx.run(describe, [tokenHash(uid), clock.now()])
  return (
    row && {
      application: { id: row.application_id, name: row.name, logoUrl: row.logo_url },
      team: { id: row.id, name: row.team_name, slug: row.slug, logoUrl: row.team_logo },
      loginHint: row.login_hint,
      maxAge: maxAgeOf({ prompt: row.prompt ?? undefined, max_age: row.max_age ?? undefined }),
    }
  )
}
