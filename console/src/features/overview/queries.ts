import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import type { paths } from '../../api/schema.gen'
import { MEMBER_ROLES } from '../roles/roles'

type Conditions = NonNullable<paths['/api/v1/users']['get']['parameters']['query']>

export interface SignInDay {
  /** ISO 8601 date, in UTC */
  date: string
  succeeded: number
  /** with a wrong credential, or denied by a policy */
  failed: number
}

/** Sign-ins to the team for each of the last days (UTC), including today. */
export function signInsByDayQuery(teamId: string, days: number) {
  return queryOptions({
    queryKey: [teamId, 'overview', 'sign-ins', days],
    queryFn: (): Promise<SignInDay[]> =>
      answerOf(
        member.GET('/api/v1/audit/stats', { ...inTeam(teamId), params: { query: { action: 'user.login', days } } }),
      ).then(({ byDay }) =>
        byDay.map(({ date, success, failure, denied }) => ({ date, succeeded: success, failed: failure + denied })),
      ),
  })
}

const countUsers = (teamId: string, conditions: Conditions) =>
  answerOf(
    member.GET('/api/v1/users', {
      ...inTeam(teamId),
      params: { query: { status: 'active', limit: 1, ...conditions } },
    }),
  ).then(({ total }) => total)

export interface Coverage {
  users: number
  passkey: number
  /** with an authenticator app but no passkey */
  totp: number
  none: number
}

/** Numbers of active users by their best second factor. */
export function coverageQuery(teamId: string) {
  return queryOptions({
    // A change of users or of their factors refreshes it.
    queryKey: [teamId, 'users', 'coverage'],
    queryFn: async (): Promise<Coverage> => {
      const [users, passkey, none] = await Promise.all([
        countUsers(teamId, {}),
        countUsers(teamId, { mfa: 'passkey' }),
        countUsers(teamId, { mfa: 'none' }),
      ])
      // The three counts are not of the same moment.
      return { users, passkey, totp: Math.max(0, users - passkey - none), none }
    },
  })
}

/** Returns whether the user has a permission in the team. */
export type Can = (permission: string) => boolean

const READING_ROLES: readonly string[] = ['MEMBER', 'VIEWER', 'READ_ONLY_ADMIN', 'REPORT_ADMIN']

/** The roles that can change something in the team. */
const ADMIN_ROLES = MEMBER_ROLES.filter((role) => !READING_ROLES.includes(role)).join(',')

/** The conditions of the administrators without a second factor. */
export const UNPROTECTED_ADMINS = { roleExact: ADMIN_ROLES, mfa: 'none', status: 'active' } as const

/** The administrators without a second factor: their number and one of them. */
export function unprotectedAdminsQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'users', 'unprotected-admins'],
    queryFn: () =>
      answerOf(
        member.GET('/api/v1/users', { ...inTeam(teamId), params: { query: { limit: 1, ...UNPROTECTED_ADMINS } } }),
      ).then(({ data: [first], total }) => ({ total, first })),
  })
}
