import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor, ScimActor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'

const lockAndVerify = namedQuery<{ active: boolean }, [string, string, UserId, boolean]>(
  'access_tokens.lock_caller',
  'SELECT hold_caller($1, $2, $3, $4) AS active',
)

/**
 * Verifies again that the caller's session or token is active, at the start of every writing transaction. The lock on the account is shared:
 * until the transaction ends, an action that locks the account exclusively (`lockAccountExclusively` of users) waits. Runs in the caller's
 * transaction.
 * @param isExclusive whether to lock the account exclusively, for routes that revoke sessions: other writing requests of the account wait
 * @throws invalid_access_token
 */
export async function lockCaller(tx: Transaction, actor: Actor | ScimActor, isExclusive: boolean): Promise<void> {
  const [credentialId, accountId] =
    actor.via === 'session'
      ? [actor.sessionId, actor.userId]
      : actor.via === 'api-token'
        ? [actor.apiTokenId, actor.userId]
        : [actor.scimTokenId, actor.createdBy]
  const [caller] = await tx.run(lockAndVerify, [actor.via, credentialId, accountId, isExclusive])
  if (!caller?.active) throw invalidAccessToken()
}
