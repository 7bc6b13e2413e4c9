/**
 * That this very tab left for a provider, and when: an answer that brings a token is worth something only where it was asked for.
 */
const key = 'keyward.sso.pending'

/** As long as the service waits for the answer. */
const lifeMs = 10 * 60_000

interface Pending {
  providerId: string
  at: number
  /** it came back, and nobody was signed in */
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
    // Without storage there are no cookies as a rule, and the answer is refused as one that nobody asked for.
  }
}

export const keepPending = (providerId: string) => write({ providerId, at: Date.now() })

/** Whether this tab left for a provider in the last ten minutes, and has not come back yet. */
export function isPending(): boolean {
  const pending = read()
  return pending !== undefined && !pending.isBack
}

/** Whether this tab has been to a provider in the last ten minutes, or is on its way, without a sign-in by it. */
export const wasSent = (): boolean => read() !== undefined

/** The way is over without a sign-in: what comes from elsewhere later is none that this tab has asked for. */
export function noteBack() {
  const pending = read()
  if (pending) write({ ...pending, isBack: true })
}

export function endPending() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
