import type { Transaction } from '../../../platform/db/database.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import type { Issuer } from '../model/issuer.js'
import type { EngineRequest, EngineResponse } from './engine.js'
import { type EngineContext, type EngineOutcome, withEngineContext } from './engine-context.js'
import { writeTokenUse } from './write-token-use.js'

type RequestContext = Pick<
  EngineContext,
  | 'session'
  | 'presented'
  | 'pendingDevice'
  | 'subject'
  | 'pushed'
  | 'from'
  | 'trusted'
  | 'browserHash'
  | 'allowed'
  | 'requestedScope'
>

/**
 * Runs the protocol engine for one request. Runs in the caller's transaction, which must commit before the response is sent. It also commits
 * if the engine rejects the request, because a replayed code revokes its grant and a failure is counted. An internal error rolls it back.
 * @throws internal errors, such as an unavailable database
 */
export async function runEngine(
  tx: Transaction,
  { clock, engines }: Pick<OidcProviderDeps, 'clock' | 'engines'>,
  issuer: Issuer,
  client: Client | undefined,
  given: RequestContext,
  request: EngineRequest,
): Promise<{ response: EngineResponse; outcome: EngineOutcome }> {
  const outcome: EngineOutcome = {}
  const context: EngineContext = {
    tx,
    clock,
    teamId: issuer.team.id,
    issuer: { path: issuer.path, url: issuer.url },
    idTokenAlgorithm: issuer.keys.idToken.algorithm,
    client,
    outcome,
    ...given,
  }
  const engine = await engines.of(issuer)
  const response = await withEngineContext(context, () => engine.handle(request))
  if (response.status === 200) await writeTokenUse(context)
  if (response.status >= 500)
    throw outcome.failure ?? new Error(`The engine returned ${response.status}: ${response.body}`)
  return { response, outcome }
}
