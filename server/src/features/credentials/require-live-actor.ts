import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { holdSession, type Provenance } from '../sessions/index.js'
import { holdApiToken } from './api-token-repository.js'

/**
 * A step, before an act that outlives its session (an invitation, an API token, a new member, an import): the session or the API
 * token that the request came with was not ended since it was let in, and is not until the transaction ends. Whoever ends it, to
 * shut somebody out, therefore finds what they made. Credentials that it creates inherit what is returned.
 * @throws invalid_access_token
 */
export async function requireLiveActor(tx: Transaction, clock: Clock, actor: Actor): Promise<Provenance> {
  const held =
    actor.via === 'session'
      ? await holdSession(tx, clock, actor.sessionId)
      : await holdApiToken(tx, clock, actor.apiTokenId)
  if (!held) throw invalidAccessToken()
  return held
}
