import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'

export const PROVIDER = '/api/v1/sso/providers/{providerId}'
export const ofProvider = (teamId: string, providerId: string) => ({
  ...inTeam(teamId),
  params: { path: { providerId } },
})

export function providersQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'sso', 'list'],
    queryFn: () => answerOf(member.GET('/api/v1/sso/providers', inTeam(teamId))).then(({ data }) => data),
  })
}

export function providerQuery(teamId: string, id: string) {
  return queryOptions({
    queryKey: [teamId, 'sso', id],
    queryFn: () => answerOf(member.GET(PROVIDER, ofProvider(teamId, id))),
  })
}

/** The last sign-ins and tests, newest first. */
export function signInsQuery(teamId: string, id: string) {
  return queryOptions({
    queryKey: [teamId, 'sso', id, 'sign-ins'],
    queryFn: () => answerOf(member.GET(`${PROVIDER}/sign-ins`, ofProvider(teamId, id))).then(({ data }) => data),
    staleTime: 0,
  })
}

/** The report of one test; without an outcome until it ends. */
export function testQuery(teamId: string, id: string, runId: string) {
  return queryOptions({
    queryKey: [teamId, 'sso', id, 'tests', runId],
    queryFn: () =>
      answerOf(
        member.GET(`${PROVIDER}/tests/{runId}`, { ...inTeam(teamId), params: { path: { providerId: id, runId } } }),
      ),
    staleTime: 0,
  })
}

/** Reads metadata. Stores nothing. */
export function parseMetadata(teamId: string, body: { url: string } | { xml: string }) {
  return answerOf(member.POST('/api/v1/sso/metadata/parse', { ...inTeam(teamId), body }))
}

/** A redirect URL for a new OIDC provider, which can be registered at the vendor before the provider is created. */
export function reservationQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'sso', 'reservation'],
    queryFn: () => answerOf(member.POST('/api/v1/sso/providers/reservations', inTeam(teamId))),
    // One reservation for each visit of the page.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
