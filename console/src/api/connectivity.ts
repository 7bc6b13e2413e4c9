import { serviceAddress } from './service-address'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10_000

let offline = false
const watchers = new Set<() => void>()
let backOnline: Promise<void> | null = null

function set(next: boolean): void {
  if (offline === next) return
  offline = next
  for (const watch of watchers) watch()
}

/** Returns whether the service responds. Any response counts: only the network is tested. */
async function isReachable(): Promise<boolean> {
  try {
    await fetch(`${serviceAddress()}/livez`, { mode: 'no-cors', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}

/** Waits, at most until the browser reports that it is online. */
function pauseWhileOffline(ms: number): Promise<void> {
  const ended = new AbortController()
  return new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
    globalThis.addEventListener?.('online', () => resolve(), { once: true, signal: ended.signal })
  }).finally(() => ended.abort())
}

async function untilReachable(): Promise<void> {
  for (let ms = FIRST_PAUSE_MS; !(await isReachable()); ms = Math.min(ms * 2, LONGEST_PAUSE_MS))
    await pauseWhileOffline(ms)
}

/** Reports that a request got no response. Resolves when the service responds again; until then `isOffline` returns true. */
export function whenBackOnline(): Promise<void> {
  set(true)
  backOnline ??= untilReachable().finally(() => {
    backOnline = null
    set(false)
  })
  return backOnline
}

export const isOffline = (): boolean => offline

/** @returns a function that ends the subscription */
export function watchConnectivity(watch: () => void): () => void {
  watchers.add(watch)
  return () => watchers.delete(watch)
}

/**
 * Runs a dynamic import. If the network is down, waits until it returns and tries again, so that the page stays as it is.
 * @throws the error of the import if the service responds: the file belongs to an older version
 */
export async function importWhenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await load()
    } catch (error) {
      if (await isReachable()) throw error
      await whenBackOnline()
    }
}
