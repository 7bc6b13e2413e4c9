/**
 * Directory: a team's LDAP directory (Active Directory, OpenLDAP and their kin) feeds the team with its people and groups.
 *
 * Lives here: how the directory is reached, what is known of its entries, its readings (by hand and by schedule, one at a time over all
 * nodes), what they do to members and groups, sign-in by the password that somebody has there. Not here: the protocol (`protocols/ldap`), writing members
 * (users) and groups (groups), the steps of a sign-in after the proof (accounts), directories that write to us by themselves (scim).
 * A reading: `run-sync.ts` takes the run, `read-directory.ts` asks the directory, `find-changed.ts` tells what of it is to be read,
 * `take-users.ts`, `take-groups.ts`, `deprovision.ts` and `settle-members.ts` do what it says, each batch by `run-batch.ts`.
 * Tables: directories, directory_runs, directory_entries, directory_members. Errors: directory_*. Audit: directory.created, .updated,
 * .deleted, .tested, .sync_started, .synced, user.*, member.added, group.*.
 */
import type { DirectoryDeps } from './deps.js'
import { directoryJobs } from './directory-jobs.js'
import { directoryRoutes } from './routes.js'

export { directoryNames } from './directory-names.js'
export { DIRECTORY_ERRORS } from './errors.js'
export { createProveByDirectory } from './prove-by-directory.js'
export { orphanDirectoriesOf, orphanDirectoriesOfTeam } from './repository.js'
export { rewrapBindPasswords } from './rewrap-passwords.js'

/** The room, assembled: its routes and its jobs. */
export const createDirectory = (deps: DirectoryDeps) => ({
  routes: directoryRoutes(deps),
  jobs: directoryJobs(deps),
})
