import { fromNow, SECOND } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { isRetryable } from '../../../platform/db/database-errors.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import { CLAIMS_BY_SCOPE, standardClaimsOf, toUserAttributes } from '../../oidc-config/index.js'
import { clientSourceKey } from '../clients/client-limits.js'
import { belongsToIssuer, findRequestingClient, issuerAt, type TeamColumns } from '../clients/requesting-client.js'
import type { EngineResponse } from '../engine/engine.js'
import type { Client } from '../model/client.js'
import { isSecretOf } from '../model/client-secret.js'
import { corsOf } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import type { IssuerPath } from '../model/issuer.js'
import { effectiveAccessLifetime } from '../model/lifetimes.js'
import { signAccessToken, signIdToken } from '../model/sign-tokens.js'
import { type FastPathRequest, parseFastPathRequest } from './fast-path-request.js'
import { findUnusedToken, type PresentedRow } from './presented-token.js'
import { type GrantedTokens, type TokenContext, verifyFastPathRequest } from './verify-fast-path.js'
import { type FastPathWrite, writeFastPath } from './write-fast-path.js'

export interface TokenRequest {
  sent: SentRequest
  /** The issuer of the endpoint; undefined at the endpoint of all issuers. */
  at: IssuerPath | undefined
  origin: RequestOrigin
}

/**
 * Grants a common token request in two round trips: one query reads everything that can invalidate it, and one statement consumes the
 * presented token, stores the new one and writes the audit entry. The fast path only grants. For every uncommon or invalid request, and
 * after a lost race, it returns undefined without a change, and the engine handles the request. The engine grants every request that
 * the fast path grants, with the same tokens (`fast-path.test.ts` compares them).
 */
export async function grantOnFastPath(
  deps: OidcProviderDeps,
  { sent, at, origin }: TokenRequest,
  form: URLSearchParams,
): Promise<EngineResponse | undefined> {
  const request = parseFastPathRequest(form, sent.header)
  if (!request) return undefined
  const found = await findTokenContext(deps, request, at, clientSourceKey(origin))
  const granted = found && verifyFastPathRequest(deps, request, found, at !== undefined)
  if (!found || !granted) return undefined

  const { client, row } = found
  const { response, use } = await issueTokens(deps, request, granted, found)
  const entry = deps.audit.entry(
    { userId: row?.user_id ?? null, teamId: client.teamId, agentId: client.isAiAgent ? client.id : null, origin },
    'application.token_issued',
    {
      resource: `application:${client.id}`,
      metadata: { grantType: request.grantType, ...(row && { grant: row.grant_id }) },
    },
  )
  const written = await writeFastPath(deps.db, entry, use).catch((error: unknown) => {
    // A referenced row was deleted in the meantime, or a concurrent request holds a lock: the engine's transaction retries.
    if (isRetryable(error)) return false
    throw error
  })
  if (!written) return undefined
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...corsOf(client, sent.header('origin')),
    },
    body: JSON.stringify(response),
  }
}

/** Returns the client, issuer and presented token of a request if all are valid and the client is authenticated. */
async function findTokenContext(
  deps: OidcProviderDeps,
  { clientId, secret, shown }: FastPathRequest,
  at: IssuerPath | undefined,
  source: Buffer,
): Promise<TokenContext | undefined> {
  const { db, clock, clients } = deps
  const now = clock.now()
  const row = shown && (await findUnusedToken(db, shown, now, source))
  const [team]: (TeamColumns | undefined)[] = shown
    ? [row]
    : await db.run(findRequestingClient, [clientId, now, source])
  // A source with failures must be counted, which needs a transaction.
  if (!team || team.client_id !== clientId || team.failures !== null || team.key_version === null) return undefined
  const client = belongsToIssuer(team, at) ? await clients.at(db, team.application_id, team.client_version) : undefined
  if (!client || client.requireDpop || !isAuthenticated(client, secret, now)) return undefined
  const issuer = await issuerAt(db, deps, at?.path ?? row?.issuer ?? team.team_id, team, team.key_version)
  return row && row.issuer !== issuer.path ? undefined : { client, issuer, row }
}

function isAuthenticated(client: Client, secret: string | null, now: Date): boolean {
  const { tokenEndpointAuthMethod: method } = client
  if (method === 'none') return secret === null
  return method.startsWith('client_secret_') && secret !== null && isSecretOf(client, secret, now)
}

/** Signs the tokens, and returns the response and the data to store. */
async function issueTokens(
  { clock, serverKeys }: OidcProviderDeps,
  { shown }: FastPathRequest,
  { scopes, audience, withIdToken, successorKey, next }: GrantedTokens,
  { client, issuer, row }: TokenContext,
): Promise<{ response: Record<string, unknown>; use: FastPathWrite }> {
  const { tokenPolicy } = client.config
  const lifetime = effectiveAccessLifetime(clock, tokenPolicy, row?.grant_ends_at)
  const { refreshTokenLifetime } = tokenPolicy
  const issuedAt = Math.floor(clock.ms() / SECOND)
  const scope = scopes.join(' ') || undefined
  const common = { issuer: issuer.url, client, userAttributes: row && toUserAttributes(row), issuedAt }
  const accessToken = await signAccessToken(
    {
      ...common,
      grant: row ? { userId: row.user_id, id: row.grant_id } : null,
      audience,
      scope,
      id: randomToken(),
      lifetime,
      requestedClaims: undefined,
    },
    issuer.keys,
    serverKeys.current('access_token').key,
  )
  const idToken =
    row &&
    withIdToken &&
    (await signIdToken({ ...common, claims: idTokenClaims(row, scopes), accessToken }, issuer.keys))
  const response = {
    access_token: accessToken,
    expires_in: lifetime,
    ...(idToken && { id_token: idToken }),
    // Without rotation the presented token remains valid.
    ...(next ? { refresh_token: next.token } : row && !successorKey && { refresh_token: shown?.token }),
    scope,
    token_type: 'Bearer',
  }
  // An access token can be issued just before the refresh token expires; its grant must be stored until both have expired.
  const grantUntil = fromNow(clock, ((next ? refreshTokenLifetime : 0) + lifetime) * SECOND)
  if (!row || !shown) return { response, use: { kind: 'own' } }
  if (!successorKey) return { response, use: { kind: 'keep', grantId: row.grant_id, grantUntil } }
  const exp = issuedAt + refreshTokenLifetime
  return {
    response,
    use: {
      kind: 'exchange',
      hash: tokenHash(shown.token),
      successorKeyId: successorKey.id,
      next: next && {
        hash: tokenHash(next.token),
        payload: { ...next.payload, kind: 'RefreshToken', iat: issuedAt, exp },
        expiresAt: fromNow(clock, refreshTokenLifetime * SECOND),
      },
      grantUntil,
    },
  }
}

/** Returns the standard claims of the granted scopes, `nonce` and `sid`. */
function idTokenClaims(row: PresentedRow, scopes: string[]): Record<string, unknown> {
  const names: string[] = scopes.flatMap((scope) => CLAIMS_BY_SCOPE[scope as keyof typeof CLAIMS_BY_SCOPE] ?? [])
  const { nonce, sid } = row.payload
  return {
    ...Object.fromEntries(
      Object.entries(standardClaimsOf(toUserAttributes(row))).filter(([name]) => names.includes(name)),
    ),
    ...(nonce !== undefined && { nonce }),
    ...(sid !== undefined && { sid }),
  }
}
