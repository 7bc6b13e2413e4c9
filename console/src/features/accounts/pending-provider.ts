/**
 * That this very tab left for a provider, and when: an answer that brings a token is worth something only where it was asked for.
 */
const key = 'keyward.sso.pending'

/** As long as the service waits for the answer. */
const lifeMs = 10 * 60_000

interface Pending {
  providerId: string
  at: number
}

export function keepPending(providerId: string) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ providerId, at: Date.now() } satisfies Pending))
  } catch {
    // Without storage there are no cookies as a rule, and the answer is refused as one that nobody asked for.
  }
}

/** Whether this tab left for a provider in the last ten minutes, and has not come back yet. */
export function isPending(): boolean {
  try {
    const pending = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Pending | null
    return pending !== null && Math.abs(Date.now() - pending.at) < lifeMs
  } catch {
    return false
  }
}

export function endPending() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
