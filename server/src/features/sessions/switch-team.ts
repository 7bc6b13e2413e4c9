import type { Database } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { accessRefusal } from '../access/index.js'
import { lockUser } from '../identities/index.js'
import { memberRefusal, openTeamsOf } from '../members/index.js'
import { mayEnterTeam, organizationRefusal } from '../organizations/index.js'
import { type MoveDeps, moveSession } from './move-session.js'
import type { IssuedSession } from './open-session.js'

/**
 * The same session with another team open.
 * @throws not_a_member (also for an unknown team), team_sign_in_required, team_suspended
 */
export function switchTeam(
  deps: MoveDeps & { db: Database },
  actor: SessionActor,
  wanted: string,
): Promise<IssuedSession> {
  return deps.db.transaction(async (tx) => {
    // Taking turns with whoever suspends or removes the user: the session must not enter behind their back.
    await lockUser(tx, actor.userId)
    const team = (await openTeamsOf(tx, actor.userId)).find(({ id }) => id === wanted.toLowerCase())
    if (!team) throw memberRefusal('not_a_member')
    if (actor.confinedTo && actor.confinedTo !== team.id) throw accessRefusal('team_sign_in_required')
    if (!mayEnterTeam(team.status, team.role)) throw organizationRefusal('team_suspended')
    return moveSession(tx, deps, actor, team)
  })
}
