import { rejection as platformError } from '../../../platform/errors.js'
import type { RequestOrigin, SessionActor } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import { clearSessionCookies, endSessions, refreshCookie, sessionOfRefreshToken } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { ifSignedIn } from './sign-in-exchange.js'

type LogOutDeps = Pick<AccountDeps, 'db' | 'clock' | 'audit'>

interface LogOutRequest {
  http: HttpExchange
  origin: RequestOrigin
  signedIn(): Promise<SessionActor | undefined>
}

/**
 * Ends the caller's session, identified by the access token or, in cookie mode, by the refresh cookie alone. Clears both cookies.
 * @param application the application that requested the sign-out, for the audit log
 * @returns the ended session; undefined if the cookie belongs to no valid session
 * @throws unauthorized, invalid_access_token
 */
export async function logOutCaller(
  deps: LogOutDeps,
  { http, origin, signedIn }: LogOutRequest,
  application?: ApplicationId,
): Promise<SessionId | undefined> {
  const { consoleMode } = http
  const token = refreshCookie(http)
  // A browser with an expired access token signs out by its cookie.
  const actor = await (consoleMode && token ? ifSignedIn(signedIn) : signedIn())
  if (!actor && !consoleMode)
    throw platformError('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })
  const ended = actor
    ? await logOut(deps, actor, application)
    : token && (await logOutByCookie(deps, token, origin, application))
  if (consoleMode || http.ownOrigin) clearSessionCookies(http)
  return ended || undefined
}

const requestedBy = (application: ApplicationId | undefined) => (application ? { metadata: { application } } : {})

async function logOut(
  { db, clock, audit }: LogOutDeps,
  actor: SessionActor,
  application?: ApplicationId,
): Promise<SessionId> {
  const { sessionId } = actor
  await db.transaction(async (tx) => {
    await endSessions(tx, clock, { session: sessionId }, 'logout')
    await audit.record(tx, actor, 'user.logout', { resource: `session:${sessionId}`, ...requestedBy(application) })
  })
  return sessionId
}

function logOutByCookie(
  { db, clock, audit }: LogOutDeps,
  refreshToken: string,
  origin: RequestOrigin,
  application?: ApplicationId,
): Promise<SessionId | undefined> {
  return db.transaction(async (tx) => {
    const session = await sessionOfRefreshToken(tx, refreshToken)
    if (!session || (await endSessions(tx, clock, { session: session.id }, 'logout')) === 0) return undefined
    await audit.record(tx, { userId: session.userId, teamId: session.teamId, origin }, 'user.logout', {
      resource: `session:${session.id}`,
      ...requestedBy(application),
    })
    return session.id
  })
}
