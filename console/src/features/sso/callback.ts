import type { SessionAnswer } from '../../api/contract'
import { arrivedQuery, arrivedWith } from '../../arrival'
import { errorSearch } from '../../navigation/error-search'

/** The result of a sign-in via a provider, with which the service redirected the browser to this page. */
export type Callback =
  | { kind: 'test'; providerId: string; runId: string }
  | { kind: 'refused'; code: string; requestId: string | undefined }
  | { kind: 'challenge'; answer: SessionAnswer }
  | { kind: 'session'; token: string | undefined }
  /** the session waits for the user to replace the one of this browser */
  | { kind: 'pending' }

export const CALLBACK = '/auth/sso/callback'

/**
 * Reads the result from the URL of the redirect.
 * @param query without the secrets, which `main.tsx` removes from the URL before the first render
 */
export function readCallback(
  query: URLSearchParams,
  { token, mfaToken }: { token?: string | undefined; mfaToken?: string | undefined },
): Callback {
  const [runId, providerId, error] = ['test', 'provider', 'error'].map((name) => query.get(name) || undefined)
  if (runId && providerId) return { kind: 'test', providerId, runId }
  if (error) {
    const { code = 'unexpected', requestId } = errorSearch(Object.fromEntries(query), 'error')
    return { kind: 'refused', code, requestId }
  }
  if (mfaToken) return { kind: 'challenge', answer: { mfaRequired: true, mfaToken, mfaMethods: methodsIn(query) } }
  if (query.get('pending')) return { kind: 'pending' }
  return { kind: 'session', token }
}

const methods = ['TOTP', 'PASSKEY', 'BACKUP_CODE'] as const

function methodsIn(query: URLSearchParams) {
  const named = (query.get('mfaMethods') ?? '').split(/[ ,]+/)
  return methods.filter((method) => named.includes(method))
}

/** Returns the result in the URL of this document, and the URL to continue with. */
export function arrivedCallback(): { response: Callback; returnTo: string | undefined } {
  const query = arrivedQuery(CALLBACK)
  const secrets = { token: arrivedWith(CALLBACK, 'token'), mfaToken: arrivedWith(CALLBACK, 'mfaToken') }
  return { response: readCallback(query, secrets), returnTo: query.get('returnTo') ?? undefined }
}
