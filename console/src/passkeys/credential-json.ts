/**
 * Converts the JSON types of WebAuthn (Level 3 §5.1) to those of browsers, and back. Does not use `parseRequestOptionsFromJSON` and
 * `toJSON`, which objects of password managers and browsers before 2025 lack.
 */
export type RequestOptions = Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>
export type CreationOptions = Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>

interface Credential {
  id: string
  rawId: string
  type: 'public-key'
}

/** An assertion as the service accepts it. */
export interface Assertion extends Credential {
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string }
}

/** A new passkey as the service accepts it. */
export interface Attestation extends Credential {
  response: { clientDataJSON: string; attestationObject: string; transports: string[] }
}

export function toBase64url(bytes: ArrayBuffer | Uint8Array): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(plain, (character) => character.charCodeAt(0))
}

function descriptors(listed: PublicKeyCredentialDescriptorJSON[] = []): PublicKeyCredentialDescriptor[] {
  return listed.map(({ id, transports }) => ({
    id: fromBase64url(id),
    type: 'public-key',
    ...(transports && { transports: transports as AuthenticatorTransport[] }),
  }))
}

export function requestOptions({ allowCredentials, challenge, ...others }: RequestOptions) {
  return {
    ...others,
    challenge: fromBase64url(challenge),
    allowCredentials: descriptors(allowCredentials),
  } as PublicKeyCredentialRequestOptions
}

export function creationOptions({ excludeCredentials, challenge, user, ...others }: CreationOptions) {
  return {
    ...others,
    challenge: fromBase64url(challenge),
    user: { ...user, id: fromBase64url(user.id) },
    excludeCredentials: descriptors(excludeCredentials),
  } as PublicKeyCredentialCreationOptions
}

const credential = (found: PublicKeyCredential): Credential => ({
  id: found.id,
  rawId: toBase64url(found.rawId),
  type: 'public-key',
})

export function assertionOf(found: PublicKeyCredential): Assertion {
  const response = found.response as AuthenticatorAssertionResponse
  return {
    ...credential(found),
    response: {
      clientDataJSON: toBase64url(response.clientDataJSON),
      authenticatorData: toBase64url(response.authenticatorData),
      signature: toBase64url(response.signature),
      ...(response.userHandle && { userHandle: toBase64url(response.userHandle) }),
    },
  }
}

export function attestationOf(found: PublicKeyCredential): Attestation {
  const response = found.response as AuthenticatorAttestationResponse
  return {
    ...credential(found),
    response: {
      clientDataJSON: toBase64url(response.clientDataJSON),
      attestationObject: toBase64url(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}
