/**
 * Audit: what was done, by whom, from where; written in the transaction of the act and never changed.
 *
 * Lives here: recording an entry, the hash chain per team (sealed in batches by a job), reading, counting and verifying. Not
 * here: what an act is (each room records its own). Entries without a team belong to the instance's chain.
 * Tables: audit_entries, audit_pending, audit_seals, audit_removals. Errors: none of its own. Audit: the list of all actions is `actions.ts`.
 */
import { SECOND } from '../../platform/clock.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { type AuditDeps, sealEntries } from './seal-entries.js'

export { AUDIT_ACTIONS, type AuditAction } from './actions.js'
export { type Audit, type AuditSubject, createAudit } from './record.js'
export { auditRoutes } from './routes.js'

export const auditJobs = (deps: AuditDeps): JobKind[] => [
  { kind: 'audit.seal', every: 5 * SECOND, run: () => sealEntries(deps) },
]
