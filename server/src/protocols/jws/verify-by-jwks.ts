import { type JsonWebKey, verify } from 'node:crypto'
import { readPeerJwk } from '../../platform/crypto/peer-key.js'
import { isJwsAlgorithm, verifyJws } from './algorithms.js'
import type { CompactJwt } from './compact-jwt.js'

/** Which keys an algorithm is for (RFC 7518 3.1, RFC 8037 3.1); an RSA key is for all of its kind. */
const KEYS_OF: Record<string, { kty: string; crv?: string }> = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
}

/**
 * Whether a key of somebody else's set signed it (RFC 7515 5.2, RFC 7517 4). The header picks among the algorithms that are allowed and
 * among the keys of the set, and a key that says what it is for is for that alone; keys that the header brings or points at are not
 * looked at. One that demands an extension is refused.
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
  const wanted = KEYS_OF[algorithm]
  return (
    wanted !== undefined &&
    key.kty === wanted.kty &&
    (wanted.crv === undefined || key.crv === wanted.crv) &&
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
