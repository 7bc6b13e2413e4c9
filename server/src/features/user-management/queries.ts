import type { Actor } from '../../platform/http/actor.js'
import { rolesShownAs, type UserRole } from '../permissions/index.js'
import { type ListedSession, sessionsInTeam } from '../sessions/index.js'
import type { UserDeps } from './deps.js'
import { type TeamUser, userRepository } from './repository.js'

/** Returns one page of the team's users, newest first, and the number of matches. */
export const listUsers = (
  { db }: UserDeps,
  actor: Actor,
  { search, role, status }: { search?: string; role?: UserRole; status?: string },
  { page, limit }: { page: number; limit: number },
): Promise<{ users: TeamUser[]; total: number }> =>
  db.transaction((tx) =>
    userRepository(tx, actor.teamId).page({ search, roles: role && rolesShownAs(role), status }, page, limit),
  )

/** @throws user_not_found */
export const readUser = ({ db }: UserDeps, actor: Actor, id: string): Promise<TeamUser> =>
  db.transaction((tx) => userRepository(tx, actor.teamId).get(id))

/** Returns the user's active sessions in this team. @throws user_not_found */
export const readUserSessions = ({ db, clock }: UserDeps, actor: Actor, id: string): Promise<ListedSession[]> =>
  db.transaction(async (tx) => {
    const user = await userRepository(tx, actor.teamId).get(id)
    return sessionsInTeam(tx, clock, user.id, actor.teamId)
  })
