import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { peerKeyViolation } from '../../../platform/crypto/peer-key.js'
import type { KeyPair } from '../../../platform/crypto/rsa-key-pair.js'
import type { PublicJwk } from './signing-key.js'

const makeKeyPair = promisify(generateKeyPair)

/** Algorithms for ID and access tokens (RFC 7518 3.1). */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** The curve of an ES algorithm by its OpenSSL name and its JWK name. */
const CURVES: Record<string, { openssl: string; crv: string }> = {
  ES256: { openssl: 'prime256v1', crv: 'P-256' },
  ES384: { openssl: 'secp384r1', crv: 'P-384' },
  ES512: { openssl: 'secp521r1', crv: 'P-521' },
}

/** Generates a key pair for an algorithm on a thread of the pool. */
export const generatePair = (algorithm: Algorithm, generateRsa: () => Promise<KeyPair>): Promise<KeyPair> => {
  const curve = CURVES[algorithm]
  return curve ? makeKeyPair('ec', { namedCurve: curve.openssl }) : generateRsa()
}

/** Returns why a key cannot be used with an algorithm: another type or curve, or an RSA size or exponent that is not accepted. Returns undefined if it can. */
export function algorithmViolation(key: KeyObject, algorithm: Algorithm): string | undefined {
  const curve = CURVES[algorithm]
  if (curve) {
    const fits = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === curve.openssl
    return fits ? undefined : `must be an EC key on the curve ${curve.crv}, which ${algorithm} requires`
  }
  if (key.asymmetricKeyType !== 'rsa') return `must be an RSA key, which ${algorithm} requires`
  return peerKeyViolation(key)
}

/** Returns the public JWK of a key. */
export function publicJwkOf(publicKey: KeyObject, kid: string, algorithm: string): PublicJwk {
  const { kty = '', n, e, crv, x, y } = publicKey.export({ format: 'jwk' })
  const parameters = Object.entries({ n, e, crv, x, y }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { kty, kid, use: 'sig', alg: algorithm, ...Object.fromEntries(parameters) }
}
