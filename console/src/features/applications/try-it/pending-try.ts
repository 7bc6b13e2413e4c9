import { type Issuer, parseIssuer } from '../../../api/issuer'
import { serviceAddress } from '../../../api/service-address'

/** What has to outlive the way to the service and back. No token: there is none yet. */
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

/** @throws where the browser keeps nothing: then nobody could come back */
export function keepPending(pending: PendingTry) {
  sessionStorage.setItem(key, JSON.stringify(pending))
}

/** What this tab left with, or null. It serves one return. */
export function takePending(): PendingTry | null {
  try {
    const pending = JSON.parse(sessionStorage.getItem(key) ?? 'null') as PendingTry | null
    sessionStorage.removeItem(key)
    return pending && parseIssuer(pending.issuer, serviceAddress()) ? pending : null
  } catch {
    return null
  }
}
