import { AUTHN_CONTEXTS, type AuthnRequest } from '../../../protocols/saml/index.js'

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes:'

/**
 * The strength of each authentication context that a response can state. Every sign-in is at least as strong as a password over TLS: a
 * mailed link, a passkey and a team's provider are not weaker. Other contexts (Kerberos, client certificates) cannot be stated.
 */
const STRENGTH: Record<string, number> = {
  [AUTHN_CONTEXTS.unspecified]: 0,
  [`${CLASSES}Password`]: 1,
  [AUTHN_CONTEXTS.password]: 1,
  [AUTHN_CONTEXTS.multiFactor]: 2,
  [`${CLASSES}TimeSyncToken`]: 2,
  [`${CLASSES}MobileTwoFactorContract`]: 2,
  'http://schemas.microsoft.com/claims/multipleauthn': 2,
}
const PASSWORD = 1
const MULTI_FACTOR = 2

type RequestedContext = NonNullable<AuthnRequest['requestedAuthnContext']>

const FITS: Record<string, (strength: number, requested: number) => boolean> = {
  // A stronger authentication satisfies the class as well.
  exact: (strength, requested) => strength >= requested,
  minimum: (strength, requested) => strength >= requested,
  better: (strength, requested) => strength > requested,
  maximum: (strength, requested) => strength <= requested,
}

/**
 * Returns the context class to state in the response (Core 3.3.2.2.1). `second_factor`: the session would satisfy the request with a
 * second factor. `impossible`: no sign-in can satisfy it.
 */
export function statedContext(
  requested: RequestedContext | undefined,
  amr: readonly string[],
): { stated: string } | 'second_factor' | 'impossible' {
  const strength = amr.includes('mfa') ? MULTI_FACTOR : PASSWORD
  const own = strength === MULTI_FACTOR ? AUTHN_CONTEXTS.multiFactor : AUTHN_CONTEXTS.password
  if (!requested || requested.classRefs.length === 0) return { stated: own }
  const fits = FITS[requested.comparison] ?? (() => false)
  const fitting = (has: number) =>
    requested.classRefs.find((name) => fits(has, STRENGTH[name] ?? Number.POSITIVE_INFINITY))
  const known = requested.classRefs.some((name) => STRENGTH[name] !== undefined)
  const found = fitting(strength)
  if (known && found !== undefined) return { stated: requested.comparison === 'exact' ? found : own }
  return known && strength < MULTI_FACTOR && fitting(MULTI_FACTOR) !== undefined ? 'second_factor' : 'impossible'
}
