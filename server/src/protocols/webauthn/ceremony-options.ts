import { CEREMONY_TIMEOUT, type RelyingParty } from './relying-party.js'

/** The descriptor of a passkey (WebAuthn Level 3, 5.8.3) as JSON. */
export interface KnownCredential {
  /** Base64url. */
  id: string
  type: 'public-key'
  transports?: string[]
}

/** EdDSA, ES256, RS256: the algorithms of authenticators. */
export const ALGORITHMS = [-8, -7, -257]

/**
 * Returns the options of a registration as JSON (WebAuthn Level 3, 5.1.8). The passkey is discoverable, so that it can sign in without a
 * typed email address. No attestation of the authenticator's model is required.
 */
export const registrationOptions = (
  { id }: RelyingParty,
  challenge: string,
  name: string,
  user: { id: string; name: string; displayName: string },
  excludeCredentials: KnownCredential[],
) => ({
  challenge,
  rp: { id, name },
  user,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: CEREMONY_TIMEOUT,
  attestation: 'none' as const,
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'preferred' as const,
  },
  excludeCredentials,
})

/**
 * Returns the options of an assertion as JSON (WebAuthn Level 3, 5.1.9).
 * @param allowCredentials those of one account; empty: the browser offers all of its passkeys
 */
export const assertionOptions = (
  { id }: RelyingParty,
  challenge: string,
  userVerification: 'required' | 'preferred',
  allowCredentials: KnownCredential[],
) => ({ challenge, rpId: id, timeout: CEREMONY_TIMEOUT, userVerification, allowCredentials })
