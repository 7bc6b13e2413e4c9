import { readCompactJwt } from '../jws/index.js'
import { type Check, shown } from './check.js'
import type { PublishedKey } from './public-keys.js'
import { type Claims, TOLERANCE, verifyHeader } from './verify-id-token.js'

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const LONGEST_NAME = 255

export interface LogoutTokenQuestion {
  token: string
  issuer: string
  clientId: string
  keys: readonly PublishedKey[]
  /** Milliseconds. */
  now: number
}

/** Whose sessions are over: of the subject, of one session of the provider, or of both together. `jti` must be seen once. */
export interface LogoutNotice {
  jti: string
  subject: string | undefined
  sid: string | undefined
}

/** Judges a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). */
export function verifyLogoutToken(question: LogoutTokenQuestion): { notice?: LogoutNotice; checks: Check[] } {
  const { token, issuer, clientId, keys, now } = question
  const jwt = readCompactJwt(token)
  if (!jwt) return { checks: [{ id: 'format', status: 'failed', detail: 'It is no compact JWT' }] }
  const { claims } = jwt
  const { iss, aud, iat, exp, jti, sub, sid, events, nonce } = claims
  const seconds = Math.floor(now / 1_000)
  const check = (id: string, good: boolean, found: unknown): Check => ({
    id,
    status: good ? 'ok' : 'failed',
    found: shown(found ?? 'absent'),
  })
  const checks = [
    // 2.4: it should be logout+jwt, and older providers write what they write for every token.
    ...verifyHeader(jwt, keys, ['logout+jwt', 'jwt']),
    check('issuer', iss === issuer, iss),
    check('audience', [aud].flat().includes(clientId), aud),
    check('issued_at', typeof iat === 'number' && Math.abs(seconds - iat) <= TOLERANCE, iat),
    check('expiry', exp === undefined || (typeof exp === 'number' && exp + TOLERANCE > seconds), exp),
    check('event', isLogout(events), events),
    // What has a nonce is an ID token, and somebody may have one of an innocent.
    check('nonce', nonce === undefined, nonce),
    check('id', isName(jti), jti),
    check('names', (isName(sub) || isName(sid)) && (sub === undefined || isName(sub)), { sub, sid }),
  ]
  if (checks.some(({ status }) => status === 'failed')) return { checks }
  const text = (value: unknown) => (isName(value) ? value : undefined)
  return { checks, notice: { jti: String(jti), subject: text(sub), sid: text(sid) } }
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME

const isLogout = (events: unknown): boolean => {
  const event = typeof events === 'object' && events !== null ? (events as Claims)[LOGOUT_EVENT] : undefined
  return typeof event === 'object' && event !== null
}
