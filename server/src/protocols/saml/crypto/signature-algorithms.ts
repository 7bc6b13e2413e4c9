import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import { CURVE_BITS, RSA_BITS } from '../../../platform/crypto/peer-key.js'

const CURVES = Object.values(CURVE_BITS)
const CURVE_SIZES = { min: Math.min(...CURVES), max: Math.max(...CURVES) }

interface SignatureAlgorithm {
  name: string
  key: 'rsa' | 'ec'
  hash: string
}

/**
 * Accepted signature algorithms (XML Signature 1.1, 6.4, RFC 6931 2.3). HMAC is not accepted, and SHA-1 only if the caller allows it,
 * because it has known collisions.
 */
const SIGNATURES: Readonly<Record<string, SignatureAlgorithm>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': { name: 'RSA-SHA256', key: 'rsa', hash: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': { name: 'RSA-SHA384', key: 'rsa', hash: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': { name: 'RSA-SHA512', key: 'rsa', hash: 'sha512' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256': { name: 'ECDSA-SHA256', key: 'ec', hash: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384': { name: 'ECDSA-SHA384', key: 'ec', hash: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512': { name: 'ECDSA-SHA512', key: 'ec', hash: 'sha512' },
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1': { name: 'RSA-SHA1', key: 'rsa', hash: 'sha1' },
}
const DIGESTS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
}

/** The signature algorithms that are accepted without `allowSha1`, with the sizes of their keys in bits; the preferred one first. */
export const ACCEPTED_SIGNATURES: readonly { uri: string; bits: { min: number; max: number } }[] = Object.entries(
  SIGNATURES,
)
  .filter(([, { hash }]) => hash !== 'sha1')
  .map(([uri, { key }]) => ({ uri, bits: key === 'rsa' ? RSA_BITS : CURVE_SIZES }))

/** The digest algorithms that are accepted without `allowSha1`; the preferred one first. */
export const ACCEPTED_DIGESTS: readonly string[] = Object.keys(DIGESTS).filter((uri) => DIGESTS[uri] !== 'sha1')

/** The algorithms of Keyward's signatures. */
export const OUR_SIGNATURE = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const OUR_DIGEST = 'http://www.w3.org/2001/04/xmlenc#sha256'

/** Returns undefined for an unsupported algorithm. */
export function signatureAlgorithm(uri: string, allowSha1: boolean): SignatureAlgorithm | undefined {
  const algorithm = Object.hasOwn(SIGNATURES, uri) ? SIGNATURES[uri] : undefined
  return algorithm?.hash === 'sha1' && !allowSha1 ? undefined : algorithm
}

/** Returns the name of the hash in Node; undefined for an unsupported algorithm. */
export function digestAlgorithm(uri: string, allowSha1: boolean): string | undefined {
  const hash = Object.hasOwn(DIGESTS, uri) ? DIGESTS[uri] : undefined
  return hash === 'sha1' && !allowSha1 ? undefined : hash
}

export const digestOf = (hash: string, text: string): Buffer => createHash(hash).update(text).digest()

/** Verifies a signature; an ECDSA signature is r ‖ s (XML Signature 1.1, 6.4.3). The type of key must match the algorithm. */
export function isSignedBy(
  algorithm: SignatureAlgorithm,
  publicKey: KeyObject,
  input: string,
  signature: Buffer,
): boolean {
  if (publicKey.asymmetricKeyType !== algorithm.key) return false
  try {
    return verify(algorithm.hash, Buffer.from(input), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** Signs on another thread, because RSA takes longer than the rest of a message. Returns base64. */
export const signOurs = (privateKey: KeyObject, input: string): Promise<string> =>
  new Promise((resolve, reject) =>
    sign('sha256', Buffer.from(input), privateKey, (error, signature) =>
      error ? reject(error) : resolve(signature.toString('base64')),
    ),
  )
