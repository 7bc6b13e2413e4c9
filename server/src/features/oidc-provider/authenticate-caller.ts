import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { oauthRefusal } from '../../platform/http/oauth-dialect.js'
import type { SentRequest } from '../../platform/http/route.js'
import type { ApplicationId, TeamId } from '../../platform/ids.js'
import { basicCredentials } from './client-credentials.js'
import { admitClientSource, clientSourceKey, countClientFailure, failuresOf, isSlowed } from './client-limits.js'
import { isSecretOf, type SecretHashes } from './client-secret.js'
import type { OidcProviderDeps } from './deps.js'

export interface TokenQuestion {
  token: string
  clientId: string | undefined
  clientSecret: string | undefined
  sent: SentRequest
  origin: RequestOrigin
}

/** A client that proved itself. */
export interface Caller {
  clientId: string
  teamId: TeamId
}

interface CallerRow extends SecretHashes {
  team_id: TeamId
  agent_id: ApplicationId | null
  /** Of the source of the request; null when there is none. */
  failures: number | null
}

const secretOf = namedQuery<CallerRow, [string, Date, Buffer]>(
  'oidc_provider.secret_of_client',
  `SELECT secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash", previous_secret_until AS "previousSecretUntil", organization_id AS team_id, CASE WHEN is_ai_agent THEN id END AS agent_id,
     ${failuresOf('$3', '$2')} AS failures FROM applications WHERE client_id = $1 AND type = 'OIDC'`,
)

/**
 * Introspection and revocation ask for no credentials: having the token is enough. Those that are sent are verified all the same,
 * and REQUIRE_INTROSPECTION_AUTH demands them. Answers the client that proved itself; undefined where none tried.
 * @throws invalid_client, invalid_request, rate_limited
 */
export async function authenticateCaller(deps: OidcProviderDeps, question: TokenQuestion): Promise<Caller | undefined> {
  const { sent, origin } = question
  const authorization = sent.header('authorization')
  const basic = basicCredentials(authorization)
  if (!basic && /^basic\b/i.test(authorization ?? '')) throw unauthenticated(true)
  const clientId = basic?.clientId ?? question.clientId
  const secret = basic?.secret ?? question.clientSecret
  if (basic && question.clientSecret !== undefined)
    throw oauthRefusal('invalid_request', { detail: 'client authentication must only be provided using one mechanism' })
  if (secret === undefined) {
    if (deps.config.requireIntrospectionAuth) throw unauthenticated(true)
    return undefined
  }
  const find = async (runner: Runner) =>
    clientId === undefined
      ? undefined
      : (await runner.run(secretOf, [clientId, deps.clock.now(), clientSourceKey(origin)]))[0]
  const provenBy = (row: CallerRow | undefined): Caller | undefined =>
    clientId !== undefined && row?.secretHash && isSecretOf(row, secret, deps.clock.now())
      ? { clientId, teamId: row.team_id }
      : undefined
  // The right secret, from a source that waits for no turn, takes one read; whatever else comes writes something.
  const found = await find(deps.db)
  const known = isSlowed(deps, found?.failures) ? undefined : provenBy(found)
  if (known) return known
  const caller = await deps.db.transaction(async (tx) => {
    await admitClientSource(tx, deps, origin)
    const row = await find(tx)
    const proven = provenBy(row)
    if (proven) return proven
    await countClientFailure(tx, deps, origin)
    const subject = { userId: null, teamId: row?.team_id ?? null, agentId: row?.agent_id ?? null, origin }
    await deps.audit.record(tx, subject, 'application.token_refused', {
      result: 'FAILURE',
      metadata: { error: 'invalid_client', clientId: clientId?.slice(0, 100).toWellFormed() ?? null },
    })
    return undefined
  })
  if (!caller) throw unauthenticated(basic !== undefined)
  return caller
}

const unauthenticated = (byHeader: boolean) =>
  oauthRefusal('invalid_client', {
    detail: 'client authentication failed',
    headers: byHeader ? { 'www-authenticate': 'Basic realm="keyward", error="invalid_client"' } : {},
  })
