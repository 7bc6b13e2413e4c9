import { fromNow, SECOND } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { isRetryable } from '../../../platform/db/database-errors.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import { CLAIMS_OF_SCOPE, claimsOf, personOf } from '../../oidc-config/index.js'
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
import { type Behind, type Granted, verifyFastPathRequest } from './verify-fast-path.js'
import { type FastPathWrite, writeFastPath } from './write-fast-path.js'

export interface TokenRequest {
  sent: SentRequest
  /** The issuer whose endpoint was asked; undefined at the endpoint of all issuers. */
  at: IssuerPath | undefined
  origin: RequestOrigin
}

/**
 * Grants a token request of the common kind in two round trips: one read of everything that can stand against it, and one
 * statement that writes what it uses up and gives, with its audit entry. It only ever grants: whatever is rare, doubtful or wrong,
 * and whatever another request was faster with, answers undefined here, changes nothing, and is judged by the engine, which
 * would grant all that is granted here with the same tokens (`plain-grant.test.ts` compares them).
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
    // What it names was deleted meanwhile, or another request is in the way: the transaction of the engine tries again.
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

/** What stands behind a request, where all of it stands and the client has proven itself. */
async function findTokenContext(
  deps: OidcProviderDeps,
  { clientId, secret, shown }: FastPathRequest,
  at: IssuerPath | undefined,
  source: Buffer,
): Promise<Behind | undefined> {
  const { db, clock, clients } = deps
  const now = clock.now()
  const row = shown && (await findUnusedToken(db, shown, now, source))
  const [team]: (TeamColumns | undefined)[] = shown
    ? [row]
    : await db.run(findRequestingClient, [clientId, now, source])
  // A source that failed before is counted, which writes.
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

/** Signs what is given, and says what is to be written. */
async function issueTokens(
  { clock, serverKeys }: OidcProviderDeps,
  { shown }: FastPathRequest,
  { scopes, audience, identifies, usedUpBy, next }: Granted,
  { client, issuer, row }: Behind,
): Promise<{ response: Record<string, unknown>; use: FastPathWrite }> {
  const { tokenPolicy } = client.config
  const lifetime = effectiveAccessLifetime(clock, tokenPolicy, row?.grant_ends_at)
  const { refreshTokenLifetime } = tokenPolicy
  const issuedAt = Math.floor(clock.ms() / SECOND)
  const scope = scopes.join(' ') || undefined
  const common = { issuer: issuer.url, client, person: row && personOf(row), issuedAt }
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
    identifies &&
    (await signIdToken({ ...common, claims: idTokenClaims(row, scopes), accessToken }, issuer.keys))
  const response = {
    access_token: accessToken,
    expires_in: lifetime,
    ...(idToken && { id_token: idToken }),
    // Without rotation the token that was presented goes on.
    ...(next ? { refresh_token: next.token } : row && !usedUpBy && { refresh_token: shown?.token }),
    scope,
    token_type: 'Bearer',
  }
  // The last access token of a refresh token is given when it is as good as over.
  const grantUntil = fromNow(clock, ((next ? refreshTokenLifetime : 0) + lifetime) * SECOND)
  if (!row || !shown) return { response, use: { kind: 'own' } }
  if (!usedUpBy) return { response, use: { kind: 'keep', grantId: row.grant_id, grantUntil } }
  const exp = issuedAt + refreshTokenLifetime
  return {
    response,
    use: {
      kind: 'exchange',
      hash: tokenHash(shown.token),
      successorKeyId: usedUpBy.id,
      next: next && {
        hash: tokenHash(next.token),
        payload: { ...next.payload, kind: 'RefreshToken', iat: issuedAt, exp },
        expiresAt: fromNow(clock, refreshTokenLifetime * SECOND),
      },
      grantUntil,
    },
  }
}

/** The standard claims of the granted scopes, and what ties the token to the request and the session. */
function idTokenClaims(row: PresentedRow, scopes: string[]): Record<string, unknown> {
  const names: string[] = scopes.flatMap((scope) => CLAIMS_OF_SCOPE[scope as keyof typeof CLAIMS_OF_SCOPE] ?? [])
  const { nonce, sid } = row.payload
  return {
    ...Object.fromEntries(Object.entries(claimsOf(personOf(row))).filter(([name]) => names.includes(name))),
    ...(nonce !== undefined && { nonce }),
    ...(sid !== undefined && { sid }),
  }
}
