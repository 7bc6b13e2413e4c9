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

/** As the service has it now, whatever this page has read before. */
export const latestApplication = (teamId: string, appId: string) =>
  queryClient.fetchQuery({ ...applicationQuery(teamId, appId), staleTime: 0 })

/** The ids of whom it was assigned to. */
export function assignmentsQuery(teamId: string, appId: string) {
  return queryOptions({
    queryKey: [teamId, 'applications', appId, 'assignments'],
    queryFn: async () => {
      const [users, groups] = await Promise.all([
        answerOf(member.GET('/api/v1/applications/{appId}/users', of(teamId, appId))),
        answerOf(member.GET('/api/v1/applications/{appId}/groups', of(teamId, appId))),
      ])
      return { userIds: users.userIds, groupIds: groups.groupIds }
    },
  })
}

/** What is known of it here is this from now on, and the list is read again. */
async function changed(teamId: string, application: Application) {
  queryClient.setQueryData(applicationQuery(teamId, application.id).queryKey, application)
  await queryClient.invalidateQueries({ queryKey: applicationsQuery(teamId).queryKey, exact: true })
}

/** @returns the secret apart from the rest: it is shown once and must reach no cache */
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
 * @param keepPreviousFor seconds in which the old secret works on; 0 ends it at once
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

/** Ends everything that an AI agent was given, and gives it nothing any more. */
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
