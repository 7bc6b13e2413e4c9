import type { Transaction } from '../../../platform/db/database.js'
import {
  closeInvitations,
  type DirectoryProfile,
  type Membership,
  requireRemainingAdmin,
  updateMembership,
} from '../../members/index.js'
import { isTopRole, requireRoleWithin } from '../../permissions/index.js'
import { normalizeEmail } from '../../users/index.js'
import type { EndDeps } from '../deps.js'
import type { LockedUser } from '../lock-user-of-team.js'
import { type RevokedCounts, revokeTeamAccess } from '../revoke-team-access.js'
import { auditMetadataOf, type DirectoryActor } from './directory-actor.js'
import { renameUser } from './rename-user.js'

export type ProvisioningDeps = EndDeps

export interface ProvisionedChange {
  email?: string
  profile?: DirectoryProfile
  active?: boolean
}

export interface Provisioned extends LockedUser {
  outcome: 'updated' | 'unchanged'
}

/**
 * Updates a member to the state that the team's directory sends: the profile, the status, and the email address if the team may change it.
 * A suspended member loses access to the team immediately. Runs in the caller's transaction.
 * @param user locked, by `lockUserOfTeam` or in the same way
 * @throws role_protected, last_admin, external_id_taken, user_not_managed, address_taken: the transaction must not commit
 */
export async function updateProvisionedUser(
  tx: Transaction,
  deps: ProvisioningDeps,
  actor: DirectoryActor,
  user: LockedUser,
  { email, profile = {}, active }: ProvisionedChange,
): Promise<Provisioned> {
  const { clock, audit } = deps
  const { account, membership } = user
  requireRoleWithin(actor, membership.role)
  const { teamId } = actor
  const resource = `user:${account.id}`
  const source = auditMetadataOf(actor)

  const address = email === undefined ? account.email : normalizeEmail(email)
  const isRenamed = address !== account.email
  if (isRenamed) await renameUser(tx, deps, actor, account, address, source)
  const renamed = { ...account, email: address }
  const changes = changedFields(membership, profile)
  const status = active === undefined ? undefined : statusOf(active)
  const changesStatus = status !== undefined && membership.status !== status
  const changed = Object.keys(changes)
  if (changed.length === 0 && !changesStatus)
    return { account: renamed, membership, outcome: isRenamed ? 'updated' : 'unchanged' }

  let ended: RevokedCounts | undefined
  if (changesStatus && status === 'suspended') {
    if (isTopRole(membership.role)) await requireRemainingAdmin(tx, teamId, account.id)
    // Before the membership is written: a sign-in locks in this order too.
    ended = await revokeTeamAccess(tx, deps, account.id, teamId, 'suspended', actor)
    await closeInvitations(tx, deps, actor, account.email)
  }
  const now = clock.now()
  const change = { ...changes, ...(changesStatus && { status, tokensSince: now }), updatedAt: now }
  await updateMembership(tx, membership, change)
  if (changed.length > 0)
    await audit.record(tx, actor, 'user.updated', { resource, metadata: { changed: changed.toSorted(), ...source } })
  if (changesStatus)
    await audit.record(tx, actor, status === 'active' ? 'user.activated' : 'user.suspended', {
      resource,
      metadata: { ...ended, ...source },
    })
  return { account: renamed, membership: { ...membership, ...change }, outcome: 'updated' }
}

const statusOf = (active: boolean): 'active' | 'suspended' => (active ? 'active' : 'suspended')

/** Returns the profile fields that differ from the stored ones. */
function changedFields(membership: Membership, profile: DirectoryProfile): DirectoryProfile {
  const differs = ([field, value]: [string, unknown]) =>
    value !== undefined && value !== membership[field as keyof DirectoryProfile]
  return Object.fromEntries(Object.entries(profile).filter(differs))
}
