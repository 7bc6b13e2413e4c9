import { oauthRefusal } from '../../platform/http/oauth-dialect.js'
import { findLiveAccessToken } from './access-token.js'
import { claimsCovered } from './asked-claims.js'
import type { OidcProviderDeps } from './deps.js'
import type { IssuerPath } from './issuer.js'
import { claimsOf } from '../oidc-config/index.js'

const invalid = (detail: string, error?: string) =>
  oauthRefusal('invalid_token', {
    detail,
    headers: { 'www-authenticate': `Bearer realm="keyward"${error ? `, error="${error}"` : ''}` },
  })

/**
 * The claims of the person to whom an access token belongs, as far as its scopes reach (OpenID Connect Core 5.3).
 * @param sent the token in the header or in the form: one of them
 * @throws invalid_token, insufficient_scope, invalid_request
 */
export async function readUserinfo(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  { header, inForm }: { header: string | undefined; inForm: string | undefined },
): Promise<Record<string, unknown>> {
  if (header && inForm) throw oauthRefusal('invalid_request', { detail: 'the access token was sent twice' })
  const token = header ?? inForm
  if (!token) throw invalid('no access token was sent')
  const live = await findLiveAccessToken(deps.db, deps, token)
  // Tokens are of the issuer that they were asked under, and of no other.
  // A token that is bound to a key is not good without the proof of that key (RFC 9449 7.2).
  if (live?.claims.cnf) throw invalid('the access token is bound to a key', 'invalid_token')
  if (!live?.person || !path || live.issuerPath !== path.path)
    throw invalid('the access token is not valid', 'invalid_token')
  if (!live.scopes.includes('openid'))
    throw oauthRefusal('insufficient_scope', {
      headers: { 'www-authenticate': 'Bearer realm="keyward", error="insufficient_scope", scope="openid"' },
    })
  const available = claimsOf(live.person)
  const wanted = new Set<string>(claimsCovered(live.scopes))
  const covered = claimsCovered(live.allowedScopes)
  for (const claim of claimsAskedByName(live.claims)) if (covered.includes(claim)) wanted.add(claim)
  return Object.fromEntries(Object.entries(available).filter(([name]) => wanted.has(name)))
}

/** The names that the authorize request asked for in `claims.userinfo`, which the token carries along. */
const claimsAskedByName = ({ uic }: Record<string, unknown>): string[] =>
  Array.isArray(uic) ? uic.filter((name): name is string => typeof name === 'string') : []
