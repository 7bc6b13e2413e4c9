import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { SamlKey } from '../../../api/contract'
import { queryClient } from '../../../api/query-client'

/** The owner of the keys: the identity provider of an application, or the team as a service provider. */
export interface KeyOwner {
  teamId: string
  appId?: string
}

const ofApplication = '/api/v1/applications/{appId}/saml/keys'
const ofTeam = '/api/v1/org/saml-keys'

/** The signing keys of the owner, the active one first. */
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

/** Refreshes the keys before a write is reported as done. */
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

export function removeKey(owner: KeyOwner, keyId: string) {
  const { teamId, appId } = owner
  const call =
    appId === undefined
      ? answerOf(member.DELETE(`${ofTeam}/{keyId}`, { ...inTeam(teamId), params: { path: { keyId } } }))
      : answerOf(member.DELETE(`${ofApplication}/{keyId}`, { ...inTeam(teamId), params: { path: { appId, keyId } } }))
  return changed(owner, call)
}
