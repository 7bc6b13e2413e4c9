import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import { queryClient } from '../../api/query-client'

const keys = '/api/v1/applications/{appId}/saml/keys'
const of = (teamId: string, appId: string) => ({ ...inTeam(teamId), params: { path: { appId } } })
const ofKey = (teamId: string, appId: string, keyId: string) => ({
  ...inTeam(teamId),
  params: { path: { appId, keyId } },
})

/** The keys by which an application knows us, first the one that signs. */
export function samlKeysQuery(teamId: string, appId: string) {
  return queryOptions({
    queryKey: [teamId, 'applications', appId, 'saml-keys'],
    queryFn: () => answerOf(member.GET(keys, of(teamId, appId))).then(({ data }) => data),
  })
}

/** After a change, the page shows it before the change is said to be done. */
async function changed(teamId: string, appId: string, call: Promise<unknown>) {
  await call
  await queryClient.invalidateQueries({ queryKey: samlKeysQuery(teamId, appId).queryKey })
}

export function prepareKey(teamId: string, appId: string) {
  return changed(teamId, appId, answerOf(member.POST(keys, of(teamId, appId))))
}

export function activateKey(teamId: string, appId: string, keyId: string) {
  const call = member.POST(`${keys}/{keyId}/activate`, { ...ofKey(teamId, appId, keyId), body: {} })
  return changed(teamId, appId, answerOf(call))
}

export function endKey(teamId: string, appId: string, keyId: string) {
  return changed(teamId, appId, answerOf(member.DELETE(`${keys}/{keyId}`, ofKey(teamId, appId, keyId))))
}

/** The fields of an application by the metadata of a service provider. Nothing is stored. */
export function parseMetadata(teamId: string, body: { url: string } | { xml: string }) {
  return answerOf(member.POST('/api/v1/applications/metadata/parse', { ...inTeam(teamId), body }))
}
