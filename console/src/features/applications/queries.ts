import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import type { Application, ApplicationChanges, NewApplication } from '../../api/contract'
import { queryClient } from '../../api/query-client'

const of = (teamId: string, appId: string) => ({ ...inTeam(teamId), params: { path: { appId } } })

export function applicationsQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'applications'],
    queryFn: () => answerOf(member.GET('/api/v1/applications', inTeam(teamId))).then(({ data }) => data),
  })
}

export function applicationQuery(teamId: string, appId: string) {
  return queryOptions({
    queryKey: [teamId, 'applications', appId],
    queryFn: () => answerOf(member.GET('/api/v1/applications/{appId}', of(teamId, appId))),
  })
}

/** Returns the application without the cache. */
export const latestApplication = (teamId: string, appId: string) =>
  queryClient.fetchQuery({ ...applicationQuery(teamId, appId), staleTime: 0 })

/** The IDs of the assigned users and groups, with the entity tags that a later write sends as `If-Match`. */
export function assignmentsQuery(teamId: string, appId: string) {
  return queryOptions({
    queryKey: [teamId, 'applications', appId, 'assignments'],
    queryFn: async () => {
      const [users, groups] = await Promise.all([
        member.GET('/api/v1/applications/{appId}/users', of(teamId, appId)),
        member.GET('/api/v1/applications/{appId}/groups', of(teamId, appId)),
      ])
      return {
        users: { ids: users.data?.userIds ?? [], etag: users.response.headers.get('etag') },
        groups: { ids: groups.data?.groupIds ?? [], etag: groups.response.headers.get('etag') },
      }
    },
  })
}

/** Updates the cached application, and refreshes the list. */
async function changed(teamId: string, application: Application) {
  queryClient.setQueryData(applicationQuery(teamId, application.id).queryKey, application)
  await queryClient.invalidateQueries({ queryKey: applicationsQuery(teamId).queryKey, exact: true })
}

/** Returns the secret separately: it is shown once and must not be cached. */
export async function createApplication(teamId: string, application: NewApplication) {
  const { clientSecret, ...made } = await answerOf(
    member.POST('/api/v1/applications', { ...inTeam(teamId), body: application }),
  )
  await changed(teamId, made)
  return { application: made, secret: clientSecret ?? null }
}

export async function changeApplication(teamId: string, appId: string, changes: ApplicationChanges) {
  const now = await answerOf(member.PUT('/api/v1/applications/{appId}', { ...of(teamId, appId), body: changes }))
  await changed(teamId, now)
  return now
}

/**
 * @param keepPreviousFor seconds for which the previous secret stays valid; 0 revokes it at once
 * @returns the new secret
 */
export async function rotateSecret(teamId: string, appId: string, keepPreviousFor: number): Promise<string> {
  const { clientSecret } = await answerOf(
    member.POST('/api/v1/applications/{appId}/rotate-secret', { ...of(teamId, appId), body: { keepPreviousFor } }),
  )
  await queryClient.invalidateQueries({ queryKey: applicationQuery(teamId, appId).queryKey })
  return clientSecret
}

export async function endPreviousSecret(teamId: string, appId: string) {
  await answerOf(member.DELETE('/api/v1/applications/{appId}/previous-secret', of(teamId, appId)))
  await queryClient.invalidateQueries({ queryKey: applicationQuery(teamId, appId).queryKey })
}

/** Revokes all tokens of an AI agent, and issues no new ones until it is started. */
export async function stopAgent(teamId: string, appId: string) {
  await answerOf(member.POST('/api/v1/applications/{appId}/stop', of(teamId, appId)))
  await queryClient.invalidateQueries({ queryKey: applicationsQuery(teamId).queryKey })
}

export async function startAgent(teamId: string, appId: string) {
  await answerOf(member.POST('/api/v1/applications/{appId}/start', of(teamId, appId)))
  await queryClient.invalidateQueries({ queryKey: applicationsQuery(teamId).queryKey })
}

export async function deleteApplication(teamId: string, appId: string) {
  await answerOf(member.DELETE('/api/v1/applications/{appId}', of(teamId, appId)))
  await queryClient.invalidateQueries({ queryKey: applicationsQuery(teamId).queryKey, exact: true })
}
