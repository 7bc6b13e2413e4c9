import { CEREMONY_TIMEOUT, type RelyingParty } from './relying-party.js'

/** The options of a ceremony as JSON (WebAuthn Level 3, 5.1.8 and 5.1.9); bytes are base64url. */
export interface CreationOptions {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  timeout: number
  attestation: 'none'
  authenticatorSelection: {
    residentKey: 'required'
    requireResidentKey: true
    userVerification: 'preferred'
  }
  excludeCredentials: KnownCredential[]
}

export interface RequestOptions {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'required' | 'preferred'
  allowCredentials: KnownCredential[]
}

export interface KnownCredential {
  id: string
  type: 'public-key'
  transports?: string[]
}

/** EdDSA, ES256, RS256: the algorithms of authenticators. */
export const ALGORITHMS = [-8, -7, -257]

/**
 * Returns the options of a registration. The passkey is discoverable, so that it can sign in without a typed email address. No
 * attestation of the authenticator's model is required.
 */
export const registrationOptions = (
  { id }: RelyingParty,
  challenge: string,
  name: string,
  user: CreationOptions['user'],
  excludeCredentials: KnownCredential[],
): CreationOptions => ({
  challenge,
  rp: { id, name },
  user,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: CEREMONY_TIMEOUT,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  excludeCredentials,
})

/** @param allowCredentials those of one account; empty: the browser offers all of its passkeys */
export const assertionOptions = (
  { id }: RelyingParty,
  challenge: string,
  userVerification: RequestOptions['userVerification'],
  allowCredentials: KnownCredential[],
): RequestOptions => ({ challenge, rpId: id, timeout: CEREMONY_TIMEOUT, userVerification, allowCredentials })
