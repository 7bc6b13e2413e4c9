import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'

const RSA_BITS = { min: 2_048, max: 4_096 }
const MOST_EXPONENT = 2n ** 32n - 1n

/** Bits of the curves that are accepted, by their names in OpenSSL: P-256, P-384 and P-521. */
export const CURVE_BITS: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 }

/**
 * Returns why a key that comes from outside the service is rejected, public or private; undefined for one that is accepted. A verification by
 * RSA takes longer with the square of the modulus and with the length of the exponent, and anyone may cause verifications.
 */
export function peerKeyFault(key: KeyObject): string | undefined {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa') {
    if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max)
      return `has ${modulusLength} bits: RSA keys must have ${RSA_BITS.min} to ${RSA_BITS.max} bits`
    return publicExponent < 3n || publicExponent % 2n === 0n || publicExponent > MOST_EXPONENT
      ? `has a public exponent that is not odd or not between 3 and ${MOST_EXPONENT}`
      : undefined
  }
  const isAccepted = key.asymmetricKeyType === 'ed25519' || CURVE_BITS[namedCurve] !== undefined
  return isAccepted ? undefined : 'must be RSA, EC (P-256, P-384, P-521) or Ed25519'
}

/** Reads a public JSON Web Key (RFC 7517) that comes from outside the service. Returns why if it is rejected. */
export function readPeerJwk(jwk: JsonWebKey): KeyObject | { fault: string } {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const fault = peerKeyFault(key)
    return fault === undefined ? key : { fault }
  } catch {
    return { fault: 'is not a key that can be read: use kty RSA, EC (P-256, P-384, P-521) or OKP (Ed25519)' }
  }
}
