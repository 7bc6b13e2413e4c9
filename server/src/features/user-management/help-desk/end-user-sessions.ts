import type { Actor } from '../../../platform/http/actor.js'
import { updateMembership } from '../../members/index.js'
import { requireRoleWithin } from '../../permissions/index.js'
import { endSessions } from '../../sessions/index.js'
import type { UserDeps } from '../deps.js'
import { lockUserOfTeam } from '../lock-user-of-team.js'

/**
 * Revokes the user's sessions in this team and their grants to its applications; other teams are unaffected. Returns how many sessions
 * ended.
 * @throws user_not_found, role_protected
 */
export function endUserSessions({ db, clock, audit }: UserDeps, actor: Actor, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { account, membership } = await lockUserOfTeam(tx, actor.teamId, id)
    requireRoleWithin(actor, membership.role)
    const ended = await endSessions(tx, clock, { user: account.id, team: actor.teamId }, 'ended_by_admin')
    await updateMembership(tx, membership, { tokensSince: clock.now() })
    await audit.record(tx, actor, 'user.sessions_ended', { resource: `user:${account.id}`, metadata: { ended } })
    return ended
  })
}
