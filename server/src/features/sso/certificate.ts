import { X509Certificate } from 'node:crypto'
import { readCertificate as readForSignatures } from '../../protocols/saml/index.js'

const PEM = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g

/** Why a text is no certificate by which signatures can be verified; undefined for one that is. */
export function certificateFault(pem: string): string | undefined {
  const blocks = [...pem.matchAll(PEM)]
  if (blocks.some(([, label]) => label?.endsWith('PRIVATE KEY')))
    return 'must be a certificate and no private key: that key is known to others now and should be replaced'
  if (blocks.length !== 1 || blocks[0]?.[1] !== 'CERTIFICATE') return 'must be one X.509 certificate in PEM'
  const certificate = readCertificate(pem)
  if (!certificate) return 'must be one X.509 certificate in PEM'
  if (!('fault' in readForSignatures(pem))) return undefined
  return 'must be of an RSA key of at least 2,048 bits or of the elliptic curve P-256, P-384 or P-521'
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem)
    // Some keys are known only when they are read.
    return certificate.publicKey ? certificate : undefined
  } catch {
    return undefined
  }
}

/** What may be shown of a certificate. */
export interface CertificateFacts {
  subject: string
  fingerprint: string
  validFrom: Date
  validTo: Date
}

export function factsOf(pem: string): CertificateFacts | undefined {
  const certificate = readCertificate(pem)
  return (
    certificate && {
      subject: certificate.subject,
      fingerprint: certificate.fingerprint256,
      validFrom: new Date(certificate.validFrom),
      validTo: new Date(certificate.validTo),
    }
  )
}

/** When the last of a provider's certificates ends: from then on nothing that it signs is under a valid one. Undefined without any. */
export function endOf({ samlCertificates }: { samlCertificates: readonly string[] }): Date | undefined {
  const ends = samlCertificates.flatMap((pem) => factsOf(pem)?.validTo.getTime() ?? [])
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
}
