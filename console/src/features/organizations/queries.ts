import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'

export const teamsQuery = queryOptions({
  queryKey: ['mine', 'teams'],
  queryFn: () => answerOf(member.GET('/api/v1/organizations')).then(({ data }) => data),
})

/** Both keys have the same prefix: an answer to a team changes both lists. */
export const waitingTeamsQuery = queryOptions({
  queryKey: ['mine', 'waiting-teams', 'open'],
  queryFn: () => answerOf(member.GET('/api/v1/organizations/waiting')).then(({ data }) => data),
})

export const blockedTeamsQuery = queryOptions({
  queryKey: ['mine', 'waiting-teams', 'blocked'],
  queryFn: () =>
    answerOf(member.GET('/api/v1/organizations/waiting', { params: { query: { blocked: true } } })).then(
      ({ data }) => data,
    ),
})

/** The team that accepts the domain of the user's email address, if the user is not a member. */
export const joinableTeamsQuery = queryOptions({
  queryKey: ['mine', 'joinable-teams'],
  queryFn: () => answerOf(member.GET('/api/v1/organizations/joinable')).then(({ data }) => data),
})

const ofTeam = (orgId: string) => ({ params: { path: { orgId } } })

/** Answers of a user to a team that added them. */
export const teamAnswers = {
  join: (id: string) => answerOf(member.POST('/api/v1/organizations/{orgId}/confirm', ofTeam(id))),
  block: (id: string) => answerOf(member.POST('/api/v1/organizations/{orgId}/block', ofTeam(id))),
  unblock: (id: string) => answerOf(member.DELETE('/api/v1/organizations/{orgId}/block', ofTeam(id))),
}

export type TeamAnswer = keyof typeof teamAnswers

export function activeSessionsQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'active-sessions'],
    queryFn: () => answerOf(member.GET('/api/v1/stats/active-sessions', inTeam(teamId))),
  })
}

export function joinTeam(id: string) {
  return answerOf(member.POST('/api/v1/organizations/{orgId}/join', ofTeam(id)))
}

/** Also revokes the sessions that belong to the team. */
export function leaveTeam(id: string) {
  return answerOf(member.POST('/api/v1/organizations/{orgId}/leave', ofTeam(id)))
}

export function createTeam(name: string) {
  return answerOf(member.POST('/api/v1/organizations', { body: { name } }))
}

/** Sets the team in which the next sign-in starts. */
export function switchTeam(teamId: string) {
  return answerOf(member.POST('/api/v1/auth/switch-team', { body: { teamId } }))
}
