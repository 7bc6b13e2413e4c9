import { queryOptions } from '@tanstack/react-query'
import { answerOf, member } from '../../../api/client'
import { queryClient } from '../../../api/query-client'

const DOMAINS = '/api/v1/organizations/{orgId}/domains'
const ofTeam = (orgId: string) => ({ params: { path: { orgId } } })
const ofDomain = (orgId: string, domain: string) => ({ params: { path: { orgId, domain } } })

export function domainsQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'domains'],
    queryFn: () => answerOf(member.GET(DOMAINS, ofTeam(teamId))).then(({ data }) => data),
  })
}

export const addDomain = (teamId: string, domain: string) =>
  answerOf(member.POST(DOMAINS, { ...ofTeam(teamId), body: { domain } }))

/** Checks the TXT record. Loads the list in any case: a verified domain without its record is no longer verified. */
export const verifyDomain = (teamId: string, domain: string) =>
  answerOf(member.POST(`${DOMAINS}/{domain}/verify`, ofDomain(teamId, domain))).finally(() =>
    queryClient.invalidateQueries({ queryKey: domainsQuery(teamId).queryKey }),
  )

export const removeDomain = (teamId: string, domain: string) =>
  answerOf(member.DELETE(`${DOMAINS}/{domain}`, ofDomain(teamId, domain)))
