import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { parseId, type TeamId } from '../../platform/ids.js'
import { requireActiveActor } from '../access-tokens/index.js'
import {
  belongsElsewhere,
  clearRemoval,
  closeInvitations,
  deleteMembership,
  findMember,
  isLimitedMember,
  memberError,
  memberOfEitherId,
  recordRemoval,
  requireRemainingAdmin,
} from '../members/index.js'
import { isTopRole, permissionError, requireRoleWithin } from '../permissions/index.js'
import { homeTeamOf, teamError } from '../teams/index.js'
import { deleteUser as deleteAccount } from '../users/index.js'
import type { EndDeps, UserDeps } from './deps.js'
import { type LockedUser, lockUserOfTeam } from './lock-user-of-team.js'
import { revokeTeamAccess } from './revoke-team-access.js'

/**
 * Removes a member from the actor's team and revokes their access to it; groups and applications are removed with the membership. The
 * account stays. Runs in the caller's transaction.
 * @throws last_admin
 */
export async function removeMember(
  tx: Transaction,
  deps: EndDeps,
  actor: Actor,
  { account, membership }: LockedUser,
): Promise<void> {
  const { clock, audit } = deps
  if (isTopRole(membership.role)) await requireRemainingAdmin(tx, actor.teamId, account.id)
  const left = account.id === actor.userId
  const ended = await revokeTeamAccess(tx, deps, account.id, actor.teamId, left ? 'left' : 'removed', actor)
  const mayReturn = left && !(await isLimitedMember(tx, actor.teamId, account.id))
  await deleteMembership(tx, membership)
  if (mayReturn) await clearRemoval(tx, actor.teamId, account)
  else await recordRemoval(tx, clock, actor.teamId, account)
  await closeInvitations(tx, { clock, audit }, actor, account.email)
  await audit.record(tx, actor, 'member.removed', {
    resource: `user:${account.id}`,
    metadata: { email: account.email, role: membership.role, ...ended, ...(left && { left }) },
  })
}

/**
 * Removes a member whose role the caller may assign, like `removeMember`. Runs in the caller's transaction.
 * @throws user_not_found, role_protected, last_admin
 */
async function removeOther(tx: Transaction, deps: UserDeps, actor: Actor, id: string): Promise<LockedUser> {
  const user = await lockUserOfTeam(tx, actor.teamId, id)
  requireRoleWithin(actor, user.membership.role)
  await removeMember(tx, deps, actor, user)
  return user
}

/**
 * Removes a member from the team. The account stays.
 * @param memberId membership ID or user ID
 * @throws user_not_found, role_protected, last_admin
 */
export const removeFromTeam = (deps: UserDeps, actor: Actor, memberId: string): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const known = parseId(memberId)
    const userId = known && (await memberOfEitherId(tx, actor.teamId, known))
    if (!userId) throw memberError('user_not_found')
    await removeOther(tx, deps, actor, userId)
  })

/**
 * Removes the user from the team. Also deletes the account if no other team has a membership in it, and either this is the home team or
 * this team inserted it and the email address is unverified. The address is then available again.
 * @throws user_not_found, role_protected, last_admin
 */
export const deleteUser = (deps: UserDeps, actor: Actor, id: string): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { account } = await removeOther(tx, deps, actor, id)
    if (!(await mayDeleteAccount(tx, actor, account))) return
    await deleteAccount(tx, account.id)
    await deps.audit.record(tx, actor, 'user.deleted', {
      resource: `user:${account.id}`,
      metadata: { email: account.email },
    })
    // A team can add and delete any address: only a verified one belonged to the user, in the logs of other teams too.
    await deps.audit.eraseUserLater(tx, account.emailVerifiedAt ? account : { id: account.id })
  })

async function mayDeleteAccount(
  tx: Transaction,
  { teamId }: Actor,
  { id, email, madeByTeamId, emailVerifiedAt }: LockedUser['account'],
): Promise<boolean> {
  if (await belongsElsewhere(tx, id, teamId)) return false
  return (madeByTeamId === teamId && emailVerifiedAt === null) || (await homeTeamOf(tx, email)) === teamId
}

/**
 * Removes the caller from a team, in any membership status. The account stays.
 * @throws team_sign_in_required, last_admin, organization_not_found if the ID is unknown, the caller is not a member or, while the email
 *   address is unverified, the account did not create the team
 */
export function leaveTeam(deps: UserDeps, actor: Actor, id: string): Promise<void> {
  const teamId = parseId<TeamId>(id)
  if (actor.restrictedToTeam && actor.restrictedToTeam !== teamId) throw permissionError('team_sign_in_required')
  return deps.db.transaction(async (tx) => {
    const known = teamId && (await findMember(tx, teamId, actor.userId))
    if (!known) throw teamError('organization_not_found')
    const user = await lockUserOfTeam(tx, teamId, actor.userId).catch((error: unknown) => {
      // Removed concurrently.
      if (error instanceof AppError && error.code === 'user_not_found') throw teamError('organization_not_found')
      throw error
    })
    await requireActiveActor(tx, deps.clock, actor)
    if (!mayAccessTeam(actor, user)) throw teamError('organization_not_found')
    await removeMember(tx, deps, { ...actor, teamId }, user)
  })
}

/**
 * Until the email address is verified, an unrestricted session reaches only the teams that the account itself created: the address may
 * belong to another user.
 */
const mayAccessTeam = ({ restrictedToTeam }: Actor, { account, membership }: LockedUser): boolean =>
  restrictedToTeam !== null || membership.confirmed || account.emailVerifiedAt !== null
