export interface ReturnToSearch {
  returnTo?: string | undefined
}

/** Reads `returnTo` from a query as is; `safeReturn` validates it before use. */
export function returnToSearch(search: Record<string, unknown>): ReturnToSearch {
  return typeof search.returnTo === 'string' ? { returnTo: search.returnTo } : {}
}
