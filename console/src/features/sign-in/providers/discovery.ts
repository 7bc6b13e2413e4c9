import { answerOf, visitor } from '../../../api/client'
import type { DiscoveredProvider } from '../../../api/contract'

const asked = new Map<string, Promise<DiscoveredProvider[]>>()

/**
 * Returns the providers that list a domain; if a team has verified the domain, only that team's. The request contains the domain only, so
 * that the service neither learns nor discloses email addresses. A response is cached, a failure is not.
 * @param team the ID or slug of a team that limits the result
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
