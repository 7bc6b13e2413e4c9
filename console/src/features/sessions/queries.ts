import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client'
import type { SignedInDevice } from '../../api/contract'

export const sessionsQuery = queryOptions({
  queryKey: ['mine', 'sessions'],
  queryFn: () => call<{ data: SignedInDevice[] }>('GET', '/auth/sessions').then(({ data }) => data),
})

export function endSession(id: string) {
  return call('DELETE', `/auth/sessions/${encodeURIComponent(id)}`)
}

export function endOtherSessions() {
  return call<{ ended: number }>('DELETE', '/auth/sessions')
}
