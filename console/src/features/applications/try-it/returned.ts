import { arrivedQuery } from '../../../arrival'
import { type PendingTry, takePending } from './pending-try'

interface Returned {
  pending: PendingTry | null
  query: URLSearchParams
}

let returned: Returned | null = null

/** What this document came back with. It can be taken from the browser once, and is asked for at each rendering. */
export function takeReturned(): Returned {
  returned ??= { pending: takePending(), query: arrivedQuery('/try/callback') }
  return returned
}
