import type { ScimRequest, ScimToken } from '../../../api/contract'

/** Returns the newest active token without a request. @param tokens newest first */
export function awaitedToken(tokens: readonly ScimToken[], requests: readonly ScimRequest[]): ScimToken | undefined {
  return tokens.find(
    ({ id, status, lastUsedAt }) => status === 'active' && lastUsedAt === null && !firstRequestBy(id, requests),
  )
}

/** Returns the oldest listed request with this token. @param requests newest first */
export function firstRequestBy(tokenId: string, requests: readonly ScimRequest[]): ScimRequest | undefined {
  return requests.filter(({ token }) => token?.id === tokenId).at(-1)
}

/** Returns the polling interval after a wait: one second at first, five at last. Both in milliseconds. */
export function pollInterval(waited: number): number {
  return Math.min(Math.max(waited / 10, 1000), 5000)
}
