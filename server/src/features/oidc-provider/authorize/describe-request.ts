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
  team: { id: string; name: string; slug: string; logoUrl: string | null; primaryColor: string | null }
  loginHint: string | null
  /** Maximum age of the sign-in in seconds; 0 requires a new sign-in. */
  maxAge: number | null
}

const describe = namedQuery<
  Omit<RequestDescription, 'maxAge'> & { prompt: string | null; requestedMaxAge: string | null },
  [Buffer, Date]
>(
  'oidc_provider.describe_request',
  `SELECT jsonb_build_object('id', a.id, 'name', a.name, 'logoUrl', a.logo_url) AS application,
     jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'logoUrl', o.logo_url, 'primaryColor', o.primary_color) AS team,
     i.payload->'params'->>'login_hint' AS "loginHint", i.payload->'params'->>'prompt' AS prompt, i.payload->'params'->>'max_age' AS "requestedMaxAge"
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
  if (!row) return undefined
  const { prompt, requestedMaxAge, ...description } = row
  const maxAge = maxAgeOf({ prompt: prompt ?? undefined, max_age: requestedMaxAge ?? undefined })
  return { ...description, maxAge }
}
