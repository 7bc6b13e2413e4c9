import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import type { TeamId } from '../../../platform/ids.js'
import { countUnverified } from '../../authentication/index.js'
import type { EngineResponse } from '../engine/engine.js'
import { runEngine } from '../engine/run-engine.js'
import type { Client } from '../model/client.js'
import { corsOf } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import type { Issuer, IssuerPath } from '../model/issuer.js'
import { admitClientSource, clientSourceKey, countClientFailure } from './client-limits.js'
import {
  belongsToIssuer,
  clientIdOf,
  findRequestingClient,
  forwardedHeaders,
  issuerAt,
  normalizeResponse,
  rejectClient,
} from './requesting-client.js'

/** A request of a client with its credentials to an endpoint of its issuer other than the token endpoint. */
export interface ClientRequest {
  sent: SentRequest
  at: IssuerPath
  origin: RequestOrigin
}

export interface ClientRequestKind {
  /** The path in the engine and below the issuer URL. */
  path: string
  /** Changes the form before the engine reads it. */
  prepare: (form: URLSearchParams, client: Client) => void
  /** Stores the form as a pushed request. */
  pushes?: boolean
  /** Changes a successful response. */
  present?: (response: EngineResponse, issuer: Issuer) => EngineResponse
}

/**
 * Lets the engine authenticate the client and handle the request. Records a rejected request and counts it for the source.
 * @throws invalid_client, rate_limited, issuer_not_found; other errors are the engine's response
 */
export async function handleClientRequest(
  deps: OidcProviderDeps,
  request: ClientRequest,
  kind: ClientRequestKind,
): Promise<EngineResponse> {
  for (;;) {
    const result = await deps.db.transaction((tx) => ask(tx, deps, request, kind)).catch(retryIfUserCodeTaken)
    if (!result) continue
    if ('response' in result) return result.response
    if ('withoutKeys' in result) await deps.signingKeys.ensure(result.withoutKeys, request.origin)
    if ('rejected' in result) {
      await findIssuer(deps.db, deps, request.at, request.origin)
      throw result.rejected
    }
  }
}

type Result = { response: EngineResponse } | { rejected: Error } | { withoutKeys: TeamId }

/** The random user code already exists. The transaction is rolled back, including the used client proof, and runs again. */
class UserCodeTaken extends Error {}

const retryIfUserCodeTaken = (error: unknown): undefined => {
  if (!(error instanceof UserCodeTaken)) throw error
}

async function ask(
  tx: Transaction,
  deps: OidcProviderDeps,
  { sent, at, origin }: ClientRequest,
  { path, prepare, pushes, present }: ClientRequestKind,
): Promise<Result> {
  const form = new URLSearchParams(sent.body)
  const clientId = clientIdOf(sent, form)
  const [team] = clientId
    ? await tx.run(findRequestingClient, [clientId, deps.clock.now(), clientSourceKey(origin)])
    : []
  if (!team || team.failures !== null) await admitClientSource(tx, deps, origin)
  const client =
    team && belongsToIssuer(team, at) ? await deps.clients.at(tx, team.application_id, team.client_version) : undefined
  if (!team || !client) return rejectClient(tx, deps, sent, origin, clientId)
  if (team.key_version === null) return { withoutKeys: team.team_id }

  // A third party that knows the ID of a public client can send such requests, and each stores a row.
  if (client.isPublicClient) await countUnverified(tx, deps, origin)
  const issuer = await issuerAt(tx, deps, at.path, team, team.key_version)
  prepare(form, client)
  const { response, outcome } = await runEngine(
    tx,
    deps,
    issuer,
    client,
    {
      requestedScope: form.get('scope') ?? undefined,
      ...(pushes && { pushed: withoutCredentials(form) }),
      from: origin,
    },
    {
      method: 'POST',
      path,
      publicUrl: `${issuer.url}${path}`,
      headers: forwardedHeaders(sent),
      body: form.toString(),
    },
  )
  if (outcome.userCodeTaken) throw new UserCodeTaken()
  if (response.status >= 300) await recordRejection(tx, deps, { response, client, origin, path })
  return {
    response: normalizeResponse(
      response.status < 300 ? (present?.(response, issuer) ?? response) : response,
      corsOf(client, sent.header('origin')),
    ),
  }
}

interface Rejected {
  response: EngineResponse
  client: Client
  origin: RequestOrigin
  path: string
}

async function recordRejection(
  tx: Transaction,
  deps: OidcProviderDeps,
  { response, client, origin, path }: Rejected,
): Promise<void> {
  const { error } = JSON.parse(response.body) as { error: string }
  const agentId = client.isAiAgent ? client.id : null
  await deps.audit.record(tx, { userId: null, teamId: client.teamId, agentId, origin }, 'application.token_refused', {
    result: 'FAILURE',
    resource: `application:${client.id}`,
    metadata: { endpoint: path.slice(1), error },
  })
  if (error === 'invalid_client') await countClientFailure(tx, deps, origin)
}

/** Removes the client's credentials from a form before it is stored. */
function withoutCredentials(form: URLSearchParams): string {
  const stored = new URLSearchParams(form)
  for (const name of ['client_secret', 'client_assertion', 'client_assertion_type']) stored.delete(name)
  return stored.toString()
}
