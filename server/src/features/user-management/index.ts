/**
 * User management: the administration of a team's users. It composes the modules before it: the account, the membership, groups,
 * applications, sessions and credentials.
 *
 * In this module: list, create, update, suspend and remove a user of a team; `runs`: jobs that change many users, for `import` (CSV) and `bulk`
 * (one change of many users); `help-desk` (new link, temporary password, factor reset, session revocation, lock-down); `leave` (leave dates);
 * `search` of users, groups and applications; `provisioning` (core of SCIM, LDAP, SSO and import); deletion of a team.
 * Not here: roles and invitations (members), the user's own account pages (authentication).
 * Tables: import_runs. Errors: address_taken, not_pending, import_not_found, import_finished,
 * run_not_found, run_finished, own_account. Audit: user.created, user.updated,
 * user.suspended, user.activated, user.deleted, user.email_changed, user.password_given, user.sessions_ended, user.factors_reset,
 * user.link_requested, user.locked_down, users.imported, users.bulk_changed, member.added, member.removed, organization.deleted.
 */
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { userAssignmentRoutes } from './assignment-routes.js'
import { bulkKind } from './bulk/bulk-kind.js'
import { bulkRoutes } from './bulk/routes.js'
import type { UserDeps } from './deps.js'
import { USER_ERRORS } from './errors.js'
import { userHelpRoutes } from './help-desk/routes.js'
import { importKind } from './import/import-kind.js'
import { importRoutes } from './import/routes.js'
import { leaveJobs } from './leave/end-memberships.js'
import { USER_MAILS } from './mails.js'
import { RUN_RETENTION } from './purge.js'
import { userRoutes } from './routes.js'
import { RUN_BULK, RUN_IMPORT } from './runs/end-run.js'
import { runJob } from './runs/run-batches.js'
import { searchRoutes } from './search/routes.js'

export type { EndDeps } from './deps.js'
export { endSessionsByOperator, resetFactorsByOperator } from './help-desk/by-operator.js'
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
export { RUN_RETENTION } from './purge.js'
export { removeMember } from './remove-member.js'
export { shownField } from './repository.js'
export { revokeTeamAccess } from './revoke-team-access.js'
export { cancelRunsStartedBy } from './runs/cancel-runs.js'
export { importRuns } from './tables.js'

const KINDS = { import: importKind, bulk: bulkKind }

export const createUserManagement = (deps: UserDeps): Module => ({
  routes: [userAssignmentRoutes, importRoutes, bulkRoutes, userRoutes, userHelpRoutes, searchRoutes].flatMap(
    (routesOf) => routesOf(deps),
  ),
  jobs: [RUN_IMPORT, RUN_BULK]
    .map((kind) => runJob(deps, kind, KINDS))
    .concat(leaveJobs(deps), purgeJob(deps, 'user_runs.purge', RUN_RETENTION)),
  errors: USER_ERRORS,
  mails: USER_MAILS,
})
