import { type Issuer, judgeIssuer } from '../../../api/issuer'
import { serviceAddress } from '../../../api/service-address'

/** The state of a run during the redirect to the service and back. Contains no token. */
export interface PendingTry {
  teamId: string
  slug: string
  appId: string
  name: string
  clientId: string
  isPublic: boolean
  issuer: Issuer
  redirectUri: string
  scope: string
  prompt: string | null
  verifier: string
  challenge: string
  state: string
  nonce: string
}

const key = 'keyward.try'

/** Stores the state for the callback. Throws if the browser has no storage. */
export function keepPending(pending: PendingTry) {
  sessionStorage.setItem(key, JSON.stringify(pending))
}

/** Returns and deletes the state of this tab, or null. */
export function takePending(): PendingTry | null {
  try {
    const pending = JSON.parse(sessionStorage.getItem(key) ?? 'null') as PendingTry | null
    sessionStorage.removeItem(key)
    return pending && judgeIssuer(pending.issuer, serviceAddress()) ? pending : null
  } catch {
    return null
  }
}
