import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import type { paths } from '../../api/schema.gen'
import type { View } from '../../ui/table/view'

type List = paths['/api/v1/groups']['get']['responses'][200]['content']['application/json']
export type Group = List['data'][number]
export type Member =
  paths['/api/v1/groups/{id}/users']['get']['responses'][200]['content']['application/json']['users'][number]

const byId = (teamId: string, id: string) => ({ ...inTeam(teamId), params: { path: { id } } })

export const groupsQuery = (teamId: string, { page, limit, q }: View) =>
  queryOptions({
    queryKey: [teamId, 'groups', 'list', { page, limit, q }],
    queryFn: () =>
      answerOf(
        member.GET('/api/v1/groups', {
          ...inTeam(teamId),
          params: { query: { page, limit, ...(q && { search: q }) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const groupQuery = (teamId: string, id: string) =>
  queryOptions({
    queryKey: [teamId, 'groups', id, 'profile'],
    queryFn: () => answerOf(member.GET('/api/v1/groups/{id}', byId(teamId, id))),
  })

/** The members of a group, with the entity tag that a later write sends as `If-Match`. */
export const membersQuery = (teamId: string, id: string) =>
  queryOptions({
    queryKey: [teamId, 'groups', id, 'members'],
    queryFn: async () => {
      const { data, response } = await member.GET('/api/v1/groups/{id}/users', byId(teamId, id))
      return { members: data?.users ?? [], etag: response.headers.get('etag') }
    },
  })

export const groupApplicationsQuery = (teamId: string, id: string) =>
  queryOptions({
    queryKey: [teamId, 'groups', id, 'applications'],
    queryFn: () =>
      answerOf(member.GET('/api/v1/groups/{id}/applications', byId(teamId, id))).then(
        ({ applications }) => applications,
      ),
  })

/** Users that match a search text, at most ten. */
export const candidatesQuery = (teamId: string, search: string) =>
  queryOptions({
    queryKey: [teamId, 'users', 'candidates', search],
    queryFn: () =>
      answerOf(member.GET('/api/v1/users', { ...inTeam(teamId), params: { query: { search, limit: 10 } } })).then(
        ({ data }) => data,
      ),
    placeholderData: keepPreviousData,
  })
