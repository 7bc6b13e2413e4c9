import type { Transaction } from '../../platform/db/database.js'
import type { ScimActor } from '../../platform/http/actor.js'
import { readProjection, readResource, type ScimObject } from '../../protocols/scim/index.js'
import { type DirectoryActor, provisionDirectoryUser } from '../user-management/index.js'
import { lockUserByEmail, normalizeEmail } from '../users/index.js'
import { asDirectory } from './as-directory.js'
import { baseOf } from './base-of.js'
import type { CreateTogether } from './create-together.js'
import type { ScimDeps } from './deps.js'
import { accountOf, requireProfile, splitUser } from './split-user.js'
import { newStoredAttributes } from './stored-attributes.js'
import { type UserRow, userRepository } from './user-repository.js'
import { userResource } from './user-resource.js'
import { rowOf, writeStored } from './write-user.js'

/**
 * Makes a person a member of the team, or brings who is one up to date: an address that is known is no conflict, here or elsewhere.
 * @throws {ScimFault} for a body that is no User; role_protected, limit_reached, last_admin, external_id_taken when it belongs to
 *   another user or differs from the one that this user has, uniqueness
 */
export async function createUser(
  deps: ScimDeps & { createTogether: CreateTogether },
  actor: ScimActor,
  body: unknown,
): Promise<ScimObject> {
  const sent = readResource('User', body)
  const account = accountOf(sent)
  const { profile, active, data } = splitUser(sent)
  requireProfile(profile)
  const newcomer = { email: account.email, profile, active: active ?? true, stored: newStoredAttributes(data, account) }
  const made = await deps.createTogether(actor, newcomer)
  const shown = (row: UserRow) => readProjection('User').of(userResource(row, baseOf(deps, actor)))
  if (made) return shown(made)
  const { email } = account
  const work = async (tx: Transaction, directory: DirectoryActor) => {
    const person = { email, profile, keepsExternalId: true, ...(active !== undefined && { active }) }
    const user = await provisionDirectoryUser(tx, deps, directory, person)
    const isNew = user.outcome === 'created' || user.outcome === 'joined'
    const before = isNew ? null : (await rowOf(tx, directory, user)).stored
    const stored = newStoredAttributes(data, account, before)
    // That somebody was added is one entry, whatever is known of them.
    if (isNew) await userRepository(tx, directory.teamId).keep(user.membership.id, stored)
    if (!isNew) await writeStored(tx, deps, directory, user, before, stored)
    return shown(await rowOf(tx, directory, user))
  }
  return asDirectory(deps, actor, 'User', work, (tx) => lockUserByEmail(tx, normalizeEmail(email)))
}
