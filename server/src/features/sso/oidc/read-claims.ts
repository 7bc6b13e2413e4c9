import { SECOND } from '../../../platform/clock.js'
import { type Claims, shown } from '../../../protocols/id-token/index.js'
import { mapAttributes } from '../linking/map-attributes.js'
import { namesTwoFactors } from '../linking/second-factor.js'
import type { Provider } from '../model/provider.js'
import type { Report, Statement } from '../model/statement.js'
import { oidcPreset } from '../providers/presets.js'

/** Claims of the protocol, which are not attributes of the user. */
const OF_PROTOCOL = new Set([
  'iss',
  'aud',
  'azp',
  'exp',
  'iat',
  'nbf',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'jti',
  'auth_time',
])
const MAX_SHOWN = 60

/** Whether userinfo may have claims that the ID token lacks: the email address, a name, or a mapped attribute. */
export function lacksClaims(provider: Pick<Provider, 'type' | 'attributeMapping'>, idToken: Claims): boolean {
  const { email, profile } = mapAttributes(idToken, provider.attributeMapping, oidcPreset(provider.type).attributes)
  const mapped = Object.keys(provider.attributeMapping)
  return !email || !profile.firstName || !profile.lastName || mapped.some((name) => !Object.hasOwn(idToken, name))
}

/** Reads the user's attributes from a verified ID token and its userinfo. The ID token takes precedence. */
export function readClaims(
  provider: Pick<Provider, 'type' | 'attributeMapping'>,
  idToken: Claims,
  userinfo: Claims,
): { statement: Statement; report: Report } {
  const claims: Claims = { ...userinfo, ...idToken }
  const mapped = mapAttributes(claims, provider.attributeMapping, oidcPreset(provider.type).attributes)
  const received = Object.entries(claims)
    .filter(([name]) => !OF_PROTOCOL.has(name))
    .slice(0, MAX_SHOWN)
    .map(([name, value]) => [shown(name), shown(value)])
  return {
    statement: {
      subject: String(idToken.sub),
      sessionIndex: typeof idToken.sid === 'string' ? idToken.sid.slice(0, 255) : null,
      email: mapped.email,
      emailVerified: verifiedIn(idToken, userinfo, mapped.email?.attribute),
      profile: mapped.profile,
      groups: mapped.groups,
      authenticatedAt: timestampOf(idToken.auth_time),
      secondFactor: statesSecondFactor(idToken),
    },
    report: { checks: mapped.checks, attributes: { received: Object.fromEntries(received), mapped: mapped.shown } },
  }
}

/**
 * `email_verified` refers only to the claim `email` of the same document. An email address from another attribute has no such claim. A
 * negative value in either document rejects every email address.
 */
function verifiedIn(idToken: Claims, userinfo: Claims, attribute: string | undefined): Statement['emailVerified'] {
  const said = [idToken, userinfo].map(({ email_verified: flag }) => flag)
  if (said.some((flag) => flag !== undefined && !isTrue(flag))) return 'no'
  if (attribute !== 'email') return 'unstated'
  const source = Object.hasOwn(idToken, 'email') ? idToken : userinfo
  const sameElsewhere = source === idToken && userinfo.email === idToken.email
  return isTrue(source.email_verified) || (sameElsewhere && isTrue(userinfo.email_verified)) ? 'yes' : 'unstated'
}

/** Some providers send a string or a number. Every other value means no. */
export const isTrue = (flag: unknown): boolean =>
  flag === true || flag === 1 || (typeof flag === 'string' && ['true', '1'].includes(flag.trim().toLowerCase()))

/** Seconds (Core 2). Only the ID token is read: userinfo is not about this sign-in. */
const timestampOf = (seconds: unknown): number | undefined =>
  typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * SECOND : undefined

/** Whether `amr` (RFC 8176) or `acr` indicates a second factor. */
const statesSecondFactor = ({ amr, acr }: Claims): boolean =>
  (Array.isArray(amr) && amr.includes('mfa')) || namesTwoFactors(acr)
