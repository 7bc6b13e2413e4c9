import type { ScimRequest, ScimToken } from '../../../api/contract'

/** The token whose first request is waited for: the newest that works and by which nothing came yet. */
export function awaitedToken(tokens: readonly ScimToken[], requests: readonly ScimRequest[]): ScimToken | undefined {
  return tokens.find(
    ({ id, status, lastUsedAt }) => status === 'active' && lastUsedAt === null && !firstRequestBy(id, requests),
  )
}

/** The oldest request of a token that is still listed. @param requests newest first */
export function firstRequestBy(tokenId: string, requests: readonly ScimRequest[]): ScimRequest | undefined {
  return requests.filter(({ token }) => token?.id === tokenId).at(-1)
}

/** How long to the next look, when one has waited for so long: a second at first, five in the end. Both in milliseconds. */
export function nextLookAfter(waited: number): number {
  return Math.min(Math.max(waited / 10, 1000), 5000)
}
