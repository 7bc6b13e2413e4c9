import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { OriginId } from '../../platform/ids.js'
import {
  atEndWithSetters,
  findMember,
  findSignInEditor,
  isCovered,
  readOrigin,
  setterCovers,
  writeOrigin,
} from '../members/index.js'
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
 * Like `requireActiveActor`, before an action that sets a temporary password. Returns its origin: the caller, jointly with the
 * members whose temporary passwords started the caller's session, and with the editor of the provider or directory that did. The password is
 * revoked when one of them loses permissions: a concurrent loss sees the password, or rejects the action.
 * @throws invalid_access_token, forbidden if too many members are behind the session
 */
export async function lockCallerForTemporaryPassword(tx: Transaction, clock: Clock, actor: Actor): Promise<OriginId> {
  const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
  const { setters: before, editorId } = await readOrigin(tx, temporarySetBy)
  // An API token does not depend on the editor.
  const isSession = actor.via === 'session'
  const editor = isSession && editorId ? await findSignInEditor(tx, editorId) : undefined
  const setters = [actor.userId, ...before, ...(editor ? [editor.savedBy] : [])]
  const isAllowed = isSession ? isCovered : setterCovers
  atEndWithSetters(tx, setters, false, async () => {
    const covers = temporarySetBy === null || (await isAllowed(tx, temporarySetBy, actor.role, actor.teamId))
    if (!covers || !(await hasSameRole(tx, actor))) throw invalidAccessToken()
  })
  return writeOrigin(tx, clock, actor.teamId, { setters, editorId: null })
}
