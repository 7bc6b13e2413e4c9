import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { Me } from '../../../api/contract'

/** The current user, in the team of the session. */
export const meQuery = queryOptions({
  queryKey: ['mine', 'me'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/me')),
})

/** The current user in a team, with role and permissions. */
export function meInTeamQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'me'],
    queryFn: () => answerOf(member.GET('/api/v1/auth/me', inTeam(teamId))),
  })
}

export function resendVerification() {
  return answerOf(member.POST('/api/v1/auth/verify-email/resend'))
}

/** @param changes absent fields stay unchanged, null removes a value */
export function changeProfile(changes: Partial<Me['profile']>) {
  return answerOf(member.PATCH('/api/v1/auth/me', { body: changes }))
}

/** Mails a link to the new address; the address changes when the link is opened. */
export function requestEmailChange(email: string) {
  return answerOf(member.POST('/api/v1/auth/me/email', { body: { email } }))
}
