import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'

/** The accepted sizes of RSA keys. */
export const RSA_BITS = { min: 2_048, max: 4_096 }
const MAX_EXPONENT = 2n ** 32n - 1n

/** The bits of the accepted curves P-256, P-384 and P-521, by their OpenSSL names. */
export const CURVE_BITS: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 }

/**
 * Returns why a public or private key of a third party is rejected; undefined if it is accepted. The time of an RSA verification grows
 * with the square of the modulus and the length of the exponent, and unauthenticated clients can cause verifications.
 */
export function peerKeyViolation(key: KeyObject): string | undefined {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa') {
    if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max)
      return `has ${modulusLength} bits: RSA keys must have ${RSA_BITS.min} to ${RSA_BITS.max} bits`
    return publicExponent < 3n || publicExponent % 2n === 0n || publicExponent > MAX_EXPONENT
      ? `has a public exponent that is not odd or not between 3 and ${MAX_EXPONENT}`
      : undefined
  }
  const isAccepted = key.asymmetricKeyType === 'ed25519' || CURVE_BITS[namedCurve] !== undefined
  return isAccepted ? undefined : 'must be RSA, EC (P-256, P-384, P-521) or Ed25519'
}

/** Reads a public JSON Web Key (RFC 7517) of a third party. Returns the reason if it is rejected. */
export function readPeerJwk(jwk: JsonWebKey): KeyObject | { fault: string } {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const violation = peerKeyViolation(key)
    return violation === undefined ? key : { fault: violation }
  } catch {
    return { fault: 'is not a key that can be read: use kty RSA, EC (P-256, P-384, P-521) or OKP (Ed25519)' }
  }
}
