import { DAY, MINUTE, SECOND } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'

/**
 * The cookies of a browser.
 *
 * - `keyward_rt`: the refresh token, read only by refresh and logout.
 * - `keyward_sso`: identifies the session to the identity providers alone.
 * - `keyward_device`: identifies a known device, so that failures of others cannot lock it out.
 * - `keyward_browser_session`: the stored hash of the session, also sent with forms of other sites. Not a credential.
 * - `keyward_pending`: the tokens of a session that waits for the user's confirmation.
 */
const REFRESH = 'keyward_rt'
const SSO = 'keyward_sso'
const DEVICE = 'keyward_device'
const MARKER = 'keyward_browser_session'
const PENDING = 'keyward_pending'

const PENDING_LIFETIME = (10 * MINUTE) / SECOND
/** The maximum lifetime of a cookie in browsers. */
const DEVICE_LIFETIME = (400 * DAY) / SECOND

export const refreshCookie = (http: HttpExchange): string | undefined => http.cookie(REFRESH)
export const ssoCookie = (http: HttpExchange): string | undefined => http.cookie(SSO)
export const deviceCookie = (http: HttpExchange): string | undefined => http.cookie(DEVICE)

/** The terms of a session's cookies. */
export interface CookieTerms {
  /** Whether cookies outlive the browser. */
  remember: boolean
  /** Seconds until the session expires unless it is refreshed. */
  sessionExpiresIn: number
}

const life = ({ remember, sessionExpiresIn }: CookieTerms) => (remember ? { maxAge: sessionExpiresIn } : {})

export function setRefreshCookie(http: HttpExchange, token: string, terms: CookieTerms): void {
  http.setCookie(REFRESH, token, { sameSite: 'strict', ...life(terms) })
}

export function setSsoCookie(http: HttpExchange, token: string, terms: CookieTerms): void {
  http.setCookie(SSO, token, { sameSite: 'lax', ...life(terms) })
  if (http.secure) http.setCookie(MARKER, tokenHash(token).toString('base64url'), { sameSite: 'none', ...life(terms) })
}

/** Returns the stored hash of the browser's session; undefined if the request carries none. */
export function browserSessionHash(http: HttpExchange): Buffer | undefined {
  const token = ssoCookie(http)
  if (token) return tokenHash(token)
  const marker = http.cookie(MARKER)
  return marker ? Buffer.from(marker, 'base64url') : undefined
}

/**
 * Returns whether the browser may have a session that this request does not carry: over http, browsers send no cookie with a form of
 * another site. Browsers send `Origin` with a form; other clients do not.
 */
export const mayHideSession = (http: HttpExchange): boolean =>
  !http.secure &&
  !browserSessionHash(http) &&
  http.header('origin') !== undefined &&
  !http.ownOrigin &&
  http.header('sec-fetch-site') !== 'same-site'

/** The tokens of a session that waits for the user's confirmation. */
export interface PendingTokens {
  refreshToken: string
  ssoToken: string
}

export function setPendingCookie(http: HttpExchange, { refreshToken, ssoToken }: PendingTokens): void {
  http.setCookie(PENDING, `${refreshToken}.${ssoToken}`, { sameSite: 'strict', maxAge: PENDING_LIFETIME })
}

export function pendingTokens(http: HttpExchange): PendingTokens | undefined {
  const [refreshToken, ssoToken] = http.cookie(PENDING)?.split('.') ?? []
  return refreshToken && ssoToken ? { refreshToken, ssoToken } : undefined
}

export const clearPendingCookie = (http: HttpExchange): void => http.clearCookie(PENDING, 'strict')

export function setDeviceCookie(http: HttpExchange, token: string): void {
  http.setCookie(DEVICE, token, { sameSite: 'lax', maxAge: DEVICE_LIFETIME })
}

export function clearSessionCookies(http: HttpExchange): void {
  http.clearCookie(REFRESH, 'strict')
  http.clearCookie(SSO, 'lax')
  if (http.secure) http.clearCookie(MARKER, 'none')
}
