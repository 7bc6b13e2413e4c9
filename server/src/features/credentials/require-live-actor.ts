import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import { findSignInEditor } from '../members/index.js'
import { lockSession, type Provenance } from '../sessions/index.js'
import { lockApiToken } from './api-token-repository.js'

/**
 * A step, before an act that outlives its session (an invitation, an API token, a new member, an import): the session or the API
 * token that the request came with was not ended since it was let in, and is not until the transaction ends. Whoever ends it, to
 * shut somebody out, therefore finds what they made. Credentials that it creates inherit what is returned.
 * @throws invalid_access_token
 */
export async function requireLiveActor(tx: Transaction, clock: Clock, actor: Actor): Promise<Provenance> {
  const held =
    actor.via === 'session'
      ? await lockSession(tx, clock, actor.sessionId)
      : await lockApiToken(tx, clock, actor.apiTokenId)
  if (!held) throw invalidAccessToken()
  return held
}

/**
 * As `requireLiveActor`, before an act that sets a temporary password. Returns the member who answers for it: the caller, or the member whose
 * temporary password started the caller's session. The password ends with the permissions of that member.
 * @throws invalid_access_token
 */
export async function requireLiveSetter(tx: Transaction, clock: Clock, actor: Actor): Promise<UserId> {
  const { temporarySetBy } = await requireLiveActor(tx, clock, actor)
  if (!temporarySetBy || (await findSignInEditor(tx, temporarySetBy))) return actor.userId
  return temporarySetBy
}
