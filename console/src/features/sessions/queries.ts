import { queryOptions } from '@tanstack/react-query'
import { answerOf, member } from '../../api/client'

export const sessionsQuery = queryOptions({
  queryKey: ['mine', 'sessions'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/sessions')).then(({ data }) => data),
})

export function endSession(id: string) {
  return answerOf(member.DELETE('/api/v1/auth/sessions/{id}', { params: { path: { id } } }))
}

export function endOtherSessions() {
  return answerOf(member.DELETE('/api/v1/auth/sessions'))
}
