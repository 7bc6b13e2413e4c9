import { constants, createDecipheriv, type KeyObject, privateDecrypt } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import { readBase64 } from '../bindings/read-message.js'
import { NS } from '../xml/names.js'
import { decodeUtf8, readXml } from '../xml/read-xml.js'
import { attribute, childElements, childNamed, childrenNamed, isNamed, textOf } from '../xml/xml-tree.js'

interface ContentAlgorithm {
  name: 'aes-128-gcm' | 'aes-256-gcm' | 'aes-128-cbc' | 'aes-256-cbc'
  keyLength: number
}

/** XML Encryption 1.1, 5.2. */
const CONTENT: Readonly<Record<string, ContentAlgorithm>> = {
  [`${NS.xenc11}aes128-gcm`]: { name: 'aes-128-gcm', keyLength: 16 },
  [`${NS.xenc11}aes256-gcm`]: { name: 'aes-256-gcm', keyLength: 32 },
  [`${NS.xenc}aes128-cbc`]: { name: 'aes-128-cbc', keyLength: 16 },
  [`${NS.xenc}aes256-cbc`]: { name: 'aes-256-cbc', keyLength: 32 },
}
const OAEP_DIGESTS: Readonly<Record<string, string>> = {
  [`${NS.dsig}sha1`]: 'sha1',
  [`${NS.xenc}sha256`]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  [`${NS.xenc}sha512`]: 'sha512',
}
const OLDER_TRANSPORT = `${NS.xenc}rsa-oaep-mgf1p`
const TRANSPORT = `${NS.xenc11}rsa-oaep`

/** An encryption algorithm, and for a key transport the URIs of its digest and mask. */
export interface EncryptionMethod {
  uri: string
  digest?: string
  mask?: string
}

/** What `decryptAssertion` supports, content first; the preferred one of each first. */
export const DECRYPTION_METHODS: readonly EncryptionMethod[] = [
  ...Object.keys(CONTENT)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((uri) => ({ uri })),
  ...Object.entries(OAEP_DIGESTS)
    .filter(([, hash]) => hash !== 'sha1')
    .map(([digest, hash]) => ({ uri: TRANSPORT, digest, mask: maskOf(hash) })),
  { uri: TRANSPORT, digest: `${NS.dsig}sha1`, mask: maskOf('sha1') },
  { uri: OLDER_TRANSPORT, digest: `${NS.dsig}sha1` },
]

/** GCM before CBC, which has no authentication; then longer keys first. */
function rankOf(uri: string): number {
  const algorithm = CONTENT[uri]
  return (algorithm?.name.endsWith('gcm') ? 0 : 100) - (algorithm?.keyLength ?? 0)
}

function maskOf(hash: string): string {
  return `${NS.xenc11}mgf1${hash}`
}

const MAX_RECIPIENTS = 4
const GCM = { iv: 12, tag: 16 }
const CBC_BLOCK = 16
/** One message for all failures with key material: different messages would be a decryption oracle. */
const UNREADABLE = "it cannot be decrypted with Keyward's keys"

/**
 * Decrypts an EncryptedAssertion (Core 2.3.4): AES-GCM or AES-CBC content under RSA-OAEP. RSA-PKCS1v1.5 is rejected, because its padding is
 * an oracle. The result is not trusted yet: its own signature or that of the response must be verified.
 */
export function decryptAssertion(
  encrypted: Element,
  keys: readonly KeyObject[],
): { root: Element; algorithm: string } | { violation: string } {
  const [data, second] = childrenNamed(encrypted, NS.xenc, 'EncryptedData')
  if (!data || second) return { violation: 'it does not contain exactly one EncryptedData' }
  const uri = methodOf(data)
  const content = Object.hasOwn(CONTENT, uri) ? CONTENT[uri] : undefined
  if (!content) return { violation: `the encryption algorithm is not supported: ${uri}` }
  const bytes = cipherBytesOf(data)
  if (!bytes) return { violation: 'it contains no encrypted data' }
  const transports = encryptedKeysOf(encrypted, data).map(readTransport)
  if (transports.length === 0 || transports.length > MAX_RECIPIENTS)
    return { violation: `it contains no encrypted key, or more than ${MAX_RECIPIENTS}` }
  for (const transport of transports)
    for (const key of keys) {
      const root = 'violation' in transport ? undefined : assertionIn(bytes, content, unwrap(transport, key))
      if (root) return { root, algorithm: content.name }
    }
  const rejected = transports.filter((transport) => 'violation' in transport)
  return rejected.length === transports.length && rejected[0] ? rejected[0] : { violation: UNREADABLE }
}

