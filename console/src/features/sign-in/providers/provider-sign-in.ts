import type { DiscoveredProvider } from '../../../api/contract'
import { serviceAddress } from '../../../api/service-address'
import { safeReturn } from '../../../navigation/return-to'
import { requestOf, returnFrom, type SignInSearch, samlRequestOf } from '../../../navigation/sign-in-search'
import { keepPending } from './pending-provider'

/** The longest path that the service carries through the sign-in. */
const longestReturn = 2_000

/** In seconds; beyond this limit, any sign-in at the provider is accepted. */
const oldestSignIn = 2_592_000

/**
 * Returns the maximum age of the sign-in at the provider, in seconds; undefined if any age is accepted. The service verifies the
 * application's request itself: this value only makes the provider authenticate the user.
 * @param asked seconds, from the request of the application for which the document was opened
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
  /** prefills the provider's form */
  email: string
  /** maximum age of the session at the provider, in seconds; 0 requires a new sign-in */
  maxAge: number | undefined
}

/** Returns the URL that starts a sign-in with `provider`. */
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

/** A path as browsers normalize it: the service rejects other spellings. */
function written(path: string): string {
  const { pathname, search, hash } = new URL(path, 'https://page.invalid')
  return safeReturn(pathname + search + hash)
}

/** Redirects this tab to the provider. */
export function leaveForProvider(provider: DiscoveredProvider, search: SignInSearch, wanted: Wanted) {
  keepPending(provider.id)
  location.assign(providerSignInHref(provider, search, wanted))
}
