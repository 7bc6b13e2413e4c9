import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import type { TeamId } from '../../../platform/ids.js'
import { countUnproven } from '../../authentication/index.js'
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

/** A request that a client sends by itself, with its credentials, to an endpoint of its issuer other than the token endpoint. */
export interface ClientRequest {
  sent: SentRequest
  at: IssuerPath
  origin: RequestOrigin
}

export interface ClientRequestKind {
  /** The engine's own path, and under the issuer the public one. */
  path: string
  /** What the engine gets in the place of what was sent. */
  prepare: (form: URLSearchParams, client: Client) => void
  /** Keeps the request as the engine is to store it. */
  pushes?: boolean
  /** The answer as it goes out. */
  present?: (answer: EngineResponse, issuer: Issuer) => EngineResponse
}

/**
 * Lets the engine authenticate the client and judge the request. What it refuses is recorded and counts for its source.
 * @throws invalid_client, rate_limited, issuer_not_found; other refusals are the engine's answer
 */
export async function handleClientRequest(
  deps: OidcProviderDeps,
  request: ClientRequest,
  kind: ClientRequestKind,
): Promise<EngineResponse> {
  for (;;) {
    const result = await deps.db.transaction((tx) => ask(tx, deps, request, kind)).catch(retryIfUserCodeTaken)
    if (!result) continue
    if ('answer' in result) return result.answer
    if ('withoutKeys' in result) await deps.signingKeys.ensure(result.withoutKeys, request.origin)
    if ('rejected' in result) {
      await findIssuer(deps.db, deps, request.at, request.origin)
      throw result.rejected
    }
  }
}

type Asked = { answer: EngineResponse } | { rejected: Error } | { withoutKeys: TeamId }

/** What was drawn for a device is another's already: everything is undone, the client's used proof included, and drawn again. */
class UserCodeTaken extends Error {}

const retryIfUserCodeTaken = (error: unknown): undefined => {
  if (!(error instanceof UserCodeTaken)) throw error
}

async function ask(
  tx: Transaction,
  deps: OidcProviderDeps,
  { sent, at, origin }: ClientRequest,
  { path, prepare, pushes, present }: ClientRequestKind,
): Promise<Asked> {
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

  // Whoever knows the id of a public client can ask in its name, and each time something is kept.
  if (client.isPublicClient) await countUnproven(tx, deps, origin)
  const issuer = await issuerAt(tx, deps, at.path, team, team.key_version)
  prepare(form, client)
  const { answer, outcome } = await runEngine(
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
  if (answer.status >= 300) await recordRejection(tx, deps, { answer, client, origin, path })
  return {
    answer: normalizeResponse(
      answer.status < 300 ? (present?.(answer, issuer) ?? answer) : answer,
      corsOf(client, sent.header('origin')),
    ),
  }
}

interface Rejected {
  answer: EngineResponse
  client: Client
  origin: RequestOrigin
  path: string
}

async function recordRejection(
  tx: Transaction,
  deps: OidcProviderDeps,
  { answer, client, origin, path }: Rejected,
): Promise<void> {
  const { error } = JSON.parse(answer.body) as { error: string }
  const agentId = client.isAiAgent ? client.id : null
  await deps.audit.record(tx, { userId: null, teamId: client.teamId, agentId, origin }, 'application.token_refused', {
    result: 'FAILURE',
    resource: `application:${client.id}`,
    metadata: { endpoint: path.slice(1), error },
  })
  if (error === 'invalid_client') await countClientFailure(tx, deps, origin)
}

/** How a client proves itself is nothing of its request. */
function withoutCredentials(form: URLSearchParams): string {
  const stored = new URLSearchParams(form)
  for (const name of ['client_secret', 'client_assertion', 'client_assertion_type']) stored.delete(name)
  return stored.toString()
}
