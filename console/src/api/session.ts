import type { OpenSession } from './contract'
import { problemOf } from './problem'
import { serviceAddress } from './service-address'
import { createSessionKeeper, type RefreshOutcome, type TabMessage } from './session-keeper'

// Not on the server, which renders pages without a session.
const tabs = typeof document === 'undefined' ? undefined : new BroadcastChannel('keyward')

/** Cookie mode: the service answers without the refresh token and keeps it in an HttpOnly cookie instead. */
export const consoleHeaders = { 'X-Keyward-Console': '1', Accept: 'application/json' }

async function refresh(): Promise<RefreshOutcome> {
  let answer: Response
  try {
    answer = await fetch(`${serviceAddress()}/api/v1/auth/refresh`, {
      method: 'POST',
      credentials: 'include',
      headers: { ...consoleHeaders, 'Content-Type': 'application/json' },
      body: '{}',
    })
  } catch {
    return { kind: 'unavailable' }
  }
  if (answer.ok) return { kind: 'session', session: (await answer.json()) as OpenSession }
  // An outage or a brake says nothing about the session: whoever is signed in stays so.
  if (answer.status === 429 || answer.status >= 500) {
    const { retryAfter } = await problemOf(answer)
    return { kind: 'unavailable', ...(retryAfter === undefined ? {} : { retryAfter }) }
  }
  // Unread, it would keep its connection.
  await answer.body?.cancel()
  return { kind: 'ended' }
}

/**
 * One tab at a time, since each refresh replaces the cookie that the next one needs. Browsers offer locks on https and on
 * localhost only; elsewhere the service's own grace for the replaced token must do.
 */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? (navigator.locks.request('keyward-refresh', work) as Promise<T>) : work()
}

export const session = createSessionKeeper({
  refresh,
  exclusively,
  tellTabs: (message) => tabs?.postMessage(message),
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
})

tabs?.addEventListener('message', (event: MessageEvent<TabMessage>) => session.hear(event.data))
