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

/** What stands behind a plain request: all of it stands, and the client has proven itself. */
export interface Behind {
  client: Client
  issuer: Issuer
  /** What was presented, unused and in time; undefined for an application's own credentials. */
  row: PresentedRow | undefined
}

/** What a plain request is granted. */
export interface Granted {
  scopes: string[]
  /** The one resource that the access token is for. */
  audience: string
  /** An ID token comes with it. */
  identifies: boolean
  /** What is presented is used up, and this key is noted as the one that derives its successor; undefined where it stays. */
  usedUpBy: ServerKey | undefined
  /** A new refresh token comes with it. */
  next: { token: string; payload: Payload } | undefined
}

type Payload = Record<string, unknown>

/** Judges it by what stands behind it; undefined where that is for the engine. */
export function verifyFastPathRequest(
  { serverKeys, clock }: Pick<OidcProviderDeps, 'serverKeys' | 'clock'>,
  request: FastPathRequest,
  { client, issuer, row }: Behind,
  atIssuer: boolean,
): Granted | undefined {
  if (!client.grantTypes.includes(request.grantType) || !isScopeText(request.scope)) return undefined
  if (!row) return ownGrant(request, client, issuer)
  const { payload } = row
  const audience = payload.resource
  const isPlain =
    Object.keys((payload.claims ?? {}) as object).length === 0 && !payload.jkt && !payload.dpopJkt && !payload.rar
  if (!isPlain || typeof audience !== 'string' || payload.clientId !== client.clientId) return undefined
  if (payload.accountId !== row.user_id || (audience !== issuer.url && !client.resources.includes(audience)))
    return undefined
  const given = String(payload.scope ?? '').split(' ')
  const asked = request.grantType === 'refresh_token' && request.scope ? request.scope.split(' ') : given
  const scopes = scopesNow(row, client).filter((scope) => asked.includes(scope))
  const identifies = asked.includes('openid')
  // What is left of it is for the engine to say.
  if (scopes.length === 0 || !asked.every((scope) => given.includes(scope))) return undefined
  if (identifies && !scopes.includes('openid')) return undefined
  const rest = { scopes, audience, identifies }
  const key = serverKeys.current('successor')
  return request.grantType === 'refresh_token'
    ? { ...rest, ...nextOf(key, request, client, payload) }
    : isExchangeable(request, client, payload, atIssuer)
      ? { ...rest, usedUpBy: key, next: firstOf(client, payload, given, Math.floor(clock.ms() / SECOND)) }
      : undefined
}

/** RFC 6749 3.3. */
const SCOPE_TEXT = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/

const isScopeText = (scope: string | null): boolean => scope === null || SCOPE_TEXT.test(scope)

/** RFC 6749 4.4: scopes about a person mean nothing where there is none. */
function ownGrant({ scope }: FastPathRequest, client: Client, issuer: Issuer): Granted | undefined {
  if (client.isPublicClient) return undefined
  const asked = scope === null ? defaultScopes(client, false) : [...new Set(scope.split(' '))]
  const scopes = asked.filter((one) => client.scopes.includes(one) && !USER_SCOPES.includes(one))
  if (asked.length > 0 && scopes.length === 0) return undefined
  return { scopes, audience: issuer.url, identifies: false, usedUpBy: undefined, next: undefined }
}

/** RFC 6749 4.1.3, RFC 7636 4.6. */
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

/** What the engine keeps of what was presented, in whatever follows it. */
const KEPT = ['accountId', 'acr', 'amr', 'authTime', 'claims', 'expiresWithSession', 'grantId', 'nonce', 'resource']
const KEPT_TOO = ['scope', 'sessionUid', 'sid', 'clientId']

const stored = (payload: Payload): Payload =>
  Object.fromEntries([...KEPT, ...KEPT_TOO].filter((name) => name in payload).map((name) => [name, payload[name]]))

/** The first refresh token of a grant. */
function firstOf({ grantTypes }: Client, payload: Payload, scopes: string[], iiat: number): Granted['next'] {
  if (!grantTypes.includes('refresh_token') || !scopes.includes('offline_access')) return undefined
  return { token: randomToken(), payload: { ...stored(payload), gty: 'authorization_code', rotations: 0, iiat } }
}

/** The refresh token that follows another one, where they are rotated. */
function nextOf(
  key: ServerKey,
  { shown }: FastPathRequest,
  { config }: Client,
  payload: Payload,
): Pick<Granted, 'usedUpBy' | 'next'> {
  if (!shown || !config.tokenPolicy.rotationEnabled) return { usedUpBy: undefined, next: undefined }
  const gty = String(payload.gty ?? '')
  const next = {
    ...stored(payload),
    ...(gty && { gty: gty.endsWith('refresh_token') ? gty : `${gty} refresh_token` }),
    iiat: payload.iiat,
    rotations: typeof payload.rotations === 'number' ? payload.rotations + 1 : 1,
  }
  return { usedUpBy: key, next: { token: successorOfToken(key, shown.token), payload: next } }
}
