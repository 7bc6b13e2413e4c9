import { type JsonWebKey, X509Certificate } from 'node:crypto'
import { cose, decodeCredentialPublicKey, parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import { peerKeyViolation, readPeerJwk } from '../../platform/crypto/peer-key.js'

/** The parts of an attestation object (WebAuthn Level 3, 6.5) that contain keys. */
interface AttestationObject {
  get(part: 'authData'): Uint8Array<ArrayBuffer>
  get(part: 'attStmt'): { get(name: 'x5c'): Uint8Array[] | undefined }
}

/**
 * Returns why a key in an attestation is rejected, the passkey's or a certificate's; undefined if all are accepted. The library would
 * verify signatures with any of them.
 * @throws Error if the attestation is malformed
 */
export function attestedKeyViolation(attestation: AttestationObject): string | undefined {
  const { credentialPublicKey } = parseAuthenticatorData(attestation.get('authData'))
  const key = credentialPublicKey && decodeCredentialPublicKey(credentialPublicKey)
  if (key && cose.isCOSEPublicKeyRSA(key)) {
    const [n, e] = [key.get(cose.COSEKEYS.n), key.get(cose.COSEKEYS.e)].map((bytes) =>
      Buffer.from(bytes ?? []).toString('base64url'),
    )
    const read = readPeerJwk({ kty: 'RSA', n, e } as JsonWebKey)
    if ('fault' in read) return read.fault
  }
  for (const certificate of attestation.get('attStmt').get('x5c') ?? []) {
    const fault = peerKeyViolation(new X509Certificate(certificate).publicKey)
    if (fault) return fault
  }
  return undefined
}
