import { createPublicKey, type JsonWebKey } from 'node:crypto'

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const CURVES = ['P-256', 'P-384', 'P-521']
// Beyond the larger number OpenSSL verifies nothing.
const RSA_BITS = { min: 2_048, max: 16_384 }

/** Why a JSON Web Key (RFC 7517) cannot prove a client to us; undefined for a public key that can. */
export function keyFault(key: JsonWebKey): string | undefined {
  if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(key, member)))
    return 'must be a public key: leave the private members out, and do not use this key any more'
  const known =
    key.kty === 'RSA' ||
    (key.kty === 'EC' && CURVES.includes(key.crv as string)) ||
    (key.kty === 'OKP' && key.crv === 'Ed25519')
  if (!known) return `must be of kty RSA, EC (${CURVES.join(', ')}) or OKP (Ed25519)`
  try {
    const bits = createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails?.modulusLength
    if (bits !== undefined && (bits < RSA_BITS.min || bits > RSA_BITS.max))
      return `must have ${RSA_BITS.min} to ${RSA_BITS.max} bits`
    return undefined
  } catch {
    return 'is not a key that can be read'
  }
}
