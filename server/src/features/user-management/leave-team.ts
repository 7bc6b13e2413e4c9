import { AppError } from '../../platform/app-error.js'
import type { Actor } from '../../platform/http/actor.js'
import { parseId, type TeamId } from '../../platform/ids.js'
import { requireActiveActor } from '../access-tokens/index.js'
import { findMember, memberError, memberOfEitherId } from '../members/index.js'
import { permissionError, requireRoleWithin } from '../permissions/index.js'
import { teamError } from '../teams/index.js'
import type { UserDeps } from './deps.js'
import { type LockedUser, lockUserOfTeam } from './lock-user-of-team.js'
import { removeMember } from './remove-member.js'

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
    const user = await lockUserOfTeam(tx, teamId, actor.userId, true).catch((error: unknown) => {
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

/**
 * Removes a member from the team. The account stays.
 * @param memberId membership ID or user ID
 * @throws user_not_found, role_protected, last_admin
 */
export function removeFromTeam(deps: UserDeps, actor: Actor, memberId: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const known = parseId(memberId)
    const userId = known && (await memberOfEitherId(tx, actor.teamId, known))
    if (!userId) throw memberError('user_not_found')
    const user = await lockUserOfTeam(tx, actor.teamId, userId, true)
    requireRoleWithin(actor, user.membership.role)
    await removeMember(tx, deps, actor, user)
  })
}
