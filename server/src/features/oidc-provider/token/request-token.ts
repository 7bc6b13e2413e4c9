import type { Transaction } from '../../../platform/db/database.js'
import type { UserId } from '../../../platform/ids.js'
import { countClientFailure } from '../clients/client-limits.js'
import {
  CHALLENGE,
  type ClientRequest,
  findRequestingClient,
  forwardedHeaders,
  handleAsClient,
  normalizeHeaders,
  type RequestingClient,
} from '../clients/requesting-client.js'
import { isFinalError, lockPendingDevice, verifyPoll } from '../device/device-poll.js'
import type { EngineResponse } from '../engine/engine.js'
import type { EngineOutcome, ExchangedSubject, PresentedToken } from '../engine/engine-context.js'
import { runEngine } from '../engine/run-engine.js'
import { revokeReplayedGrant } from '../engine/token-reuse.js'
import type { Client } from '../model/client.js'
import { addDefaultScope } from '../model/default-scopes.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { type CommonRequest, parseCommonRequest } from './common-request.js'
import { findExchangedSubject } from './exchanged-subject.js'
import { grantOnFastPath, TOKEN_HEADERS } from './fast-path.js'
import { lockPresented, presentedIn, presentedOf } from './presented-token.js'
import { type TokenContext, verifyTokenRequest } from './verify-token-request.js'

interface TokenRequest extends ClientRequest {
  /** The administrator who tests the application: replaces its credentials, and accepts only tokens of that administrator. */
  triedBy?: UserId
}

/**
 * Handles a token request (RFC 6749 4.1.3, 4.4.2, 6; RFC 8628 3.4; RFC 8693 2.1). At the endpoint of all issuers, the issuer is that of the
 * presented code or token; for client_credentials and a token exchange it is the team's. `verifyTokenRequest` verifies common requests: the
 * fast path grants them, a transaction rejects them. The engine handles all other requests, and grants after a lost race.
 * @throws invalid_client, rate_limited, issuer_not_found; other errors are the response
 */
export async function requestToken(deps: OidcProviderDeps, request: TokenRequest): Promise<EngineResponse> {
  const form = new URLSearchParams(request.sent.body)
  const common = request.triedBy ? undefined : parseCommonRequest(form, request.sent)
  const granted = common && (await grantOnFastPath(deps, request, common))
  if (granted) return granted
  return handleAsClient(deps, request, form, {
    find: (tx, clientId, now, source) => lockToken(tx, form, clientId, now, source),
    handle: async (tx, requesting, found) => {
      const { client, issuer } = requesting
      const { row, value } = found
      // The token endpoint of an issuer does not accept codes and tokens of another issuer.
      const mayPresent = row?.issuer === issuer.path && (!request.triedBy || row.user_id === request.triedBy)
      const presented = mayPresent && value ? await presentedOf(deps, row, value.token, client, tx) : undefined
      const context = { ...requesting, presented, atIssuer: request.at !== undefined }
      const rejected = common && (await rejectCommonRequest(tx, deps, request, common, context))
      if (rejected) return rejected
      const device = found.device?.issuer === issuer.path ? found.device : undefined
      return runTokenRequest(tx, deps, request, form, { ...context, device })
    },
  })
}

type FoundToken = Awaited<ReturnType<typeof lockToken>>

/** Locks the presented code or token, or the device code without a grant, and reads the client. */
async function lockToken(
  tx: Transaction,
  form: URLSearchParams,
  clientId: string | undefined,
  now: Date,
  source: Buffer,
) {
  const value = presentedIn(form)
  const isDevice = value?.kind === 'DeviceCode'
  const locked = value && (await lockPresented(tx, value, now, source))
  const pending = isDevice && !locked ? await lockPendingDevice(tx, value.token) : undefined
  // A user may approve the device between the two reads, so read again.
  const current = locked ?? (isDevice && !pending ? await lockPresented(tx, value, now, source) : undefined)
  const row = current?.client_id === clientId ? current : undefined
  const [team] = row ? [row] : clientId ? await tx.run(findRequestingClient, [clientId, now, source]) : []
  const device = pending?.applicationId === team?.application_id ? pending : undefined
  return { value, row, device, team, issuerPath: row?.issuer ?? device?.issuer }
}

/** Rejects a common request that is not valid. Returns undefined if it is valid, or the engine must verify it. */
async function rejectCommonRequest(
  tx: Transaction,
  deps: OidcProviderDeps,
  { sent, origin }: TokenRequest,
  common: CommonRequest,
  context: TokenContext,
): Promise<EngineResponse | undefined> {
  const verdict = verifyTokenRequest(deps, common, context)
  if (!verdict || 'granted' in verdict) return undefined
  const { rejected, replayed = false } = verdict
  const { presented, client } = context
  if (replayed && presented) await revokeReplayedGrant(tx, deps.clock, presented)
  const isUnauthenticated = rejected.error === 'invalid_client'
  const challenge = isUnauthenticated && sent.header('authorization') !== undefined && { 'www-authenticate': CHALLENGE }
  const status = isUnauthenticated ? 401 : 400
  const response = { status, headers: { ...TOKEN_HEADERS, ...challenge }, body: JSON.stringify(rejected) }
  await recordRequest(tx, deps, {
    response,
    outcome: { isReplayed: replayed },
    client,
    presented,
    grantType: common.grantType,
    origin,
  })
  return normalizeHeaders(response, client, sent)
}

