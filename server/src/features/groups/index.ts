/**
 * Groups: named sets of a team's members, to which applications are assigned.
 *
 * In this module: groups and their members. Not here: the assignment of applications to groups (module `applications`).
 * Tables: groups, group_members. Errors: group_not_found, group_name_taken. Audit: group.created, group.updated, group.deleted,
 * group.members_replaced, user.groups_replaced.
 */
import { labelsOf } from '../../platform/db/labels.js'
import type { Module } from '../../platform/module.js'
import { groupData } from './account-data.js'
import { GROUP_ERRORS } from './errors.js'
import type { GroupDeps } from './manage-groups.js'
import { groupRoutes } from './routes.js'
import { groups } from './tables.js'

export { changeMembers, writeMembers } from './change-members.js'
export { rejection as groupError } from './errors.js'
export { joinGroups, leaveGroup, replaceGroupsOfUser } from './groups-of-user.js'
export { addGroup, changeGroup, removeGroup } from './manage-groups.js'
export {
  findGroup,
  type Group,
  groupsNamed,
  groupsOfUser,
  lockGroup,
  lockGroups,
  MOVE_GROUP_MEMBERS,
} from './repository.js'
export { groupMembers, groups } from './tables.js'

export const createGroups = (deps: GroupDeps): Module => ({
  routes: groupRoutes(deps),
  errors: GROUP_ERRORS,
  accountData: groupData(deps.db),
  labels: { group: labelsOf(groups, groups.name) },
})
