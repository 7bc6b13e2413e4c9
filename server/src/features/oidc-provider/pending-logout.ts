import { tokenHash } from '../../platform/crypto/token-hash.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { OidcProviderDeps } from './deps.js'
import { refusal } from './errors.js'

interface PendingLogout {
  redirectTo: string | null
  name: string | null
  logoUrl: string | null
}

const findPending = namedQuery<PendingLogout, [Buffer, Date]>(
  'oidc_provider.find_pending_logout',
  `SELECT l.redirect_to AS "redirectTo", a.name, a.logo_url AS "logoUrl"
   FROM pending_logouts l JOIN sessions s ON s.id = l.session_id LEFT JOIN applications a ON a.id = l.application_id
   WHERE l.hash = $1 AND l.expires_at > $2`,
)

/** What a sign-out that waits for its user was asked by, and where it goes on. @throws logout_not_found */
export async function readPendingLogout({ db, clock }: OidcProviderDeps, resume: string): Promise<PendingLogout> {
  const [pending] = await db.run(findPending, [tokenHash(resume), clock.now()])
  if (!pending) throw refusal('logout_not_found')
  return pending
}
