import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client'
import type { OpenSession, Team } from '../../api/contract'

export const teamsQuery = queryOptions({
  queryKey: ['mine', 'teams'],
  queryFn: () => call<{ data: Team[] }>('GET', '/organizations').then(({ data }) => data),
})

export function activeSessionsQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'active-sessions'],
    queryFn: () => call<{ activeSessions: number; periodHours: number }>('GET', '/stats/active-sessions', { teamId }),
  })
}

export function createTeam(name: string) {
  return call<Team>('POST', '/organizations', { body: { name } })
}

/** Makes `teamId` the team that opens at the next sign-in. */
export function switchTeam(teamId: string) {
  return call<OpenSession>('POST', '/auth/switch-team', { body: { teamId } })
}
