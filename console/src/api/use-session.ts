import { useSyncExternalStore } from 'react'
import { session } from './session'

/** Who is signed in in this tab, or null. */
export function useSession() {
  return useSyncExternalStore(session.watch, session.view, session.view)
}

/** Whether the service is out of reach and the start of the page waits for it. */
export function useIsWaiting() {
  return useSyncExternalStore(session.watch, session.isWaiting, session.isWaiting)
}
