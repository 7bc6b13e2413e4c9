import { useSyncExternalStore } from 'react'
import { session } from './session'

/** Returns the user of this tab's session, or null. */
export function useSession() {
  return useSyncExternalStore(session.watch, session.view, session.view)
}

/** Returns true while the service is unreachable and the page waits for it. */
export function useIsWaiting() {
  return useSyncExternalStore(session.watch, session.isWaiting, session.isWaiting)
}
