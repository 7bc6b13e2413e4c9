import type { DiscoveredProvider } from '../../api/contract'
import { serviceAddress } from '../../api/service-address'
import { safeReturn } from '../../navigation/return-to'
import { returnFrom, type SignInSearch } from '../../navigation/sign-in-search'
import { keepPending } from './pending-provider'

/** More than this the service does not carry along. */
const longestReturn = 2_000

/** The address at which a sign-in by `provider` begins. @param email what was typed, for the provider's own form */
export function providerSignInHref(
  provider: DiscoveredProvider,
  search: SignInSearch,
  email: string,
  service = serviceAddress(),
): string {
  const query = new URLSearchParams()
  if (provider.protocol === 'SAML2') query.set('providerId', provider.id)
  const returnTo = written(safeReturn(returnFrom(search, service)))
  if (returnTo !== '/' && returnTo.length <= longestReturn) query.set('returnTo', returnTo)
  if (email) query.set('loginHint', email)
  const path = provider.protocol === 'SAML2' ? `saml/${provider.orgId}` : `oidc/${provider.id}`
  return `${service}/api/v1/sso/${path}/login?${query}`
}

/** A path as browsers write it: the service refuses what they would only have to mend. */
function written(path: string): string {
  const { pathname, search, hash } = new URL(path, 'https://page.invalid')
  return safeReturn(pathname + search + hash)
}

/** Takes this tab to the provider. */
export function leaveForProvider(provider: DiscoveredProvider, search: SignInSearch, email: string) {
  keepPending(provider.id)
  location.assign(providerSignInHref(provider, search, email))
}
