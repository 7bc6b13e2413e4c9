import { hash } from 'node:crypto'
import { SECOND } from '../../../platform/clock.js'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { secretsEqual } from '../../../platform/crypto/token-hash.js'
import type { PresentedToken } from '../engine/engine-context.js'
import { successorOfToken } from '../engine/token-reuse.js'
import type { Client } from '../model/client.js'
import { hasClientSecret } from '../model/client-secret.js'
import { defaultScopes, USER_SCOPES } from '../model/default-scopes.js'
import type { OidcProviderDeps } from '../model/deps.js'
import type { Issuer } from '../model/issuer.js'
import type { CommonRequest } from './common-request.js'

/** The claimed client, its issuer and the presented token of a request. */
export interface TokenContext {
  client: Client
  issuer: Issuer
  /** Undefined for client_credentials, and for a code or token that is not valid or belongs to another client or issuer. */
  presented: PresentedToken | undefined
  /** The request is at the endpoint of the issuer instead of the endpoint of all issuers. */
  atIssuer: boolean
}

/** The tokens of a granted request. */
export interface GrantedTokens {
  scopes: string[]
  /** The only resource of the access token. */
  audience: string
  /** The response contains an ID token. */
  withIdToken: boolean
  /** The key that derives the successor of the consumed token; undefined if the presented token is not consumed. */
  successorKey: ServerKey | undefined
  /** The new refresh token. */
  next: { token: string; payload: Payload } | undefined
}

/** An error response (RFC 6749 5.2). */
export interface TokenError {
  error: 'invalid_client' | 'invalid_grant' | 'invalid_request' | 'invalid_scope' | 'unauthorized_client'
  error_description: string
  scope?: string
}

/** `replayed`: the presented code or token was already used, so its grant must be revoked. */
export type Verdict = { granted: GrantedTokens } | { rejected: TokenError; replayed?: true }

type Payload = Record<string, unknown>
type Deps = Pick<OidcProviderDeps, 'serverKeys' | 'clock'>

const reject = (error: TokenError['error'], error_description: string, scope?: string): Verdict => ({
  rejected: { error, error_description, ...(scope !== undefined && { scope }) },
})

// The same for every cause, so that the response does not disclose why a code or token is invalid.
const INVALID_GRANT = { error: 'invalid_grant', error_description: 'grant request is invalid' } as const
const invalidGrant: Verdict = { rejected: INVALID_GRANT }
const replayed: Verdict = { rejected: INVALID_GRANT, replayed: true }

/**
 * Verifies a common token request (RFC 6749 4.1.3, 4.4.2, 6): the client's credentials first, then the request, in the order and with the
 * errors of the engine, which verifies all other requests (`verify-token-request.test.ts` compares them).
 * @returns undefined if the engine must handle the request, because only the engine issues the tokens of such a grant, such as one with requested claims
 */
export function verifyTokenRequest(deps: Deps, request: CommonRequest, context: TokenContext): Verdict | undefined {
  const { client } = context
  const { grantType, scope } = request
  if (!isAuthenticated(client, request.secret, deps.clock.now()))
    return reject('invalid_client', 'client authentication failed')
  if (
    !client.grantTypes.includes(grantType) ||
    (grantType === 'authorization_code' && client.redirectUris.length === 0)
  )
    return reject('unauthorized_client', 'requested grant type is not allowed for this client')
  if (grantType === 'authorization_code') return verifyCode(deps, request, context)
  if (scope !== null && !SCOPE_TEXT.test(scope)) return reject('invalid_scope', 'scope contains invalid characters')
  return grantType === 'refresh_token'
    ? verifyRefreshToken(deps, request, context)
    : verifyClientCredentials(request, context)
}

function isAuthenticated(client: Client, secret: string | null, now: Date): boolean {
  if (client.tokenEndpointAuthMethod === 'none') return secret === null
  return secret !== null && hasClientSecret(client, secret, now)
}

/** The engine handles every request with a DPoP proof, so a request that is verified here has none. */
const lacksRequiredProof = ({ requireDpop }: Client): boolean => requireDpop

/** Verifies an authorization code: the code verifier (RFC 7636 4.6) and the redirect URI (RFC 6749 4.1.3). */
function verifyCode(deps: Deps, request: CommonRequest, context: TokenContext): Verdict | undefined {
  const { redirectUri, codeVerifier } = request
  const { client, presented, atIssuer } = context
  // An authenticated confidential client may omit the redirect URI at the endpoint of all issuers.
  if (redirectUri === null && (atIssuer || client.isPublicClient || !presented))
    return reject('invalid_request', "missing required parameter 'redirect_uri'")
  if (!presented) return invalidGrant
  const { payload } = presented
  const malformed = codeVerifier === null ? undefined : verifierError(codeVerifier)
  if (malformed) return reject('invalid_request', malformed)
  if ((codeVerifier !== null || payload.codeChallenge !== undefined) && !isVerifierOf(payload, codeVerifier))
    return invalidGrant
  if (lacksRequiredProof(client)) return invalidGrant
  if (redirectUri !== null && redirectUri !== payload.redirectUri) return invalidGrant
  if (presented.consumedAt) return replayed
  if (payload.dpopJkt) return invalidGrant
  // Unreachable: a public client gets no code without a challenge, and a change of its authentication method invalidates earlier codes. Rejected
  // here too, so that PKCE depends on neither.
  if (client.isPublicClient && codeVerifier === null) return invalidGrant
  const scopes = scopesIn(payload)
  const issuedAt = Math.floor(deps.clock.ms() / SECOND)
  return grantFrom(presented, context, scopes, {
    successorKey: deps.serverKeys.current('successor'),
    next: firstRefreshToken(client, payload, scopes, issuedAt),
  })
}

