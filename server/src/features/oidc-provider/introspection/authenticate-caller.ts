import { SECOND } from '../../../platform/clock.js'
import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { audiencesOf, verifyAssertion } from '../clients/client-assertion.js'
import {
  admitClientSource,
  clientFailures,
  clientSourceKey,
  countClientFailure,
  isThrottled,
} from '../clients/client-limits.js'
import { isSecretOf, type SecretHashes } from '../model/client-secret.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { useProof } from '../model/used-proofs.js'
import {
  type CallerCredentials,
  type CallerRequest,
  readCallerCredentials,
  unauthenticated,
} from './caller-credentials.js'

/** An authenticated client. */
export interface Caller {
  clientId: string
  teamId: TeamId
}

interface CallerRow extends SecretHashes {
  id: ApplicationId
  team_id: TeamId
  agent_id: ApplicationId | null
  method: string
  /** Null unless the client authenticates with private_key_jwt. */
  keys: Record<string, unknown>[] | null
  /** Failures of the source of the request; null if there are none. */
  failures: number | null
}

const findCaller = namedQuery<CallerRow, [string, Date, Buffer]>(
  'oidc_provider.proof_of_client',
  `SELECT id, secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash", previous_secret_until AS "previousSecretUntil", organization_id AS team_id, CASE WHEN is_ai_agent THEN id END AS agent_id,
     token_endpoint_auth_method AS method, CASE WHEN token_endpoint_auth_method = 'private_key_jwt' THEN jwks->'keys' END AS keys,
     ${clientFailures('$3', '$2')} AS failures FROM applications WHERE client_id = $1 AND type = 'OIDC'`,
)

/**
 * Authenticates the caller of introspection or revocation. Both require no credentials, because having the token is enough, unless
 * REQUIRE_INTROSPECTION_AUTH is set. Credentials that are sent are always verified. Returns undefined without credentials.
 * @throws invalid_client, invalid_request, rate_limited
 */
export async function authenticateCaller(deps: OidcProviderDeps, question: CallerRequest): Promise<Caller | undefined> {
  const { endpoint, origin } = question
  const credentials = readCallerCredentials(question)
  if (!credentials) {
    if (deps.config.requireIntrospectionAuth) throw unauthenticated(true)
    return undefined
  }
  const { clientId } = credentials
  const find = async (runner: Runner) =>
    clientId === undefined
      ? undefined
      : (await runner.run(findCaller, [clientId, deps.clock.now(), clientSourceKey(origin)]))[0]
  const prove = async (runner: Runner, row: CallerRow | undefined): Promise<Caller | undefined> =>
    clientId !== undefined && row && (await isAuthenticated(runner, deps, { ...credentials, clientId, endpoint }, row))
      ? { clientId, teamId: row.team_id }
      : undefined
  // A valid secret from a source that is not throttled takes one read. Every other case writes.
  const found = await find(deps.db)
  const known = isThrottled(deps, found?.failures) ? undefined : await prove(deps.db, found)
  if (known) return known
  const caller = await deps.db.transaction(async (tx) => {
    await admitClientSource(tx, deps, origin)
    const row = await find(tx)
    const proven = await prove(tx, row)
    if (proven) return proven
    await countClientFailure(tx, deps, origin)
    const subject = { userId: null, teamId: row?.team_id ?? null, agentId: row?.agent_id ?? null, origin }
    await deps.audit.record(tx, subject, 'application.token_refused', {
      result: 'FAILURE',
      metadata: { error: 'invalid_client', clientId: clientId?.slice(0, 100).toWellFormed() ?? null },
    })
    return undefined
  })
  if (!caller) throw unauthenticated(credentials.byHeader)
  return caller
}

interface Claimed extends Pick<CallerCredentials, 'proof'> {
  clientId: string
  endpoint: string
}

/** Verifies the proof with the registered method of the client. Consumes a valid assertion. */
async function isAuthenticated(
  runner: Runner,
  { clock, config }: Pick<OidcProviderDeps, 'clock' | 'config'>,
  { clientId, proof, endpoint }: Claimed,
  row: CallerRow,
): Promise<boolean> {
  if ('secret' in proof)
    return (
      row.method.startsWith('client_secret_') && row.secretHash !== null && isSecretOf(row, proof.secret, clock.now())
    )
  if (!proof.assertion || row.method !== 'private_key_jwt' || !row.keys) return false
  const verified = verifyAssertion(proof.assertion, {
    clientId,
    keys: row.keys,
    audiences: audiencesOf(config.baseUrl, `${config.baseUrl}${endpoint}`, {
      teamId: row.team_id,
      applicationId: row.id,
    }),
    now: clock.ms() / SECOND,
  })
  return verified !== undefined && useProof(runner, verified.id, verified.until)
}
