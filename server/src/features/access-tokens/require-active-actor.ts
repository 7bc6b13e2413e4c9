import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import { atEndWithSetter, findMember, findSignInEditor, setterCovers } from '../members/index.js'
import { lockSession, type Provenance } from '../sessions/index.js'
import { lockApiToken } from './token-repository.js'

/**
 * Locks the caller's session or API token before an action that outlives it (an invitation, an API token, a new member, an import), so that a
 * concurrent revocation also revokes the objects that the action creates. They inherit the returned provenance. Reads the caller's membership
 * again: a suspension or removal in this team does not end a session of another team, and may have been committed while the transaction
 * waited. Runs in the caller's transaction.
 * @throws invalid_access_token
 */
export async function requireActiveActor(tx: Transaction, clock: Clock, actor: Actor): Promise<Provenance> {
  const provenance =
    actor.via === 'session'
      ? await lockSession(tx, clock, actor.sessionId)
      : await lockApiToken(tx, clock, actor.apiTokenId)
  if (!provenance || !(await hasSameRole(tx, actor))) throw invalidAccessToken()
  return provenance
}

async function hasSameRole(tx: Transaction, { teamId, userId, role, receivedAt }: Actor): Promise<boolean> {
  const member = await findMember(tx, teamId, userId)
  if (member?.status !== 'active' || member.role !== role) return false
  return member.tokensSince === null || member.tokensSince <= receivedAt
}

/**
 * Like `requireActiveActor`, before an action that sets a temporary password. Returns its setter: the caller, or the member whose temporary
 * password started the caller's session. The password is revoked when the setter loses permissions: a concurrent loss sees the password, or
 * rejects the action.
 * @throws invalid_access_token
 */
export async function lockCallerForTemporaryPassword(tx: Transaction, clock: Clock, actor: Actor): Promise<UserId> {
  const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
  const isOther = temporarySetBy !== null && !(await findSignInEditor(tx, temporarySetBy))
  const setter = isOther ? temporarySetBy : actor.userId
  atEndWithSetter(tx, setter, false, async () => {
    const holds = isOther ? await setterCovers(tx, setter, actor.role, actor.teamId) : await hasSameRole(tx, actor)
    if (!holds) throw invalidAccessToken()
  })
  return setter
}
