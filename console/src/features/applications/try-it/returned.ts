import { arrivedQuery } from '../../../arrival'
import { type PendingTry, takePending } from './pending-try'

interface Returned {
  pending: PendingTry | null
  query: URLSearchParams
}

let returned: Returned | null = null

/** Returns the state and query of this callback. The browser has them once; each rendering needs them. */
export function takeReturned(): Returned {
  returned ??= { pending: takePending(), query: arrivedQuery('/try/callback') }
  return returned
}
