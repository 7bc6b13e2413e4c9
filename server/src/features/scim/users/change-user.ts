import type { Transaction } from '../../../platform/db/database.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import { applyUserPatch, type Projection, readResource, type ScimObject } from '../../../protocols/scim/index.js'
import { type DirectoryActor, lockUserOfTeam, updateProvisionedUser } from '../../user-management/index.js'
import type { ScimDeps } from '../model/deps.js'
import { runAsDirectory } from '../model/run-as-directory.js'
import { serviceUrlOf } from '../model/service-url.js'
import { applyUser, rowOf } from './apply-user.js'
import { userResource } from './user-resource.js'

/** Changes a member, given the current resource. Applies all changes or none. */
function changeUser(
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  projection: Projection,
  change: (before: ScimObject) => ScimObject,
): Promise<ScimObject> {
  const base = serviceUrlOf(deps, actor)
  const work = async (tx: Transaction, directory: DirectoryActor) => {
    const user = await lockUserOfTeam(tx, directory.teamId, id)
    const row = await rowOf(tx, directory, user)
    const before = userResource({ ...row, groups: [] }, base)
    const after = await applyUser(tx, deps, directory, user, { row, before, requested: change(before) })
    return projection.of(userResource(after, base))
  }
  return runAsDirectory(deps, actor, 'User', work, lockAccount(actor, id))
}

/**
 * Applies PATCH operations (RFC 7644 section 3.5.2).
 * @throws user_not_found, {ScimError} of the operations, and the errors of `applyUser`
 */
export const patchUser = (
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  body: unknown,
  projection: Projection,
): Promise<ScimObject> => changeUser(deps, actor, id, projection, (before) => applyUserPatch(before, body))

/**
 * Replaces the member's attributes (RFC 7644 section 3.5.1). Missing attributes are cleared, except `active`, which remains.
 * @throws as `patchUser`
 */
export function replaceUser(
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  body: unknown,
  projection: Projection,
): Promise<ScimObject> {
  const sent = readResource('User', body)
  return changeUser(deps, actor, id, projection, ({ active }) => ({ ...(active !== undefined && { active }), ...sent }))
}

/**
 * Suspends the member and revokes their access to the team. Idempotent.
 * @throws user_not_found, role_protected, last_admin
 */
export function deactivateUser(deps: ScimDeps, actor: ScimActor, id: string): Promise<void> {
  const work = async (tx: Transaction, directory: DirectoryActor) => {
    const user = await lockUserOfTeam(tx, directory.teamId, id)
    await updateProvisionedUser(tx, deps, directory, user, { active: false })
  }
  return runAsDirectory(deps, actor, 'User', work, lockAccount(actor, id))
}

/** @throws user_not_found */
const lockAccount =
  ({ teamId }: ScimActor, id: string) =>
  (tx: Transaction) =>
    lockUserOfTeam(tx, teamId, id, true)
