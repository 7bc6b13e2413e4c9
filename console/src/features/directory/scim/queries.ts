import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { NewScimToken } from '../../../api/contract'
import { queryClient } from '../../../api/query-client'

/** The tokens of the team, newest first, and the number of provisioned users and groups. */
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

/** Loads all data of the page again. @throws Problem, which the queries show as well */
export const refreshScim = (teamId: string) =>
  queryClient.invalidateQueries({ queryKey: [teamId, 'scim'] }, { throwOnError: true })

/** Creates a token. Returns the secret, which is shown once and must reach no cache. */
export async function createScimToken(teamId: string, body: NewScimToken): Promise<string> {
  return (await answerOf(member.POST('/api/v1/directory/scim/token', { ...inTeam(teamId), body }))).token
}

export const revokeScimToken = (teamId: string, id: string) =>
  answerOf(member.DELETE('/api/v1/directory/scim/tokens/{id}', { ...inTeam(teamId), params: { path: { id } } }))
