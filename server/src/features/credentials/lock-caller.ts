import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor, ScimActor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'

const hold = namedQuery<{ active: boolean }, [string, string, UserId, boolean]>(
  'credentials.lock_caller',
  'SELECT hold_caller($1, $2, $3, $4) AS active',
)

/**
 * Verifies again that the caller's session or token is active, at the start of every writing transaction. Until the transaction ends, no
 * action with an exclusive lock of the account (`lockAccountExclusively` of users) starts. Runs in the caller's transaction.
 * @param alone whether to lock exclusively, for routes that end sessions: no other request of the account writes meanwhile
 * @throws invalid_access_token
 */
export async function lockCaller(tx: Transaction, actor: Actor | ScimActor, alone: boolean): Promise<void> {
  const [caller, account] =
    actor.via === 'session'
      ? [actor.sessionId, actor.userId]
      : actor.via === 'api-token'
        ? [actor.apiTokenId, actor.userId]
        : [actor.scimTokenId, actor.createdBy]
  const [held] = await tx.run(hold, [actor.via, caller, account, alone])
  if (!held?.active) throw invalidAccessToken()
}
