import { type JsonWebKey, X509Certificate } from 'node:crypto'
import { verifyRegistrationResponse } from '@simplewebauthn/server'
import {
  cose,
  decodeAttestationObject,
  decodeCredentialPublicKey,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers'
import { peerKeyViolation, readPeerJwk } from '../../platform/crypto/peer-key.js'
import { ALGORITHMS } from './ceremony-options.js'
import { PasskeyRejected, type RelyingParty } from './relying-party.js'
import { clientDataOf, type RegistrationResponse } from './responses.js'

/** A new passkey, read from data that the authenticator has signed or the browser has reported. */
export interface NewPasskey {
  credentialId: Buffer
  /** COSE_Key (RFC 9052). */
  publicKey: Buffer
  counter: number
  transports: string[]
  /** The model of the authenticator; all zeros if it is anonymous. */
  aaguid: string
  userVerified: boolean
  /** The passkey can be synced to other devices of its owner (WebAuthn Level 3, 6.1.3). */
  backupEligible: boolean
  backedUp: boolean
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/**
 * The formats that browsers return if no attestation is requested (WebAuthn Level 3, 5.1.3). For others the library would verify
 * certificates and fetch revocation lists from URLs in them, that is send requests to URLs of a third party.
 */
const ATTESTATIONS = ['none', 'packed']
/** The length of a credential ID in bytes (WebAuthn Level 3, 4 and 7.1). */
const ID = { least: 16, most: 1_023 }

/**
 * Verifies a registration (WebAuthn Level 3, 7.1): type, challenge, origin, relying party, user presence, algorithm of the key,
 * length of the ID.
 * @throws PasskeyRejected
 */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  challenge: string,
  response: RegistrationResponse,
): Promise<NewPasskey> {
  if (clientDataOf(response)?.crossOrigin) throw new PasskeyRejected('Created in a cross-origin frame')
  const { format, violation } = readAttestation(response)
  if (!ATTESTATIONS.includes(format)) throw new PasskeyRejected('The attestation format was not requested')
  if (violation) throw new PasskeyRejected(`A key in the attestation ${violation}`)
  const verified = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    throw new PasskeyRejected('The registration is not valid', { cause: error })
  })
  if (!verified.verified) throw new PasskeyRejected('The attestation is not valid')
  const { credential, aaguid, userVerified, credentialDeviceType, credentialBackedUp } = verified.registrationInfo
  const credentialId = Buffer.from(credential.id, 'base64url')
  if (credentialId.length < ID.least || credentialId.length > ID.most)
    throw new PasskeyRejected('The credential ID is too short or too long')
  const reported: readonly string[] = response.response.transports ?? []
  return {
    credentialId,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: TRANSPORTS.filter((transport) => reported.includes(transport)),
    aaguid,
    userVerified,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

function readAttestation({ response }: RegistrationResponse): { format: string; violation: string | undefined } {
  try {
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    return { format: attestation.get('fmt'), violation: attestedKeyViolation(attestation) }
  } catch (error) {
    throw new PasskeyRejected('The attestation is malformed', { cause: error })
  }
}

/**
 * Returns why a key in an attestation is rejected, the passkey's or a certificate's; undefined if all are accepted. The library would
 * verify signatures with any of them.
 * @throws Error if the attestation is malformed
 */
function attestedKeyViolation(attestation: ReturnType<typeof decodeAttestationObject>): string | undefined {
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
    const violation = peerKeyViolation(new X509Certificate(certificate).publicKey)
    if (violation) return violation
  }
  return undefined
}
