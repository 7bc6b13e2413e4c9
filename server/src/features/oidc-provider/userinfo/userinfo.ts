import { oauthError } from '../../../protocols/oauth/index.js'
import { standardClaimsOf } from '../../oidc-config/index.js'
import { verifyAccessToken } from '../model/access-token.js'
import { PROFILE_READER } from '../model/access-token-queries.js'
import { claimsCovered } from '../model/claims-parameter.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { type IssuerPath, issuerUrl } from '../model/issuer.js'
import { requireProof, type SentProof } from './userinfo-proof.js'

const invalid = (detail: string, error?: string) =>
  oauthError('invalid_token', {
    detail,
    headers: { 'www-authenticate': `Bearer realm="keyward"${error ? `, error="${error}"` : ''}` },
  })

export interface UserinfoRequest extends Omit<SentProof, 'scheme'> {
  /** The token in the Authorization header, with its scheme. */
  header: { scheme: SentProof['scheme']; token: string } | undefined
  /** The token in the form. A token that is bound to a key is rejected there. */
  inForm: string | undefined
}

/**
 * Returns the claims of the user of an access token that its scopes cover (OpenID Connect Core 5.3).
 * `nonce` is for the next proof, if the application's proofs require one.
 * @throws invalid_token, insufficient_scope, invalid_request, invalid_dpop_proof, use_dpop_nonce
 */
export async function readUserinfo(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  { header, inForm, proof, method }: UserinfoRequest,
): Promise<{ claims: Record<string, unknown>; nonce: string | undefined }> {
  if (header && inForm) throw oauthError('invalid_request', { detail: 'the access token was sent twice' })
  const token = header?.token ?? inForm
  if (!token) throw invalid('no access token was sent')
  const live = await verifyAccessToken(deps.db, deps, token, PROFILE_READER)
  // A token is valid only at the issuer that issued it.
  if (!live?.userAttributes || !path || live.issuerPath !== path.path || !live.isForIssuer)
    throw invalid('the access token is not valid', 'invalid_token')
  const sent = { scheme: header?.scheme ?? 'bearer', proof, method } as const
  const url = `${issuerUrl(deps.config.baseUrl, path.path)}/userinfo`
  const nonce = await requireProof(deps, live, token, sent, url)
  if (!live.scopes.includes('openid'))
    throw oauthError('insufficient_scope', {
      headers: { 'www-authenticate': 'Bearer realm="keyward", error="insufficient_scope", scope="openid"' },
    })
  const available = standardClaimsOf(live.userAttributes)
  const wanted = new Set<string>(claimsCovered(live.scopes))
  const covered = claimsCovered(live.allowedScopes)
  for (const claim of requestedClaims(live.claims)) if (covered.includes(claim)) wanted.add(claim)
  return { claims: Object.fromEntries(Object.entries(available).filter(([name]) => wanted.has(name))), nonce }
}

/** Returns the claims that the authorization request named in `claims.userinfo`, which the token contains. */
const requestedClaims = ({ uic }: Record<string, unknown>): string[] =>
  Array.isArray(uic) ? uic.filter((name): name is string => typeof name === 'string') : []
