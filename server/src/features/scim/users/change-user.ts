import type { Transaction } from '../../../platform/db/database.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import { applyUserPatch, readResource, type ScimObject } from '../../../protocols/scim/index.js'
import { type DirectoryProfile, updateMembership } from '../../members/index.js'
import { lockUserOfTeam, type UserIds, updateProvisionedUser } from '../../user-management/index.js'
import { type ScimDeps, serviceUrlOf } from '../model/deps.js'
import { type DirectoryChange, runAsDirectory } from '../model/run-as-directory.js'
import { userResource } from './read-users.js'
import { accountOf, type NamedAccount, requireProfile, splitUser } from './split-user.js'
import { changedParts, storedAttributesAfter } from './stored-attributes.js'
import { type StoredAttributes, type UserRow, userRepository } from './user-repository.js'

/**
 * Stores the attributes of a locked member with an audit entry, if they changed. The first write by a SCIM client is stored without an
 * audit entry. Runs in the caller's transaction.
 * @throws uniqueness if another user of the team has the userName
 */
export async function writeStored(
  { tx, deps: { clock, audit }, directory }: DirectoryChange,
  { account, membership }: UserIds,
  before: StoredAttributes | null,
  after: StoredAttributes,
): Promise<void> {
  const changed = changedParts(before, after)
  const isSame = before?.address === after.address && before.phone === after.phone
  if (changed.length === 0 && isSame) return
  await userRepository(tx, directory.teamId).storeAttributes(membership.id, after)
  if (changed.length === 0) return
  await updateMembership(tx, membership, { updatedAt: clock.now() })
  await audit.record(tx, directory, 'user.updated', { resource: `user:${account.id}`, metadata: { changed } })
}

/**
 * Applies the differences between the current resource of a member and the one that `change` returns.
 * @throws user_not_found, errors of `updateProvisionedUser`, {ScimError} invalidValue, uniqueness: nothing is changed
 */
function changeUser(
  deps: ScimDeps,
  actor: ScimActor,
  id: string,
  change: (before: ScimObject) => ScimObject,
): Promise<ScimObject> {
  const base = serviceUrlOf(deps, actor)
  const work = async (current: DirectoryChange) => {
    const { tx, directory } = current
    const user = await lockUserOfTeam(tx, directory.teamId, id)
    const repository = userRepository(tx, directory.teamId)
    const row = await repository.get(user.account.id)
    const { stored } = row
    const before = userResource({ ...row, groups: [] }, base)
    const requested = change(before)
    const [was, is] = [splitUser(before), splitUser(requested)]
    const account = accountAfter(row, before, requested)
    const attributes = storedAttributesAfter({ before: was.data, after: is.data, stored }, account)
    await updateProvisionedUser(tx, deps, directory, user, {
      profile: requireProfile(difference(was.profile, is.profile)),
      ...(account.email !== row.email && { email: account.email }),
      ...(is.active !== undefined && is.active !== was.active && { active: is.active }),
    })
    await writeStored(current, user, stored, attributes)
    return userResource(await repository.get(user.account.id), base)
  }
  return runAsDirectory(deps, actor, 'User', work, lockAccount(actor, id))
}

/**
 * Returns the account identifiers after a change. They remain unless `userName` changes, or the addresses change while they identify the
 * account.
 */
function accountAfter(row: UserRow, before: ScimObject, requested: ScimObject): NamedAccount {
  const current = { email: row.email, userName: row.stored?.userName ?? null }
  const isSameName = requested.userName === before.userName
  if (isSameName && current.userName === null) return current
  return accountOf(requested)
}

function difference(before: DirectoryProfile, after: DirectoryProfile): DirectoryProfile {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof DirectoryProfile)[])
  const changed = [...fields].filter((field) => before[field] !== after[field])
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? null]))
}

/**
 * Applies PATCH operations (RFC 7644 section 3.5.2).
 * @throws user_not_found, {ScimError} of the operations, and the errors of `changeUser`
 */
export const patchUser = (deps: ScimDeps, actor: ScimActor, id: string, body: unknown): Promise<ScimObject> =>
  changeUser(deps, actor, id, (before) => applyUserPatch(before, body))

/**
 * Replaces the member's attributes (RFC 7644 section 3.5.1). Missing attributes are cleared, except `active`, which remains.
 * @throws as `patchUser`
 */
export function replaceUser(deps: ScimDeps, actor: ScimActor, id: string, body: unknown): Promise<ScimObject> {
  const sent = readResource('User', body)
  return changeUser(deps, actor, id, ({ active }) => ({ ...(active !== undefined && { active }), ...sent }))
}

/**
 * Suspends the member and revokes their access to the team. Idempotent.
 * @throws user_not_found, role_protected, last_admin
 */
export function deactivateUser(deps: ScimDeps, actor: ScimActor, id: string): Promise<void> {
  const work = async ({ tx, directory }: DirectoryChange) => {
    const user = await lockUserOfTeam(tx, directory.teamId, id)
    await updateProvisionedUser(tx, deps, directory, user, { active: false })
  }
  return runAsDirectory(deps, actor, 'User', work, lockAccount(actor, id))
}

/** @throws user_not_found */
const lockAccount =
  ({ teamId }: ScimActor, id: string) =>
  (tx: Transaction) =>
    lockUserOfTeam(tx, teamId, id)
