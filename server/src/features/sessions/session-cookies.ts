import { DAY, SECOND } from '../../platform/clock.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'

/**
 * The cookies of a browser. `keyward_rt` carries the refresh token and is read by refresh and logout alone; `keyward_sso` tells
 * the identity providers which session the browser has and opens nothing else; `keyward_device` says that this browser has
 * signed in before, so that a stranger's failures cannot lock it out.
 */
const REFRESH = 'keyward_rt'
const SSO = 'keyward_sso'
const DEVICE = 'keyward_device'

/** The longest that browsers keep a cookie. */
const DEVICE_LIFE = (400 * DAY) / SECOND

export const refreshCookie = (http: HttpExchange): string | undefined => http.cookie(REFRESH)
export const ssoCookie = (http: HttpExchange): string | undefined => http.cookie(SSO)
export const deviceCookie = (http: HttpExchange): string | undefined => http.cookie(DEVICE)

/** What the cookies of a session depend on. */
export interface CookieTerms {
  /** Whether cookies outlive the browser. */
  remember: boolean
  /** Seconds until the session ends unless it is refreshed. */
  endsIn: number
}

const life = ({ remember, endsIn }: CookieTerms) => (remember ? { maxAge: endsIn } : {})

export function setRefreshCookie(http: HttpExchange, token: string, terms: CookieTerms): void {
  http.setCookie(REFRESH, token, { sameSite: 'strict', ...life(terms) })
}

export function setSsoCookie(http: HttpExchange, token: string, terms: CookieTerms): void {
  http.setCookie(SSO, token, { sameSite: 'lax', ...life(terms) })
}

export function setDeviceCookie(http: HttpExchange, token: string): void {
  http.setCookie(DEVICE, token, { sameSite: 'lax', maxAge: DEVICE_LIFE })
}

export function clearSessionCookies(http: HttpExchange): void {
  http.clearCookie(REFRESH, 'strict')
  http.clearCookie(SSO, 'lax')
}
