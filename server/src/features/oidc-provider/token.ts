import { SECOND } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { oauthRefusal } from '../../platform/http/oauth-dialect.js'
import type { SentRequest } from '../../platform/http/route.js'
import type { ApplicationId, GrantId, TeamId, UserId } from '../../platform/ids.js'
import { readCompactJwt } from '../../protocols/jws/index.js'
import { PERSON_COLUMNS, type PersonRow, personOf } from '../oidc-config/index.js'
import type { Client } from './client.js'
import { basicCredentials } from './client-credentials.js'
import { admitClientSource, clientSourceKey, countClientFailure, failuresOf } from './client-limits.js'
import { corsOf } from './cors.js'
import type { OidcProviderDeps } from './deps.js'
import type { EngineAnswer } from './engine.js'
import type { PresentedToken } from './engine-context.js'
import { findIssuer, issuerOf } from './find-issuer.js'
import { GRANT_JOINS, grantLives } from './grant-lives.js'
import type { Issuer, IssuerPath } from './issuer.js'
import { LIFETIMES } from './lifetimes.js'
import { recordTokenRequest } from './record-token-request.js'
import { runEngine } from './run-engine.js'

interface TeamColumns {
  application_id: ApplicationId
  client_id: string
  client_version: number
  team_id: TeamId
  team_name: string
  team_slug: string
  team_status: string
  key_version: number | null
  /** Of the source of the request; null when there is none. */
  failures: number | null
}

interface TokenRow extends TeamColumns, PersonRow {
  kind: PresentedToken['kind']
  payload: Record<string, unknown>
  expires_at: Date
  consumed_at: Date | null
  successor_key_id: string | null
  grant_id: GrantId
  scopes: string[]
  issuer: string
}

const TEAM_COLUMNS = `a.id AS application_id, a.client_id, a.version AS client_version,
  o.id AS team_id, o.name AS team_name, o.slug AS team_slug, o.status AS team_status, k.version AS key_version`

// A token that was used is read also when its time is over: presented again, it ends what it led to.
// One read brings the token, locked so that of many presentations one is judged at a time, with everything that can have ended it
// and the versions of everything that is kept in memory.
const lockToken = namedQuery<TokenRow, [Buffer, Date, Buffer]>(
  'oidc_provider.lock_token',
  `SELECT t.kind, t.payload, t.expires_at, t.consumed_at, t.successor_key_id, g.id AS grant_id, g.scopes, g.issuer, ${failuresOf('$3', '$2')} AS failures, ${TEAM_COLUMNS}, ${PERSON_COLUMNS}
   FROM oauth_tokens t JOIN sessions g ON g.id = t.grant_id ${GRANT_JOINS}
   LEFT JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE t.hash = $1 AND (t.expires_at > $2 OR t.consumed_at IS NOT NULL) AND ${grantLives('$2')} FOR NO KEY UPDATE OF t`,
)

const clientById = namedQuery<TeamColumns, [string, Date, Buffer]>(
  'oidc_provider.team_of_client',
  `SELECT ${TEAM_COLUMNS}, ${failuresOf('$3', '$2')} AS failures FROM applications a JOIN organizations o ON o.id = a.organization_id
   LEFT JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE a.client_id = $1 AND a.type = 'OIDC' AND o.status = 'ACTIVE'`,
)

export interface TokenRequest {
  sent: SentRequest
  /** The issuer whose endpoint was asked; undefined at the endpoint of all issuers. */
  at: IssuerPath | undefined
  origin: RequestOrigin
  /** An administrator tries the application out, who stands in for its credentials and gets tokens of their own alone. */
  triedBy?: UserId
}

/**
 * A token request (RFC 6749 4.1.3, 4.4.2, 6). At the endpoint of all issuers the issuer is read from the code or refresh token,
 * and for an application's own credentials it is the team's.
 * @throws invalid_client, rate_limited, issuer_not_found; other refusals are the engine's answer
 */
