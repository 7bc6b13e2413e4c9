import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { parseId, type UserId } from '../../platform/ids.js'
import { memberError } from '../members/index.js'
import { rolesShownAs, type UserRole } from '../permissions/index.js'
import { type ListedSession, sessionsInTeam } from '../sessions/index.js'
import { type TeamUser, userRepository } from './repository.js'

interface QueryDeps {
  db: Database
  clock: Clock
}

export interface UserSearch {
  search?: string
  role?: UserRole
  status?: string
}

/** Returns one page of the team's users, newest first, and the number of matches. */
export const listUsers = (
  { db }: QueryDeps,
  actor: Actor,
  { search, role, status }: UserSearch,
  { page, limit }: { page: number; limit: number },
): Promise<{ users: TeamUser[]; total: number }> =>
  db.transaction((tx) =>
    userRepository(tx, actor.teamId).page({ search, roles: role && rolesShownAs(role), status }, page, limit),
  )

/** @throws user_not_found */
export const readUser = ({ db }: QueryDeps, actor: Actor, id: string): Promise<TeamUser> =>
  db.transaction(async (tx) => {
    const known = parseId<UserId>(id)
    const user = known && (await userRepository(tx, actor.teamId).find(known))
    if (!user) throw memberError('user_not_found')
    return user
  })

/** Returns the user's active sessions in this team. @throws user_not_found */
export const readUserSessions = ({ db, clock }: QueryDeps, actor: Actor, id: string): Promise<ListedSession[]> =>
  db.transaction(async (tx) => {
    const known = parseId<UserId>(id)
    const user = known && (await userRepository(tx, actor.teamId).find(known))
    if (!user) throw memberError('user_not_found')
    return sessionsInTeam(tx, clock, user.id, actor.teamId)
  })
