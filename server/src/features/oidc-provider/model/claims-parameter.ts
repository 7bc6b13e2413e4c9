import { CLAIMS_BY_SCOPE } from '../../oidc-config/index.js'

/** One member of the `claims` parameter (OpenID Connect Core 5.5). */
type ClaimsRequest = Record<string, { essential?: true; value?: string; values?: string[] } | null>

/** Claims about the sign-in, only for the ID token. */
const SIGN_IN_CLAIMS = ['sub', 'auth_time', 'acr', 'amr', 'sid']
const MAX_LENGTH = 4_096
const MAX_VALUE_LENGTH = 256

const isValue = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && value.isWellFormed() && !value.includes('\0')

const stringsIn = (values: unknown[]): string[] => values.filter(isValue).slice(0, 10)

function narrow(part: unknown, known: string[]): ClaimsRequest {
  if (typeof part !== 'object' || part === null) return {}
  const requested = part as Record<string, unknown>
  const entries = known
    .filter((name) => Object.hasOwn(requested, name))
    .map((name): [string, ClaimsRequest[string]] => {
      const { essential, value, values } = (requested[name] ?? {}) as Record<string, unknown>
      const member = {
        ...(essential === true && { essential: true as const }),
        ...(isValue(value) && { value }),
        ...(Array.isArray(values) && { values: stringsIn(values) }),
      }
      return [name, Object.keys(member).length > 0 ? member : null]
    })
  return Object.fromEntries(entries)
}

/** Returns the user claims that the scopes cover. */
export const claimsCovered = (scopes: readonly string[]): string[] =>
  scopes.flatMap((scope) => [...(CLAIMS_BY_SCOPE[scope as keyof typeof CLAIMS_BY_SCOPE] ?? [])])

/** Returns the scopes that cover the claims, because the consent page shows scopes. */
export const scopesOfClaims = (claims: readonly string[]): string[] =>
  Object.entries(CLAIMS_BY_SCOPE)
    .filter(([scope, covered]) => scope !== 'openid' && covered.some((claim) => claims.includes(claim)))
    .map(([scope]) => scope)

/**
 * Reduces the `claims` parameter to supported names and values, and to claims that the application's scopes cover.
 * @returns undefined if nothing remains; null for a malformed parameter
 */
export function narrowClaims(text: string, allowedScopes: readonly string[]): string | undefined | null {
  if (text.length > MAX_LENGTH) return null
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
  const covered = claimsCovered(allowedScopes)
  const narrowed = {
    userinfo: narrow(userinfo, covered),
    id_token: narrow(idToken, [...new Set([...covered, ...SIGN_IN_CLAIMS])]),
  }
  const left = Object.entries(narrowed).filter(([, part]) => Object.keys(part).length > 0)
  return left.length > 0 ? JSON.stringify(Object.fromEntries(left)) : undefined
}
