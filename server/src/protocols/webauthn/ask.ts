import { CEREMONY_TIMEOUT, type RelyingParty } from './relying-party.js'

/** What is asked of a browser, as JSON (WebAuthn Level 3, 5.1.8 and 5.1.9); bytes are base64url. */
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

/** EdDSA, ES256, RS256: what authenticators make. */
export const ALGORITHMS = [-8, -7, -257]

/**
 * To make a passkey: discoverable, so that it can sign in without an address being typed. Which make of authenticator it is, nobody needs
 * to prove.
 */
export const askToCreate = (
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

/** @param allowCredentials those of one account; none at all lets the browser offer what it has */
export const askToProve = (
  { id }: RelyingParty,
  challenge: string,
  userVerification: RequestOptions['userVerification'],
  allowCredentials: KnownCredential[],
): RequestOptions => ({ challenge, rpId: id, timeout: CEREMONY_TIMEOUT, userVerification, allowCredentials })
