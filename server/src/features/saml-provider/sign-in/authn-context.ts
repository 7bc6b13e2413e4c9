import { AUTHN_CONTEXTS, type AuthnRequest } from '../../../protocols/saml/index.js'

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes:'

/**
 * The strength of each authentication context that a response can state. A mailed link, a passkey or a federated sign-in counts as a
 * password over TLS. Other contexts (Kerberos, client certificates) cannot be stated.
 */
const STRENGTH: ReadonlyMap<string, number> = new Map([
  [AUTHN_CONTEXTS.unspecified, 0],
  [`${CLASSES}Password`, 1],
  [AUTHN_CONTEXTS.password, 1],
  [AUTHN_CONTEXTS.multiFactor, 2],
  [`${CLASSES}TimeSyncToken`, 2],
  [`${CLASSES}MobileTwoFactorContract`, 2],
  ['http://schemas.microsoft.com/claims/multipleauthn', 2],
])
const PASSWORD = 1
const MULTI_FACTOR = 2

type RequestedContext = NonNullable<AuthnRequest['requestedAuthnContext']>

const COMPARISONS: Record<string, (strength: number, requested: number) => boolean> = {
  // A stronger authentication includes the requested one, and the response states the requested class. Otherwise a user with a second
  // factor could not sign in to an application that requests a password.
  exact: (strength, requested) => strength >= requested,
  minimum: (strength, requested) => strength >= requested,
  better: (strength, requested) => strength > requested,
  maximum: (strength, requested) => strength <= requested,
}

/**
 * Returns the context class to state in the response (Core 3.3.2.2.1). `second_factor`: the session would satisfy the request with a
 * second factor. `impossible`: neither this session nor a second factor can satisfy it.
 */
export function authnContextFor(
  requested: RequestedContext | undefined,
  amr: readonly string[],
): { stated: string } | 'second_factor' | 'impossible' {
  const strength = amr.includes('mfa') ? MULTI_FACTOR : PASSWORD
  const sessionContext = strength === MULTI_FACTOR ? AUTHN_CONTEXTS.multiFactor : AUTHN_CONTEXTS.password
  if (!requested || requested.classRefs.length === 0) return { stated: sessionContext }
  const satisfies = COMPARISONS[requested.comparison] ?? (() => false)
  // A class that no response can state has no strength to compare with.
  const classSatisfiedBy = (strength: number) =>
    requested.classRefs.find((name) => {
      const required = STRENGTH.get(name)
      return required !== undefined && satisfies(strength, required)
    })
  const found = classSatisfiedBy(strength)
  if (found !== undefined) return { stated: requested.comparison === 'exact' ? found : sessionContext }
  return strength < MULTI_FACTOR && classSatisfiedBy(MULTI_FACTOR) !== undefined ? 'second_factor' : 'impossible'
}
