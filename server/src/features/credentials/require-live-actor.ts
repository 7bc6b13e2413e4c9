import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { holdSession } from '../sessions/index.js'
import { isApiTokenAlive } from './api-token-repository.js'

/**
 * A step, before an act that outlives its session (an invitation, an API token, a new member, an import): the session or the API
 * token that the request came with was not ended since it was let in, and is not until the transaction ends. Whoever ends it, to
 * shut somebody out, therefore finds what they made.
 * @throws invalid_access_token
 */
export async function requireLiveActor(tx: Transaction, clock: Clock, actor: Actor): Promise<void> {
  const alive =
    actor.via === 'session'
      ? await holdSession(tx, clock, actor.sessionId)
      : await isApiTokenAlive(tx, clock, actor.apiTokenId)
  if (!alive) throw invalidAccessToken()
}
