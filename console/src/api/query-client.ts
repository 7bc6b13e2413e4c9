import { QueryClient } from '@tanstack/react-query'
import { Problem } from './problem'
import { atSignOut } from './sign-out'

// A browser without a network still reaches a service on the same machine, so a request is sent in any case. A write that waited for the
// network would run at a time that the user does not expect.
const networkMode = 'always'

export const queryClient = new QueryClient({
  defaultOptions: {
    mutations: { networkMode },
    queries: {
      networkMode,
      refetchOnReconnect: true,
      staleTime: 15_000,
      // An error response does not change on a retry; an outage may end.
      retry: (failures, thrown) =>
        failures < 2 && (!(thrown instanceof Problem) || thrown.status === 0 || thrown.status >= 500),
    },
  },
})

atSignOut(() => queryClient.clear())
