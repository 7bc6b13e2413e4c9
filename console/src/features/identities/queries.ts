import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client'
import type { Me } from '../../api/contract'

/** Who I am, in the team of my session. */
export const meQuery = queryOptions({
  queryKey: ['mine', 'me'],
  queryFn: () => call<Me>('GET', '/auth/me'),
})

/** Who I am in one team: its role and permissions. */
export function meInTeamQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'me'],
    queryFn: () => call<Me>('GET', '/auth/me', { teamId }),
  })
}

export function resendConfirmation() {
  return call('POST', '/auth/verify-email/resend', { body: {} })
}
