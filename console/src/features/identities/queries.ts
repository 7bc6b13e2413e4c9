import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import type { Me } from '../../api/contract'

/** Who I am, in the team of my session. */
export const meQuery = queryOptions({
  queryKey: ['mine', 'me'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/me')),
})

/** Who I am in one team: its role and permissions. */
export function meInTeamQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'me'],
    queryFn: () => answerOf(member.GET('/api/v1/auth/me', inTeam(teamId))),
  })
}

export function resendConfirmation() {
  return answerOf(member.POST('/api/v1/auth/verify-email/resend'))
}

/** @param changes what is given changes; null takes away */
export function changeProfile(changes: Partial<Me['profile']>) {
  return answerOf(member.PATCH('/api/v1/auth/me', { body: changes }))
}

/** Mails a link to the new address; the account has it when the link is opened. */
export function askForAddress(email: string) {
  return answerOf(member.POST('/api/v1/auth/me/email', { body: { email } }))
}
