import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'

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
