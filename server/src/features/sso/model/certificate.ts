import { readCertificate } from '../../../protocols/saml/index.js'

/** Returns why the string is not a certificate that can verify signatures; undefined if it is one. */
export function certificateViolation(text: string): string | undefined {
  const read = readCertificate(text)
  return 'fault' in read ? `must be one X.509 certificate: ${read.fault}` : undefined
}

/** The public fields of a certificate. */
export interface CertificateFields {
  subject: string
  /** SHA-256 in OpenSSL's notation: pairs of uppercase hexadecimal digits, separated by colons. */
  fingerprint: string
  validFrom: Date
  validTo: Date
}

/** Returns undefined if the string is not a certificate that can verify signatures. */
export function certificateFields(text: string): CertificateFields | undefined {
  const read = readCertificate(text)
  if ('fault' in read) return undefined
  const { subject, fingerprint, notBefore, notAfter } = read
  return {
    subject,
    fingerprint: fingerprint.toUpperCase().replaceAll(/..(?!$)/g, '$&:'),
    validFrom: notBefore,
    validTo: notAfter,
  }
}

/** Returns when the last of a provider's certificates expires; undefined if it has none. */
export function endOf({ samlCertificates }: { samlCertificates: readonly string[] }): Date | undefined {
  const ends = samlCertificates.flatMap((pem) => certificateFields(pem)?.validTo.getTime() ?? [])
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
}
