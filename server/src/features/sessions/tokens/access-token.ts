import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Clock, SECOND } from '../../../platform/clock.js'
import type { KeyRing, ServerKey } from '../../../platform/crypto/key-ring.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'

/**
 * Account access tokens: a JWT (RFC 7519) signed HS256 under a key that never leaves the service, because nobody but the
 * service verifies it. It says which session it belongs to; whether that session still lives is asked of the database on each
 * request. Its type `session+jwt` and its audience are shared with no other token of ours.
 */
const ACCESS_TOKEN_SECONDS = 900

export interface AccessClaims {
  sub: UserId
  sid: SessionId
  /** The team that the token is for. */
  team: TeamId
}

export interface IssuedAccessToken {
  accessToken: string
  /** Seconds. */
  expiresIn: number
}

export interface AccessTokens {
  /** @param sessionEnd when the session ends unless it is refreshed: the token expires then at the latest */
  issue(claims: AccessClaims, sessionEnd: Date): IssuedAccessToken
  /** The claims of a token that we signed and whose time is not over, and when that was; undefined for anything else. */
  verify(token: string): Promise<(AccessClaims & { issuedAt: Date }) | undefined>
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const headerOf = (keyId: string): string => encode({ alg: 'HS256', typ: 'session+jwt', kid: keyId })
const sign = (key: ServerKey, input: string): Buffer => createHmac('sha256', key.key).update(input).digest()

export function createAccessTokens({
  keys,
  clock,
  baseUrl,
}: {
  keys: KeyRing
  clock: Clock
  baseUrl: string
}): AccessTokens {
  const audience = `${baseUrl}/api/v1`
  // A header is accepted only if it equals, byte for byte, the one that we write for a key of ours: no algorithm, key address or
  // embedded key is ever read from a token.
  const keyIds = new Map<string, string>()

  async function keyFor(header: string): Promise<ServerKey | undefined> {
    let id = keyIds.get(header)
    if (id === undefined) {
      id = keyIdIn(header)
      if (id === undefined || headerOf(id) !== header) return undefined
      if (!(await keys.find('session', id))) return undefined
      keyIds.set(header, id)
    }
    return keys.known('session', id) ?? keys.find('session', id)
  }

  return {
    issue(claims, sessionEnd) {
      const key = keys.current('session')
      // Read once: the second may end between two readings, and the token would be of a second ago.
      const now = clock.ms()
      const iat = Math.floor(now / SECOND)
      // The seconds of `iat` are too coarse to tell what came before a suspension from what came after it.
      const exp = Math.min(iat + ACCESS_TOKEN_SECONDS, Math.floor(sessionEnd.getTime() / SECOND))
      const times = { iat, ms: now % SECOND, exp }
      const input = `${headerOf(key.id)}.${encode({ iss: baseUrl, aud: audience, ...claims, ...times })}`
      const accessToken = `${input}.${sign(key, input).toString('base64url')}`
      return { accessToken, expiresIn: Math.max(exp - iat, 0) }
    },
    async verify(token) {
      const [header, payload, signature, ...rest] = token.split('.')
      if (!header || !payload || !signature || rest.length > 0) return undefined
      const key = await keyFor(header)
      if (!key) return undefined
      const expected = sign(key, `${header}.${payload}`).toString('base64url')
      if (expected.length !== signature.length || !timingSafeEqual(Buffer.from(expected), Buffer.from(signature)))
        return undefined
      // Signed by us: its shape is ours.
      const { iss, aud, iat, ms, exp, sub, sid, team } = JSON.parse(
        Buffer.from(payload, 'base64url').toString(),
      ) as AccessClaims & { iss: string; aud: string; iat: number; ms: number; exp: number }
      if (iss !== baseUrl || aud !== audience || exp * SECOND <= clock.ms()) return undefined
      return { sub, sid, team, issuedAt: new Date(iat * SECOND + ms) }
    },
  }
}

function keyIdIn(header: string): string | undefined {
  try {
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown }
    return typeof kid === 'string' && kid.length <= 64 ? kid : undefined
  } catch {
    return undefined
  }
}