/** RFC 7636 4.1. Returns the error, or undefined. */
function verifierError(verifier: string): string | undefined {
  if (verifier.length < 43) return 'code_verifier must be a string with a minimum length of 43 characters'
  if (verifier.length > 128) return 'code_verifier must be a string with a maximum length of 128 characters'
  return /[^\w.~-]/.test(verifier) ? 'code_verifier contains invalid characters' : undefined
}

const isVerifierOf = ({ codeChallenge, codeChallengeMethod }: Payload, verifier: string | null): boolean =>
  codeChallengeMethod === 'S256' &&
  verifier !== null &&
  secretsEqual(hash('sha256', verifier, 'base64url'), String(codeChallenge))

function verifyRefreshToken(
  { serverKeys }: Deps,
  { scope }: CommonRequest,
  context: TokenContext,
): Verdict | undefined {
  const { client, presented } = context
  if (!presented || lacksRequiredProof(client)) return invalidGrant
  const { payload } = presented
  const granted = scopesIn(payload)
  const requested = scope === null ? granted : [...new Set(scope.split(' '))]
  const missing = requested.filter((one) => !granted.includes(one))
  if (missing.length > 0) {
    const noun = missing.length === 1 ? 'scope' : 'scopes'
    return reject('invalid_scope', `refresh token missing requested ${noun}`, missing.join(' '))
  }
  if (payload.jkt) return invalidGrant
  if (presented.consumedAt) return replayed
  const next = nextRefreshToken(serverKeys.current('successor'), presented, client)
  return grantFrom(presented, context, requested, next)
}

/** Verifies client_credentials (RFC 6749 4.4), and grants no scopes about a user. */
function verifyClientCredentials({ scope }: CommonRequest, { client, issuer }: TokenContext): Verdict | undefined {
  if (client.isPublicClient) return undefined
  const requested = scope === null ? defaultScopes(client, false) : [...new Set(scope.split(' '))]
  const scopes = requested.filter((one) => client.scopes.includes(one) && !USER_SCOPES.includes(one))
  if (scope !== null && scopes.length === 0) return reject('invalid_scope', 'none of these scopes is allowed', scope)
  if (lacksRequiredProof(client)) return invalidGrant
  const granted = { scopes, audience: issuer.url, withIdToken: false, successorKey: undefined, next: undefined }
  return { granted }
}

/** RFC 6749 3.3. */
const SCOPE_TEXT = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/

const scopesIn = ({ scope }: Payload): string[] => String(scope ?? '').split(' ')

/**
 * Grants the requested scopes that the application may still have.
 * @returns undefined for a grant with requested claims, a resource that is no longer registered, or no remaining scope
 */
function grantFrom(
  { payload, grant }: PresentedToken,
  { client, issuer }: TokenContext,
  requested: string[],
  tokens: Pick<GrantedTokens, 'successorKey' | 'next'>,
): Verdict | undefined {
  const audience = payload.resource
  if (Object.keys((payload.claims ?? {}) as object).length > 0 || payload.rar) return undefined
  if (payload.clientId !== client.clientId || payload.accountId !== grant.userId) return undefined
  if (typeof audience !== 'string' || (audience !== issuer.url && !client.resources.includes(audience)))
    return undefined
  const scopes = grant.scopes.filter((scope) => requested.includes(scope))
  const withIdToken = requested.includes('openid')
  if (scopes.length === 0 || (withIdToken && !scopes.includes('openid'))) return undefined
  return { granted: { scopes, audience, withIdToken, ...tokens } }
}

/** The fields that a refresh token inherits from the presented code or token, as in the engine. */
const INHERITED =
  'accountId acr amr authTime claims expiresWithSession grantId nonce resource scope sessionUid sid clientId'.split(' ')

const inherited = (payload: Payload): Payload =>
  Object.fromEntries(INHERITED.filter((name) => name in payload).map((name) => [name, payload[name]]))

/** Returns the first refresh token of a grant. */
function firstRefreshToken(
  { grantTypes }: Client,
  payload: Payload,
  scopes: string[],
  iiat: number,
): GrantedTokens['next'] {
  if (!grantTypes.includes('refresh_token') || !scopes.includes('offline_access')) return undefined
  return { token: randomToken(), payload: { ...inherited(payload), gty: 'authorization_code', rotations: 0, iiat } }
}

/** Returns the next refresh token if rotation is enabled. */
function nextRefreshToken(
  key: ServerKey,
  { token, payload }: PresentedToken,
  { config }: Client,
): Pick<GrantedTokens, 'successorKey' | 'next'> {
  if (!config.tokenPolicy.rotationEnabled) return { successorKey: undefined, next: undefined }
  const gty = String(payload.gty ?? '')
  const next = {
    ...inherited(payload),
    ...(gty && { gty: gty.endsWith('refresh_token') ? gty : `${gty} refresh_token` }),
    iiat: payload.iiat,
    rotations: typeof payload.rotations === 'number' ? payload.rotations + 1 : 1,
  }
  return { successorKey: key, next: { token: successorOfToken(key, token), payload: next } }
}