export async function requestToken(deps: OidcProviderDeps, request: TokenRequest): Promise<EngineAnswer> {
  const form = new URLSearchParams(request.sent.body)
  const clientId = clientIdOf(request.sent, form)
  for (;;) {
    const result = await deps.db.transaction((tx) => exchange(tx, deps, request, { form, clientId }))
    if ('answer' in result) return result.answer
    if ('refused' in result) {
      // An issuer that does not exist is told as such; one that does needs no question of its own where the client is right.
      if (request.at) await findIssuer(deps.db, deps, request.at, request.origin)
      throw result.refused
    }
    await deps.signingKeys.ensure(result.withoutKeys, request.origin)
  }
}

interface Parsed {
  form: URLSearchParams
  clientId: string | undefined
}

type Exchanged = { answer: EngineAnswer } | { refused: Error } | { withoutKeys: TeamId }

async function exchange(
  tx: Transaction,
  deps: OidcProviderDeps,
  { sent, at, origin, triedBy }: TokenRequest,
  { form, clientId }: Parsed,
): Promise<Exchanged> {
  const { clock, config, clients } = deps
  const now = clock.now()
  const source = clientSourceKey(origin)
  const token = tokenIn(form)
  const [row] = token ? await tx.run(lockToken, [tokenHash(token), now, source]) : []
  const ofToken = row !== undefined && row.client_id === clientId
  const [team] = ofToken ? [row] : clientId ? await tx.run(clientById, [clientId, now, source]) : []
  if (!team || team.failures !== null) await admitClientSource(tx, deps, origin)
  const client = team && belongs(team, at) ? await clients.at(tx, team.application_id, team.client_version) : undefined
  if (!team || !client) return refuseClient(tx, deps, sent, origin, clientId)
  if (team.key_version === null) return { withoutKeys: team.team_id }

  const path = at?.path ?? (ofToken ? row.issuer : team.team_id)
  const issuer = await issuerAt(tx, deps, path, team, team.key_version)
  // At an issuer's own endpoint what another issuer gave is unknown.
  const mayPresent = ofToken && row.issuer === issuer.path && (!triedBy || row.user_id === triedBy)
  const presented = mayPresent && token ? await presentedOf(tx, deps, row, token, client) : undefined
  if (presented) completeRedirectUri(form, client, presented, at)
  const { answer, outcome } = await runEngine(
    tx,
    deps,
    issuer,
    client,
    { ...(presented && { presented }), trusted: triedBy !== undefined },
    {
      method: 'POST',
      path: '/token',
      publicUrl: at ? `${issuer.url}/token` : `${config.baseUrl}/api/v1/oauth/token`,
      headers: forwardedHeaders(sent),
      body: form.toString(),
    },
  )
  await recordTokenRequest(tx, deps, {
    answer,
    outcome,
    client,
    presented,
    form,
    origin,
    tried: triedBy !== undefined,
    hadFailed: team.failures !== null,
  })
  return { answer: asOurs(answer, corsOf(client, sent.header('origin'))) }
}

/** The engine's answer with a challenge that tells no team, and with the name that the standard has for a grant type that is not registered. */
function asOurs(answer: EngineAnswer, cors: Record<string, string>): EngineAnswer {
  const headers = {
    ...answer.headers,
    ...cors,
    ...(answer.headers['www-authenticate'] && { 'www-authenticate': CHALLENGE }),
  }
  return { ...answer, headers, body: answer.body.replace(NOT_REGISTERED, '{"error":"unauthorized_client"') }
}

