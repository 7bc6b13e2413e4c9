import { dpopNonce, isRecentNonce, verifyDpopProof } from '../../../protocols/dpop/index.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import { DPOP_ALGORITHMS } from '../discovery/discovery.js'
import type { ValidAccessToken } from '../model/access-token.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { useProof } from '../model/used-proofs.js'

/** Longer than a proof or its nonce is accepted. */
const STORED_FOR = 10 * 60_000

/** The scheme of the access token and its DPoP proof. */
export interface SentProof {
  scheme: 'bearer' | 'dpop'
  proof: string | undefined
  method: string
}

/**
 * Verifies the proof of a token that is bound to a key (RFC 9449 7). A token without a bound key must not use the DPoP scheme.
 * @param url public URL of the endpoint
 * @returns the nonce for the next proof, if the application's proofs require one
 * @throws invalid_token, invalid_dpop_proof, use_dpop_nonce
 */
export async function requireProof(
  { db, clock, serverKeys }: Pick<OidcProviderDeps, 'db' | 'clock' | 'serverKeys'>,
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
