import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { readCompactJwt } from '../../../protocols/jws/index.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import type { EngineResponse } from '../engine/engine.js'
import type { Client } from '../model/client.js'
import { corsOf } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer, issuerOf } from '../model/find-issuer.js'
import { type Issuer, type IssuerPath, isIssuerOf } from '../model/issuer.js'
import { basicCredentials } from './basic-credentials.js'
import { admitClientSource, clientFailures, clientSourceKey, countClientFailure } from './client-limits.js'

/** A request of a client with its credentials. */
export interface ClientRequest {
  sent: SentRequest
  /** The issuer of the endpoint; undefined at the endpoint of all issuers. */
  at: IssuerPath | undefined
  origin: RequestOrigin
}

type Result = { response: EngineResponse } | { rejected: Error } | { withoutKeys: TeamId }

/** The client that a request claims, not yet authenticated, and its issuer. */
export interface RequestingClient {
  client: Client
  issuer: Issuer
}

/** The columns of the application and team that the first query of a client's request reads. */
export interface TeamColumns {
  application_id: ApplicationId
  client_id: string
  client_version: number
  team_id: TeamId
  team_name: string
  team_slug: string
  team_status: string
  key_version: number | null
  /** Failures of the source of the request; null if there are none. */
  failures: number | null
}

export const TEAM_COLUMNS = `a.id AS application_id, a.client_id, a.version AS client_version,
  o.id AS team_id, o.name AS team_name, o.slug AS team_slug, o.status AS team_status, k.version AS key_version`

export const findRequestingClient = namedQuery<TeamColumns, [string, Date, Buffer]>(
  'oidc_provider.team_of_client',
  `SELECT ${TEAM_COLUMNS}, ${clientFailures('$3', '$2')} AS failures FROM applications a JOIN organizations o ON o.id = a.organization_id
   LEFT JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE a.client_id = $1 AND a.type = 'OIDC' AND o.status = 'ACTIVE'`,
)

interface FoundClient {
  team: TeamColumns | undefined
  /** The issuer of a request at the endpoint of all issuers; undefined for that of the team. */
  issuerPath?: string | undefined
}

interface ClientRequestHandler<Found extends FoundClient> {
  /** Reads the client, and locks what the request presents. */
  find: (tx: Transaction, clientId: string | undefined, now: Date, source: Buffer) => Promise<Found>
  handle: (tx: Transaction, requesting: RequestingClient, found: Found) => Promise<EngineResponse>
}

/**
 * Handles a request of a client in one transaction. Limits a source with failures, and rejects a client that is unknown or belongs to another
 * issuer. `handle` authenticates the client.
 * @throws invalid_client, rate_limited, issuer_not_found
 */
export async function handleAsClient<Found extends FoundClient>(
  deps: OidcProviderDeps,
  { sent, at, origin }: ClientRequest,
  form: URLSearchParams,
  { find, handle }: ClientRequestHandler<Found>,
): Promise<EngineResponse> {
  const clientId = clientIdOf(sent, form)
  for (;;) {
    const result = await deps.db.transaction(async (tx): Promise<Result> => {
      const found = await find(tx, clientId, deps.clock.now(), clientSourceKey(origin))
      const { team } = found
      if (!team || team.failures !== null) await admitClientSource(tx, deps, origin)
      const client =
        team && belongsToIssuer(team, at)
          ? await deps.clients.at(tx, team.application_id, team.client_version)
          : undefined
      if (!team || !client) return rejectClient(tx, deps, sent, origin, clientId)
      if (team.key_version === null) return { withoutKeys: team.team_id }
      const issuer = await issuerOf(tx, deps, at?.path ?? found.issuerPath ?? team.team_id, team, team.key_version)
      return { response: await handle(tx, { client, issuer }, found) }
    })
    if ('response' in result) return result.response
    if ('rejected' in result) {
      // Report an unknown issuer as such. A valid client needs no extra query for its issuer.
      if (at) await findIssuer(deps, at, origin)
      throw result.rejected
    }
    await deps.signingKeys.ensure(result.withoutKeys, origin)
  }
}

export const CHALLENGE = 'Basic realm="keyward", error="invalid_client"'

/** Replaces the engine's challenge by one without the issuer, and adds the headers for the page that sent the request. */
export function normalizeHeaders(response: EngineResponse, client: Client, sent: SentRequest): EngineResponse {
  const challenge = response.headers['www-authenticate'] && { 'www-authenticate': CHALLENGE }
  return { ...response, headers: { ...response.headers, ...corsOf(client, sent.header('origin')), ...challenge } }
}

/** Returns the client ID that a request claims, not yet authenticated: from Basic, the parameter or the subject of the assertion. */
function clientIdOf(sent: SentRequest, form: URLSearchParams): string | undefined {
  const basic = basicCredentials(sent.header('authorization'))
  if (basic) return basic.clientId
  const assertion = form.get('client_assertion')
  const subject = assertion ? readCompactJwt(assertion)?.claims.sub : undefined
  return form.get('client_id') ?? (typeof subject === 'string' ? subject : undefined)
}

/** Returns whether the client belongs to the issuer of the endpoint. */
export const belongsToIssuer = ({ team_id, application_id }: TeamColumns, at: IssuerPath | undefined): boolean =>
  !at || isIssuerOf(at, team_id, application_id)

/** Returns the headers that the engine receives. */
export function forwardedHeaders(sent: SentRequest): Record<string, string> {
  const names = ['authorization', 'content-type', 'dpop', 'user-agent']
  return Object.fromEntries(
    names.map((name) => [name, sent.header(name)]).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

async function rejectClient(
  tx: Transaction,
  deps: OidcProviderDeps,
  sent: SentRequest,
  origin: RequestOrigin,
  clientId: string | undefined,
): Promise<{ rejected: Error }> {
  if (clientId === undefined)
    return { rejected: oauthError('invalid_client', { detail: 'no client authentication was sent' }) }
  await countClientFailure(tx, deps, origin)
  await deps.audit.record(tx, { userId: null, teamId: null, origin }, 'application.token_refused', {
    result: 'FAILURE',
    metadata: { error: 'invalid_client', reason: 'unknown_client', clientId: clientId.slice(0, 100).toWellFormed() },
  })
  const headers: Record<string, string> = sent.header('authorization') ? { 'www-authenticate': CHALLENGE } : {}
  return { rejected: oauthError('invalid_client', { detail: 'client authentication failed', headers }) }
}
