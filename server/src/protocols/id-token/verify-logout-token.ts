import { readCompactJwt } from '../jws/index.js'
import { type Check, shown } from './check.js'
import { type Claims, check, type IdTokenRequest, TOLERANCE, verifyHeader } from './verify-id-token.js'

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_NAME_LENGTH = 255

type LogoutTokenRequest = Pick<IdTokenRequest, 'issuer' | 'clientId' | 'keys' | 'now'> & { token: string }

/** The ended sessions: those of the subject, of one session of the provider, or both. The caller must accept each `jti` only once. */
export interface LogoutNotice {
  jti: string
  subject: string | undefined
  sid: string | undefined
}

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). */
export function verifyLogoutToken(request: LogoutTokenRequest): { notice?: LogoutNotice; checks: Check[] } {
  const { token, issuer, clientId, keys, now } = request
  const jwt = readCompactJwt(token)
  if (!jwt) return { checks: [check('format', false, { detail: 'The token is not a compact JWT' })] }
  const { claims } = jwt
  const { iss, aud, iat, exp, jti, sub, sid, events, nonce } = claims
  const seconds = Math.floor(now / 1_000)
  const claim = (id: string, good: boolean, found: unknown) => check(id, good, { found: shown(found ?? 'absent') })
  const checks = [
    // 2.4 recommends logout+jwt; older providers use the typ of their other tokens.
    ...verifyHeader(jwt, keys, ['logout+jwt', 'jwt']),
    claim('issuer', iss === issuer, iss),
    claim('audience', [aud].flat().includes(clientId), aud),
    claim('issued_at', typeof iat === 'number' && Math.abs(seconds - iat) <= TOLERANCE, iat),
    claim('expiry', exp === undefined || (typeof exp === 'number' && exp + TOLERANCE > seconds), exp),
    claim('event', isLogout(events), events),
    // A token with a nonce is an ID token: without this check, a third party could end sessions with a stolen one.
    claim('nonce', nonce === undefined, nonce),
    claim('id', isName(jti), jti),
    claim('names', (isName(sub) || isName(sid)) && (sub === undefined || isName(sub)), { sub, sid }),
  ]
  if (checks.some(({ status }) => status === 'failed')) return { checks }
  const text = (value: unknown) => (isName(value) ? value : undefined)
  return { checks, notice: { jti: String(jti), subject: text(sub), sid: text(sid) } }
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME_LENGTH

const isLogout = (events: unknown): boolean => {
  const event = typeof events === 'object' && events !== null ? (events as Claims)[LOGOUT_EVENT] : undefined
  return typeof event === 'object' && event !== null
}
