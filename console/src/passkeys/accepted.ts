import { passkeysWork } from './ceremony'
import { toBase64url } from './credential-json'

/** The user handle of an account: the 16 bytes of its ID. */
function handleOf(userId: string) {
  const digits = userId.replaceAll('-', '').match(/../g) ?? []
  return toBase64url(Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16)))
}

/** Browsers without this API show an error at the next sign-in instead. */
const quietly = (report: Promise<void> | undefined) => report?.catch(() => {})

/**
 * Reports the remaining passkeys of the account to the browser, so that its password manager removes all others.
 * @param credentialIds base64url
 */
export function reportAccepted(userId: string, credentialIds: string[]) {
  if (!passkeysWork) return
  quietly(
    PublicKeyCredential.signalAllAcceptedCredentials?.({
      rpId: location.hostname,
      userId: handleOf(userId),
      allAcceptedCredentialIds: credentialIds,
    }),
  )
}

/** Reports a new passkey that the service rejected to the browser. */
export function reportUnknown(credentialId: string) {
  if (!passkeysWork) return
  quietly(PublicKeyCredential.signalUnknownCredential?.({ rpId: location.hostname, credentialId }))
}