const CHALLENGE = 'Basic realm="keyward", error="invalid_client"'
const NOT_REGISTERED =
  /^\{"error":"invalid_request"(?=,"error_description":"requested grant type is not allowed for this client")/

/** The code or refresh token that the request presents. */
function tokenIn(form: URLSearchParams): string | undefined {
  const type = form.get('grant_type')
  if (type === 'authorization_code') return form.get('code') ?? undefined
  return type === 'refresh_token' ? (form.get('refresh_token') ?? undefined) : undefined
}

/** Which client asks, before it is known to be right: by Basic, by its parameter, or as the subject of its assertion. */
function clientIdOf(sent: SentRequest, form: URLSearchParams): string | undefined {
  const basic = basicCredentials(sent.header('authorization'))
  if (basic) return basic.clientId
  const assertion = form.get('client_assertion')
  const subject = assertion ? readCompactJwt(assertion)?.claims.sub : undefined
  return form.get('client_id') ?? (typeof subject === 'string' ? subject : undefined)
}

/** Whether the client is one of the issuer. */
const belongs = ({ team_id, application_id }: TeamColumns, at: IssuerPath | undefined): boolean =>
  !at ||
  (at.second === null
    ? at.first === team_id || at.first === application_id
    : at.first === team_id && at.second === application_id)

/** The issuer of a path that the client belongs to. */
const issuerAt = (
  tx: Transaction,
  deps: OidcProviderDeps,
  path: string,
  team: TeamColumns,
  keyVersion: number,
): Promise<Issuer> =>
  issuerOf(tx, deps, path, { ...team, application_id: path === team.team_id ? null : team.application_id }, keyVersion)

async function presentedOf(
  tx: Transaction,
  { clock, serverKeys }: OidcProviderDeps,
  row: TokenRow,
  token: string,
  client: Client,
): Promise<PresentedToken | undefined> {
  const successorKey = row.successor_key_id
    ? await serverKeys.find('successor', row.successor_key_id, tx)
    : serverKeys.current('successor')
  if (!successorKey) return undefined
  // Within its grace a rotated token counts as unused: its successor is derived, and so it is the same one.
  const inGrace =
    row.kind === 'RefreshToken' &&
    row.consumed_at !== null &&
    clock.ms() - row.consumed_at.getTime() <= LIFETIMES.reuseInterval * SECOND
  const { payload } = row
  return {
    kind: row.kind,
    token,
    payload,
    expiresAt: row.expires_at,
    consumedAt: inGrace ? null : row.consumed_at,
    successorKey,
    grant: {
      id: row.grant_id,
      userId: row.user_id,
      // What the application may have now: an administrator may have taken something away since.
      scopes: row.scopes.filter((scope) => client.scopes.includes(scope)),
      claims: claimNamesIn(payload.claims),
      clientId: row.client_id,
    },
    person: personOf(row),
  }
}

/** The claims that the authorize request asked for by name; all of them were consented to before the code was given. */
function claimNamesIn(claims: unknown): string[] {
  const parts = Object.values((claims ?? {}) as Record<string, Record<string, unknown> | null>)
  return [...new Set(parts.flatMap((part) => Object.keys(part ?? {})))]
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

/** What the engine may read of the request. */
function forwardedHeaders(sent: SentRequest): Record<string, string> {
  const names = ['authorization', 'content-type', 'dpop', 'user-agent']
  return Object.fromEntries(
    names.map((name) => [name, sent.header(name)]).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

async function refuseClient(
  tx: Transaction,
  deps: OidcProviderDeps,
  sent: SentRequest,
  origin: RequestOrigin,
  clientId: string | undefined,
): Promise<Exchanged> {
  if (clientId === undefined)
    return { refused: oauthRefusal('invalid_client', { detail: 'no client authentication was sent' }) }
  await countClientFailure(tx, deps, origin)
  await deps.audit.record(tx, { userId: null, teamId: null, origin }, 'application.token_refused', {
    result: 'FAILURE',
    metadata: { error: 'invalid_client', reason: 'unknown_client', clientId: clientId.slice(0, 100).toWellFormed() },
  })
  const headers: Record<string, string> = sent.header('authorization') ? { 'www-authenticate': CHALLENGE } : {}
  return { refused: oauthRefusal('invalid_client', { detail: 'client authentication failed', headers }) }
}
