import { X509Certificate } from 'node:crypto'
import { peerKeyViolation } from './peer-key.js'

/** The maximum length of the CA certificates of one server, as PEM. */
export const MAX_CA_LENGTH = 49_152
const NO_CERTIFICATES = 'must be X.509 certificates in PEM format, without private keys'

/** Returns why a string is not a list of CA certificates (PEM) that TLS can use; undefined if it is one. */
export function caCertificateViolation(pem: string): string | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []
  try {
    if (blocks.length === 0 || /PRIVATE KEY/.test(pem)) return NO_CERTIFICATES
    // TLS rejects other key types itself, but it verifies with RSA keys of up to 16,384 bits and with any exponent below 3,072 bits.
    const [faulty] = blocks
      .map((block) => new X509Certificate(block).publicKey)
      .flatMap((key) => (key.asymmetricKeyType === 'rsa' ? (peerKeyViolation(key) ?? []) : []))
    return faulty && `must use supported keys: one ${faulty}`
  } catch {
    return NO_CERTIFICATES
  }
}
