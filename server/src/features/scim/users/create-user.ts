import type { ScimActor } from '../../../platform/http/actor.js'
import { readProjection, readResource, type ScimObject } from '../../../protocols/scim/index.js'
import { provisionDirectoryUser } from '../../user-management/index.js'
import { lockUserByEmail, normalizeEmail } from '../../users/index.js'
import { type ScimDeps, serviceUrlOf } from '../model/deps.js'
import { type DirectoryChange, runAsDirectory } from '../model/run-as-directory.js'
import { writeStored } from './change-user.js'
import type { CreateInBatches } from './create-in-batches.js'
import { userResource } from './read-users.js'
import { accountOf, requireProfile, splitUser } from './split-user.js'
import { newStoredAttributes } from './stored-attributes.js'
import { type UserRow, userRepository } from './user-repository.js'

/**
 * Creates a member, or updates the existing one with this email address, which is not a conflict.
 * @throws {ScimError} for an invalid User; role_protected, limit_reached, last_admin; external_id_taken if it belongs to another user or
 * differs from the one that the user has; uniqueness
 */
export async function createUser(
  deps: ScimDeps & { createInBatches: CreateInBatches },
  actor: ScimActor,
  body: unknown,
): Promise<ScimObject> {
  const sent = readResource('User', body)
  const account = accountOf(sent)
  const { profile, active, data } = splitUser(sent)
  requireProfile(profile)
  const newUser = { email: account.email, profile, active: active ?? true, stored: newStoredAttributes(data, account) }
  const created = await deps.createInBatches(actor, newUser)
  const shown = (row: UserRow) => readProjection('User').of(userResource(row, serviceUrlOf(deps, actor)))
  if (created) return shown(created)
  const { email } = account
  const work = async (change: DirectoryChange) => {
    const { tx, directory } = change
    const person = { email, profile, keepsExternalId: true, ...(active !== undefined && { active }) }
    const user = await provisionDirectoryUser(tx, deps, directory, person)
    const isNew = user.outcome === 'created' || user.outcome === 'joined'
    const repository = userRepository(tx, directory.teamId)
    const before = isNew ? null : (await repository.get(user.account.id)).stored
    const stored = newStoredAttributes(data, account, before)
    // For a new member, the audit entry of the addition covers the stored attributes.
    if (isNew) await repository.storeAttributes(user.membership.id, stored)
    else await writeStored(change, user, before, stored)
    return shown(await repository.get(user.account.id))
  }
  return runAsDirectory(deps, actor, 'User', work, (tx) => lockUserByEmail(tx, normalizeEmail(email)))
}
