import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import { findSignInEditor } from '../members/index.js'
import { lockSession, type Provenance } from '../sessions/index.js'
import { lockApiToken } from './token-repository.js'

/**
 * Locks the caller's session or API token before an action that outlives it (an invitation, an API token, a new member, an import), so that a
 * concurrent revocation also revokes the objects that the action creates. They inherit the returned provenance. Runs in the caller's
 * transaction.
 * @throws invalid_access_token
 */
export async function requireActiveActor(tx: Transaction, clock: Clock, actor: Actor): Promise<Provenance> {
  const provenance =
    actor.via === 'session'
      ? await lockSession(tx, clock, actor.sessionId)
      : await lockApiToken(tx, clock, actor.apiTokenId)
  if (!provenance) throw invalidAccessToken()
  return provenance
}

/**
 * Like `requireActiveActor`, before an action that sets a temporary password. Returns its setter: the caller, or the member whose temporary
 * password started the caller's session. The password is revoked when the setter loses permissions.
 * @throws invalid_access_token
 */
export async function lockCallerForTemporaryPassword(tx: Transaction, clock: Clock, actor: Actor): Promise<UserId> {
  const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
  if (!temporarySetBy || (await findSignInEditor(tx, temporarySetBy))) return actor.userId
  return temporarySetBy
}
