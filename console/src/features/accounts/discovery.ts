import { answerOf, visitor } from '../../api/client'
import type { DiscoveredProvider } from '../../api/contract'

const asked = new Map<string, Promise<DiscoveredProvider[]>>()

/**
 * The providers that list a domain, those of whoever has proven it first. Asked for the domain alone, so that the service learns no
 * address and tells nobody which exist. An answer is kept; without one nobody knows whether there are any, and the next call asks again.
 * @throws Problem
 */
export function providersOf(domain: string): Promise<DiscoveredProvider[]> {
  const known = asked.get(domain)
  if (known) return known
  const answer = answerOf(visitor.GET('/api/v1/sso/discover', { params: { query: { domain } } })).then(
    ({ providers }) => providers,
    (thrown: unknown) => {
      asked.delete(domain)
      throw thrown
    },
  )
  asked.set(domain, answer)
  return answer
}
