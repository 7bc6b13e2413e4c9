import type { JsonWebKey, KeyObject } from 'node:crypto'
import { readPeerJwk } from '../../platform/crypto/peer-key.js'
import { keyTypeOf, verifyJws } from './algorithms.js'
import type { CompactJwt } from './compact-jwt.js'

/** A JSON Web Key of a third party as received (RFC 7517 4). */
export type Jwk = Record<string, unknown>

/** A signature key of a published JWK set. */
export interface PublishedKey {
  jwk: Jwk
  publicKey: KeyObject
}

const MAX_KEYS = 50

/** Returns the RSA and EC signature keys of a JWK set (RFC 7517 5) and ignores others; undefined for a malformed set. */
export function readPublishedKeys(body: unknown): PublishedKey[] | undefined {
  const keys = (body as { keys?: unknown } | null)?.keys
  if (!Array.isArray(keys)) return undefined
  return keys.slice(0, MAX_KEYS).flatMap((jwk: Jwk | null) => {
    if (typeof jwk !== 'object' || jwk === null || !isForSignatures(jwk)) return []
    const publicKey = jwk.kty === 'RSA' || jwk.kty === 'EC' ? readPeerJwk(jwk as JsonWebKey) : undefined
    return publicKey && !('fault' in publicKey) ? [{ jwk, publicKey }] : []
  })
}

/** Returns the keys for an algorithm and, if the header contains one, a `kid`. */
export const keysFor = (keys: readonly PublishedKey[], algorithm: string, kid: unknown): PublishedKey[] =>
  keys.filter(({ jwk }) => mayVerify(jwk, algorithm, kid))

/**
 * Verifies a signature with a JWK set of a third party (RFC 7515 5.2). The header selects among the allowed algorithms and the keys of the
 * set. Keys and key URLs in the header are ignored; a critical extension is rejected.
 */
export function isSignedByJwks(
  { header, input, signature }: CompactJwt,
  keys: readonly Jwk[],
  algorithms: readonly string[],
): boolean {
  const { alg, kid } = header
  if (typeof alg !== 'string' || !algorithms.includes(alg) || 'crit' in header) return false
  return keys
    .filter((jwk) => mayVerify(jwk, alg, kid))
    .map((jwk) => readPeerJwk(jwk as JsonWebKey))
    .some((key) => !('fault' in key) && verifyJws(alg, key, input, signature))
}

/** Enforces `kty`, `crv`, `alg`, `use` and `key_ops` of a key. */
const mayVerify = (jwk: Jwk, algorithm: string, kid: unknown): boolean =>
  isForSignatures(jwk) &&
  (jwk.kty === 'RSA' ? 'RSA' : jwk.crv) === keyTypeOf(algorithm) &&
  (typeof jwk.alg !== 'string' || jwk.alg === algorithm) &&
  (typeof kid !== 'string' || jwk.kid === kid)

const isForSignatures = ({ use, key_ops: operations }: Jwk): boolean =>
  (typeof use !== 'string' || use === 'sig') && (!Array.isArray(operations) || operations.includes('verify'))
