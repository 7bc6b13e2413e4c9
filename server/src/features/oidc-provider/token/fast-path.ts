import { fromNow, SECOND } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { isRetryable } from '../../../platform/db/database-errors.js'
import { standardClaimsOf } from '../../oidc-config/index.js'
import { clientSourceKey } from '../clients/client-limits.js'
import {
  belongsToIssuer,
  type ClientRequest,
  findRequestingClient,
  type TeamColumns,
} from '../clients/requesting-client.js'
import type { EngineResponse } from '../engine/engine.js'
import type { PresentedToken } from '../engine/engine-context.js'
import { grantUseOf } from '../engine/write-token-use.js'
import { claimsCovered } from '../model/claims-parameter.js'
import { corsOf } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerOf } from '../model/find-issuer.js'
import { effectiveAccessLifetime } from '../model/lifetimes.js'
import { signAccessToken, signIdToken } from '../model/sign-tokens.js'
import type { CommonRequest } from './common-request.js'
import { findUnusedToken, presentedOf } from './presented-token.js'
import { type GrantedTokens, type TokenContext, verifyTokenRequest } from './verify-token-request.js'
import { type FastPathWrite, writeFastPath } from './write-fast-path.js'

/** RFC 6749 5.1: a token response must not be cached. */
export const TOKEN_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/**
 * Grants a common token request in two round trips: one query reads everything that can invalidate it, and one statement consumes the
 * presented token, stores the new one and writes the audit entry, if the request has one. For a rejected request, and after a lost race, it returns undefined
 * without a change: `requestToken` verifies the request again in a transaction, which locks the token and records the error.
 */
export async function grantOnFastPath(
  deps: OidcProviderDeps,
  { sent, at, origin }: ClientRequest,
  request: CommonRequest,
): Promise<EngineResponse | undefined> {
  const context = await findTokenContext(deps, request, at, clientSourceKey(origin))
  const verdict = context && verifyTokenRequest(deps, request, context)
  if (!context || !verdict || !('granted' in verdict)) return undefined

  const { client, presented } = context
  const { response, use } = await issueTokens(deps, verdict.granted, context, origin)
  const grant = presented?.grant
  const entry = await deps.audit.valuesOf(deps.db, {
    by: { userId: grant?.userId ?? null, teamId: client.teamId, agentId: client.isAiAgent ? client.id : null, origin },
    action: 'application.token_issued',
    details: {
      resource: `application:${client.id}`,
      metadata: { grantType: request.grantType, ...(grant && { grant: grant.id }) },
    },
  })
  const written = await writeFastPath(deps.db, entry, use).catch((error: unknown) => {
    // A referenced row was deleted in the meantime, or a concurrent request holds a lock: the engine's transaction retries.
    if (isRetryable(error)) return false
    throw error
  })
  if (!written) return undefined
  const headers = { ...TOKEN_HEADERS, ...corsOf(client, sent.header('origin')) }
  return { status: 200, headers, body: JSON.stringify(response) }
}

/** Reads the client, issuer and presented token of a request. Returns undefined for a source with failures, which must be counted. */
async function findTokenContext(
  deps: OidcProviderDeps,
  { clientId, presented }: CommonRequest,
  at: ClientRequest['at'],
  source: Buffer,
): Promise<TokenContext | undefined> {
  const { db, clock, clients } = deps
  const now = clock.now()
  const row = presented && (await findUnusedToken(db, presented, now, source))
  const [team]: (TeamColumns | undefined)[] = presented
    ? [row]
    : await db.run(findRequestingClient, [clientId, now, source])
  if (!team || team.client_id !== clientId || team.failures !== null || team.key_version === null) return undefined
  const client = belongsToIssuer(team, at) ? await clients.at(db, team.application_id, team.client_version) : undefined
  if (!client) return undefined
  const issuer = await issuerOf(db, deps, at?.path ?? row?.issuer ?? team.team_id, team, team.key_version)
  if (row && row.issuer !== issuer.path) return undefined
  const token = row && presented && (await presentedOf(deps, row, presented.token, client))
  return { client, issuer, presented: token, atIssuer: at !== undefined }
}

/** Signs the tokens, and returns the response and the data to store. */
async function issueTokens(
  { clock, serverKeys }: OidcProviderDeps,
  { scopes, audience, withIdToken, successorKey, next }: GrantedTokens,
  { client, issuer, presented }: TokenContext,
  origin: ClientRequest['origin'],
): Promise<{ response: Record<string, unknown>; use: FastPathWrite }> {
  const { tokenPolicy } = client.config
  const grant = presented?.grant
  const lifetime = effectiveAccessLifetime(clock, tokenPolicy, grant?.endsAt)
  const { refreshTokenLifetime } = tokenPolicy
  const issuedAt = Math.floor(clock.ms() / SECOND)
  const scope = scopes.join(' ') || undefined
  const common = { issuer: issuer.url, client, userAttributes: presented?.userAttributes, issuedAt }
  const accessToken = await signAccessToken(
    { ...common, grant: grant ?? null, audience, scope, id: randomToken(), lifetime, requestedClaims: undefined },
    issuer.keys,
    serverKeys.current('access_token').key,
  )
  const idToken =
    presented &&
    withIdToken &&
    (await signIdToken({ ...common, claims: idTokenClaims(presented, scopes), accessToken }, issuer.keys))
  const response = {
    access_token: accessToken,
    expires_in: lifetime,
    ...(idToken && { id_token: idToken }),
    // Without rotation the presented token remains valid.
    ...(next ? { refresh_token: next.token } : presented && !successorKey && { refresh_token: presented.token }),
    scope,
    token_type: 'Bearer',
  }
  // An access token can be issued just before the refresh token expires; its grant must be stored until both have expired.
  const grantUntil = fromNow(clock, ((next ? refreshTokenLifetime : 0) + lifetime) * SECOND)
  if (!presented) return { response, use: { kind: 'own' } }
  const grantUse = grantUseOf(presented, grantUntil, origin)
  if (!successorKey) return { response, use: { kind: 'keep', grantId: presented.grant.id, grant: grantUse } }
  const exp = issuedAt + refreshTokenLifetime
  return {
    response,
    use: {
      kind: 'exchange',
      hash: tokenHash(presented.token),
      successorKeyId: successorKey.id,
      next: next && {
        hash: tokenHash(next.token),
        payload: { ...next.payload, kind: 'RefreshToken', iat: issuedAt, exp },
        expiresAt: fromNow(clock, refreshTokenLifetime * SECOND),
      },
      grant: grantUse,
    },
  }
}

/** Returns the standard claims of the granted scopes, `nonce` and `sid`. */
function idTokenClaims({ userAttributes, payload }: PresentedToken, scopes: string[]): Record<string, unknown> {
  const names = claimsCovered(scopes)
  const { nonce, sid } = payload
  return {
    ...Object.fromEntries(Object.entries(standardClaimsOf(userAttributes)).filter(([name]) => names.includes(name))),
    ...(nonce !== undefined && { nonce }),
    ...(sid !== undefined && { sid }),
  }
}
