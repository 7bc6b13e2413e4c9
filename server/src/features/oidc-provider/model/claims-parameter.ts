import { CLAIMS_OF_SCOPE } from '../../oidc-config/index.js'

/** What a request may ask for by name (OpenID Connect Core 5.5), as far as the application's scopes cover it. */
type Asked = Record<string, { essential?: true; value?: string; values?: string[] } | null>

/** Of the ID token alone, and about the sign-in and not the person. */
const SIGN_IN_CLAIMS = ['sub', 'auth_time', 'acr', 'amr', 'sid']
const LONGEST = 4_096
const LONGEST_VALUE = 256

const isValue = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_VALUE && value.isWellFormed() && !value.includes('\0')

const stringsIn = (values: unknown[]): string[] => values.filter(isValue).slice(0, 10)

function narrow(part: unknown, known: string[]): Asked {
  if (typeof part !== 'object' || part === null) return {}
  const wanted = part as Record<string, unknown>
  const entries = known
    .filter((name) => Object.hasOwn(wanted, name))
    .map((name): [string, Asked[string]] => {
      const { essential, value, values } = (wanted[name] ?? {}) as Record<string, unknown>
      const member = {
        ...(essential === true && { essential: true as const }),
        ...(isValue(value) && { value }),
        ...(Array.isArray(values) && { values: stringsIn(values) }),
      }
      return [name, Object.keys(member).length > 0 ? member : null]
    })
  return Object.fromEntries(entries)
}

/** The claims about a person that these scopes cover. */
export const claimsCovered = (scopes: readonly string[]): string[] =>
  scopes.flatMap((scope) => [...(CLAIMS_OF_SCOPE[scope as keyof typeof CLAIMS_OF_SCOPE] ?? [])])

/** The scopes of an application that stand for claims asked for by name: a person is asked in scopes. */
export const scopesOfClaims = (claims: readonly string[]): string[] =>
  Object.entries(CLAIMS_OF_SCOPE)
    .filter(([scope, covered]) => scope !== 'openid' && covered.some((claim) => claims.includes(claim)))
    .map(([scope]) => scope)

/**
 * The parameter `claims` as it is handed on: of what was sent only names and values that mean something here, and only claims that
 * the application's scopes cover. Undefined where nothing is left; null for a text that is no such request.
 */
export function narrowClaims(text: string, allowedScopes: readonly string[]): string | undefined | null {
  if (text.length > LONGEST) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
  const { userinfo, id_token: idToken } = parsed as Record<string, unknown>
  if (
    [userinfo, idToken].some(
      (part) => part !== undefined && (typeof part !== 'object' || part === null || Array.isArray(part)),
    )
  )
    return null
  const person = claimsCovered(allowedScopes)
  const narrowed = {
    userinfo: narrow(userinfo, person),
    id_token: narrow(idToken, [...new Set([...person, ...SIGN_IN_CLAIMS])]),
  }
  const left = Object.entries(narrowed).filter(([, part]) => Object.keys(part).length > 0)
  return left.length > 0 ? JSON.stringify(Object.fromEntries(left)) : undefined
}
