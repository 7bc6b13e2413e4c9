import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { Application } from '../../../api/contract'
import type { paths } from '../../../api/schema.gen'
import { isForPeople } from '../application-kind'

export type AuditEvent =
  paths['/api/v1/audit/logs']['get']['responses'][200]['content']['application/json']['data'][number]

const DAYS = 30

/** The actions of a sign-in to the application; of a token request for an application without users. */
function actionsOf(application: Application): readonly string[] {
  if (application.type === 'SAML') return ['application.saml_signed_in']
  // A consent is the first sign-in of a user, later ones are the other action.
  if (isForPeople(application)) return ['application.signed_in', 'application.consented']
  return ['application.token_issued', 'application.token_refused']
}

const aboutApplication = (teamId: string, appId: string, more: { action?: string; limit?: number; days?: number }) => ({
  ...inTeam(teamId),
  params: { query: { resource: `application:${appId}`, ...more } },
})

/** The sign-ins of each of the last 30 days (UTC), including today, and their totals. */
export const signInStatsQuery = (teamId: string, application: Application) =>
  queryOptions({
    queryKey: [teamId, 'applications', application.id, 'sign-in-stats'],
    queryFn: async () => {
      const parts = await Promise.all(
        actionsOf(application).map((action) =>
          answerOf(member.GET('/api/v1/audit/stats', aboutApplication(teamId, application.id, { action, days: DAYS }))),
        ),
      )
      const days = (parts[0]?.byDay ?? []).map(({ date }) => date)
      const byDay = days.map((date, index) => {
        const ofDay = parts.map((part) => part.byDay[index])
        return {
          date,
          succeeded: ofDay.reduce((sum, day) => sum + (day?.success ?? 0), 0),
          failed: ofDay.reduce((sum, day) => sum + (day?.failure ?? 0) + (day?.denied ?? 0), 0),
        }
      })
      return {
        byDay,
        succeeded: byDay.reduce((sum, day) => sum + day.succeeded, 0),
        failed: byDay.reduce((sum, day) => sum + day.failed, 0),
      }
    },
  })

const newestFirst = (one: AuditEvent, other: AuditEvent) => other.createdAt.localeCompare(one.createdAt)

/** The newest sign-ins to the application. */
export const lastSignInsQuery = (teamId: string, application: Application, limit: number) =>
  queryOptions({
    queryKey: [teamId, 'applications', application.id, 'last-sign-ins', limit],
    queryFn: async () => {
      const parts = await Promise.all(
        actionsOf(application).map((action) =>
          answerOf(member.GET('/api/v1/audit/logs', aboutApplication(teamId, application.id, { action, limit }))),
        ),
      )
      return parts
        .flatMap(({ data }) => data)
        .sort(newestFirst)
        .slice(0, limit)
    },
  })

/** The newest audit entries about the application. */
export const activityQuery = (teamId: string, appId: string, limit: number) =>
  queryOptions({
    queryKey: [teamId, 'applications', appId, 'activity', limit],
    queryFn: () =>
      answerOf(member.GET('/api/v1/audit/logs', aboutApplication(teamId, appId, { limit }))).then(({ data }) => data),
  })

/** The number of users who can open the application. */
export const userCountQuery = (teamId: string, appId: string) =>
  queryOptions({
    // A change of users or of their access refreshes it.
    queryKey: [teamId, 'users', 'count', appId],
    queryFn: () =>
      answerOf(
        member.GET('/api/v1/users', { ...inTeam(teamId), params: { query: { application: appId, limit: 1 } } }),
      ).then(({ total }) => total),
  })
