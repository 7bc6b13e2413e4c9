import { type JsonWebKey, verify } from 'node:crypto'
import { readPeerJwk } from '../../platform/crypto/peer-key.js'
import { isJwsAlgorithm, verifyJws } from './algorithms.js'
import type { CompactJwt } from './compact-jwt.js'

/** The key type and curve of each algorithm (RFC 7518 3.1, RFC 8037 3.1). */
const KEYS_OF: Record<string, { kty: string; crv?: string }> = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
}

/**
 * Verifies a signature with a JWK set of a third party (RFC 7515 5.2, RFC 7517 4). The header selects among the allowed algorithms and the
 * keys of the set. `alg`, `use` and `key_ops` of a key are enforced. Keys and key URLs in the header are ignored; a critical extension is
 * rejected.
 */
export function isSignedByJwks(
  { header, input, signature }: CompactJwt,
  keys: readonly Record<string, unknown>[],
  algorithms: readonly string[],
): boolean {
  const { alg, kid } = header
  if (typeof alg !== 'string' || !algorithms.includes(alg) || 'crit' in header) return false
  return keys
    .filter((key) => mayVerify(key, alg) && (typeof kid !== 'string' || key.kid === kid))
    .some((key) => isSignedBy(alg, key, input, signature))
}

function mayVerify(key: Record<string, unknown>, algorithm: string): boolean {
  const required = KEYS_OF[algorithm]
  return (
    required !== undefined &&
    key.kty === required.kty &&
    (required.crv === undefined || key.crv === required.crv) &&
    (typeof key.alg !== 'string' || key.alg === algorithm) &&
    (typeof key.use !== 'string' || key.use === 'sig') &&
    (!Array.isArray(key.key_ops) || key.key_ops.includes('verify'))
  )
}

function isSignedBy(algorithm: string, jwk: JsonWebKey, input: string, signature: Buffer): boolean {
  try {
    const key = readPeerJwk(jwk)
    if ('fault' in key) return false
    return isJwsAlgorithm(algorithm)
      ? verifyJws(algorithm, key, input, signature)
      : verify(null, Buffer.from(input), key, signature)
  } catch {
    return false
  }
}
