import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import { findSignInEditor, setterCovers, shareMember } from '../members/index.js'
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
 * password started the caller's session. The password is revoked when the setter loses permissions: their membership is locked, so that a
 * concurrent loss sees the password, or rejects the action.
 * @throws invalid_access_token
 */
export async function lockCallerForTemporaryPassword(tx: Transaction, clock: Clock, actor: Actor): Promise<UserId> {
  const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
  const isOther = temporarySetBy !== null && !(await findSignInEditor(tx, temporarySetBy))
  const setter = isOther ? temporarySetBy : actor.userId
  const member = await shareMember(tx, actor.teamId, setter)
  const isCurrent = isOther
    ? await setterCovers(tx, setter, actor.role, actor.teamId)
    : member?.status === 'active' && member.role === actor.role
  if (!isCurrent) throw invalidAccessToken()
  return setter
}
