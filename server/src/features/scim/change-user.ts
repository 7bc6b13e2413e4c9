import type { Transaction } from '../../platform/db/database.js'
import type { ScimActor } from '../../platform/http/actor.js'
import { applyUserPatch, type Projection, readResource, type ScimObject } from '../../protocols/scim/index.js'
import { changeProvisioned, type DirectoryActor, lockUserOfTeam } from '../user-management/index.js'
import { asDirectory } from './as-directory.js'
import { baseOf } from './base-of.js'
import type { ScimDeps } from './deps.js'
import { userResource } from './user-resource.js'
import { becomeUser, rowOf } from './write-user.js'

/** Changes a member by what they are shown as now; all of it is done, or nothing. */
function changeUser(
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  projection: Projection,
  change: (before: ScimObject) => ScimObject,
): Promise<ScimObject> {
  const base = baseOf(deps, actor)
  const work = async (tx: Transaction, directory: DirectoryActor) => {
    const user = await lockUserOfTeam(tx, directory.teamId, id)
    const row = await rowOf(tx, directory, user)
    const before = userResource({ ...row, groups: [] }, base)
    const after = await becomeUser(tx, deps, directory, user, { row, before, wanted: change(before) })
    return projection.of(userResource(after, base))
  }
  return asDirectory(deps, actor, 'User', work, lockAccount(actor, id))
}

/**
 * Changes what the operations name (RFC 7644 3.5.2).
 * @throws user_not_found, {ScimFault} of the operations, what `becomeUser` throws
 */
export const patchUser = (
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  body: unknown,
  projection: Projection,
): Promise<ScimObject> => changeUser(deps, actor, id, projection, (before) => applyUserPatch(before, body))

/**
 * Makes the member the User that the body is (RFC 7644 3.5.1): what it does not say is emptied. Whether they are active stays as it is
 * when it does not say so.
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
 * Suspends the member; everything that they have open in the team has ended. Who is suspended already stays so.
 * @throws user_not_found, role_protected, last_admin
 */
export function deactivateUser(deps: ScimDeps, actor: ScimActor, id: string): Promise<void> {
  const work = async (tx: Transaction, directory: DirectoryActor) => {
    const user = await lockUserOfTeam(tx, directory.teamId, id)
    await changeProvisioned(tx, deps, directory, user, { active: false })
  }
  return asDirectory(deps, actor, 'User', work, lockAccount(actor, id))
}

/** @throws user_not_found */
const lockAccount =
  ({ teamId }: ScimActor, id: string) =>
  (tx: Transaction) =>
    lockUserOfTeam(tx, teamId, id, true)
