import { rejection as platformError } from '../../../platform/errors.js'
import type { RequestOrigin, SessionActor } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import { clearSessionCookies, endSessions, refreshCookie, sessionOfRefreshToken } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { ifSignedIn } from './sign-in-exchange.js'

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
  { db, clock, audit }: Pick<AccountDeps, 'db' | 'clock' | 'audit'>,
  { http, origin, signedIn }: LogOutRequest,
  application?: ApplicationId,
): Promise<SessionId | undefined> {
  const { isFromConsole } = http
  const token = refreshCookie(http)
  // A browser with an expired access token signs out by its cookie.
  const actor = await (isFromConsole && token ? ifSignedIn(signedIn) : signedIn())
  if (!actor && !isFromConsole)
    throw platformError('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })
  const ended = await db.transaction(async (tx) => {
    const session = actor ? { ...actor, id: actor.sessionId } : token && (await sessionOfRefreshToken(tx, token))
    if (!session) return undefined
    const count = await endSessions(tx, clock, { session: session.id }, 'logout')
    if (!actor && count === 0) return undefined
    await audit.record(tx, { origin, ...session }, 'user.logout', {
      resource: `session:${session.id}`,
      ...(application && { metadata: { application } }),
    })
    return session.id
  })
  if (isFromConsole || http.ownOrigin) clearSessionCookies(http)
  return ended
}
