import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { asProblem } from './problem'
import { showDone, showProblem } from './toasts'

interface Write<Values, Result> {
  act: (values: Values) => Promise<Result>
  /** the queries whose results the write changes */
  refresh: readonly QueryKey[]
  /** the message of the toast; none for undefined */
  done?: (result: Result, values: Values) => string | undefined
  /** true if the caller shows the error, as a form does */
  showsError?: boolean
}

/** A write: refreshes what it changed, and reports its success or failure in a toast. */
export function useWrite<Values = void, Result = unknown>({ act, refresh, done, showsError }: Write<Values, Result>) {
  const client = useQueryClient()
  return useMutation<Result, unknown, Values>({
    mutationFn: act,
    onSuccess: async (result, values) => {
      await Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })))
      const message = done?.(result, values)
      if (message !== undefined) showDone(message)
    },
    onError: (thrown) => {
      const problem = asProblem(thrown)
      // The state that the write was based on is outdated, or was removed: show the present one.
      if (problem.status === 412 || problem.status === 404)
        for (const queryKey of refresh) void client.invalidateQueries({ queryKey })
      // The role has changed: pages offer what it still allows.
      if (problem.code === 'forbidden')
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'me' })
      if (!showsError) showProblem(problem)
    },
  })
}
