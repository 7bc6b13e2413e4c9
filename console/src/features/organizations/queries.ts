import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'

export const teamsQuery = queryOptions({
  queryKey: ['mine', 'teams'],
  queryFn: () => answerOf(member.GET('/api/v1/organizations')).then(({ data }) => data),
})

export function activeSessionsQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'active-sessions'],
    queryFn: () => answerOf(member.GET('/api/v1/stats/active-sessions', inTeam(teamId))),
  })
}

export function createTeam(name: string) {
  return answerOf(member.POST('/api/v1/organizations', { body: { name } }))
}

/** Makes `teamId` the team that opens at the next sign-in. */
export function switchTeam(teamId: string) {
  return answerOf(member.POST('/api/v1/auth/switch-team', { body: { teamId } }))
}
