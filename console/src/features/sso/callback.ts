import type { SessionAnswer } from '../../api/contract'
import { arrivedQuery, arrivedWith } from '../../arrival'

/** What the service sent the browser back with, from a provider. */
export type Callback =
  | { kind: 'test'; providerId: string; runId: string }
  | { kind: 'refused'; code: string; requestId: string | undefined }
  | { kind: 'challenge'; answer: SessionAnswer }
  | { kind: 'session'; token: string | undefined }
  /** the session waits for the user to replace the one of this browser */
  | { kind: 'pending' }

export const CALLBACK = '/auth/sso/callback'

/**
 * The answer that brought this document here; `main.tsx` took it out of the address before anything was drawn.
 * @param query without the secrets
 */
export function readCallback(
  query: URLSearchParams,
  { token, mfaToken }: { token?: string | undefined; mfaToken?: string | undefined },
): Callback {
  const [runId, providerId, error] = ['test', 'provider', 'error'].map((name) => query.get(name) || undefined)
  if (runId && providerId) return { kind: 'test', providerId, runId }
  if (error) return { kind: 'refused', code: error, requestId: query.get('requestId') ?? undefined }
  if (mfaToken) return { kind: 'challenge', answer: { mfaRequired: true, mfaToken, mfaMethods: methodsIn(query) } }
  if (query.get('pending')) return { kind: 'pending' }
  return { kind: 'session', token }
}

const methods = ['TOTP', 'PASSKEY', 'BACKUP_CODE'] as const

function methodsIn(query: URLSearchParams) {
  const named = (query.get('mfaMethods') ?? '').split(/[ ,]+/)
  return methods.filter((method) => named.includes(method))
}

/** Of this document, and where it leads to. */
export function arrivedCallback(): { response: Callback; returnTo: string | undefined } {
  const query = arrivedQuery(CALLBACK)
  const secrets = { token: arrivedWith(CALLBACK, 'token'), mfaToken: arrivedWith(CALLBACK, 'mfaToken') }
  return { response: readCallback(query, secrets), returnTo: query.get('returnTo') ?? undefined }
}
