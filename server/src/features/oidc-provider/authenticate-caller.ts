import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { oauthRefusal } from '../../platform/http/oauth-dialect.js'
import type { SentRequest } from '../../platform/http/route.js'
import type { ApplicationId, TeamId } from '../../platform/ids.js'
import { basicCredentials } from './client-credentials.js'
import { admitClientSource, countClientFailure } from './client-limits.js'
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

const secretOf = namedQuery<SecretHashes & { team_id: TeamId; agent_id: ApplicationId | null }, [string]>(
  'oidc_provider.secret_of_client',
  `SELECT secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash", previous_secret_until AS "previousSecretUntil", organization_id AS team_id, CASE WHEN is_ai_agent THEN id END AS agent_id FROM applications WHERE client_id = $1 AND type = 'OIDC'`,
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
  const caller = await deps.db.transaction(async (tx) => {
    await admitClientSource(tx, deps, origin)
    const [row] = clientId === undefined ? [] : await tx.run(secretOf, [clientId])
    if (clientId !== undefined && row?.secretHash && isSecretOf(row, secret, deps.clock.now()))
      return { clientId, teamId: row.team_id }
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