/** Lets the engine handle a token request. */
async function runTokenRequest(
  tx: Transaction,
  deps: OidcProviderDeps,
  { sent, at, origin, triedBy }: TokenRequest,
  form: URLSearchParams,
  {
    client,
    issuer,
    presented,
    device,
  }: RequestingClient & Pick<TokenContext, 'presented'> & Pick<FoundToken, 'device'>,
): Promise<EngineResponse> {
  const subject = await findExchangedSubject(tx, deps, form, client, origin)
  if (presented) completeRedirectUri(form, client, presented, at)
  addDefaultScope(form, client)
  const isTest = triedBy !== undefined
  const { response: engineResponse, outcome } = await runEngine(
    tx,
    deps,
    issuer,
    client,
    { presented, pendingDevice: device, subjectToken: subject, skipsClientAuthentication: isTest, origin },
    {
      method: 'POST',
      path: '/token',
      publicUrl: at ? `${issuer.url}/token` : `${deps.config.baseUrl}/api/v1/oauth/token`,
      headers: forwardedHeaders(sent),
      body: form.toString(),
    },
  )
  const response = device ? await verifyPoll(tx, deps, device, engineResponse) : engineResponse
  const grantType = form.get('grant_type')
  await recordRequest(tx, deps, { response, outcome, client, presented, subject, grantType, origin, isTest })
  return normalizeHeaders(response, client, sent)
}

/** Adds the redirect URI that a confidential client may omit at the endpoint of all issuers, because its credentials authenticate it. */
function completeRedirectUri(
  form: URLSearchParams,
  client: Client,
  { payload }: PresentedToken,
  at: ClientRequest['at'],
): void {
  if (at || client.isPublicClient || form.has('redirect_uri') || form.get('grant_type') !== 'authorization_code') return
  form.set('redirect_uri', String(payload.redirectUri))
}

interface HandledRequest {
  response: EngineResponse
  outcome: EngineOutcome
  client: Client
  presented: PresentedToken | undefined
  /** The subject token of a token exchange. */
  subject?: ExchangedSubject | undefined
  grantType: string | null
  origin: ClientRequest['origin']
  isTest?: boolean
}

/** Records a token request in the audit log, a refresh only if an entry is due, and counts its failure for the source. Runs in the caller's transaction. */
async function recordRequest(
  tx: Transaction,
  deps: OidcProviderDeps,
  {
    response,
    outcome,
    client,
    presented,
    subject: exchanged,
    grantType: sentType,
    origin,
    isTest = false,
  }: HandledRequest,
): Promise<void> {
  const { audit } = deps
  const userId: UserId | null = presented?.grant.userId ?? exchanged?.token.userAttributes.id ?? null
  // In a test of the application, the actor is the administrator and not the agent.
  const agentId = client.isAiAgent && !isTest ? client.id : null
  const subject = { userId, teamId: client.teamId, agentId, origin }
  const resource = `application:${client.id}`
  const grantType = sentType?.slice(0, 100).toWellFormed() ?? null
  if (response.status === 200) {
    const { isRecorded = true, refreshes = 0 } = outcome.counted ?? {}
    if (!isRecorded && !isTest) return
    await audit.record(tx, subject, isTest ? 'application.tried' : 'application.token_issued', {
      resource,
      metadata: {
        grantType,
        ...(presented && { grant: presented.grant.id }),
        ...(refreshes > 0 && { refreshes }),
        ...(exchanged && {
          grant: outcome.grantId,
          scopes: outcome.scopes,
          exchanged: { application: exchanged.token.applicationId, grant: exchanged.token.grantId },
        }),
      },
    })
    return
  }
  const { error } = JSON.parse(response.body) as { error: string }
  // Polling is not a failure. A denied or expired device that continues to poll is already in the log.
  if (error === 'authorization_pending' || error === 'slow_down' || (outcome.wasNotified && isFinalError(error))) return
  if (outcome.isReplayed && presented)
    await audit.record(
      tx,
      subject,
      presented.kind === 'RefreshToken' ? 'application.refresh_reused' : 'application.code_replayed',
      { result: 'FAILURE', resource, metadata: { grant: presented.grant.id } },
    )
  else
    await audit.record(tx, subject, 'application.token_refused', {
      result: 'FAILURE',
      resource,
      metadata: { grantType, error, ...(outcome.clientError && { reason: outcome.clientError }) },
    })
  // An invalid code of a public client may be a guess; a confidential client forwards what its browser sent.
  const guessed = error === 'invalid_client' || (error === 'invalid_grant' && client.isPublicClient)
  if (guessed) await countClientFailure(tx, deps, origin)
}
