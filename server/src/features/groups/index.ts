/**
 * Groups: named sets of a team's members, to which applications are assigned.
 *
 * Here: groups and their members. Not here: the applications of a group (applications).
 * Owns: groups, group_members. Errors: group_not_found, group_name_taken. Audit: group.created, group.updated, group.deleted,
 * group.members_replaced, user.groups_replaced.
 */
export { changeMembers, type MembersChange, writeMembers } from './change-members.js'
export { addGroup } from './create-group.js'
export { removeGroup } from './delete-group.js'
export type { GroupDeps } from './deps.js'
export { GROUP_ERRORS, rejection as groupError } from './errors.js'
export { joinGroups } from './join-groups.js'
export { findGroup, lockGroup, lockGroups } from './lock-groups.js'
export { replaceGroupsOfUser } from './replace-groups-of-user.js'
export { type Group, groupNames, groupsNamed, groupsOfUser } from './repository.js'
export { groupRoutes } from './routes.js'
export { groupMembers, groups } from './tables.js'
export { changeGroup } from './update-group.js'
