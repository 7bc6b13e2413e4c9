import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { ScimObject } from '../../../protocols/scim/index.js'
import type { DirectoryProfile } from '../../members/index.js'
import { updateMembership } from '../../members/index.js'
import { type DirectoryActor, type LockedUser, updateProvisionedUser } from '../../user-management/index.js'
import type { ScimDeps } from '../model/deps.js'
import { accountOf, type NamedAccount, requireProfile, splitUser } from './split-user.js'
import { changedParts, storedAttributesAfter } from './stored-attributes.js'
import { type StoredAttributes, type UserRow, userRepository } from './user-repository.js'

/** Reads the row of a member who cannot be removed concurrently. Runs in the caller's transaction. */
export async function rowOf(
  tx: Transaction,
  { teamId }: Pick<DirectoryActor, 'teamId'>,
  { account }: { account: Pick<LockedUser['account'], 'id'> },
): Promise<UserRow> {
  const row = await userRepository(tx, teamId).find(account.id)
  if (!row) throw platformError('internal_error')
  return row
}

/**
 * Stores the attributes of a locked member with an audit entry, if they changed. The first write by a SCIM client is stored without an
 * audit entry. Runs in the caller's transaction.
 * @throws uniqueness if another user of the team has the userName
 */
export async function writeStored(
  tx: Transaction,
  { clock, audit }: Pick<ScimDeps, 'clock' | 'audit'>,
  directory: DirectoryActor,
  {
    account,
    membership,
  }: { account: Pick<LockedUser['account'], 'id'>; membership: Pick<LockedUser['membership'], 'id'> },
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
 * Applies the differences between the current resource and `requested` to a locked member. Runs in the caller's transaction.
 * @param before the member as shown, without groups
 * @throws errors of `updateProvisionedUser`, {ScimError} invalidValue, uniqueness
 */
export async function applyUser(
  tx: Transaction,
  deps: ScimDeps,
  directory: DirectoryActor,
  user: LockedUser,
  { row, before, requested }: { row: UserRow; before: ScimObject; requested: ScimObject },
): Promise<UserRow> {
  const was = splitUser(before)
  const is = splitUser(requested)
  const account = accountAfter(row, before, requested)
  const stored = row.stored
  const attributes = storedAttributesAfter({ before: was.data, after: is.data, stored }, account)
  const isRenamed = account.email !== row.email
  await updateProvisionedUser(tx, deps, directory, user, {
    profile: requireProfile(difference(was.profile, is.profile)),
    ...(isRenamed && { email: account.email }),
    ...(is.active !== undefined && is.active !== was.active && { active: is.active }),
  })
  await writeStored(tx, deps, directory, user, stored, attributes)
  return rowOf(tx, directory, user)
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
