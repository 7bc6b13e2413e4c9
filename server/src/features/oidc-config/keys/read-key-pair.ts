import { createPrivateKey, createPublicKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { isDeepStrictEqual, promisify } from 'node:util'
import type { FieldError } from '../../../platform/app-error.js'
import { peerKeyViolation } from '../../../platform/crypto/peer-key.js'
import { invalidFields } from '../errors.js'
import { type Algorithm, algorithmViolation } from './key-algorithms.js'

const signOnThreadPool = promisify(sign)

export interface PemKeyPair {
  algorithm: Algorithm
  publicKey: string
  privateKey: string
  certChain?: string | null
}

export interface KeyMaterial {
  publicKey: KeyObject
  privateKey: KeyObject
  /** The certificates in DER and base64, that of the key first; null without certificates. */
  certificateChain: string[] | null
}

const BLOCKS = /-----BEGIN ([A-Z0-9 ]{1,40})-----[\s\S]*?-----END \1-----/g
const PUBLIC = ['PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE']
const PRIVATE = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY']
const MAX_CERTIFICATES = 10
const TRIAL = Buffer.from('keyward: does the private key belong to the public one?')

/** The validation error of one field. */
class FieldViolation extends Error {}

/**
 * Parses an imported key pair (PEM, RFC 7468), and verifies that the keys match each other and the algorithm.
 * @throws invalid_request with the invalid fields, without their contents
 */
export async function readKeyPair({ algorithm, publicKey, privateKey, certChain }: PemKeyPair): Promise<KeyMaterial> {
  const errors: FieldError[] = []
  const read = <T>(path: string, reader: () => T, unreadable = 'is not a readable key'): T | undefined => {
    try {
      return reader()
    } catch (error) {
      // An error of OpenSSL may contain parts of the key.
      errors.push({ path, message: error instanceof FieldViolation ? error.message : unreadable })
      return undefined
    }
  }
  const fitting = (key: KeyObject) => {
    const violation = algorithmViolation(key, algorithm)
    if (violation) throw new FieldViolation(violation)
    return key
  }
  const publicObject = read('/publicKey', () => fitting(createPublicKey(onlyBlock(publicKey, PUBLIC, 'public'))))
  const privateObject = read('/privateKey', () => fitting(createPrivateKey(onlyBlock(privateKey, PRIVATE, 'private'))))
  if (publicObject && privateObject && !(await belongTogether(publicObject, privateObject)))
    errors.push({ path: '/privateKey', message: 'does not match the public key' })
  const chain = certChain
    ? read('/certChain', () => readChain(certChain, publicObject), 'contains a certificate that is not readable')
    : null
  if (!publicObject || !privateObject || errors.length > 0) throw invalidFields(...errors)
  return { publicKey: publicObject, privateKey: privateObject, certificateChain: chain ?? null }
}

function onlyBlock(pem: string, labels: string[], what: string): string {
  // OpenSSL writes the curve to a separate block.
  const blocks = [...pem.matchAll(BLOCKS)].filter(([, label]) => label !== 'EC PARAMETERS')
  const [block] = blocks
  const label = block?.[1] ?? ''
  if (block && (label === 'ENCRYPTED PRIVATE KEY' || block[0].includes('ENCRYPTED')))
    throw new FieldViolation('is encrypted: decrypt it first (openssl pkey)')
  if (!block || blocks.length > 1 || !labels.includes(label))
    throw new FieldViolation(`must be one ${what} key in PEM: ${labels.join(', ')}`)
  return block[0]
}

/** Compares the public keys, and verifies a signature: an inconsistent private key creates no valid one. */
async function belongTogether(publicKey: KeyObject, privateKey: KeyObject): Promise<boolean> {
  try {
    const derived = createPublicKey(privateKey).export({ format: 'jwk' })
    if (!isDeepStrictEqual(derived, publicKey.export({ format: 'jwk' }))) return false
    return verify('sha256', TRIAL, publicKey, await signOnThreadPool('sha256', TRIAL, privateKey))
  } catch {
    return false
  }
}

function readChain(pem: string, publicKey: KeyObject | undefined): string[] {
  const blocks = [...pem.matchAll(BLOCKS)]
  if (blocks.length === 0 || blocks.some(([, label]) => label !== 'CERTIFICATE'))
    throw new FieldViolation('must contain certificates in PEM, that of the key first')
  if (blocks.length > MAX_CERTIFICATES)
    throw new FieldViolation(`must contain at most ${MAX_CERTIFICATES} certificates`)
  const certificates = blocks.map(([block]) => new X509Certificate(block))
  for (const [index, certificate] of certificates.entries()) {
    const violation = peerKeyViolation(certificate.publicKey)
    if (violation)
      throw new FieldViolation(`must contain accepted keys: the key of certificate ${index + 1} ${violation}`)
  }
  const [own] = certificates
  const isOf = (key: KeyObject) =>
    isDeepStrictEqual(own?.publicKey.export({ format: 'jwk' }), key.export({ format: 'jwk' }))
  if (publicKey && !isOf(publicKey)) throw new FieldViolation('must begin with a certificate of the public key')
  for (const [index, certificate] of certificates.entries()) {
    const next = certificates[index + 1]
    // RFC 7517 4.7: each certificate certifies the previous one.
    if (next && !(certificate.checkIssued(next) && certificate.verify(next.publicKey)))
      throw new FieldViolation(`must be in order: certificate ${index + 2} did not issue the previous one`)
  }
  return certificates.map(({ raw }) => raw.toString('base64'))
}
