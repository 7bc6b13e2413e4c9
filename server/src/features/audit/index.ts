/**
 * Audit: what was done, by whom, from where; written in the transaction of the act and never changed.
 *
 * Lives here: recording an entry, the hash chain per team (sealed in batches by a job, with signed checkpoints), reading, counting,
 * exporting and verifying. Not here: what an act is (each room records its own), what things are called (`Labeller`s of other
 * rooms). Entries without a team belong to the instance's chain.
 * Tables: audit_entries, audit_pending, audit_seals, audit_removals, audit_daily, audit_checkpoints, audit_checkpoint_heads.
 * Errors: audit_entry_not_found, checkpoint_not_genuine, search_too_wide. Audit: audit.exported, organization.audit_removed (written by the
 * database, with the removal); the list of all actions is `actions.ts`.
 */
import { SECOND } from '../../platform/clock.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import type { Logger } from '../../platform/log.js'
import type { AuditDeps } from './deps.js'
import { sealEntries } from './seal-entries.js'

export { AUDIT_ACTIONS, type AuditAction } from './actions.js'
export { AUDIT_ERRORS } from './errors.js'
export type { AuditNames, Labeller } from './labels.js'
export { type PastEntry, pastEntries } from './past-entries.js'
export { type Audit, type AuditSubject, createAudit, type EntryValues, recordingWith } from './record.js'
export { auditRoutes } from './routes.js'
export { setChange } from './set-change.js'

export const auditJobs = (deps: AuditDeps & { log: Logger }): JobKind[] => [
  { kind: 'audit.seal', every: 5 * SECOND, run: () => sealEntries(deps) },
]
