import type { AnyRoute } from '@tanstack/react-router'

/** The part of the router that this needs. */
interface Pages {
  routesById: Record<string, AnyRoute>
  loadRouteChunk(route: AnyRoute): Promise<void> | undefined
}

/** The time in milliseconds after which it begins, so that it does not delay the first page. */
const AFTER_MS = 2_000

/**
 * Loads the code of the other pages while the browser is idle, one chunk after the other, so that no click waits for the network. Not if the user
 * saves data.
 * @returns a function that stops it
 */
export function preloadPages(router: Pages): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return () => {}
  const waiting = Object.values(router.routesById)
  let isStopped = false
  const next = async () => {
    const route = waiting.shift()
    if (isStopped || !route) return
    // The page loads it again when it is opened.
    await router.loadRouteChunk(route)?.catch(() => {})
    whenIdle(next)
  }
  const timer = setTimeout(() => whenIdle(next), AFTER_MS)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Safari has no idle callbacks. */
const whenIdle = (act: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(act) : setTimeout(act, 200)
