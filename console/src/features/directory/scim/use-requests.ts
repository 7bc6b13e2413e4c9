import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ScimToken } from '../../../api/contract'
import { useCurrentTeam } from '../../organizations/current-team'
import { awaitedToken, nextLookAfter } from './first-contact'
import { scimRequestsQuery } from './queries'

/** The last requests; while the first one of a token is waited for, looked at again and again, but not while nobody sees the page. */
export function useRequests(tokens: readonly ScimToken[]) {
  const { team } = useCurrentTeam()
  const since = useRef(Date.now())
  const newest = tokens[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: another token is another wait.
  useEffect(() => {
    since.current = Date.now()
  }, [newest])
  return useQuery({
    ...scimRequestsQuery(team.id),
    refetchInterval: ({ state }) =>
      awaitedToken(tokens, state.data ?? []) ? nextLookAfter(Date.now() - since.current) : false,
  })
}
