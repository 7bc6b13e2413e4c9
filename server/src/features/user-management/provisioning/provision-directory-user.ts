import type { Transaction } from '../../../platform/db/database.js'
import {
  closeInvitations,
  type DirectoryProfile,
  type Membership,
  memberError,
  requireRemainingAdmin,
  type Seats,
  updateMembership,
} from '../../members/index.js'
import { isTopRole, requireRoleWithin } from '../../permissions/index.js'
import { normalizeEmail, type User } from '../../users/index.js'
import type { EndDeps } from '../deps.js'
import { type LockedUser, lockUserOfTeam } from '../lock-user-of-team.js'
import { changedFields } from '../profile.js'
import { type RevokedCounts, revokeTeamAccess } from '../revoke-team-access.js'
import { auditMetadataOf, type DirectoryActor } from './directory-actor.js'
import { provisionUsers, type UserToProvision } from './provision-users.js'
import { renameUser } from './rename-user.js'

export interface DirectoryUser {
  email: string
  profile: DirectoryProfile
  /** Default true: a suspended membership becomes active. */
  active?: boolean
  /** Rejects a member who has another external ID, instead of replacing it. */
  keepsExternalId?: boolean
}

/** A user of a team, by the IDs of the account and the membership. */
export interface UserIds {
  account: Pick<User, 'id'>
  membership: Pick<Membership, 'id'>
}

interface ProvisionedByDirectory extends UserIds {
  /** `joined`: the account existed, the membership did not. */
  outcome: 'created' | 'joined' | 'updated' | 'unchanged'
}

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
    role: 'MEMBER',
    status,
    source: directory.method,
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
  deps: EndDeps,
  directory: DirectoryActor,
  user: DirectoryUser,
  seats?: Seats,
): Promise<ProvisionedByDirectory> {
  const { profile, active = true, keepsExternalId = false } = user
  const input = toProvisionedInput(directory, user)
  const [provisioned] = await provisionUsers(tx, deps, directory.teamId, [input], { seats })
  if (!provisioned) throw memberError('user_not_found')
  const { userId, membershipId, outcome } = provisioned
  if (outcome !== 'member') return { account: { id: userId }, membership: { id: membershipId }, outcome }
  const locked = await lockUserOfTeam(tx, directory.teamId, userId)
  const { externalId } = locked.membership
  if (keepsExternalId && externalId && profile.externalId && profile.externalId !== externalId)
    throw memberError('external_id_taken', { detail: 'This user already has another external ID' })
  return { ...locked, outcome: await updateProvisionedUser(tx, deps, directory, locked, { profile, active }) }
}

/**
 * Updates a member to the state that the team's directory sends: the profile, the status, and the email address if the team may change it.
 * A suspended member loses access to the team immediately. Runs in the caller's transaction.
 * @param user locked, by `lockUserOfTeam` or in the same way
 * @throws role_protected, last_admin, external_id_taken, user_not_managed, address_taken: the transaction must not commit
 */
export async function updateProvisionedUser(
  tx: Transaction,
  deps: EndDeps,
  actor: DirectoryActor,
  user: LockedUser,
  { email, profile = {}, active }: { email?: string; profile?: DirectoryProfile; active?: boolean },
): Promise<'updated' | 'unchanged'> {
  const { clock, audit } = deps
  const { account, membership } = user
  requireRoleWithin(actor, membership.role)
  const { teamId } = actor
  const resource = `user:${account.id}`
  const source = auditMetadataOf(actor)

  const address = email === undefined ? account.email : normalizeEmail(email)
  const isRenamed = address !== account.email
  if (isRenamed) await renameUser(tx, deps, actor, account, address, source)
  const changes = changedFields(membership, profile)
  const status = active ? 'active' : 'suspended'
  const changesStatus = active !== undefined && membership.status !== status
  const changed = Object.keys(changes)
  if (changed.length === 0 && !changesStatus) return isRenamed ? 'updated' : 'unchanged'

  let ended: RevokedCounts | undefined
  if (changesStatus && status === 'suspended') {
    if (isTopRole(membership.role)) await requireRemainingAdmin(tx, teamId, account.id)
    // Before the membership is written: a sign-in locks in this order too.
    ended = await revokeTeamAccess(tx, deps, account.id, teamId, 'suspended', actor)
    await closeInvitations(tx, deps, actor, account.email)
  }
  const now = clock.now()
  const newStatus = changesStatus && ({ status, tokensSince: now } as const)
  await updateMembership(tx, membership, { ...changes, ...newStatus, updatedAt: now })
  if (changed.length > 0)
    await audit.record(tx, actor, 'user.updated', { resource, metadata: { changed: changed.toSorted(), ...source } })
  if (changesStatus)
    await audit.record(tx, actor, status === 'active' ? 'user.activated' : 'user.suspended', {
      resource,
      metadata: { ...ended, ...source },
    })
  return 'updated'
}