const methodOf = (element: Element): string => {
  const method = childNamed(element, NS.xenc, 'EncryptionMethod')
  return (method && attribute(method, 'Algorithm')) ?? ''
}

function cipherBytesOf(element: Element): Buffer | undefined {
  const data = childNamed(element, NS.xenc, 'CipherData')
  const value = data && childNamed(data, NS.xenc, 'CipherValue')
  return value && childElements(value).length === 0 ? readBase64(textOf(value)) : undefined
}

/** The keys are inside the KeyInfo of the data, or next to the data. */
function encryptedKeysOf(encrypted: Element, data: Element): Element[] {
  const info = childNamed(data, NS.dsig, 'KeyInfo')
  return [
    ...(info ? childrenNamed(info, NS.xenc, 'EncryptedKey') : []),
    ...childrenNamed(encrypted, NS.xenc, 'EncryptedKey'),
  ]
}

interface Transport {
  wrapped: Buffer
  hash: string
}

function readTransport(encryptedKey: Element): Transport | { violation: string } {
  const uri = methodOf(encryptedKey)
  const older = uri === OLDER_TRANSPORT
  if (!older && uri !== TRANSPORT) return { violation: `the key transport is not supported: ${uri}` }
  const parts = childElements(encryptedKey)
    .filter((child) => isNamed(child, NS.xenc, 'EncryptionMethod'))
    .flatMap(childElements)
  const digest = algorithmOf(parts, NS.dsig, 'DigestMethod') ?? `${NS.dsig}sha1`
  const mask = (older ? undefined : algorithmOf(parts, NS.xenc11, 'MGF')) ?? maskOf('sha1')
  const hash = Object.hasOwn(OAEP_DIGESTS, digest) ? OAEP_DIGESTS[digest] : undefined
  // Node uses the digest's hash for the mask too; no known peer uses two different ones.
  if (!hash || mask !== maskOf(hash) || parts.some((part) => isNamed(part, NS.xenc, 'OAEPparams')))
    return { violation: `the parameters of RSA-OAEP are not supported: ${digest}, ${mask}` }
  const wrapped = cipherBytesOf(encryptedKey)
  return wrapped ? { wrapped, hash } : { violation: 'it contains no encrypted key value' }
}

const algorithmOf = (parts: Element[], namespace: string, name: string): string | undefined => {
  const part = parts.find((one) => isNamed(one, namespace, name))
  return part && attribute(part, 'Algorithm')
}

function unwrap({ wrapped, hash }: Transport, key: KeyObject): Buffer | undefined {
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash }, wrapped)
  } catch {
    return undefined
  }
}

/** Returns undefined for every failure. */
function assertionIn(bytes: Buffer, content: ContentAlgorithm, secret: Buffer | undefined): Element | undefined {
  if (secret?.length !== content.keyLength) return undefined
  const plain = decipher(bytes, content, secret)
  const text = plain && decodeUtf8(plain)
  const read = text === undefined ? undefined : readXml(text)
  return read && 'root' in read && isNamed(read.root, NS.assertion, 'Assertion') ? read.root : undefined
}

function decipher(bytes: Buffer, { name }: ContentAlgorithm, secret: Buffer): Buffer | undefined {
  try {
    if (name === 'aes-128-gcm' || name === 'aes-256-gcm') {
      if (bytes.length < GCM.iv + GCM.tag) return undefined
      const gcm = createDecipheriv(name, secret, bytes.subarray(0, GCM.iv), { authTagLength: GCM.tag })
      gcm.setAuthTag(bytes.subarray(-GCM.tag))
      return Buffer.concat([gcm.update(bytes.subarray(GCM.iv, -GCM.tag)), gcm.final()])
    }
    // XML Encryption 1.1, 5.2.1: the last byte is the number of padding bytes; their values are not specified.
    const cbc = createDecipheriv(name, secret, bytes.subarray(0, CBC_BLOCK)).setAutoPadding(false)
    const padded = Buffer.concat([cbc.update(bytes.subarray(CBC_BLOCK)), cbc.final()])
    const added = padded.at(-1) ?? 0
    return added >= 1 && added <= CBC_BLOCK ? padded.subarray(0, -added) : undefined
  } catch {
    return undefined
  }
}
