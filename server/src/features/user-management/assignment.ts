import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import { applicationsOfUser, inheritedApplicationsOf, replaceApplicationsOfUser } from '../applications/index.js'
import { groupsOfUser, replaceGroupsOfUser } from '../groups/index.js'
import { findMembership, lockMembership } from '../members/index.js'
import { requirePermission } from '../permissions/index.js'
import type { UserDeps } from './deps.js'

/** The sets that are assigned to a user: how each is read, by name, and replaced. */
const ASSIGNED = {
  groups: {
    permission: 'groups:read',
    read: async (tx: Transaction, { teamId }: Actor, id: UserId) => ({ groups: await groupsOfUser(tx, teamId, id) }),
    replace: replaceGroupsOfUser,
  },
  applications: {
    permission: 'applications:read',
    read: async (tx: Transaction, { teamId, permissions }: Actor, id: UserId) => {
      const inherited = permissions.has('applications:read') ? await inheritedApplicationsOf(tx, teamId, id) : []
      return {
        applications: await applicationsOfUser(tx, teamId, id),
        inherited: permissions.has('groups:read') ? inherited : inherited.map((one) => ({ ...one, via: [] })),
      }
    },
    replace: replaceApplicationsOfUser,
  },
}

type AssignedKind = keyof typeof ASSIGNED

/** A user with the assigned set. */
export type UserWithAssigned = { id: UserId; groups?: { id: string }[]; applications?: { id: string }[] }

/**
 * Returns the groups of the user, or the applications, direct and through groups.
 * @throws user_not_found; forbidden without groups:read or applications:read, which `users:read` does not include
 */
export const readAssigned = (
  { db }: UserDeps,
  actor: Actor,
  kind: AssignedKind,
  userId: string,
): Promise<UserWithAssigned> =>
  db.transaction(async (tx) => {
    const { userId: id } = await findMembership(tx, actor.teamId, userId)
    requirePermission(actor, ASSIGNED[kind].permission)
    return { id, ...(await ASSIGNED[kind].read(tx, actor, id)) }
  })

/**
 * Replaces the set of groups that the user is in, or of applications that are assigned directly to the user.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws user_not_found, stale_version, group_not_found, application_not_found
 */
export const replaceAssigned = (
  deps: UserDeps,
  actor: Actor,
  kind: AssignedKind,
  userId: string,
  { ids, ifMatch }: { ids: string[]; ifMatch: string | undefined },
): Promise<UserWithAssigned> =>
  deps.db.transaction(async (tx) => {
    const { userId: id } = await lockMembership(tx, actor.teamId, userId)
    await ASSIGNED[kind].replace(tx, deps, actor, id, ids, ifMatch)
    return { id, ...(await ASSIGNED[kind].read(tx, actor, id)) }
  })
