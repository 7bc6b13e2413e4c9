import type { Clock } from '../../platform/clock.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import {
  applicationsOfUser,
  type InheritedApplication,
  inheritedApplicationsOf,
  type NamedApplication,
  replaceApplicationsOfUser,
} from '../applications/index.js'
import type { Audit } from '../audit/index.js'
import { groupsOfUser, replaceGroupsOfUser } from '../groups/index.js'
import { findMembership, lockMembership } from '../members/index.js'

export interface UserAssignmentDeps {
  db: Database
  clock: Clock
  audit: Audit
}

export interface UserGroups {
  id: UserId
  groups: { id: string; name: string }[]
}

export interface UserApplications {
  id: UserId
  applications: NamedApplication[]
  inherited: InheritedApplication[]
}

const showApplications = async (tx: Transaction, teamId: TeamId, id: UserId): Promise<UserApplications> => ({
  id,
  applications: await applicationsOfUser(tx, teamId, id),
  inherited: await inheritedApplicationsOf(tx, teamId, id),
})

/** Returns the groups of the user, by name. @throws user_not_found */
export const readGroupsOfUser = ({ db }: UserAssignmentDeps, { teamId }: Actor, userId: string): Promise<UserGroups> =>
  db.transaction(async (tx) => {
    const { userId: id } = await findMembership(tx, teamId, userId)
    return { id, groups: await groupsOfUser(tx, teamId, id) }
  })

/**
 * Replaces the set of groups that the user is in.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws user_not_found, stale_version, group_not_found
 */
export const changeGroupsOfUser = (
  deps: UserAssignmentDeps,
  actor: Actor,
  userId: string,
  groupIds: string[],
  ifMatch: string | undefined,
): Promise<UserGroups> =>
  deps.db.transaction(async (tx) => {
    const { userId: id } = await lockMembership(tx, actor.teamId, userId)
    await replaceGroupsOfUser(tx, deps, actor, id, groupIds, ifMatch)
    return { id, groups: await groupsOfUser(tx, actor.teamId, id) }
  })

/** Returns the applications of the user, direct and through groups, by name. @throws user_not_found */
export const readApplicationsOfUser = (
  { db }: UserAssignmentDeps,
  { teamId }: Actor,
  userId: string,
): Promise<UserApplications> =>
  db.transaction(async (tx) => {
    const { userId: id } = await findMembership(tx, teamId, userId)
    return showApplications(tx, teamId, id)
  })

/**
 * Replaces the set of applications that are assigned directly to the user.
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws user_not_found, stale_version, application_not_found
 */
export const changeApplicationsOfUser = (
  deps: UserAssignmentDeps,
  actor: Actor,
  userId: string,
  applicationIds: string[],
  ifMatch: string | undefined,
): Promise<UserApplications> =>
  deps.db.transaction(async (tx) => {
    const { userId: id } = await lockMembership(tx, actor.teamId, userId)
    await replaceApplicationsOfUser(tx, deps, actor, id, applicationIds, ifMatch)
    return showApplications(tx, actor.teamId, id)
  })
