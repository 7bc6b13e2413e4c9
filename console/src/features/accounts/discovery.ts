import { answerOf, visitor } from '../../api/client'
import type { DiscoveredProvider } from '../../api/contract'

const asked = new Map<string, Promise<DiscoveredProvider[]>>()

/**
 * The providers that list a domain, those of whoever has proven it first. Asked for the domain alone, so that the service learns no
 * address and tells nobody which exist. Without an answer there are none: the password works all the same.
 */
export function providersOf(domain: string): Promise<DiscoveredProvider[]> {
  const known = asked.get(domain)
  if (known) return known
  const answer = answerOf(visitor.GET('/api/v1/sso/discover', { params: { query: { domain } } })).then(
    ({ providers }) => providers,
    () => {
      asked.delete(domain)
      return []
    },
  )
  asked.set(domain, answer)
  return answer
}
