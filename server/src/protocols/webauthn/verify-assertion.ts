import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { PasskeyRejected, type RelyingParty } from './relying-party.js'
import { type AssertionResponse, clientDataOf } from './responses.js'

/** The stored attributes of a passkey that verification requires. */
export interface StoredPasskey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  backupEligible: boolean
}

export interface Assertion {
  counter: number
  /** The signature counter is in use and did not increase, which indicates a cloned authenticator (WebAuthn Level 3, 6.1.1). */
  cloned: boolean
  userVerified: boolean
  backedUp: boolean
}

const withoutNull = ({ userHandle, ...response }: AssertionResponse['response']) => ({
  ...response,
  ...(userHandle && { userHandle }),
})

/**
 * Verifies an assertion (WebAuthn Level 3, 7.2): type, challenge, origin, relying party, user presence, user verification if it is
 * required, and the signature. The counter is compared but not enforced: the caller decides how to handle a clone.
 * @param userHandle the user of the passkey: an assertion with another one is rejected
 * @param isPasswordless the assertion identifies the user: it must contain the user handle (7.2, step 6) and a user verification
 * @throws PasskeyRejected
 */
export async function verifyAssertion(
  { id, origin }: RelyingParty,
  challenge: string,
  assertion: AssertionResponse,
  passkey: StoredPasskey,
  { isPasswordless, userHandle }: { isPasswordless: boolean; userHandle: string },
): Promise<Assertion> {
  if (clientDataOf(assertion)?.crossOrigin) throw new PasskeyRejected('Used in a cross-origin frame')
  const named = assertion.response.userHandle || undefined
  if (named === undefined ? isPasswordless : named !== userHandle)
    throw new PasskeyRejected('The user handle is missing or wrong')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...assertion, response: withoutNull(assertion.response), clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: isPasswordless,
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: new Uint8Array(passkey.publicKey),
      // Below every counter, because the library would reject a clone like any other error.
      counter: 0,
    },
  }).catch((error: unknown) => {
    throw new PasskeyRejected('The assertion is not valid', { cause: error })
  })
  if (!verified) throw new PasskeyRejected('The signature is not valid')
  const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = authenticationInfo
  // Backup eligibility never changes.
  if ((credentialDeviceType === 'multiDevice') !== passkey.backupEligible)
    throw new PasskeyRejected('The backup eligibility has changed')
  const counts = newCounter > 0 || passkey.counter > 0
  return {
    counter: newCounter,
    cloned: counts && newCounter <= passkey.counter,
    userVerified,
    backedUp: credentialBackedUp,
  }
}
