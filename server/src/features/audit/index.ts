/**
 * Audit: the append-only log of changes, failed sign-ins and denied requests. Entries are written in the transaction of the change.
 *
 * In this module: recording entries; `chain`: the hash chain of each team, which a job seals in batches with signed checkpoints, and its
 * verification, its export with a signature (`archive`), and the verification of exported files without a database (`offline`, which has its
 * own public API, because this one loads the database); `log`: list, statistics and export; `personal-data`: the encryption of personal data
 * under a key per person, and erasure; `retention`: archives of old entries. Not here: the calls that record (in each module), the names of resources
 * (`Labeller`s of other modules). Entries without a team belong to the instance's chain.
 * Tables: audit_archives, audit_bases, audit_entries, audit_erasures, audit_keys, audit_retention, audit_pending, audit_seals, audit_removals, audit_daily, audit_checkpoints, audit_checkpoint_heads.
 * Errors: audit_archive_not_found, audit_entry_not_found, checkpoint_not_genuine, search_too_wide. Audit: audit.exported, audit.archive_deleted, audit.archived,
 * audit.retention_changed; audit.entries_removed, organization.audit_removed and user.personal_data_erased (written by the database); `actions.ts` lists all actions.
 */

import { SECOND } from '../../platform/clock.js'
import type { Logger } from '../../platform/log.js'
import type { Module } from '../../platform/module.js'
import { sealBacklog } from './chain/backlog.js'
import type { AuditDeps } from './chain/deps.js'
import { sealEntries } from './chain/seal-entries.js'
import { AUDIT_ERRORS } from './errors.js'
import type { LogDeps } from './log/search-log.js'
import { clearHashesJob, erasureJob } from './personal-data/erase-user.js'
import { retentionJob } from './retention/archive-entries.js'
import { retentionRoutes } from './retention/routes.js'
import { auditRoutes } from './routes.js'

export { type AccountEvent, EVENTS_BY_OTHERS, EVENTS_BY_USER, isOneOf } from './account-events.js'
export type { AuditAction } from './actions.js'
export { type ExportedChain, exportChain } from './chain/archive/export-chain.js'
export { type EntryProof, exportProof } from './chain/archive/export-proof.js'
export { listTeamChains } from './chain/list-chains.js'
export { createVerifyChain } from './chain/verify-chain.js'
export type { ChainReport } from './chain/walk-chain.js'
export { entriesOfAction, type PastEntry } from './entries-of-action.js'
export type { AuditNames } from './log/labels.js'
export { SEALED_AUDIT_KEYS } from './personal-data/person-keys.js'
export { type RevealedEntry, revealEntries, type SealedEntry } from './personal-data/reveal-entries.js'
export {
  type Audit,
  type AuditSubject,
  createAuditRecorder,
  type EntryValues,
  type NewEntry,
  recordImpersonal,
  recordingWith,
  type TeamSubject,
} from './record.js'
export { setChange } from './set-change.js'

export const createAudit = (deps: AuditDeps & LogDeps & { log: Logger }): Module => ({
  routes: [...auditRoutes(deps), ...retentionRoutes(deps)],
  jobs: [
    { kind: 'audit.seal', every: 5 * SECOND, run: () => sealEntries(deps) },
    clearHashesJob(deps),
    erasureJob(deps),
    retentionJob(deps),
  ],
  errors: AUDIT_ERRORS,
  gauges: [sealBacklog(deps)],
})
