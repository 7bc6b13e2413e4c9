/**
 * Groups: named sets of a team's members, to which applications are assigned.
 *
 * Here: groups and their members. Not here: the applications of a group (applications).
 * Owns: groups, group_members. Errors: group_not_found, group_name_taken. Audit: group.created, group.updated, group.deleted,
 * group.members_replaced, user.groups_replaced.
 */
import { labelsOf } from '../../platform/db/labels.js'
import type { Module } from '../../platform/module.js'
import type { GroupDeps } from './deps.js'
import { GROUP_ERRORS } from './errors.js'
import { groupRoutes } from './routes.js'
import { groups } from './tables.js'

export { changeMembers, type MembersChange, writeMembers } from './change-members.js'
export { addGroup } from './create-group.js'
export { removeGroup } from './delete-group.js'
export type { GroupDeps } from './deps.js'
export { rejection as groupError } from './errors.js'
export { joinGroups } from './join-groups.js'
export { findGroup, lockGroup, lockGroups } from './lock-groups.js'
export { replaceGroupsOfUser } from './replace-groups-of-user.js'
export { type Group, groupsNamed, groupsOfUser } from './repository.js'
export { groupMembers, groups } from './tables.js'
export { changeGroup } from './update-group.js'

export const createGroups = (deps: GroupDeps): Module => ({
  routes: groupRoutes(deps),
  errors: GROUP_ERRORS,
  labels: { group: labelsOf(groups, groups.name) },
})
