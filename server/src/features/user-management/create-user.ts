import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { lockCallerForTemporaryPassword, requireActiveActor } from '../access-tokens/index.js'
import { replaceApplicationsOfUser } from '../applications/index.js'
import { replaceGroupsOfUser } from '../groups/index.js'
import { memberError, type TeamProfile, updateMembership } from '../members/index.js'
import { setPassword } from '../passwords/index.js'
import { type Role, requireRoleWithin, storedRole, type UserRole } from '../permissions/index.js'
import { lockUserByEmail, normalizeEmail } from '../users/index.js'
import type { UserDeps } from './deps.js'
import { leaveDateOf } from './leave/leave-date.js'
import { profileOf } from './profile.js'
import { provisionUsers } from './provisioning/provision-users.js'
import { type TeamUser, userRepository } from './repository.js'
import { requireSetPermissions } from './require-set-permissions.js'
import { sendWelcome } from './send-welcome.js'
import { hashTemporaryPassword } from './temporary-password.js'

export interface NewTeamUser extends TeamProfile {
  email: string
  role?: UserRole
  groupIds?: string[]
  applicationIds?: string[]
  onboardingMethod?: 'magic_link' | 'password'
  temporaryPassword?: string
  leaveAt?: string | null
}

/**
 * Adds a user to the team. An email address without an account gets an account; otherwise a membership is added and the account does not
 * change.
 * @throws invalid_request, password_policy, role_protected, forbidden, already_a_member, limit_reached,
 *   group_not_found, application_not_found, rate_limited
 */
export async function createUser(deps: UserDeps, actor: Actor, wanted: NewTeamUser): Promise<TeamUser> {
  const { db, clock } = deps
  const email = normalizeEmail(wanted.email)
  const role = storedRole(wanted.role ?? 'member') as Role
  requireRoleWithin(actor, role)
  requireSetPermissions(actor, wanted)
  const password = passwordOf(wanted)
  const hash = password === undefined ? undefined : await hashTemporaryPassword(deps, actor.teamId, password)

  return db.transaction(async (tx) => {
    await lockUserByEmail(tx, email)
    if (hash === undefined) await requireActiveActor(tx, clock, actor)
    const temporarySetBy = hash === undefined ? null : await lockCallerForTemporaryPassword(tx, clock, actor)
    const leave = await leaveDateOf(tx, clock, actor, wanted.leaveAt)
    const metadata = {
      created: { method: hash === undefined ? 'magic_link' : 'password' },
      added: leave.leaveAt ? { leaveAt: leave.leaveAt } : {},
    }
    const profile = profileOf(wanted)
    const user = { email, profile, role, status: 'pending', source: 'local', by: actor, metadata } as const
    const [provisioned] = await provisionUsers(tx, deps, actor.teamId, [user])
    if (!provisioned || provisioned.outcome === 'member') throw memberError('already_a_member')
    if (leave.leaveAt) await updateMembership(tx, { id: provisioned.membershipId }, leave)
    const account = { id: provisioned.userId, email }
    if (password !== undefined && hash !== undefined) {
      const given = { hash, restrictedTo: actor.teamId, isTemporary: true, temporarySetBy }
      await setPassword(tx, clock, account.id, given, password)
    }
    if (wanted.groupIds) await replaceGroupsOfUser(tx, deps, actor, account.id, wanted.groupIds)
    if (wanted.applicationIds) await replaceApplicationsOfUser(tx, deps, actor, account.id, wanted.applicationIds)
    if (hash === undefined) await sendWelcome(tx, deps, actor, account)
    return userRepository(tx, actor.teamId).get(account.id)
  })
}

/** Returns the temporary password if it is the onboarding method. @throws invalid_request if the two contradict each other */
function passwordOf({ onboardingMethod, temporaryPassword }: NewTeamUser): string | undefined {
  const method = onboardingMethod ?? (temporaryPassword === undefined ? 'magic_link' : 'password')
  if ((method === 'password') === (temporaryPassword !== undefined)) return temporaryPassword
  const message = method === 'password' ? 'is required for the method password' : 'requires the method password'
  throw platformError('invalid_request', {
    detail: `temporaryPassword ${message}`,
    errors: [{ path: '/temporaryPassword', message }],
  })
}
