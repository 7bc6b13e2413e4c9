import { rejection as platformError } from '../../../platform/errors.js'
import type { RequestOrigin, SessionActor } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import { clearSessionCookies, refreshCookie } from '../../sessions/index.js'
import { type LogOutDeps, logOut, logOutByCookie } from './log-out.js'
import { ifSignedIn } from './sign-in-exchange.js'

interface Leaving {
  http: HttpExchange
  origin: RequestOrigin
  signedIn(): Promise<SessionActor | undefined>
}

/**
 * Ends the session of whoever asks: by the Bearer, or in cookie mode by the cookie alone. Both cookies are taken away.
 * @param application that asked for it, for the audit log
 * @returns the session that has ended; undefined where a cookie was of none that lived
 * @throws unauthorized, invalid_access_token
 */
export async function logOutCaller(
  deps: LogOutDeps,
  { http, origin, signedIn }: Leaving,
  application?: ApplicationId,
): Promise<SessionId | undefined> {
  const { consoleMode } = http
  const token = refreshCookie(http)
  // A browser whose access token is over signs out by its cookie.
  const actor = await (consoleMode && token ? ifSignedIn(signedIn) : signedIn())
  if (!actor && !consoleMode)
    throw platformError('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })
  const ended = actor
    ? await logOut(deps, actor, application)
    : token && (await logOutByCookie(deps, token, origin, application))
  if (consoleMode || http.ownOrigin) clearSessionCookies(http)
  return ended || undefined
}
