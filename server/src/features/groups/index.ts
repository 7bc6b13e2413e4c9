/**
 * Groups: named sets of a team's members, to which applications are assigned.
 *
 * Lives here: the group, and who is in it. Not here: which applications it opens (applications).
 * Tables: groups, group_members. Errors: group_not_found, group_name_taken. Audit: group.created, group.updated, group.deleted,
 * group.members_replaced, user.groups_replaced.
 */
export { changeMembers, type MembersChange, writeMembers } from './change-members.js'
export { addGroup } from './create-group.js'
export { removeGroup } from './delete-group.js'
export type { GroupDeps } from './deps.js'
export { GROUP_ERRORS, rejection as groupError } from './errors.js'
export { groupNames } from './group-names.js'
export { groupsNamed } from './groups-named.js'
export { groupsOfUser } from './groups-of-user.js'
export { joinGroups } from './join-groups.js'
export { findGroup, lockGroup, lockGroups } from './lock-groups.js'
export { replaceGroupsOfUser } from './replace-groups-of-user.js'
export type { Group } from './repository.js'
export { groupRoutes } from './routes.js'
export { groupMembers, groups } from './tables.js'
export { changeGroup } from './update-group.js'
