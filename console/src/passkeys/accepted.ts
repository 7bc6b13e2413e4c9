import { passkeysWork } from './ceremony'
import { toBase64url } from './credential-json'

/** The user handle of an account: the 16 bytes of its id. */
function handleOf(userId: string) {
  const digits = userId.replaceAll('-', '').match(/../g) ?? []
  return toBase64url(Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16)))
}

/** What browsers may not know, they leave alone: the next sign-in tells the visitor the same. */
const quietly = (told: Promise<void> | undefined) => told?.catch(() => {})

/**
 * Tells the browser which passkeys of the account are left, so that its password manager offers no others. Where it can.
 * @param credentialIds base64url
 */
export function tellAccepted(userId: string, credentialIds: string[]) {
  if (!passkeysWork) return
  quietly(
    PublicKeyCredential.signalAllAcceptedCredentials?.({
      rpId: location.hostname,
      userId: handleOf(userId),
      allAcceptedCredentialIds: credentialIds,
    }),
  )
}

/** Tells the browser that a passkey which it just made was not taken. */
export function tellUnknown(credentialId: string) {
  if (!passkeysWork) return
  quietly(PublicKeyCredential.signalUnknownCredential?.({ rpId: location.hostname, credentialId }))
}
