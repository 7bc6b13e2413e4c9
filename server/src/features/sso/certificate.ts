import { readCertificate } from '../../protocols/saml/index.js'

/** Why a text is no certificate by which signatures can be verified; undefined for one that is. */
export function certificateFault(text: string): string | undefined {
  const read = readCertificate(text)
  return 'fault' in read ? `must be one X.509 certificate: ${read.fault}` : undefined
}

/** What may be shown of a certificate. */
export interface CertificateFacts {
  subject: string
  /** SHA-256, as OpenSSL writes it: pairs of hexadecimal digits in capitals, with colons between them. */
  fingerprint: string
  validFrom: Date
  validTo: Date
}

/** Undefined for what is no certificate by which signatures can be verified. */
export function factsOf(text: string): CertificateFacts | undefined {
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

/** When the last of a provider's certificates ends: from then on nothing that it signs is under a valid one. Undefined without any. */
export function endOf({ samlCertificates }: { samlCertificates: readonly string[] }): Date | undefined {
  const ends = samlCertificates.flatMap((pem) => factsOf(pem)?.validTo.getTime() ?? [])
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
}
