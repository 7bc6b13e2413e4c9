import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Clock, SECOND } from '../../../platform/clock.js'
import type { KeyRing, ServerKey } from '../../../platform/crypto/key-ring.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'
import { encodeJwtPart } from '../../../protocols/jws/index.js'

/**
 * Account access tokens: JWTs (RFC 7519) signed with HS256, because only the service itself verifies them. A token names its session; whether
 * that session is still active is read from the database on each request. No other token kind has the type `session+jwt` or the audience.
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
  /** In seconds. */
  expiresIn: number
}

export interface AccessTokens {
  /** @param sessionEnd when the session ends unless it is refreshed; the token expires no later */
  issue(claims: AccessClaims, sessionEnd: Date): IssuedAccessToken
  /** Returns the claims and the issue time of a valid token; undefined if it is invalid or expired. */
  verify(token: string): Promise<(AccessClaims & { issuedAt: Date }) | undefined>
}

const headerOf = (keyId: string): string => encodeJwtPart({ alg: 'HS256', typ: 'session+jwt', kid: keyId })
const sign = (key: ServerKey, input: string): Buffer => createHmac('sha256', key.key).update(input).digest()

export function createSessionTokens({
  keys,
  clock,
  baseUrl,
}: {
  keys: KeyRing
  clock: Clock
  baseUrl: string
}): AccessTokens {
  const audience = `${baseUrl}/api/v1`
  // A header is accepted only if it equals the one that the service writes for its key, byte for byte. So no algorithm, key URL or embedded
  // key is ever read from a token.
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
      // Read once, so that `iat` and `ms` belong to the same time.
      const now = clock.ms()
      const iat = Math.floor(now / SECOND)
      // `ms` adds milliseconds to `iat`, to order a token and a suspension within the same second.
      const exp = Math.min(iat + ACCESS_TOKEN_SECONDS, Math.floor(sessionEnd.getTime() / SECOND))
      const times = { iat, ms: now % SECOND, exp }
      const input = `${headerOf(key.id)}.${encodeJwtPart({ iss: baseUrl, aud: audience, ...claims, ...times })}`
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
      // The signature is valid, so the payload has the shape that `issue` writes.
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
