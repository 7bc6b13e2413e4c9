import { dpopNonce, isRecentNonce, verifyDpopProof } from '../../../protocols/dpop/index.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import { standardClaimsOf } from '../../oidc-config/index.js'
import { DPOP_ALGORITHMS } from '../discovery/discovery.js'
import { PROFILE_READER, type ValidAccessToken, verifyAccessToken } from '../model/access-token.js'
import { claimsCovered } from '../model/claims-parameter.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { type IssuerPath, issuerUrl } from '../model/issuer.js'
import { useProof } from '../model/used-proofs.js'

/** The scheme of the access token and its DPoP proof. */
interface SentProof {
  scheme: 'bearer' | 'dpop'
  proof: string | undefined
  method: string
}

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

const invalid = (detail: string, error?: string) =>
  oauthError('invalid_token', {
    detail,
    headers: { 'www-authenticate': `Bearer realm="keyward"${error ? `, error="${error}"` : ''}` },
  })

/** Longer than a proof or its nonce is accepted. */
const STORED_FOR = 10 * 60_000

/**
 * Verifies the proof of a token that is bound to a key (RFC 9449 7). A token without a bound key must not use the DPoP scheme.
 * @param url public URL of the endpoint
 * @returns the nonce for the next proof, if the application's proofs require one
 * @throws invalid_token, invalid_dpop_proof, use_dpop_nonce
 */
async function requireProof(
  { db, clock, serverKeys }: OidcProviderDeps,
  live: Pick<ValidAccessToken<unknown>, 'claims' | 'dpopNonceEnabled'>,
  token: string,
  { scheme, proof, method }: SentProof,
  url: string,
): Promise<string | undefined> {
  const boundTo = (live.claims.cnf as { jkt?: string } | undefined)?.jkt
  if (boundTo === undefined) {
    if (scheme === 'dpop') throw reject('invalid_token', 'the access token is not bound to a key')
    return undefined
  }
  if (scheme === 'bearer')
    throw reject('invalid_token', 'the access token is bound to a key: send it as DPoP, with a proof')
  if (!proof) throw reject('invalid_dpop_proof', 'the proof is missing')
  const now = clock.ms()
  const verdict = verifyDpopProof({
    proof,
    method,
    url,
    accessToken: token,
    boundTo,
    now,
    algorithms: DPOP_ALGORITHMS,
  })
  if ('violation' in verdict) throw reject('invalid_dpop_proof', verdict.violation)
  const secret = serverKeys.current('dpop_nonce').key
  const nonce = dpopNonce(secret, now)
  // A client with a wrong clock can use a nonce: it proves the time of the proof by the clock of the service.
  const wanted = live.dpopNonceEnabled || verdict.nonce !== undefined || !verdict.recent
  if (wanted && (verdict.nonce === undefined || !isRecentNonce(secret, now, verdict.nonce)))
    throw reject('use_dpop_nonce', 'the proof must contain the nonce of this response', { 'dpop-nonce': nonce })
  if (!(await useProof(db, `userinfo proof ${boundTo} ${verdict.jti}`, new Date(now + STORED_FOR))))
    throw reject('invalid_dpop_proof', 'the proof was already used')
  return wanted ? nonce : undefined
}

const reject = (
  error: 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce',
  detail: string,
  headers: Record<string, string> = {},
) =>
  oauthError(error, {
    status: 401,
    detail,
    headers: {
      'www-authenticate': `DPoP realm="keyward", error="${error}", algs="${DPOP_ALGORITHMS.join(' ')}"`,
      ...headers,
    },
  })
