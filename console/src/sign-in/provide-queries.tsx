import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { queryClient } from '../api/query-client'

/** Returns the page with the cache of queries, which most sign-in pages do not need. */
export function provideQueries(Page: ComponentType): ComponentType {
  return () => (
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>
  )
}
