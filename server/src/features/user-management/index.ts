/**
 * User management: the administration of a team's users. It composes the modules before it: the account, the membership, groups,
 * applications, sessions and credentials.
 *
 * In this module: create, update, suspend and remove a user of a team; `import` (CSV); `help-desk` (new link, temporary password, factor reset,
 * session revocation); `provisioning` (core of SCIM, LDAP, SSO and import); deletion of a team.
 * Not here: roles and invitations (members), the user's own account pages (authentication).
 * Tables: import_runs. Errors: address_taken, not_pending, import_not_found, import_finished. Audit: user.created, user.updated,
 * user.suspended, user.activated, user.deleted, user.email_changed, user.password_given, user.sessions_ended, user.factors_reset,
 * user.link_requested, users.imported, member.added, member.removed, organization.deleted.
 */
import type { Module } from '../../platform/module.js'
import { userAssignmentRoutes } from './assignment-routes.js'
import type { UserDeps } from './deps.js'
import { USER_ERRORS } from './errors.js'
import { userHelpRoutes } from './help-desk/routes.js'
import { importRoutes } from './import/routes.js'
import { importJob } from './import/run-import.js'
import { USER_MAILS } from './mails.js'
import { userRoutes } from './routes.js'

export type { EndDeps } from './deps.js'
export { cancelImportsStartedBy } from './import/runs.js'
export { type LockedUser, lockUserOfTeam } from './lock-user-of-team.js'
export { notifyOfLostPermissions } from './notify-of-automation.js'
export { auditMetadataOf, type DirectoryActor } from './provisioning/directory-actor.js'
export { inSavepoint } from './provisioning/in-savepoint.js'
export {
  provisionDirectoryUser,
  toProvisionedInput,
  type UserIds,
  updateProvisionedUser,
} from './provisioning/provision-directory-user.js'
export { type ProvisionedUser, provisionUsers, type UserToProvision } from './provisioning/provision-users.js'
export { mayRename } from './provisioning/rename-user.js'
export { removeMember } from './remove-member.js'
export { shownField } from './repository.js'
export { revokeTeamAccess } from './revoke-team-access.js'
export { importRuns } from './tables.js'

export const createUserManagement = (deps: UserDeps): Module => ({
  routes: [userAssignmentRoutes, importRoutes, userRoutes, userHelpRoutes].flatMap((routesOf) => routesOf(deps)),
  jobs: [importJob(deps)],
  errors: USER_ERRORS,
  mails: USER_MAILS,
})
