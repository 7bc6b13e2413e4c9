import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { NewScimToken, ScimToken } from '../../../api/contract'
import { queryClient } from '../../../api/query-client'

/** The team's tokens, newest first, and how much its directories have written. Whoever comes back from the directory's own page sees it new. */
export function scimTokensQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'scim', 'tokens'],
    queryFn: () => answerOf(member.GET('/api/v1/directory/scim/tokens', inTeam(teamId))),
    staleTime: 0,
  })
}

/** The last requests of the team's directories, newest first. */
export function scimRequestsQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'scim', 'requests'],
    queryFn: () => answerOf(member.GET('/api/v1/directory/scim/requests', inTeam(teamId))).then(({ data }) => data),
    staleTime: 0,
  })
}

/** After a change, the page shows it before the change is said to be done. */
const changed = (teamId: string) => queryClient.invalidateQueries({ queryKey: scimTokensQuery(teamId).queryKey })

/** Reads everything of the page anew. @throws Problem, which the page shows by itself where the rest of it stands */
export const refreshScim = (teamId: string) =>
  queryClient.invalidateQueries({ queryKey: [teamId, 'scim'] }, { throwOnError: true })

/** @returns the token itself apart from the rest: it is shown once and must reach no cache */
export async function createScimToken(
  teamId: string,
  body: NewScimToken,
): Promise<{ made: ScimToken; secret: string }> {
  const { token, ...made } = await answerOf(member.POST('/api/v1/directory/scim/token', { ...inTeam(teamId), body }))
  await changed(teamId)
  return { made, secret: token }
}

export async function revokeScimToken(teamId: string, id: string) {
  await answerOf(member.DELETE('/api/v1/directory/scim/tokens/{id}', { ...inTeam(teamId), params: { path: { id } } }))
  await changed(teamId)
}
