import { type KeyObject, X509Certificate } from 'node:crypto'
import { CURVE_BITS, peerKeyViolation } from '../../../platform/crypto/peer-key.js'

/** The public fields of a certificate, and its key. */
export interface Certificate {
  /** With armor and lines of 64 characters, in any input format. */
  pem: string
  subject: string
  notBefore: Date
  notAfter: Date
  /** SHA-256 of the certificate, 64 hexadecimal digits. */
  fingerprint: string
  keyType: 'RSA' | 'EC'
  /** Bits of the modulus, or of the curve. */
  keySize: number
  publicKey: KeyObject
}

const LONGEST = 32_768
const ARMOUR = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g

/**
 * Reads one certificate: PEM, or the bare base64 of metadata. Its validity is reported but not enforced: in SAML a certificate only carries
 * a key that an administrator trusts. A certificate with an unreadable validity is rejected, because no warning before its expiry would be
 * possible.
 */
export function readCertificate(text: string): Certificate | { violation: string } {
  if (text.length > LONGEST) return { violation: 'it is too long for a certificate' }
  const body = bodyOf(text.trim())
  if (typeof body !== 'string') return body
  const base64 = body.replaceAll(/\s+/g, '')
  const der = Buffer.from(base64, 'base64')
  if (base64 === '' || der.toString('base64').replaceAll('=', '') !== base64.replaceAll('=', ''))
    return { violation: 'it is neither PEM nor base64' }
  const x509 = parse(der)
  if (!x509) return { violation: 'it is not an X.509 certificate' }
  const key = keyOf(x509)
  if ('violation' in key) return key
  const [notBefore, notAfter] = [new Date(x509.validFrom), new Date(x509.validTo)]
  // OpenSSL accepts any digits as a date, so a month of 99 is detected only here.
  if (!isDate(notBefore) || !isDate(notAfter)) return { violation: 'its validity dates cannot be read' }
  return {
    pem: pemOf(x509.raw),
    subject: x509.subject.replaceAll('\n', ', '),
    notBefore,
    notAfter,
    fingerprint: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
    ...key,
  }
}

/** Returns the base64 of a certificate, without armor. */
export const certificateBody = (pem: string): string => pem.replaceAll(/-----[A-Z ]+-----|\s+/g, '')

/** Returns DER as PEM. */
export const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`

function bodyOf(text: string): string | { violation: string } {
  if (/PRIVATE KEY-----/.test(text)) return { violation: 'it is a private key, which must be kept secret' }
  if (!text.includes('-----')) return text
  const blocks = [...text.matchAll(ARMOUR)]
  if (blocks.length > 1)
    return { violation: 'it contains more than one certificate: send only the signing certificate' }
  const [, label, body] = blocks[0] ?? []
  if (label === undefined || body === undefined) return { violation: 'its PEM armor is broken' }
  if (label !== 'CERTIFICATE' && label !== 'X509 CERTIFICATE')
    return { violation: `it is a ${label.toLowerCase()}, not a certificate` }
  return body
}

const isDate = (date: Date): boolean => Number.isFinite(date.getTime())

function parse(der: Buffer): X509Certificate | undefined {
  try {
    const x509 = new X509Certificate(der)
    // Bytes after the certificate (a second one, a bundle) would be ignored.
    return x509.raw.equals(der) ? x509 : undefined
  } catch {
    return undefined
  }
}

function keyOf(x509: X509Certificate): Pick<Certificate, 'keyType' | 'keySize' | 'publicKey'> | { violation: string } {
  const publicKey = publicKeyOf(x509)
  const { modulusLength = 0, namedCurve = '' } = publicKey?.asymmetricKeyDetails ?? {}
  const isRsa = publicKey?.asymmetricKeyType === 'rsa'
  const keySize = isRsa ? modulusLength : CURVE_BITS[namedCurve]
  if (!publicKey || keySize === undefined) return { violation: 'its key is neither RSA nor of a NIST curve' }
  const violation = peerKeyViolation(publicKey)
  return violation ? { violation: `its key ${violation}` } : { keyType: isRsa ? 'RSA' : 'EC', keySize, publicKey }
}

/** Returns undefined for a type of key that OpenSSL does not support. */
function publicKeyOf(x509: X509Certificate): KeyObject | undefined {
  try {
    return x509.publicKey
  } catch {
    return undefined
  }
}
