import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** The browser's responses of a registration and an authentication ceremony. Untrusted until they are verified. */
export type RegistrationResponse = Pick<RegistrationResponseJSON, 'id' | 'rawId' | 'type' | 'response'>
export type AssertionResponse = Pick<AuthenticationResponseJSON, 'id' | 'rawId' | 'type'> & {
  response: Omit<AuthenticationResponseJSON['response'], 'userHandle'> & { userHandle?: string | null | undefined }
}

/** The client data: challenge and context of the ceremony (WebAuthn Level 3, 5.8.1). */
interface ClientData {
  challenge: string
  crossOrigin: boolean
}

/** Parses the client data of a response; returns undefined if it is malformed. */
export function clientDataOf({ response }: { response: { clientDataJSON: string } }): ClientData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    const { challenge, crossOrigin } = data as Partial<ClientData>
    return typeof challenge === 'string' ? { challenge, crossOrigin: crossOrigin === true } : undefined
  } catch {
    return undefined
  }
}
