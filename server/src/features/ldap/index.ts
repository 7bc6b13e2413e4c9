/**
 * LDAP directories: imports the users and groups of a team's LDAP server (Active Directory, OpenLDAP and others) and verifies their
 * passwords.
 *
 * In this module: the configuration of a directory (`configuration`), syncs on request and by schedule, one at a time per directory across
 * all nodes (`sync`), and sign-in with a directory password (`sign-in`). `model` is shared by them: the attributes that
 * are read (`ldap-attributes.ts`) and their mapping to users and groups (`map-entry.ts`).
 * Not here: the LDAP protocol (`protocols/ldap`), changing members (user-management) and groups (groups), the sign-in pipeline
 * (authentication), SCIM clients (scim).
 * A sync: `run-sync.ts` leases the run, `read-directory.ts` reads the directory, `find-changed.ts` selects the changed entries;
 * `apply-users.ts`, `apply-groups.ts`, `deprovision.ts` and `apply-members.ts` apply them in batches (`run-batch.ts`).
 * Tables: directories, directory_runs, directory_entries, directory_members. Errors: directory_*. Audit: directory.created, .updated,
 * .deleted, .tested, .sync_started, .synced, user.*, member.added, group.*.
 */
import type { SealedColumn } from '../../platform/crypto/rewrap-column.js'
import { labelsOf } from '../../platform/db/labels.js'
import type { DirectoryId } from '../../platform/ids.js'
import type { Module } from '../../platform/module.js'
import { configurationRoutes } from './configuration/routes.js'
import type { DirectoryDeps } from './model/deps.js'
import { contextOfPassword } from './model/directory.js'
import { DIRECTORY_ERRORS } from './model/errors.js'
import { directoryEntryData } from './sync/account-data.js'
import { directoryJobs } from './sync/jobs.js'
import { syncRoutes } from './sync/routes.js'
import { syncGauges } from './sync/sync-metrics.js'
import { directories } from './tables.js'

export {
  orphanDirectoriesOf,
  orphanDirectoriesOfTeam,
} from './model/repository.js'
export { createVerifyByDirectory } from './sign-in/verify-by-directory.js'
export { MOVE_DIRECTORY_ENTRIES } from './sync/entry-repository.js'
export { DIRECTORY_RETENTION } from './sync/jobs.js'

export const createLdap = (deps: DirectoryDeps): Module => ({
  routes: [...configurationRoutes(deps), ...syncRoutes(deps)],
  jobs: directoryJobs(deps),
  gauges: [syncGauges(deps)],
  errors: DIRECTORY_ERRORS,
  accountData: directoryEntryData(deps.db),
  labels: { directory: labelsOf(directories, directories.url) },
})

/** The columns that `ENCRYPTION_KEY` encrypts. */
export const SEALED_BIND_PASSWORDS: SealedColumn[] = [
  { id: directories.id, sealed: directories.bindPassword, contextOf: (id: DirectoryId) => contextOfPassword({ id }) },
]
