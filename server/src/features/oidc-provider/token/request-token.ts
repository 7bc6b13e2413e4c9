import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { admitClientSource, clientSourceKey } from '../clients/client-limits.js'
import {
  belongsToIssuer,
  clientIdOf,
  findRequestingClient,
  forwardedHeaders,
  issuerAt,
  normalizeResponse,
  rejectClient,
} from '../clients/requesting-client.js'
import { lockPendingDevice, verifyPoll } from '../device/device-poll.js'
import type { EngineResponse } from '../engine/engine.js'
import type { PresentedToken } from '../engine/engine-context.js'
import { runEngine } from '../engine/run-engine.js'
import type { Client } from '../model/client.js'
import { corsOf } from '../model/cors.js'
import { addDefaultScope } from '../model/default-scopes.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import type { IssuerPath } from '../model/issuer.js'
import { findExchangedSubject } from './exchanged-subject.js'
import { grantOnFastPath, type TokenRequest } from './fast-path.js'
import { lockPresented, presentedIn, presentedOf } from './presented-token.js'
import { recordTokenRequest } from './record-token-request.js'

interface TokenRequestInput extends TokenRequest {
  /** The administrator who tests the application: replaces its credentials, and accepts only tokens of that administrator. */
  triedBy?: UserId
}

/**
 * Handles a token request (RFC 6749 4.1.3, 4.4.2, 6; RFC 8628 3.4; RFC 8693 2.1). At the endpoint of all issuers, the issuer is that of the
 * presented code or token; for client_credentials and a token exchange it is the team's. The fast path grants common valid requests.
 * @throws invalid_client, rate_limited, issuer_not_found; other errors are the engine's response
 */
export async function requestToken(deps: OidcProviderDeps, request: TokenRequestInput): Promise<EngineResponse> {
  const form = new URLSearchParams(request.sent.body)
  const plain = request.triedBy ? undefined : await grantOnFastPath(deps, request, form)
  if (plain) return plain
  const clientId = clientIdOf(request.sent, form)
  for (;;) {
    const result = await deps.db.transaction((tx) => exchange(tx, deps, request, { form, clientId }))
    if ('response' in result) return result.response
    if ('rejected' in result) {
      // Report an unknown issuer as such. A valid client needs no extra query for its issuer.
      if (request.at) await findIssuer(deps.db, deps, request.at, request.origin)
      throw result.rejected
    }
    await deps.signingKeys.ensure(result.withoutKeys, request.origin)
  }
}

interface Parsed {
  form: URLSearchParams
  clientId: string | undefined
}

type Exchanged = { response: EngineResponse } | { rejected: Error } | { withoutKeys: TeamId }

async function exchange(
  tx: Transaction,
  deps: OidcProviderDeps,
  { sent, at, origin, triedBy }: TokenRequestInput,
  { form, clientId }: Parsed,
): Promise<Exchanged> {
  const { clock, config, clients } = deps
  const now = clock.now()
  const source = clientSourceKey(origin)
  const shown = presentedIn(form)
  const found = shown && (await lockPresented(tx, shown, now, source))
  const waiting = shown?.kind === 'DeviceCode' && !found ? await lockPendingDevice(tx, shown.token) : undefined
  // A user may approve the device between the two reads, so read again.
  const row =
    found ?? (shown?.kind === 'DeviceCode' && !waiting ? await lockPresented(tx, shown, now, source) : undefined)
  const ofToken = row !== undefined && row.client_id === clientId
  const [team] = ofToken ? [row] : clientId ? await tx.run(findRequestingClient, [clientId, now, source]) : []
  if (!team || team.failures !== null) await admitClientSource(tx, deps, origin)
  const client =
    team && belongsToIssuer(team, at) ? await clients.at(tx, team.application_id, team.client_version) : undefined
  if (!team || !client) return rejectClient(tx, deps, sent, origin, clientId)
  if (team.key_version === null) return { withoutKeys: team.team_id }

  const asker = waiting?.applicationId === client.id ? waiting : undefined
  const path = at?.path ?? (ofToken ? row.issuer : (asker?.issuer ?? team.team_id))
  const issuer = await issuerAt(tx, deps, path, team, team.key_version)
  // The token endpoint of an issuer does not accept codes and tokens of another issuer.
  const mayPresent = ofToken && row.issuer === issuer.path && (!triedBy || row.user_id === triedBy)
  const presented = mayPresent && shown ? await presentedOf(tx, deps, row, shown.token, client) : undefined
  const device = asker?.issuer === issuer.path ? asker : undefined
  const subject = await findExchangedSubject(tx, deps, form, client, origin)
  if (presented) completeRedirectUri(form, client, presented, at)
  addDefaultScope(form, client)
  const { response, outcome } = await runEngine(
    tx,
    deps,
    issuer,
    client,
    {
      ...(presented && { presented }),
      ...(device && { pendingDevice: device }),
      ...(subject && { subject }),
      trusted: triedBy !== undefined,
    },
    {
      method: 'POST',
      path: '/token',
      publicUrl: at ? `${issuer.url}/token` : `${config.baseUrl}/api/v1/oauth/token`,
      headers: forwardedHeaders(sent),
      body: form.toString(),
    },
  )
  const handled = device ? await verifyPoll(tx, deps, device, response) : response
  await recordTokenRequest(tx, deps, {
    response: handled,
    outcome,
    client,
    presented,
    subject,
    form,
    origin,
    tried: triedBy !== undefined,
  })
  return { response: normalizeResponse(handled, corsOf(client, sent.header('origin'))) }
}

/** Adds the redirect URI that a confidential client may omit at the endpoint of all issuers, because its credentials authenticate it. */
function completeRedirectUri(
  form: URLSearchParams,
  client: Client,
  { payload }: PresentedToken,
  at: IssuerPath | undefined,
): void {
  if (at || client.isPublicClient || form.has('redirect_uri') || form.get('grant_type') !== 'authorization_code') return
  form.set('redirect_uri', String(payload.redirectUri))
}
