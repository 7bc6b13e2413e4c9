import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { readCompactJwt } from '../../../protocols/jws/index.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import type { EngineResponse } from '../engine/engine.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerOf } from '../model/find-issuer.js'
import type { Issuer, IssuerPath } from '../model/issuer.js'
import { basicCredentials } from './basic-credentials.js'
import { clientFailures, countClientFailure } from './client-limits.js'

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

/** Replaces the engine's challenge by one without the issuer, and its error for an unregistered grant type by that of RFC 6749 5.2. */
export function normalizeResponse(response: EngineResponse, cors: Record<string, string>): EngineResponse {
  const headers = {
    ...response.headers,
    ...cors,
    ...(response.headers['www-authenticate'] && { 'www-authenticate': CHALLENGE }),
  }
  return { ...response, headers, body: response.body.replace(NOT_REGISTERED, '{"error":"unauthorized_client"') }
}

const CHALLENGE = 'Basic realm="keyward", error="invalid_client"'
const NOT_REGISTERED =
  /^\{"error":"invalid_request"(?=,"error_description":"(requested grant type|urn:ietf:params:oauth:grant-type:device_code) is not allowed for this client")/

/** Returns the client ID that a request claims, not yet authenticated: from Basic, the parameter or the subject of the assertion. */
export function clientIdOf(sent: SentRequest, form: URLSearchParams): string | undefined {
  const basic = basicCredentials(sent.header('authorization'))
  if (basic) return basic.clientId
  const assertion = form.get('client_assertion')
  const subject = assertion ? readCompactJwt(assertion)?.claims.sub : undefined
  return form.get('client_id') ?? (typeof subject === 'string' ? subject : undefined)
}

/** Returns whether the client belongs to the issuer. */
export const belongsToIssuer = ({ team_id, application_id }: TeamColumns, at: IssuerPath | undefined): boolean =>
  !at ||
  (at.second === null
    ? at.first === team_id || at.first === application_id
    : at.first === team_id && at.second === application_id)

/** Returns the issuer of a path that the client belongs to. */
export const issuerAt = (
  runner: Runner,
  deps: OidcProviderDeps,
  path: string,
  team: TeamColumns,
  keyVersion: number,
): Promise<Issuer> =>
  issuerOf(
    runner,
    deps,
    path,
    { ...team, application_id: path === team.team_id ? null : team.application_id },
    keyVersion,
  )

/** Returns the headers that the engine receives. */
export function forwardedHeaders(sent: SentRequest): Record<string, string> {
  const names = ['authorization', 'content-type', 'dpop', 'user-agent']
  return Object.fromEntries(
    names.map((name) => [name, sent.header(name)]).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

export async function rejectClient(
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
