/** The relying party (WebAuthn Level 3, 5.4.2): host and origin of the pages. */
export interface RelyingParty {
  id: string
  origin: string
}

export const relyingPartyOf = (pages: string): RelyingParty => {
  const { hostname, origin } = new URL(pages)
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
