import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { pemOf } from './certificates.js'

const TAG = {
  boolean: 1,
  integer: 2,
  bits: 3,
  octets: 4,
  null: 5,
  oid: 6,
  utf8: 12,
  utcTime: 23,
  time: 24,
  sequence: 48,
  set: 49,
}
/** Object identifiers, encoded: sha256WithRSAEncryption, commonName, basicConstraints. */
const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex')
const COMMON_NAME = Buffer.from('550403', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('551d13', 'hex')
const VERSION_3 = 0xa0
const EXTENSIONS = 0xa3

/**
 * Creates a self-signed X.509 certificate (RFC 5280) in PEM, which SAML peers expect as the carrier of an RSA public key. Written by hand,
 * because Node reads certificates but does not create them.
 * @param commonName cut to 64 characters (RFC 5280, ub-common-name)
 */
export function makeCertificate(options: {
  privateKey: KeyObject
  commonName: string
  from: Date
  until: Date
}): string {
  const { privateKey, commonName, from, until } = options
  const algorithm = der(TAG.sequence, der(TAG.oid, SHA256_WITH_RSA), der(TAG.null))
  const name = der(
    TAG.sequence,
    der(
      TAG.set,
      der(TAG.sequence, der(TAG.oid, COMMON_NAME), der(TAG.utf8, Buffer.from([...commonName].slice(0, 64).join('')))),
    ),
  )
  const notAnAuthority = der(TAG.sequence, der(TAG.oid, BASIC_CONSTRAINTS), der(TAG.octets, der(TAG.sequence)))
  const body = der(
    TAG.sequence,
    der(VERSION_3, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serialNumber()),
    algorithm,
    name,
    der(TAG.sequence, timeOf(from), timeOf(until)),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(TAG.sequence, notAnAuthority)),
  )
  const signature = sign('sha256', body, privateKey)
  return pemOf(der(TAG.sequence, body, algorithm, der(TAG.bits, Buffer.from([0]), signature)))
}

/** Tag, length, value (X.690 8.1). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(value.length)]), value])
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

/** Returns a positive number without a leading zero byte (X.690 8.3.2). */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

/** RFC 5280, 4.1.2.5: two-digit years until 2049. */
function timeOf(date: Date): Buffer {
  const digits = `${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050
    ? der(TAG.utcTime, Buffer.from(digits.slice(2)))
    : der(TAG.time, Buffer.from(digits))
}
