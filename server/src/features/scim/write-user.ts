import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { ScimObject } from '../../protocols/scim/index.js'
import type { DirectoryProfile } from '../members/index.js'
import { updateMembership } from '../members/index.js'
import { changeProvisioned, type DirectoryActor, type LockedUser } from '../user-management/index.js'
import type { ScimDeps } from './deps.js'
import { accountOf, type NamedAccount, requireProfile, splitUser } from './split-user.js'
import { changedParts, storedAttributesAfter } from './stored-attributes.js'
import { type StoredAttributes, type UserRow, userRepository } from './user-repository.js'

/** A step: the member's row, in a transaction that removes nobody. */
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
 * A step: what is kept of a locked member is this from now on, with its audit entry; nothing happens when it is so already. That a
 * directory writes somebody whom it had not written before is kept as well, and is no change of theirs.
 * @throws uniqueness for a userName that another user of the team has
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
  await userRepository(tx, directory.teamId).keep(membership.id, after)
  if (changed.length === 0) return
  await updateMembership(tx, membership, { updatedAt: clock.now() })
  await audit.record(tx, directory, 'user.updated', { resource: `user:${account.id}`, metadata: { changed } })
}

/**
 * A step: a locked member becomes the User that `wanted` is, as far as it differs from what is shown now.
 * @param before as the member is shown, without groups
 * @throws what `changeProvisioned` throws, {ScimFault} invalidValue, uniqueness
 */
export async function becomeUser(
  tx: Transaction,
  deps: ScimDeps,
  directory: DirectoryActor,
  user: LockedUser,
  { row, before, wanted }: { row: UserRow; before: ScimObject; wanted: ScimObject },
): Promise<UserRow> {
  const was = splitUser(before)
  const is = splitUser(wanted)
  const account = namedAfter(row, before, wanted)
  const stored = row.stored
  const wantedAttributes = storedAttributesAfter({ before: was.data, after: is.data, stored }, account)
  const isMoved = account.email !== row.email
  await changeProvisioned(tx, deps, directory, user, {
    profile: requireProfile(difference(was.profile, is.profile)),
    ...(isMoved && { email: account.email }),
    ...(is.active !== undefined && is.active !== was.active && { active: is.active }),
  })
  await writeStored(tx, deps, directory, user, stored, wantedAttributes)
  return rowOf(tx, directory, user)
}

/** Who the member is to be: as before, unless the User is called otherwise, or got other addresses while it is known by those. */
function namedAfter(row: UserRow, before: ScimObject, wanted: ScimObject): NamedAccount {
  const current = { email: row.email, userName: row.stored?.userName ?? null }
  const isSameName = wanted.userName === before.userName
  if (isSameName && current.userName === null) return current
  return accountOf(wanted)
}

function difference(before: DirectoryProfile, after: DirectoryProfile): DirectoryProfile {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof DirectoryProfile)[])
  const changed = [...fields].filter((field) => before[field] !== after[field])
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? null]))
}
