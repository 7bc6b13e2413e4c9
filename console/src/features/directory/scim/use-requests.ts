import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ScimToken } from '../../../api/contract'
import { useCurrentTeam } from '../../organizations/current-team'
import { awaitedToken, pollInterval } from './awaited-token'
import { scimRequestsQuery } from './queries'

/** The last requests. Polls while the first request of a token is awaited and the page is visible. */
export function useRequests(tokens: readonly ScimToken[]) {
  const { team } = useCurrentTeam()
  const since = useRef(Date.now())
  const newest = tokens[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new token starts a new wait.
  useEffect(() => {
    since.current = Date.now()
  }, [newest])
  return useQuery({
    ...scimRequestsQuery(team.id),
    refetchInterval: ({ state }) =>
      awaitedToken(tokens, state.data ?? []) ? pollInterval(Date.now() - since.current) : false,
  })
}
