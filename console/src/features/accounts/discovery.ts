import { answerOf, visitor } from '../../api/client'
import type { DiscoveredProvider } from '../../api/contract'

const asked = new Map<string, Promise<DiscoveredProvider[]>>()

/**
 * The providers that list a domain, those of the team that has verified it alone. Asked for the domain alone, so that the service learns no
 * address and tells nobody which exist. An answer is kept; without one nobody knows whether there are any, and the next call asks again.
 * @param team the ID or the slug of a team, to which the answer is limited
 * @throws Problem
 */
export function providersOf(domain: string, team?: string): Promise<DiscoveredProvider[]> {
  const key = JSON.stringify([domain, team])
  const known = asked.get(key)
  if (known) return known
  const answer = answerOf(
    visitor.GET('/api/v1/sso/discover', { params: { query: { domain, ...(team !== undefined && { team }) } } }),
  ).then(
    ({ providers }) => providers,
    (thrown: unknown) => {
      asked.delete(key)
      throw thrown
    },
  )
  asked.set(key, answer)
  return answer
}
