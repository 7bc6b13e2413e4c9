import { createHash, type KeyObject, sign, verify } from 'node:crypto'

interface SignatureAlgorithm {
  name: string
  key: 'rsa' | 'ec'
  hash: string
}

/** XML Signature 1.1, 6.4, RFC 6931 2.3: what a signature of a peer may be made by. HMAC is not among them. */
const SIGNATURES: Readonly<Record<string, SignatureAlgorithm>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': { name: 'RSA-SHA256', key: 'rsa', hash: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': { name: 'RSA-SHA384', key: 'rsa', hash: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': { name: 'RSA-SHA512', key: 'rsa', hash: 'sha512' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256': { name: 'ECDSA-SHA256', key: 'ec', hash: 'sha256' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384': { name: 'ECDSA-SHA384', key: 'ec', hash: 'sha384' },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512': { name: 'ECDSA-SHA512', key: 'ec', hash: 'sha512' },
}
/** Read only where the caller allows SHA-1: collisions of it are made. */
const SHA1_SIGNATURES: Readonly<Record<string, SignatureAlgorithm>> = {
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1': { name: 'RSA-SHA1', key: 'rsa', hash: 'sha1' },
}
const DIGESTS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}
const SHA1_DIGESTS: Readonly<Record<string, string>> = { 'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1' }

/** What we sign by. */
export const OUR_SIGNATURE = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const OUR_DIGEST = 'http://www.w3.org/2001/04/xmlenc#sha256'

const own = <T>(table: Readonly<Record<string, T>>, uri: string): T | undefined =>
  Object.hasOwn(table, uri) ? table[uri] : undefined

/** Undefined for one that is not taken. */
export const signatureAlgorithm = (uri: string, allowSha1: boolean): SignatureAlgorithm | undefined =>
  own(SIGNATURES, uri) ?? (allowSha1 ? own(SHA1_SIGNATURES, uri) : undefined)

/** The hash's name in Node; undefined for one that is not taken. */
export const digestAlgorithm = (uri: string, allowSha1: boolean): string | undefined =>
  own(DIGESTS, uri) ?? (allowSha1 ? own(SHA1_DIGESTS, uri) : undefined)

export const digestOf = (hash: string, text: string): Buffer => createHash(hash).update(text).digest()

/** An ECDSA signature is r ‖ s (XML Signature 1.1, 6.4.3). A key of another kind than the algorithm's verifies nothing. */
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

/** On another thread: RSA takes longer than everything else of a message. In base64. */
export const signOurs = (privateKey: KeyObject, input: string): Promise<string> =>
  new Promise((resolve, reject) =>
    sign('sha256', Buffer.from(input), privateKey, (error, signature) =>
      error ? reject(error) : resolve(signature.toString('base64')),
    ),
  )
