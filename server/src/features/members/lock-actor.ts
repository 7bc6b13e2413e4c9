import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { OriginId } from '../../platform/ids.js'
import { lockUser, type User } from '../users/index.js'
import type { MemberDeps } from './deps.js'

/**
 * Locks the caller's account, and the session or API token of the request. Runs in the caller's transaction.
 * @returns the account, and the member who set the temporary password with which the session began, or null
 * @throws invalid_access_token if the account was deleted, or the credential was revoked, since the request was authenticated
 */
export async function lockActor(
  tx: Transaction,
  { clock, requireActiveActor }: MemberDeps,
  actor: Actor,
): Promise<{ user: User; temporarySetBy: OriginId | null }> {
  const user = await lockUser(tx, actor.userId)
  if (!user) throw invalidAccessToken()
  return { user, ...(await requireActiveActor(tx, clock, actor)) }
}
