import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { peerKeyFault } from '../../../platform/crypto/peer-key.js'
import type { KeyPair } from '../../../platform/crypto/rsa-key-pair.js'
import type { PublicJwk } from './signing-key.js'

const makeKeyPair = promisify(generateKeyPair)

/** What ID and access tokens may be signed with (RFC 7518 3.1). */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** The curve of an ES algorithm, as OpenSSL calls it and as a JWK does. */
const CURVES: Record<string, { openssl: string; crv: string }> = {
  ES256: { openssl: 'prime256v1', crv: 'P-256' },
  ES384: { openssl: 'secp384r1', crv: 'P-384' },
  ES512: { openssl: 'secp521r1', crv: 'P-521' },
}

/** Generates a key pair for an algorithm, in a thread of the pool. */
export const generatePair = (algorithm: Algorithm, generateRsa: () => Promise<KeyPair>): Promise<KeyPair> => {
  const curve = CURVES[algorithm]
  return curve ? makeKeyPair('ec', { namedCurve: curve.openssl }) : generateRsa()
}

/** Why a key does not fit an algorithm; undefined where it does. */
export function algorithmFault(key: KeyObject, algorithm: Algorithm): string | undefined {
  const curve = CURVES[algorithm]
  if (curve) {
    const fits = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === curve.openssl
    return fits ? undefined : `must be an EC key on the curve ${curve.crv}: ${algorithm} signs with no other`
  }
  if (key.asymmetricKeyType !== 'rsa') return `must be an RSA key: ${algorithm} signs with no other`
  return peerKeyFault(key)
}

/** The public half as it is published. */
export function publicJwkOf(publicKey: KeyObject, kid: string, algorithm: string): PublicJwk {
  const { kty = '', n, e, crv, x, y } = publicKey.export({ format: 'jwk' })
  const parameters = Object.entries({ n, e, crv, x, y }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { kty, kid, use: 'sig', alg: algorithm, ...Object.fromEntries(parameters) }
}
