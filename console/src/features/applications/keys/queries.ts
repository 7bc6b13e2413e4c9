import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { SamlKey } from '../../../api/contract'
import { queryClient } from '../../../api/query-client'

/** Whose keys they are: an application's identity provider, or the team as a service provider of its own providers. */
export interface KeyOwner {
  teamId: string
  appId?: string
}

const ofApplication = '/api/v1/applications/{appId}/saml/keys'
const ofTeam = '/api/v1/org/saml-keys'

/** The keys by which others know the owner, first the one that signs. */
export function samlKeysQuery({ teamId, appId }: KeyOwner) {
  return queryOptions({
    queryKey: appId === undefined ? [teamId, 'saml-keys'] : [teamId, 'applications', appId, 'saml-keys'],
    queryFn: async (): Promise<SamlKey[]> => {
      const { data } = await (appId === undefined
        ? answerOf(member.GET(ofTeam, inTeam(teamId)))
        : answerOf(member.GET(ofApplication, { ...inTeam(teamId), params: { path: { appId } } })))
      return data
    },
  })
}

/** After a change, the page shows it before the change is said to be done. */
async function changed(owner: KeyOwner, call: Promise<unknown>) {
  await call
  await queryClient.invalidateQueries({ queryKey: samlKeysQuery(owner).queryKey })
}

export function prepareKey(owner: KeyOwner) {
  const { teamId, appId } = owner
  const call =
    appId === undefined
      ? answerOf(member.POST(ofTeam, inTeam(teamId)))
      : answerOf(member.POST(ofApplication, { ...inTeam(teamId), params: { path: { appId } } }))
  return changed(owner, call)
}

export function activateKey(owner: KeyOwner, keyId: string) {
  const { teamId, appId } = owner
  const call =
    appId === undefined
      ? answerOf(
          member.POST(`${ofTeam}/{keyId}/activate`, { ...inTeam(teamId), params: { path: { keyId } }, body: {} }),
        )
      : answerOf(
          member.POST(`${ofApplication}/{keyId}/activate`, {
            ...inTeam(teamId),
            params: { path: { appId, keyId } },
            body: {},
          }),
        )
  return changed(owner, call)
}

export function endKey(owner: KeyOwner, keyId: string) {
  const { teamId, appId } = owner
  const call =
    appId === undefined
      ? answerOf(member.DELETE(`${ofTeam}/{keyId}`, { ...inTeam(teamId), params: { path: { keyId } } }))
      : answerOf(member.DELETE(`${ofApplication}/{keyId}`, { ...inTeam(teamId), params: { path: { appId, keyId } } }))
  return changed(owner, call)
}
