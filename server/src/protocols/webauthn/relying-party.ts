/** Who we are to authenticators (WebAuthn Level 3, 5.4.2): the host of our pages, their origin, and the name that people read. */
export interface RelyingParty {
  id: string
  origin: string
}

export const relyingPartyOf = (pages: string): RelyingParty => {
  const { hostname, origin } = new URL(pages)
  return { id: hostname, origin }
}

/** How long a person may take with their authenticator, in milliseconds: as long as the challenge lives. */
export const CEREMONY_TIMEOUT = 300_000

/** Why an answer of an authenticator is not accepted. The message is for the log, never for who sent it. */
export class PasskeyRejected extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PasskeyRejected'
  }
}
