import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { clientDataOf, type RegistrationAnswer } from './answers.js'
import { ALGORITHMS } from './ask.js'
import { attestedKeyFault } from './attested-keys.js'
import { PasskeyRejected, type RelyingParty } from './relying-party.js'

/** A new passkey, read from what its authenticator has signed or the browser has vouched for. */
export interface NewPasskey {
  credentialId: Buffer
  /** COSE_Key (RFC 9052). */
  publicKey: Buffer
  counter: number
  transports: string[]
  /** The model of the authenticator; all zeros when it does not say. */
  aaguid: string
  userVerified: boolean
  /** It may be copied to other devices of its owner (WebAuthn Level 3, 6.1.3). */
  backupEligible: boolean
  backedUp: boolean
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/**
 * What browsers pass on where no attestation is asked for (WebAuthn Level 3, 5.1.3). The library judges others by their certificates, and
 * asks for revoked ones at addresses that stand in them: no request of ours goes where a stranger's certificate says.
 */
const ATTESTATIONS = ['none', 'packed']
/** How many bytes a credential's id may have (WebAuthn Level 3, 4 and 7.1). */
const ID = { least: 16, most: 1_023 }

/**
 * Judges the answer to `askToCreate` (WebAuthn Level 3, 7.1): type, challenge, origin, relying party, presence of the user, algorithm of
 * the key, length of the id.
 * @throws PasskeyRejected
 */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  challenge: string,
  answer: RegistrationAnswer,
): Promise<NewPasskey> {
  if (clientDataOf(answer)?.crossOrigin) throw new PasskeyRejected('Made inside a page of another origin')
  const { format, keyFault } = readAttestation(answer)
  if (!ATTESTATIONS.includes(format)) throw new PasskeyRejected('An attestation that was not asked for')
  if (keyFault) throw new PasskeyRejected(`A key in the attestation ${keyFault}`)
  const verified = await verifyRegistrationResponse({
    response: { ...answer, clientExtensionResults: {} },
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
    throw new PasskeyRejected('The id of the credential is too short or too long')
  const said: readonly string[] = answer.response.transports ?? []
  return {
    credentialId,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: TRANSPORTS.filter((transport) => said.includes(transport)),
    aaguid,
    userVerified,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

function readAttestation({ response }: RegistrationAnswer): { format: string; keyFault: string | undefined } {
  try {
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    return { format: attestation.get('fmt'), keyFault: attestedKeyFault(attestation) }
  } catch (error) {
    throw new PasskeyRejected('The attestation cannot be read', { cause: error })
  }
}
