import type { Transaction } from '../../../platform/db/database.js'
import { type DirectoryProfile, type Membership, memberError, type Seats } from '../../members/index.js'
import { normalizeEmail, type User } from '../../users/index.js'
import { lockUserOfTeam } from '../lock-user-of-team.js'
import { type ProvisioningDeps, updateProvisionedUser } from './change-provisioned.js'
import { auditMetadataOf, type DirectoryActor } from './directory-actor.js'
import { provisionUsers, type UserToProvision } from './provision-users.js'

export interface DirectoryUser {
  email: string
  profile: DirectoryProfile
  /** Default true: a suspended membership becomes active. */
  active?: boolean
  /** Rejects a member who has another external ID, instead of replacing it. */
  keepsExternalId?: boolean
}

export interface ProvisionedByDirectory {
  account: Pick<User, 'id'>
  membership: Pick<Membership, 'id'>
  /** `joined`: the account existed, the membership did not. */
  outcome: 'created' | 'joined' | 'updated' | 'unchanged'
}

const ROLE = 'MEMBER'

/** Converts a user of a directory to the input of `provisionUsers`. */
export function toProvisionedInput(
  directory: DirectoryActor,
  { email, profile, active = true }: DirectoryUser,
): UserToProvision {
  const status = active ? 'active' : 'suspended'
  const source = auditMetadataOf(directory)
  return {
    email: normalizeEmail(email),
    profile,
    role: ROLE,
    status,
    by: directory,
    metadata: { created: source, added: { status, ...source } },
  }
}

/**
 * Provisions one user of a directory, and updates a user who is already a member. Sends no mail and changes no role. Runs in the caller's
 * transaction.
 * @param seats as in `provisionUsers`
 * @throws role_protected, limit_reached, last_admin, external_id_taken: the transaction must not commit
 */
export async function provisionDirectoryUser(
  tx: Transaction,
  deps: ProvisioningDeps,
  directory: DirectoryActor,
  user: DirectoryUser,
  seats?: Seats,
): Promise<ProvisionedByDirectory> {
  const { profile, active = true, keepsExternalId = false } = user
  const [provisioned] = await provisionUsers(tx, deps, directory.teamId, [toProvisionedInput(directory, user)], {
    seats,
  })
  if (!provisioned) throw memberError('user_not_found')
  const { userId, membershipId, outcome } = provisioned
  if (outcome !== 'member') return { account: { id: userId }, membership: { id: membershipId }, outcome }
  const locked = await lockUserOfTeam(tx, directory.teamId, userId)
  const { externalId } = locked.membership
  if (keepsExternalId && externalId && profile.externalId && profile.externalId !== externalId)
    throw memberError('external_id_taken', { detail: 'This user already has another external ID' })
  return updateProvisionedUser(tx, deps, directory, locked, { profile, active })
}
