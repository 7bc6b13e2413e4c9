import type { DiscoveredProvider } from '../../api/contract'
import { serviceAddress } from '../../api/service-address'
import { safeReturn } from '../../navigation/return-to'
import { requestOf, returnFrom, type SignInSearch, samlRequestOf } from '../../navigation/sign-in-search'
import { keepPending } from './pending-provider'

/** More than this the service does not carry along. */
const longestReturn = 2_000

/** Seconds; an application that takes older sign-ins takes any that a provider knows. */
const oldestSignIn = 2_592_000

/**
 * How many seconds a sign-in may be old that leads on to what `search` names; undefined where any will do. The service holds the
 * application's request against it whatever this says: here it is only passed on, so that the provider asks the visitor.
 * @param asked seconds, by the request of the application that the document was opened for
 */
export function maxAgeOf(
  search: SignInSearch,
  asked: number | undefined,
  service = serviceAddress(),
): number | undefined {
  if (search.fresh) return 0
  const request = requestOf(search, service) ?? samlRequestOf(search)
  return request && asked !== undefined && asked <= oldestSignIn ? asked : undefined
}

interface Wanted {
  /** what was typed, for the provider's own form */
  email: string
  /** seconds that the visitor may have been signed in there; 0 has them sign in anew */
  maxAge: number | undefined
}

/** The address at which a sign-in by `provider` begins. */
export function providerSignInHref(
  provider: DiscoveredProvider,
  search: SignInSearch,
  { email, maxAge }: Wanted,
  service = serviceAddress(),
): string {
  const query = new URLSearchParams()
  if (provider.protocol === 'SAML2') query.set('providerId', provider.id)
  const returnTo = written(safeReturn(returnFrom(search, service)))
  if (returnTo !== '/' && returnTo.length <= longestReturn) query.set('returnTo', returnTo)
  if (email) query.set('loginHint', email)
  if (maxAge !== undefined) query.set('maxAge', String(maxAge))
  const path = provider.protocol === 'SAML2' ? `saml/${provider.orgId}` : `oidc/${provider.id}`
  return `${service}/api/v1/sso/${path}/login?${query}`
}

/** A path as browsers write it: the service refuses what they would only have to mend. */
function written(path: string): string {
  const { pathname, search, hash } = new URL(path, 'https://page.invalid')
  return safeReturn(pathname + search + hash)
}

/** Takes this tab to the provider. */
export function leaveForProvider(provider: DiscoveredProvider, search: SignInSearch, wanted: Wanted) {
  keepPending(provider.id)
  location.assign(providerSignInHref(provider, search, wanted))
}
