/**
 * Users: the people of a team as its administrators see and change them. The `/users` rows, which compose what the rooms before
 * this one own: the account, the membership, groups, applications, sessions, credentials.
 *
 * Lives here: making, changing, suspending and removing a user of a team by whichever door, help for one (a new link, a
 * temporary password, removing lost second factors, ending sessions), reading in a list of users, deleting a team with all that is in it. Not here: roles and invitations (members), the person's own
 * account pages (accounts).
 * Tables: import_runs. Errors: address_taken, not_pending, import_not_found, import_finished. Audit: user.created,
 * user.updated, user.suspended, user.activated, user.deleted, user.password_given, user.sessions_ended, user.factors_reset, user.link_requested,
 * users.imported, member.added, member.removed, organization.deleted.
 */

export { userAssignmentRoutes } from './assignment-routes.js'
export { cancelImportsOf } from './cancel-imports-of.js'
export {
  changeProvisioned,
  type Provisioned,
  type ProvisionedChange,
  type ProvisioningDeps,
} from './change-provisioned.js'
export { deleteTeamRoutes } from './delete-team-routes.js'
export type { UserDeps } from './deps.js'
export type { DirectoryActor } from './directory-actor.js'
export type { EndDeps } from './end-deps.js'
export { endEverythingInTeam } from './end-everything-in-team.js'
export { USER_ERRORS } from './errors.js'
export { userHelpRoutes } from './help-routes.js'
export { IMPORT_ERRORS } from './import-errors.js'
export { importRoutes } from './import-routes.js'
export { type LockedUser, lockUserOfTeam } from './lock-user-of-team.js'
export { USER_MAILS } from './mails.js'
export { notifyOfLostPermissions } from './notify-owners.js'
export { type DirectoryUser, fromDirectory, provisionDirectoryUser } from './provision-directory-user.js'
export { type ProvisionedUser, provisionUsers, type UserToProvision } from './provision-users.js'
export { removeMember } from './remove-member.js'
export { mayRename } from './rename-user.js'
export { userRoutes } from './routes.js'
export { importJob } from './run-import.js'
export { importRuns } from './tables.js'
