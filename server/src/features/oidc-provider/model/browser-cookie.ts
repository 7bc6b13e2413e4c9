import { randomToken } from '../../../platform/crypto/random.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'

/** Says which browser began an authorize request; it opens nothing. One for all requests of a browser, so that its tabs do not undo each other. */
const BROWSER = 'keyward_browser'

export const browserToken = (http: HttpExchange): string | undefined => http.cookie(BROWSER)

/** The browser's token, given to it now if it has none. */
export function ensureBrowserToken(http: HttpExchange): string {
  const known = http.cookie(BROWSER)
  if (known) return known
  const token = randomToken()
  http.setCookie(BROWSER, token, { sameSite: 'lax' })
  return token
}
