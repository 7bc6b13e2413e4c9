import type { Actor } from '../../platform/http/actor.js'
import { parseId } from '../../platform/ids.js'
import { requireRoleWithin } from '../access/index.js'
import { memberOfEitherId, memberRefusal } from '../members/index.js'
import type { UserDeps } from './deps.js'
import { lockUserOfTeam } from './lock-user-of-team.js'
import { removeMember } from './remove-member.js'

/** The caller leaves the team of the request; the account stays. @throws last_admin, user_not_found when somebody else was faster */
export function leaveTeam(deps: UserDeps, actor: Actor): Promise<void> {
  return deps.db.transaction(async (tx) =>
    removeMember(tx, deps, actor, await lockUserOfTeam(tx, actor.teamId, actor.userId)),
  )
}

/**
 * Removes somebody from the team and keeps the account.
 * @param memberId of the membership, or of the user
 * @throws user_not_found, role_protected, last_admin
 */
export function removeFromTeam(deps: UserDeps, actor: Actor, memberId: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const known = parseId(memberId)
    const userId = known && (await memberOfEitherId(tx, actor.teamId, known))
    if (!userId) throw memberRefusal('user_not_found')
    const user = await lockUserOfTeam(tx, actor.teamId, userId)
    requireRoleWithin(actor, user.membership.role)
    await removeMember(tx, deps, actor, user)
  })
}
