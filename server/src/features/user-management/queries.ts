import type { Actor } from '../../platform/http/actor.js'
import { type ListedSession, sessionsInTeam } from '../sessions/index.js'
import type { UserDeps } from './deps.js'
import { type TeamUser, type UserSort, userRepository } from './repository.js'
import { filterOf, type RequestedFilter } from './user-filter.js'

/**
 * Returns one page of the team's users, by default newest first, and the number of matches.
 * @throws forbidden, group_not_found, application_not_found
 */
export const listUsers = (
  { db }: UserDeps,
  actor: Actor,
  {
    sort = '-createdAt',
    includeSuspended,
    ...wanted
  }: RequestedFilter & { sort?: UserSort; includeSuspended?: boolean },
  { page, limit }: { page: number; limit: number },
): Promise<{ users: TeamUser[]; total: number }> =>
  db.transaction(async (tx) => {
    const filter = { ...(await filterOf(tx, actor, wanted)), includeSuspended }
    return userRepository(tx, actor.teamId).page(filter, sort, page, limit)
  })

/** @throws user_not_found */
export const readUser = ({ db }: UserDeps, actor: Actor, id: string): Promise<TeamUser> =>
  db.transaction((tx) => userRepository(tx, actor.teamId).get(id))

/** Returns the user's active sessions in this team. @throws user_not_found */
export const readUserSessions = ({ db, clock }: UserDeps, actor: Actor, id: string): Promise<ListedSession[]> =>
  db.transaction(async (tx) => {
    const user = await userRepository(tx, actor.teamId).get(id)
    return sessionsInTeam(tx, clock, user.id, actor.teamId)
  })
