import { type Certificate, readCertificate } from '../../../protocols/saml/index.js'

/** Returns why the string is not a certificate that can verify signatures; undefined if it is one. */
export function certificateViolation(text: string): string | undefined {
  const read = readCertificate(text)
  return 'violation' in read ? `must be one X.509 certificate: ${read.violation}` : undefined
}

/** Returns undefined if the string is not a certificate that can verify signatures. */
export function certificateOf(text: string): Certificate | undefined {
  const read = readCertificate(text)
  return 'violation' in read ? undefined : read
}

/** Returns the SHA-256 of a certificate in OpenSSL's notation: pairs of uppercase hexadecimal digits, separated by colons. */
export const writtenFingerprint = ({ fingerprint }: Certificate): string =>
  fingerprint.toUpperCase().replaceAll(/..(?!$)/g, '$&:')

/** Returns when the last of a provider's certificates expires; undefined if it has none. */
export function endOf({ samlCertificates }: { samlCertificates: readonly string[] }): Date | undefined {
  const ends = samlCertificates.flatMap((pem) => certificateOf(pem)?.notAfter.getTime() ?? [])
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
}
