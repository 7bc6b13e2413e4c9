import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { queryClient } from '../api/query-client'

/** Returns the page with the cache of queries, which most sign-in pages do not need. */
export function provideQueries<Props extends object>(Page: ComponentType<Props>): ComponentType<Props> {
  return (props) => (
    <QueryClientProvider client={queryClient}>
      <Page {...props} />
    </QueryClientProvider>
  )
}
