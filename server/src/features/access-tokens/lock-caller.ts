import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor, ScimActor } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'

interface Member {
  via: string
  credentialId: string
  accountId: UserId
  isExclusive: boolean
  teamId: TeamId
  role: string
  receivedAt: Date
  administers: boolean
}
const lockMember = namedQuery<{ active: boolean }, Member>(
  'access_tokens.lock_caller',
  'SELECT hold_caller(:via, :credentialId, :accountId, :isExclusive, :teamId, :role, :receivedAt, :administers) AS active',
)

const lockDirectory = namedQuery<{ active: boolean }, [string, string, UserId, boolean]>(
  'access_tokens.lock_scim_caller',
  'SELECT hold_caller($1, $2, $3, $4) AS active',
)

/**
 * Verifies again that the caller's access is still that with which the request was authenticated, at the start of every writing transaction:
 * the session or token is active, and the membership has the same role and has not lost its credentials. A client can send the body of a
 * request long after its headers. (A SCIM request reads the role of the token's creator itself.) The lock on the account is shared: until the
 * transaction ends, an action that locks the account exclusively (`lockAccountExclusively` of users) waits. Runs in the caller's transaction.
 * @param isExclusive whether to lock the account exclusively, for routes that revoke sessions: other writing requests of the account wait
 * @throws invalid_access_token
 */
export async function lockCaller(tx: Transaction, actor: Actor | ScimActor, isExclusive: boolean): Promise<void> {
  const [caller] =
    actor.via === 'scim-token'
      ? await tx.run(lockDirectory, [actor.via, actor.scimTokenId, actor.createdBy, isExclusive])
      : await tx.run(lockMember, {
          via: actor.via,
          credentialId: actor.via === 'session' ? actor.sessionId : actor.apiTokenId,
          accountId: actor.userId,
          isExclusive,
          teamId: actor.teamId,
          role: actor.role,
          receivedAt: actor.receivedAt,
          administers: actor.instanceAdmin,
        })
  if (!caller?.active) throw invalidAccessToken()
}
