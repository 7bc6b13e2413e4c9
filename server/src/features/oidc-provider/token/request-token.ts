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
import { lockWaitingDevice, verifyPoll } from '../device/device-poll.js'
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

/** By whom a token is asked for, and how. */
interface TokenRequestInput extends TokenRequest {
  /** An administrator tries the application out, who stands in for its credentials and gets tokens of their own alone. */
  triedBy?: UserId
}

/**
 * A token request (RFC 6749 4.1.3, 4.4.2, 6; RFC 8628 3.4; RFC 8693 2.1). At the endpoint of all issuers the issuer is read from
 * what is presented, and for an application's own credentials, and for an exchange, it is the team's. What is common and right is granted
 * without the engine.
 * @throws invalid_client, rate_limited, issuer_not_found; other refusals are the engine's answer
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
      // An issuer that does not exist is told as such; one that does needs no question of its own where the client is right.
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
  const waiting = shown?.kind === 'DeviceCode' && !found ? await lockWaitingDevice(tx, shown.token) : undefined
  // Whoever let the device in between the two reads is seen by a third.
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
  // At an issuer's own endpoint what another issuer gave is unknown.
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
      ...(device && { waitingDevice: device }),
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
  const judged = device ? await verifyPoll(tx, deps, device, response) : response
  await recordTokenRequest(tx, deps, {
    response: judged,
    outcome,
    client,
    presented,
    subject,
    form,
    origin,
    tried: triedBy !== undefined,
  })
  return { response: normalizeResponse(judged, corsOf(client, sent.header('origin'))) }
}

/** At the endpoint of all issuers a confidential client may leave the redirect URI out: who it is is proven by its credentials. */
function completeRedirectUri(
  form: URLSearchParams,
  client: Client,
  { payload }: PresentedToken,
  at: IssuerPath | undefined,
): void {
  if (at || client.isPublicClient || form.has('redirect_uri') || form.get('grant_type') !== 'authorization_code') return
  form.set('redirect_uri', String(payload.redirectUri))
}
