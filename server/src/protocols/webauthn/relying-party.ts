/** The relying party (WebAuthn Level 3, 5.4.2): RP ID and origin of the frontend. */
export interface RelyingParty {
  id: string
  origin: string
}

/** Returns the relying party of the frontend. The RP ID is the host, without the port. */
export const relyingPartyOf = (frontendUrl: string): RelyingParty => {
  const { hostname, origin } = new URL(frontendUrl)
  return { id: hostname, origin }
}

/** Timeout of a ceremony in milliseconds: the lifetime of the challenge. */
export const CEREMONY_TIMEOUT = 300_000

/** The response of an authenticator was rejected. The message is for the log, never for the client. */
export class PasskeyRejected extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PasskeyRejected'
  }
}
