import { createHmac, timingSafeEqual } from 'node:crypto'

/** The claims that this service relies on. Configured claims are only for the application. */
const SEALED = ['iss', 'sub', 'aud', 'client_id', 'iat', 'exp', 'scope', 'gid', 'gen', 'uic', 'cnf', 'act'] as const

/** 128 bits, in base64url. */
const SEAL_LENGTH = 22

const sealOf = (key: Buffer, jti: string, claims: Record<string, unknown>): string =>
  createHmac('sha256', key)
    .update(`access token ${JSON.stringify([jti, ...SEALED.map((name) => claims[name] ?? null)])}`)
    .digest('base64url')
    .slice(0, SEAL_LENGTH)

/**
 * Returns the `jti` of a new access token: `id` and an HMAC of the claims with a key of the service. A team may know the private key that
 * signs its tokens, because it can import one, so the signature alone does not prove that the service issued a token.
 */
export const issuedJti = (key: Buffer, id: string, claims: Record<string, unknown>): string =>
  `${id}.${sealOf(key, id, claims)}`

/** Returns whether the service issued a token with exactly these claims. */
export function isIssued(key: Buffer, claims: Record<string, unknown>): boolean {
  const { jti } = claims
  const dot = typeof jti === 'string' ? jti.length - SEAL_LENGTH - 1 : -1
  if (typeof jti !== 'string' || dot < 1 || jti[dot] !== '.') return false
  const sent = Buffer.from(jti.slice(dot + 1))
  const expected = Buffer.from(sealOf(key, jti.slice(0, dot), claims))
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
