import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** What a browser answers with a new passkey, and with one that proves somebody. Nothing in it is trusted before it is judged. */
export type RegistrationAnswer = Pick<RegistrationResponseJSON, 'id' | 'rawId' | 'type' | 'response'>
export type AssertionAnswer = Pick<AuthenticationResponseJSON, 'id' | 'rawId' | 'type'> & {
  response: Omit<AuthenticationResponseJSON['response'], 'userHandle'> & { userHandle?: string | null | undefined }
}

/** What the browser says it was asked, and where (WebAuthn Level 3, 5.8.1). */
interface ClientData {
  challenge: string
  crossOrigin: boolean
}

/** Undefined for anything that is not the JSON of client data. */
export function clientDataOf(answer: { response: { clientDataJSON: string } }): ClientData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString('utf8'))
    const { challenge, crossOrigin } = data as Partial<ClientData>
    return typeof challenge === 'string' ? { challenge, crossOrigin: crossOrigin === true } : undefined
  } catch {
    return undefined
  }
}
