import { queryOptions } from '@tanstack/react-query'
import { answerOf, member, visitor } from '../../../api/client'
import { asProblem } from '../../../api/problem'

export const sessionsQuery = queryOptions({
  queryKey: ['mine', 'sessions'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/sessions')).then(({ data }) => data),
})

/** The application that requests a sign-out, and its redirect. */
export function logoutRequestQuery(resume: string) {
  return queryOptions({
    queryKey: ['logout', resume],
    queryFn: () => answerOf(visitor.GET('/api/v1/public/logout/{resume}', { params: { path: { resume } } })),
  })
}

export function endSession(id: string) {
  return answerOf(member.DELETE('/api/v1/auth/sessions/{id}', { params: { path: { id } } }))
}

/** Ends several sessions. One that has ended meanwhile is no error. */
export async function endSessions(ids: string[]) {
  const ended = await Promise.allSettled(
    ids.map((id) =>
      endSession(id).catch((thrown) => {
        if (asProblem(thrown).code !== 'session_not_found') throw thrown
      }),
    ),
  )
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

export function endOtherSessions() {
  return answerOf(member.DELETE('/api/v1/auth/sessions'))
}
