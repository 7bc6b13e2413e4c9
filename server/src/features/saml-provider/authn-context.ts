import { AUTHN_CONTEXTS, type AuthnRequest } from '../../protocols/saml/index.js'

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes:'

/**
 * How strong each class of sign-in is that we can say of ours. Every sign-in here counts as at least a password over TLS: a mailed link, a
 * passkey and the provider of a team prove no less. Others (Kerberos, client certificates) we cannot say.
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

type Asked = NonNullable<AuthnRequest['requestedAuthnContext']>

const FITS: Record<string, (strength: number, asked: number) => boolean> = {
  // A sign-in that proved more has done what the class says too.
  exact: (strength, asked) => strength >= asked,
  minimum: (strength, asked) => strength >= asked,
  better: (strength, asked) => strength > asked,
  maximum: (strength, asked) => strength <= asked,
}

/**
 * The class that an answer states (Core 3.3.2.2.1). `second_factor`: the session lacks one, with which it would fit. `impossible`: no
 * sign-in here fits.
 */
export function statedContext(
  asked: Asked | undefined,
  amr: readonly string[],
): { stated: string } | 'second_factor' | 'impossible' {
  const strength = amr.includes('mfa') ? MULTI_FACTOR : PASSWORD
  const own = strength === MULTI_FACTOR ? AUTHN_CONTEXTS.multiFactor : AUTHN_CONTEXTS.password
  if (!asked || asked.classRefs.length === 0) return { stated: own }
  const fits = FITS[asked.comparison] ?? (() => false)
  const fitting = (has: number) => asked.classRefs.find((name) => fits(has, STRENGTH[name] ?? Number.POSITIVE_INFINITY))
  const known = asked.classRefs.some((name) => STRENGTH[name] !== undefined)
  const found = fitting(strength)
  if (known && found !== undefined) return { stated: asked.comparison === 'exact' ? found : own }
  return known && strength < MULTI_FACTOR && fitting(MULTI_FACTOR) !== undefined ? 'second_factor' : 'impossible'
}
