import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import { replaceApplicationsOfUser } from '../applications/index.js'
import { replaceGroupsOfUser } from '../groups/index.js'
import {
  closeInvitations,
  type Membership,
  recordRole,
  requireRemainingAdmin,
  requireSameRole,
  type TeamProfile,
  updateMembership,
} from '../members/index.js'
import { isTopRole, requireRoleWithin, storedRole, type UserRole } from '../permissions/index.js'
import type { MemberActor, UserDeps } from './deps.js'
import { type LeaveDate, leaveDateOf, withoutSetter } from './leave/leave-date.js'
import { lockUserOfTeam } from './lock-user-of-team.js'
import { changedFields, profileOf } from './profile.js'
import { type TeamUser, userRepository } from './repository.js'
import { requireSetPermissions } from './require-set-permissions.js'
import { revokeTeamAccess } from './revoke-team-access.js'

export interface UserChange extends TeamProfile {
  role?: UserRole
  status?: 'active' | 'suspended'
  leaveAt?: string | null
  groupIds?: string[]
  applicationIds?: string[]
}

/**
 * Updates the given fields of the team's membership; the account and the own profile belong to the user. A suspended member loses access
 * immediately, on every node and in every application of the team.
 * @throws user_not_found, role_protected, forbidden, last_admin, group_not_found, application_not_found, invalid_request
 */
export const updateUser = (deps: UserDeps, actor: Actor, id: string, wanted: UserChange): Promise<TeamUser> =>
  deps.db.transaction(async (tx) => {
    const { leaveAt, ...others } = wanted
    const leaveDate = (before: Membership) => leaveDateOf(tx, deps.clock, actor, leaveAt, before)
    const { userId } = await changeUser(tx, deps, actor, id, others, leaveAt === undefined ? undefined : leaveDate)
    return userRepository(tx, actor.teamId).get(userId)
  })

/**
 * Updates a user like `updateUser`. Runs in the caller's transaction.
 * @param leaveDate returns the change of the leave date
 * @returns the user, and whether the membership itself changed
 */
export async function changeUser(
  tx: Transaction,
  deps: UserDeps,
  actor: MemberActor & { role?: string },
  id: string,
  wanted: Omit<UserChange, 'leaveAt'>,
  leaveDate?: (before: Membership) => Promise<LeaveDate>,
): Promise<{ userId: UserId; isChanged: boolean }> {
  const { clock, audit } = deps
  const { groupIds, applicationIds, role, status } = wanted
  const profile = profileOf(wanted)
  const { account, membership } = await lockUserOfTeam(tx, actor.teamId, id)
  requireSameRole(actor, membership)
  requireSetPermissions(actor, wanted)
  const leave = (await leaveDate?.(membership)) ?? {}
  const isChange =
    role !== undefined || status !== undefined || leaveDate !== undefined || Object.keys(profile).length > 0
  if (isChange) requireRoleWithin(actor, membership.role)
  const change = changedFields(membership, {
    ...profile,
    ...(role !== undefined && { role: storedRole(role, membership.role) }),
    ...(status !== undefined && { status }),
    ...leave,
  })
  if (change.role !== undefined) requireRoleWithin(actor, change.role)
  const steps = (change.role !== undefined && !isTopRole(change.role)) || change.status === 'suspended'
  if (steps && isTopRole(membership.role)) await requireRemainingAdmin(tx, actor.teamId, account.id)

  const changed = withoutSetter(Object.keys(change))
  const resource = `user:${account.id}`
  // Before the membership is written: a sign-in locks in this order too.
  const ended =
    change.status === 'suspended' && (await revokeTeamAccess(tx, deps, account.id, actor.teamId, 'suspended', actor))
  if (changed.length > 0) {
    const tokensSince = change.status === undefined ? {} : { tokensSince: clock.now() }
    await updateMembership(tx, membership, { ...change, ...tokensSince, updatedAt: clock.now() })
    const roles = change.role === undefined ? {} : { role: { from: membership.role, to: change.role } }
    const leaving = change.leaveAt === undefined ? {} : { leaveAt: change.leaveAt }
    await audit.record(tx, actor, 'user.updated', { resource, metadata: { changed, ...roles, ...leaving } })
    if (change.role !== undefined) await recordRole(tx, deps, actor, membership, change.role)
  }
  if (change.status === 'active') await audit.record(tx, actor, 'user.activated', { resource })
  if (ended) {
    await closeInvitations(tx, deps, actor, account.email)
    await audit.record(tx, actor, 'user.suspended', { resource, metadata: ended })
  }
  if (groupIds) await replaceGroupsOfUser(tx, deps, actor, account.id, groupIds)
  if (applicationIds) await replaceApplicationsOfUser(tx, deps, actor, account.id, applicationIds)
  return { userId: account.id, isChanged: changed.length > 0 }
}
