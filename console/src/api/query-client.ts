import { QueryClient } from '@tanstack/react-query'
import { Problem } from './problem'
import { atSignOut } from './sign-out'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A refusal does not change by asking again; an outage may.
      retry: (failures, thrown) =>
        failures < 2 && (!(thrown instanceof Problem) || thrown.status === 0 || thrown.status >= 500),
    },
  },
})

atSignOut(() => queryClient.clear())
