import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import type { paths } from '../../api/schema.gen'
import type { View } from '../../ui/table/view'

type UserQuery = NonNullable<paths['/api/v1/users']['get']['parameters']['query']>
type List = paths['/api/v1/users']['get']['responses'][200]['content']['application/json']
export type User = List['data'][number]

/** The filters of the list of users, which are search parameters of its URL. */
export const USER_FILTERS = ['status', 'roleExact', 'mfa', 'source', 'group', 'inactiveDays'] as const

const byId = (teamId: string, id: string) => ({ ...inTeam(teamId), params: { path: { id } } })

const DAY_MS = 86_400_000

/** The conditions of a view, for the list and for bulk changes. `inactiveDays` counts from now, so that its URL stays valid. */
export function conditionsOf({ q, filters: { inactiveDays, ...filters } }: Pick<View, 'q' | 'filters'>) {
  const days = Number(inactiveDays)
  return {
    ...(q && { search: q }),
    ...filters,
    ...(days > 0 && { lastLoginBefore: new Date(Date.now() - days * DAY_MS).toISOString() }),
  }
}

/** The query parameters of a view. */
export const userQuery = (view: View): UserQuery => {
  const { page, limit, sort } = view
  return { page, limit, ...(sort && { sort }), ...conditionsOf(view) } as UserQuery
}

export const usersQuery = (teamId: string, view: View) =>
  queryOptions({
    queryKey: [teamId, 'users', 'list', view],
    queryFn: () => answerOf(member.GET('/api/v1/users', { ...inTeam(teamId), params: { query: userQuery(view) } })),
    placeholderData: keepPreviousData,
  })

export const userQueryById = (teamId: string, id: string) =>
  queryOptions({
    queryKey: [teamId, 'users', id, 'profile'],
    queryFn: () => answerOf(member.GET('/api/v1/users/{id}', byId(teamId, id))),
  })

export const userGroupsQuery = (teamId: string, id: string) =>
  queryOptions({
    queryKey: [teamId, 'users', id, 'groups'],
    queryFn: () => answerOf(member.GET('/api/v1/users/{id}/groups', byId(teamId, id))).then(({ groups }) => groups),
  })

export const userApplicationsQuery = (teamId: string, id: string) =>
  queryOptions({
    queryKey: [teamId, 'users', id, 'applications'],
    queryFn: () => answerOf(member.GET('/api/v1/users/{id}/applications', byId(teamId, id))),
  })

export const userSessionsQuery = (teamId: string, id: string) =>
  queryOptions({
    queryKey: [teamId, 'users', id, 'sessions'],
    queryFn: () => answerOf(member.GET('/api/v1/users/{id}/sessions', byId(teamId, id))).then(({ data }) => data),
  })

type Sessions = paths['/api/v1/users/{id}/sessions']['get']['responses'][200]['content']['application/json']
export type Session = Sessions['data'][number]

type Log = paths['/api/v1/audit/logs']['get']['responses'][200]['content']['application/json']
export type Activity = Log['data'][number]

/** The newest audit entries of a user in this team. */
export const userActivityQuery = (teamId: string, userId: string, limit: number) =>
  queryOptions({
    queryKey: [teamId, 'users', userId, 'activity', limit],
    queryFn: () =>
      answerOf(member.GET('/api/v1/audit/logs', { ...inTeam(teamId), params: { query: { userId, limit } } })).then(
        ({ data }) => data,
      ),
  })
