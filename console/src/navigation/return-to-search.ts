export interface ReturnToSearch {
  returnTo?: string | undefined
}

/** Takes `returnTo` from a query as it is written; `safeReturn` judges it where it is followed. */
export function returnToSearch(search: Record<string, unknown>): ReturnToSearch {
  return typeof search.returnTo === 'string' ? { returnTo: search.returnTo } : {}
}
