import { type Clock, fromNow, MINUTE } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import { logOutCaller } from '../../authentication/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'

const insertPending = namedQuery<
  never,
  {
    hash: Buffer
    applicationId: ApplicationId | null
    sessionId: SessionId
    redirectTo: string | null
    expiresAt: Date
  }
>(
  'oidc_provider.insert_pending_logout',
  'INSERT INTO pending_logouts (hash, application_id, session_id, redirect_to, expires_at) VALUES (:hash, :applicationId, :sessionId, :redirectTo, :expiresAt)',
)

const PENDING_LOGOUT_LIFETIME = 10 * MINUTE

/**
 * Stores a sign-out that its user must confirm. Runs in the caller's transaction.
 * @returns the ID for the confirmation page
 */
export async function storePendingLogout(
  tx: Transaction,
  clock: Clock,
  {
    application,
    session,
    redirectTo,
  }: { application: ApplicationId | null; session: SessionId; redirectTo: string | null },
): Promise<string> {
  const resume = randomToken()
  await tx.run(insertPending, {
    hash: tokenHash(resume),
    applicationId: application,
    sessionId: session,
    redirectTo,
    expiresAt: fromNow(clock, PENDING_LOGOUT_LIFETIME),
  })
  return resume
}

interface PendingLogout {
  redirectTo: string | null
  application: ApplicationId | null
  /** A SAML application notifies the other SAML applications itself, at the URL to which the browser is redirected. */
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

/** Returns a pending sign-out: the application that requested it and the redirect that follows. @throws logout_not_found */
export async function readPendingLogout({ db, clock }: OidcProviderDeps, resume: string): Promise<PendingLogout> {
  const [pending] = await db.run(findPending, [tokenHash(resume), clock.now()])
  if (!pending) throw rejection('logout_not_found')
  return pending
}

const removePending = namedQuery<never, [Buffer]>(
  'oidc_provider.remove_pending_logout',
  'DELETE FROM pending_logouts WHERE hash = $1',
)

/**
 * Ends the session of the user who confirms a sign-out that an application requested.
 * @returns the next URL of the browser: the SAML applications to notify, then the SAML provider of the session, then the redirect of the
 * application; null for the signed-out page
 * @throws logout_not_found, unauthorized, invalid_access_token
 */
export async function confirmLogout(
  deps: OidcProviderDeps,
  resume: string,
  caller: Parameters<typeof logOutCaller>[1],
): Promise<string | null> {
  const { application, saml, redirectTo } = await readPendingLogout(deps, resume)
  const session = await logOutCaller(deps, caller, application ?? undefined)
  await deps.db.run(removePending, [tokenHash(resume)])
  if (!session || saml) return redirectTo
  const after = redirectTo === null ? { returnTo: null } : { registered: redirectTo }
  return (await deps.leaveSession(session, after, caller.origin)) ?? redirectTo
}
