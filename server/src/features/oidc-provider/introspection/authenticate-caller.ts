import { SECOND } from '../../../platform/clock.js'
import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { type CompactJwt, readCompactJwt } from '../../../protocols/jws/index.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import { basicCredentials } from '../clients/basic-credentials.js'
import {
  ASSERTION_TYPE,
  type AssertionViolation,
  audiencesOf,
  failedAuthentication,
  USED_ASSERTION,
  verifyAssertion,
} from '../clients/client-assertion.js'
import {
  admitClientSource,
  clientFailures,
  clientSourceKey,
  countClientFailure,
  isThrottled,
} from '../clients/client-limits.js'
import { hasClientSecret, type SecretHashes } from '../model/client-secret.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { useProof } from '../model/used-proofs.js'

/** A request for introspection or revocation. */
export interface CallerRequest {
  body: {
    token: string
    client_id?: string
    client_secret?: string
    client_assertion?: string
    client_assertion_type?: string
  }
  /** Path of the endpoint. */
  endpoint: string
  sent: SentRequest
  origin: RequestOrigin
}

/** An authenticated client. */
export interface Caller {
  clientId: string
  teamId: TeamId
}

interface CallerRow extends SecretHashes {
  id: ApplicationId
  team_id: TeamId
  agent_id: ApplicationId | null
  tokenEndpointAuthMethod: string
  /** Null unless the client authenticates with private_key_jwt. */
  keys: Record<string, unknown>[] | null
  /** Failures of the source of the request; null if there are none. */
  failures: number | null
}

const findCaller = namedQuery<CallerRow, [string, Date, Buffer]>(
  'oidc_provider.proof_of_client',
  `SELECT id, secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash", previous_secret_until AS "previousSecretUntil", organization_id AS team_id, CASE WHEN is_ai_agent THEN id END AS agent_id,
     token_endpoint_auth_method AS "tokenEndpointAuthMethod", CASE WHEN token_endpoint_auth_method = 'private_key_jwt' THEN jwks->'keys' END AS keys,
     ${clientFailures('$3', '$2')} AS failures FROM applications WHERE client_id = $1 AND type = 'OIDC'`,
)

/**
 * Authenticates the caller of introspection or revocation. Both require no credentials, because having the token is enough, unless
 * REQUIRE_INTROSPECTION_AUTH is set. Credentials that are sent are always verified. Returns undefined without credentials.
 * @throws invalid_client, invalid_request, rate_limited
 */
export async function authenticateCaller(deps: OidcProviderDeps, request: CallerRequest): Promise<Caller | undefined> {
  const { endpoint, origin } = request
  const credentials = readCallerCredentials(request)
  if (!credentials) {
    if (deps.config.requireIntrospectionAuth) throw unauthenticated({ isInHeader: true })
    return undefined
  }
  const { clientId } = credentials
  const find = async (runner: Runner) =>
    clientId === undefined
      ? undefined
      : (await runner.run(findCaller, [clientId, deps.clock.now(), clientSourceKey(origin)]))[0]
  const prove = async (runner: Runner, row: CallerRow | undefined): Promise<Caller | Failure> => {
    if (clientId === undefined || !row) return {}
    const failure = await failureOf(runner, deps, { ...credentials, clientId, endpoint }, row)
    return failure ?? { clientId, teamId: row.team_id }
  }
  // A valid secret from a source that is not throttled takes one read. Every other case writes.
  const found = await find(deps.db)
  const known = isThrottled(deps, found?.failures) ? {} : await prove(deps.db, found)
  if (isCaller(known)) return known
  const caller = await deps.db.transaction(async (tx) => {
    await admitClientSource(tx, deps, origin)
    const row = await find(tx)
    const proven = await prove(tx, row)
    if (isCaller(proven)) return proven
    await countClientFailure(tx, deps, origin)
    const subject = { userId: null, teamId: row?.team_id ?? null, agentId: row?.agent_id ?? null, origin }
    await deps.audit.record(tx, subject, 'application.token_refused', {
      result: 'FAILURE',
      metadata: {
        error: 'invalid_client',
        ...(proven.assertion && { reason: proven.assertion.reason }),
        clientId: clientId?.slice(0, 100).toWellFormed() ?? null,
      },
    })
    return proven
  })
  if (!isCaller(caller)) throw unauthenticated({ isInHeader: credentials.isInHeader, violation: caller.assertion })
  return caller
}

