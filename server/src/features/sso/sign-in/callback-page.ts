import type { AppError } from '../../../platform/app-error.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { SsoProviderId, SsoSignInId } from '../../../platform/ids.js'
import type { SignInRequest } from '../../authentication/index.js'
import {
  mayHideSession,
  replacesAnother,
  setDeviceCookie,
  setPendingCookie,
  setRefreshCookie,
  setSsoCookie,
} from '../../sessions/index.js'
import type { SsoDeps } from '../model/deps.js'
import type { SsoOutcome } from './complete-sign-in.js'

/** The result that the callback page receives. A rejection without a matching sign-in has no other fields. */
export type CallbackResult = (SsoOutcome | { rejected: AppError }) & {
  returnTo?: string | null
  testRun?: SsoSignInId | null
  providerId?: SsoProviderId
}

/**
 * Redirects the browser to the callback page and sets the session cookies. A session that would replace another account's or team's
 * session waits until the user confirms it; so does one in a browser whose current session is unknown. The URL carries a short-lived
 * token: its origin comes from the configuration, and it is neither cached, nor sent as a referrer, nor logged.
 */
export async function callbackPage(
  deps: Pick<SsoDeps, 'config' | 'db' | 'clock'>,
  http: HttpExchange,
  origin: RequestOrigin,
  ended: CallbackResult,
  request?: SignInRequest,
): Promise<void> {
  const page = new URL(`${deps.config.frontendUrl}/auth/sso/callback`)
  const opens = 'session' in ended && !ended.testRun
  const isUnknown = opens && mayHideSession(http)
  const isPending = opens && (await replacesAnother(deps, http, ended.session))
  for (const [name, value] of Object.entries(pageParameters(ended, origin, isPending)))
    page.searchParams.set(name, value)
  if (isUnknown) page.searchParams.set('pending', '1')
  if (ended.returnTo && !ended.testRun) page.searchParams.set('returnTo', ended.returnTo)
  if ('session' in ended) {
    const { session } = ended
    const { refreshToken, ssoToken } = session
    if ((isPending || isUnknown) && ssoToken) setPendingCookie(http, { refreshToken, ssoToken })
    else {
      setRefreshCookie(http, refreshToken, session)
      if (ssoToken) setSsoCookie(http, ssoToken, session)
      if (request?.deviceToken) setDeviceCookie(http, request.deviceToken)
    }
  }
  http.setHeader('cache-control', 'no-store')
  http.setHeader('referrer-policy', 'no-referrer')
  http.redirect(page.href)
}

function pageParameters(
  ended: CallbackResult,
  { requestId }: RequestOrigin,
  isPending: boolean,
): Record<string, string> {
  if (ended.testRun) return { test: ended.testRun, provider: ended.providerId ?? '' }
  if (isPending) return { pending: '1' }
  if ('session' in ended) return { token: ended.session.accessToken }
  if ('challenge' in ended) {
    const { mfaToken, methods, expiresAt } = ended.challenge
    return { mfaToken, mfaMethods: methods.join(' '), mfaExpiresAt: expiresAt.toISOString() }
  }
  return { error: 'rejected' in ended ? ended.rejected.code : 'sso_state_invalid', requestId }
}
