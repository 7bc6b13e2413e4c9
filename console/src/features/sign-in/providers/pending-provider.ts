/** Remembers that this tab left for an identity provider: a response with a token is accepted only in the tab that requested it. */
const key = 'keyward.sso.pending'

/** The lifetime of the sign-in at the service. */
const lifeMs = 10 * 60_000

interface Pending {
  providerId: string
  at: number
  /** the tab has returned without a session */
  isBack?: boolean
}

function read(): Pending | undefined {
  try {
    const pending = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Pending | null
    return pending !== null && Math.abs(Date.now() - pending.at) < lifeMs ? pending : undefined
  } catch {
    return undefined
  }
}

function write(pending: Pending) {
  try {
    sessionStorage.setItem(key, JSON.stringify(pending))
  } catch {
    // Without storage there are usually no cookies, and the response is rejected as unsolicited.
  }
}

export const keepPending = (providerId: string) => write({ providerId, at: Date.now() })

/** Returns true if this tab left for a provider in the last ten minutes and has not returned. */
export function isPending(): boolean {
  const pending = read()
  return pending !== undefined && !pending.isBack
}

/** Returns true if this tab left for a provider in the last ten minutes without completing a sign-in. */
export const wasSent = (): boolean => read() !== undefined

/** Ends the sign-in at the provider without a session: later responses are unsolicited. */
export function noteBack() {
  const pending = read()
  if (pending) write({ ...pending, isBack: true })
}

export function endPending() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Without storage there is no entry.
  }
}
