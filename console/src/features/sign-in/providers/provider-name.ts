import type { DiscoveredProvider } from '../../../api/contract'
import m from '../../../messages/en/sign-in.json'

/** Returns the name of a provider on sign-in pages: its own name only if its team has verified the domain. */
export function providerName(provider: DiscoveredProvider, providers: DiscoveredProvider[]): string {
  if (provider.automatic) return provider.name
  return providers.length > 1 ? m.numberedSingleSignOn({ place: providers.indexOf(provider) + 1 }) : m.singleSignOn()
}
