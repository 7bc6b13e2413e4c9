import { randomToken } from '../../../platform/crypto/random.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'

/** Identifies the browser that began an authorization request; it is not a credential. One cookie per browser, so that tabs do not overwrite it. */
const BROWSER = 'keyward_browser'

export const browserToken = (http: HttpExchange): string | undefined => http.cookie(BROWSER)

/** Returns the browser's token. Sets a new cookie if the browser has none. */
export function ensureBrowserToken(http: HttpExchange): string {
  const known = http.cookie(BROWSER)
  if (known) return known
  const token = randomToken()
  http.setCookie(BROWSER, token, { sameSite: 'lax' })
  return token
}
