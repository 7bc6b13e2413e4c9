import { queryOptions } from '@tanstack/react-query'
import { answerOf, member } from '../../../api/client'
import { queryClient } from '../../../api/query-client'

const all = '/api/v1/organizations/{orgId}/domains'
const ofTeam = (orgId: string) => ({ params: { path: { orgId } } })
const ofDomain = (orgId: string, domain: string) => ({ params: { path: { orgId, domain } } })

export function domainsQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'domains'],
    queryFn: () => answerOf(member.GET(all, ofTeam(teamId))).then(({ data }) => data),
  })
}

const changed = (teamId: string) => queryClient.invalidateQueries({ queryKey: domainsQuery(teamId).queryKey })

export async function addDomain(teamId: string, domain: string) {
  await answerOf(member.POST(all, { ...ofTeam(teamId), body: { domain } }))
  await changed(teamId)
}

/** Looks the record up. A domain that was proven and has lost its record is refused too, and no longer proven: the list is read either way. */
export async function verifyDomain(teamId: string, domain: string) {
  try {
    await answerOf(member.POST(`${all}/{domain}/verify`, ofDomain(teamId, domain)))
  } finally {
    await changed(teamId)
  }
}

export async function removeDomain(teamId: string, domain: string) {
  await answerOf(member.DELETE(`${all}/{domain}`, ofDomain(teamId, domain)))
  await changed(teamId)
}
