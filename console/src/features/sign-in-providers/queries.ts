import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import type { NewSsoProvider, SsoProvider, SsoProviderChanges } from '../../api/contract'
import { queryClient } from '../../api/query-client'

const one = '/api/v1/sso/providers/{providerId}'
const of = (teamId: string, providerId: string) => ({ ...inTeam(teamId), params: { path: { providerId } } })

export function providersQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'sso'],
    queryFn: () => answerOf(member.GET('/api/v1/sso/providers', inTeam(teamId))).then(({ data }) => data),
  })
}

export function providerQuery(teamId: string, id: string) {
  return queryOptions({
    queryKey: [teamId, 'sso', id],
    queryFn: () => answerOf(member.GET(one, of(teamId, id))),
  })
}

/** The last sign-ins and tests, newest first. */
export function signInsQuery(teamId: string, id: string) {
  return queryOptions({
    queryKey: [teamId, 'sso', id, 'sign-ins'],
    queryFn: () => answerOf(member.GET(`${one}/sign-ins`, of(teamId, id))).then(({ data }) => data),
    staleTime: 0,
  })
}

/** The report of one test; without an outcome while it is under way. */
export function testQuery(teamId: string, id: string, runId: string) {
  return queryOptions({
    queryKey: [teamId, 'sso', id, 'tests', runId],
    queryFn: () =>
      answerOf(member.GET(`${one}/tests/{runId}`, { ...inTeam(teamId), params: { path: { providerId: id, runId } } })),
    staleTime: 0,
  })
}

/** What is known of it here is this from now on, and the list is read again. */
async function changed(teamId: string, provider: SsoProvider) {
  queryClient.setQueryData(providerQuery(teamId, provider.id).queryKey, provider)
  await queryClient.invalidateQueries({ queryKey: providersQuery(teamId).queryKey, exact: true })
}

export async function createProvider(teamId: string, body: NewSsoProvider): Promise<SsoProvider> {
  const made = await answerOf(member.POST('/api/v1/sso/providers', { ...inTeam(teamId), body }))
  await changed(teamId, made)
  return made
}

export async function changeProvider(teamId: string, id: string, body: SsoProviderChanges) {
  await changed(teamId, await answerOf(member.PUT(one, { ...of(teamId, id), body })))
}

export async function deleteProvider(teamId: string, id: string) {
  await answerOf(member.DELETE(one, of(teamId, id)))
  await queryClient.invalidateQueries({ queryKey: providersQuery(teamId).queryKey, exact: true })
}

/** Everything that can be seen without a sign-in. */
export function checkProvider(teamId: string, id: string) {
  return answerOf(member.POST(`${one}/test`, of(teamId, id)))
}

/** Begins a sign-in that ends on a report. */
export function beginTest(teamId: string, id: string) {
  return answerOf(member.POST(`${one}/test-login`, of(teamId, id)))
}

/** What a provider of SAML would take from metadata. Nothing is kept. */
export function parseMetadata(teamId: string, body: { url: string } | { xml: string }) {
  return answerOf(member.POST('/api/v1/sso/metadata/parse', { ...inTeam(teamId), body }))
}