/** A failed authentication; `assertion` is the error of the client assertion. */
interface Failure {
  assertion?: AssertionViolation
}

const isCaller = (result: Caller | Failure): result is Caller => 'clientId' in result

/** Verifies the proof with the registered method of the client. Consumes a valid assertion. Returns undefined for a valid proof. */
async function failureOf(
  runner: Runner,
  { clock, config }: OidcProviderDeps,
  { clientId, proof, endpoint }: Pick<CallerCredentials, 'proof'> & { clientId: string; endpoint: string },
  row: CallerRow,
): Promise<Failure | undefined> {
  if ('secret' in proof) return hasClientSecret(row, proof.secret, clock.now()) ? undefined : {}
  if (row.tokenEndpointAuthMethod !== 'private_key_jwt' || !row.keys) return {}
  const verified = verifyAssertion(proof.assertion, {
    clientId,
    keys: row.keys,
    audiences: audiencesOf(config.baseUrl, `${config.baseUrl}${endpoint}`, {
      teamId: row.team_id,
      applicationId: row.id,
    }),
    now: clock.ms() / SECOND,
  })
  if ('reason' in verified) return { assertion: verified }
  return (await useProof(runner, verified.id, verified.until)) ? undefined : { assertion: USED_ASSERTION }
}

/** The client ID that a caller sent, and its proof. */
interface CallerCredentials {
  clientId: string | undefined
  /** `assertion` is undefined if it is not a JWT. */
  proof: { secret: string } | { assertion: CompactJwt | undefined }
  isInHeader: boolean
}

/**
 * Returns the credentials in the header or the body; undefined without credentials.
 * @throws invalid_client, invalid_request
 */
function readCallerCredentials({ body, sent }: CallerRequest): CallerCredentials | undefined {
  const { client_id: clientId, client_secret: clientSecret } = body
  const { client_assertion: clientAssertion, client_assertion_type: clientAssertionType } = body
  const authorization = sent.header('authorization')
  const basic = basicCredentials(authorization)
  if (!basic && /^basic\b/i.test(authorization ?? '')) throw unauthenticated({ isInHeader: true })
  if ([basic, clientSecret, clientAssertion].filter((one) => one !== undefined).length > 1)
    throw reject('client authentication must only be provided using one mechanism')
  if (clientAssertion !== undefined || clientAssertionType !== undefined)
    return assertionOf(clientAssertion, clientAssertionType, clientId)
  const secret = basic?.secret ?? clientSecret
  if (secret === undefined) return undefined
  return { clientId: basic?.clientId ?? clientId, proof: { secret }, isInHeader: basic !== undefined }
}

/** Reads a client assertion (RFC 7521 4.2). Both parameters are required; `client_id` is optional and must equal the subject. */
function assertionOf(
  text: string | undefined,
  type: string | undefined,
  clientId: string | undefined,
): CallerCredentials {
  if (text === undefined) throw reject('client_assertion must be provided')
  if (type !== ASSERTION_TYPE) throw reject(`client_assertion_type must have value ${ASSERTION_TYPE}`)
  const assertion = readCompactJwt(text)
  const subject = assertion?.claims.sub
  if (typeof subject !== 'string') return { clientId, proof: { assertion: undefined }, isInHeader: false }
  if (clientId !== undefined && clientId !== subject) throw reject('client_id mismatch')
  return { clientId: subject, proof: { assertion }, isInHeader: false }
}

const reject = (detail: string) => oauthError('invalid_request', { detail })

const unauthenticated = ({
  isInHeader,
  violation,
}: {
  isInHeader: boolean
  violation?: AssertionViolation | undefined
}) =>
  oauthError('invalid_client', {
    detail: failedAuthentication(violation),
    headers: isInHeader ? { 'www-authenticate': 'Basic realm="keyward", error="invalid_client"' } : {},
  })
