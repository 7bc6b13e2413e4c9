import { type Clock, fromNow, MINUTE } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'

const insertPending = namedQuery<never, [Buffer, ApplicationId | null, SessionId, string | null, Date]>(
  'oidc_provider.insert_pending_logout',
  'INSERT INTO pending_logouts (hash, application_id, session_id, redirect_to, expires_at) VALUES ($1, $2, $3, $4, $5)',
)

/** For so long a sign-out waits for its confirmation. */
const CONFIRM_WITHIN = 10 * MINUTE

/** A step: a sign-out waits for its user; answers the id by which our page asks. */
export async function keepPendingLogout(
  tx: Transaction,
  clock: Clock,
  {
    application,
    session,
    redirectTo,
  }: { application: ApplicationId | null; session: SessionId; redirectTo: string | null },
): Promise<string> {
  const resume = randomToken()
  await tx.run(insertPending, [tokenHash(resume), application, session, redirectTo, fromNow(clock, CONFIRM_WITHIN)])
  return resume
}

interface PendingLogout {
  redirectTo: string | null
  application: ApplicationId | null
  /** The application speaks SAML, and itself tells the others where the browser goes on. */
  saml: boolean
  name: string | null
  logoUrl: string | null
}

const findPending = namedQuery<PendingLogout, [Buffer, Date]>(
  'oidc_provider.find_pending_logout',
  `SELECT l.redirect_to AS "redirectTo", a.id AS application, coalesce(a.type = 'SAML', false) AS saml, a.name, a.logo_url AS "logoUrl"
   FROM pending_logouts l JOIN sessions s ON s.id = l.session_id LEFT JOIN applications a ON a.id = l.application_id
   WHERE l.hash = $1 AND l.expires_at > $2`,
)

/** What a sign-out that waits for its user was asked by, and where it goes on. @throws logout_not_found */
export async function readPendingLogout({ db, clock }: OidcProviderDeps, resume: string): Promise<PendingLogout> {
  const [pending] = await db.run(findPending, [tokenHash(resume), clock.now()])
  if (!pending) throw rejection('logout_not_found')
  return pending
}

const removePending = namedQuery<never, [Buffer]>(
  'oidc_provider.remove_pending_logout',
  'DELETE FROM pending_logouts WHERE hash = $1',
)

/** It is confirmed: nobody is asked once more. */
export async function deletePendingLogout({ db }: Pick<OidcProviderDeps, 'db'>, resume: string): Promise<void> {
  await db.run(removePending, [tokenHash(resume)])
}
