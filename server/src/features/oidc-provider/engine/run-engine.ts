import type { Transaction } from '../../../platform/db/database.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import type { Issuer } from '../model/issuer.js'
import type { EngineRequest, EngineResponse } from './engine.js'
import { type EngineContext, type EngineInput, type EngineOutcome, withEngineContext } from './engine-context.js'
import { writeTokenUse } from './write-token-use.js'

/**
 * Runs the protocol engine for one request. Runs in the caller's transaction, which must commit before the response is sent. It also commits
 * if the engine rejects the request, because a replayed code revokes its grant and a failure is counted. An internal error rolls it back.
 * @throws internal errors, such as an unavailable database
 */
export async function runEngine(
  tx: Transaction,
  { clock, engines }: OidcProviderDeps,
  issuer: Issuer,
  client: Client | undefined,
  input: EngineInput,
  request: EngineRequest,
): Promise<{ response: EngineResponse; outcome: EngineOutcome }> {
  const outcome: EngineOutcome = {}
  const idTokenAlgorithm = issuer.keys.idToken.algorithm
  const context: EngineContext = { ...input, tx, clock, issuer, client, idTokenAlgorithm, outcome }
  const engine = await engines.of(issuer)
  const response = await withEngineContext(context, () => engine.handle(request))
  if (response.status === 200) await writeTokenUse(context)
  if (response.status >= 500)
    throw outcome.internalError ?? new Error(`The engine returned ${response.status}: ${response.body}`)
  return { response, outcome }
}

/** Sends a response of the engine unchanged. */
export function sendEngineResponse(http: HttpExchange, { status, headers, body }: EngineResponse): string {
  http.status(status)
  for (const [name, value] of Object.entries(headers)) http.setHeader(name, value)
  return body
}
