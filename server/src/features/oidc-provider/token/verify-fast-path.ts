import { hash } from 'node:crypto'
import { SECOND } from '../../../platform/clock.js'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { secretsEqual } from '../../../platform/crypto/token-hash.js'
import { successorOfToken } from '../engine/derive-successor.js'
import type { Client } from '../model/client.js'
import { defaultScopes, USER_SCOPES } from '../model/default-scopes.js'
import type { OidcProviderDeps } from '../model/deps.js'
import type { Issuer } from '../model/issuer.js'
import type { FastPathRequest } from './fast-path-request.js'
import { type PresentedRow, scopesNow } from './presented-token.js'

/** The authenticated client, the issuer and the presented token of a request. */
export interface TokenContext {
  client: Client
  issuer: Issuer
  /** The presented token, unused and not expired; undefined for client_credentials. */
  row: PresentedRow | undefined
}

/** The result of a granted request. */
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

type Payload = Record<string, unknown>

/** Verifies a request; returns undefined if the engine must handle it. */
export function verifyFastPathRequest(
  { serverKeys, clock }: Pick<OidcProviderDeps, 'serverKeys' | 'clock'>,
  request: FastPathRequest,
  { client, issuer, row }: TokenContext,
  atIssuer: boolean,
): GrantedTokens | undefined {
  if (!client.grantTypes.includes(request.grantType) || !isScopeText(request.scope)) return undefined
  if (!row) return grantClientCredentials(request, client, issuer)
  const { payload } = row
  const audience = payload.resource
  const isPlain =
    Object.keys((payload.claims ?? {}) as object).length === 0 && !payload.jkt && !payload.dpopJkt && !payload.rar
  if (!isPlain || typeof audience !== 'string' || payload.clientId !== client.clientId) return undefined
  if (payload.accountId !== row.user_id || (audience !== issuer.url && !client.resources.includes(audience)))
    return undefined
  const given = String(payload.scope ?? '').split(' ')
  const requested = request.grantType === 'refresh_token' && request.scope ? request.scope.split(' ') : given
  const scopes = scopesNow(row, client).filter((scope) => requested.includes(scope))
  const withIdToken = requested.includes('openid')
  // The engine rejects a request without any remaining scope, or with a scope that was not granted.
  if (scopes.length === 0 || !requested.every((scope) => given.includes(scope))) return undefined
  if (withIdToken && !scopes.includes('openid')) return undefined
  const rest = { scopes, audience, withIdToken }
  const key = serverKeys.current('successor')
  return request.grantType === 'refresh_token'
    ? { ...rest, ...nextRefreshToken(key, request, client, payload) }
    : isExchangeable(request, client, payload, atIssuer)
      ? { ...rest, successorKey: key, next: firstRefreshToken(client, payload, given, Math.floor(clock.ms() / SECOND)) }
      : undefined
}

/** RFC 6749 3.3. */
const SCOPE_TEXT = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/

const isScopeText = (scope: string | null): boolean => scope === null || SCOPE_TEXT.test(scope)

/** Grants client_credentials (RFC 6749 4.4), without the scopes about a user. */
function grantClientCredentials({ scope }: FastPathRequest, client: Client, issuer: Issuer): GrantedTokens | undefined {
  if (client.isPublicClient) return undefined
  const requested = scope === null ? defaultScopes(client, false) : [...new Set(scope.split(' '))]
  const scopes = requested.filter((one) => client.scopes.includes(one) && !USER_SCOPES.includes(one))
  if (requested.length > 0 && scopes.length === 0) return undefined
  return { scopes, audience: issuer.url, withIdToken: false, successorKey: undefined, next: undefined }
}

/** Returns whether the redirect URI (RFC 6749 4.1.3) and the code verifier (RFC 7636 4.6) match the code. */
function isExchangeable(
  { redirectUri, codeVerifier }: FastPathRequest,
  client: Client,
  { redirectUri: registered, codeChallenge, codeChallengeMethod }: Payload,
  atIssuer: boolean,
): boolean {
  const mayOmit = !atIssuer && !client.isPublicClient
  if (redirectUri === null ? !mayOmit : redirectUri !== registered) return false
  if (client.redirectUris.length === 0) return false
  if (codeVerifier === null && codeChallenge === undefined) return !client.isPublicClient
  if (!/^[\w.~-]{43,128}$/.test(codeVerifier ?? '') || codeChallengeMethod !== 'S256') return false
  return secretsEqual(hash('sha256', String(codeVerifier), 'base64url'), String(codeChallenge))
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
  { shown }: FastPathRequest,
  { config }: Client,
  payload: Payload,
): Pick<GrantedTokens, 'successorKey' | 'next'> {
  if (!shown || !config.tokenPolicy.rotationEnabled) return { successorKey: undefined, next: undefined }
  const gty = String(payload.gty ?? '')
  const next = {
    ...inherited(payload),
    ...(gty && { gty: gty.endsWith('refresh_token') ? gty : `${gty} refresh_token` }),
    iiat: payload.iiat,
    rotations: typeof payload.rotations === 'number' ? payload.rotations + 1 : 1,
  }
  return { successorKey: key, next: { token: successorOfToken(key, shown.token), payload: next } }
}
