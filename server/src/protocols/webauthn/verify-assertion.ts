import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { type AssertionAnswer, clientDataOf } from './answers.js'
import { PasskeyRejected, type RelyingParty } from './relying-party.js'

/** What is stored of a passkey, as far as the judge needs it. */
export interface StoredPasskey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  backupEligible: boolean
}

export interface Assertion {
  counter: number
  /** The counter did not grow although it counts: somebody else has a copy of the authenticator (WebAuthn Level 3, 6.1.1). */
  cloned: boolean
  userVerified: boolean
  backedUp: boolean
}

const withoutNull = ({ userHandle, ...response }: AssertionAnswer['response']) => ({
  ...response,
  ...(userHandle && { userHandle }),
})

/**
 * Judges the answer to `askToProve` (WebAuthn Level 3, 7.2): type, challenge, origin, relying party, presence and where it is required
 * verification of the user, and the signature. The counter is compared and not judged: what a copy means is for the caller to say.
 * @param userHandle what the passkey was made for: an answer that names another is refused
 * @param alone nobody has said before whose passkey is asked: the answer must name its user (7.2, step 6) and have verified them
 * @throws PasskeyRejected
 */
export async function verifyAssertion(
  { id, origin }: RelyingParty,
  challenge: string,
  answer: AssertionAnswer,
  passkey: StoredPasskey,
  { alone, userHandle }: { alone: boolean; userHandle: string },
): Promise<Assertion> {
  if (clientDataOf(answer)?.crossOrigin) throw new PasskeyRejected('Used inside a page of another origin')
  const named = answer.response.userHandle || undefined
  if (named === undefined ? alone : named !== userHandle)
    throw new PasskeyRejected('The answer names no user, or another')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, response: withoutNull(answer.response), clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: alone,
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: new Uint8Array(passkey.publicKey),
      // Below every counter: the library would refuse a copy like any other error.
      counter: 0,
    },
  }).catch((error: unknown) => {
    throw new PasskeyRejected('The assertion is not valid', { cause: error })
  })
  if (!verified) throw new PasskeyRejected('The signature is not valid')
  const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = authenticationInfo
  // It was made to be copied, or not: that never changes.
  if ((credentialDeviceType === 'multiDevice') !== passkey.backupEligible)
    throw new PasskeyRejected('The passkey says of itself what it was not')
  const counts = newCounter > 0 || passkey.counter > 0
  return {
    counter: newCounter,
    cloned: counts && newCounter <= passkey.counter,
    userVerified,
    backedUp: credentialBackedUp,
  }
}
