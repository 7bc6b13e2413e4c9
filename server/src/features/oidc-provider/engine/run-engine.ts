import type { Transaction } from '../../../platform/db/database.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import type { Issuer } from '../model/issuer.js'
import type { EngineRequest, EngineResponse } from './engine.js'
import { type EngineContext, type EngineOutcome, withEngineContext } from './engine-context.js'
import { writeTokenUse } from './write-token-use.js'

type Given = Pick<
  EngineContext,
  | 'session'
  | 'presented'
  | 'waitingDevice'
  | 'subject'
  | 'pushed'
  | 'from'
  | 'trusted'
  | 'browserHash'
  | 'allowed'
  | 'requestedScope'
>

/**
 * The one function that runs the engine, inside the transaction of the caller: what the engine reads and writes goes through it,
 * and nothing is answered before it is committed. A refusal of the engine commits too (a replayed code must end what it led to,
 * a failure must count); what breaks inside undoes everything.
 * @throws whatever broke: a database that is away, or a bug of ours
 */
export async function runEngine(
  tx: Transaction,
  { clock, engines }: Pick<OidcProviderDeps, 'clock' | 'engines'>,
  issuer: Issuer,
  client: Client | undefined,
  given: Given,
  request: EngineRequest,
): Promise<{ answer: EngineResponse; outcome: EngineOutcome }> {
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
  const answer = await withEngineContext(context, () => engine.handle(request))
  if (answer.status === 200) await writeTokenUse(context)
  if (answer.status >= 500) throw outcome.failure ?? new Error(`The engine answered ${answer.status}: ${answer.body}`)
  return { answer, outcome }
}
