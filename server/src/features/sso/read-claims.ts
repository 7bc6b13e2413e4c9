import { SECOND } from '../../platform/clock.js'
import { type Claims, shown } from '../../protocols/id-token/index.js'
import { mapAttributes } from './map-attributes.js'
import { oidcPreset } from './presets.js'
import type { Provider } from './provider.js'
import { namesTwoFactors } from './second-factor.js'
import type { Report, Statement } from './statement.js'

/** Claims of the protocol: no attributes of anybody. */
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
const MOST_SHOWN = 60

/** Whether something is missing that userinfo may have: the address, a name, or what the mapping asks for. */
export function lacksClaims(provider: Pick<Provider, 'type' | 'attributeMapping'>, idToken: Claims): boolean {
  const { email, profile } = mapAttributes(idToken, provider.attributeMapping, oidcPreset(provider.type).attributes)
  const mapped = Object.keys(provider.attributeMapping)
  return !email || !profile.firstName || !profile.lastName || mapped.some((name) => !Object.hasOwn(idToken, name))
}

/**
 * What a verified ID token, and the userinfo of the same subject, say of a person. Of two values of a claim that of the token counts.
 */
export function readClaims(
  provider: Pick<Provider, 'type' | 'attributeMapping'>,
  idToken: Claims,
  userinfo: Claims,
): { statement: Statement; report: Report } {
  const claims: Claims = { ...userinfo, ...idToken }
  const mapped = mapAttributes(claims, provider.attributeMapping, oidcPreset(provider.type).attributes)
  const received = Object.entries(claims)
    .filter(([name]) => !OF_PROTOCOL.has(name))
    .slice(0, MOST_SHOWN)
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
      secondFactor: sawSecondFactor(idToken),
    },
    report: { checks: mapped.checks, attributes: { received: Object.fromEntries(received), mapped: mapped.shown } },
  }
}

/**
 * `email_verified` is said of the claim `email` beside it, and of no other attribute or document: an address of another name is one of
 * which nothing is said. Whoever says no, says no to everything.
 */
function verifiedIn(idToken: Claims, userinfo: Claims, attribute: string | undefined): Statement['emailVerified'] {
  const said = [idToken, userinfo].map(({ email_verified: flag }) => flag)
  if (said.some((flag) => flag !== undefined && !isYes(flag))) return 'no'
  if (attribute !== 'email') return 'unsaid'
  const source = Object.hasOwn(idToken, 'email') ? idToken : userinfo
  const sameElsewhere = source === idToken && userinfo.email === idToken.email
  return isYes(source.email_verified) || (sameElsewhere && isYes(userinfo.email_verified)) ? 'yes' : 'unsaid'
}

/** Some write it as a text or a number. Whatever is none of these spellings of yes is a no. */
export const isYes = (flag: unknown): boolean =>
  flag === true || flag === 1 || (typeof flag === 'string' && ['true', '1'].includes(flag.trim().toLowerCase()))

/** Core 2: seconds. Userinfo is no source of it: it says nothing of this sign-in. */
const timestampOf = (seconds: unknown): number | undefined =>
  typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * SECOND : undefined

/** RFC 8176, and the contexts by which the known providers say it. */
const sawSecondFactor = ({ amr, acr }: Claims): boolean =>
  (Array.isArray(amr) && amr.includes('mfa')) || namesTwoFactors(acr)
