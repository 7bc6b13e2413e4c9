import { namedQuery } from '../../../platform/db/named-query.js'
import type { AuditArchiveId, AuditEntryId } from '../../../platform/ids.js'

/** The columns of an archive without its content. */
export interface ArchiveRow {
  id: AuditArchiveId
  firstSeal: number
  lastSeal: number
  entries: number
  firstAt: Date
  lastAt: Date
  size: number
  createdAt: Date
}

export type NewArchive = ArchiveRow & { chain: string; content: Buffer }

const COLUMNS = `id, first_seal::int AS "firstSeal", last_seal::int AS "lastSeal", entries, first_at AS "firstAt", last_at AS "lastAt", size,
  created_at AS "createdAt"`

export const retentionOf = namedQuery<{ days: number }, [string]>(
  'audit.retention_of',
  'SELECT days FROM audit_retention WHERE chain = $1',
)

// A setting that does not exist has no row to lock.
export const lockSetting = namedQuery<never, [string]>(
  'audit.lock_retention_setting',
  'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
)

/** Locks the setting, so that one transaction at a time changes it or removes entries. */
export const lockRetention = namedQuery<{ days: number }, [string]>(
  'audit.lock_retention',
  'SELECT days FROM audit_retention WHERE chain = $1 FOR UPDATE',
)

export const setRetention = namedQuery<never, [string, number, Date]>(
  'audit.set_retention',
  `INSERT INTO audit_retention (chain, days, updated_at) VALUES ($1, $2, $3)
   ON CONFLICT (chain) DO UPDATE SET days = excluded.days, updated_at = excluded.updated_at`,
)

export const deleteRetention = namedQuery<never, [string]>(
  'audit.delete_retention',
  'DELETE FROM audit_retention WHERE chain = $1',
)

/** Returns the chains with a setting. */
export const chainsWithRetention = namedQuery<{ chain: string }, []>(
  'audit.chains_with_retention',
  'SELECT chain FROM audit_retention ORDER BY chain',
)

/** Returns the numbers and sizes of the first seals before a time that checkpoints name. Their entries are older than they. */
export const firstSealsBefore = namedQuery<
  { number: number; entries: number; is_named: boolean; created_at: Date },
  [string, Date, number]
>(
  'audit.first_seals_before',
  `SELECT s.number::int AS number, cardinality(s.entry_ids) AS entries, h.seal IS NOT NULL AS is_named, s.created_at
   FROM (SELECT chain, number, entry_ids, created_at FROM audit_seals WHERE chain = $1 ORDER BY number LIMIT $3) s
     LEFT JOIN audit_checkpoint_heads h ON h.chain = s.chain AND h.seal = s.number
   WHERE s.created_at < $2 ORDER BY s.number`,
)

export const removeSeals = namedQuery<never, [string, number, AuditEntryId, Date]>(
  'audit.remove_seals',
  'SELECT remove_audit_seals($1::uuid, $2::bigint, $3::uuid, $4::timestamptz)',
)

export const insertArchive = namedQuery<never, NewArchive>(
  'audit.insert_archive',
  `INSERT INTO audit_archives (id, chain, first_seal, last_seal, entries, first_at, last_at, size, content, created_at)
   VALUES (:id, :chain, :firstSeal, :lastSeal, :entries, :firstAt, :lastAt, :size, :content, :createdAt)`,
)

export const archivesOf = namedQuery<ArchiveRow, [string]>(
  'audit.archives_of',
  `SELECT ${COLUMNS} FROM audit_archives WHERE chain = $1 ORDER BY first_seal DESC`,
)

export const archiveById = namedQuery<ArchiveRow & { content: Buffer }, [string, AuditArchiveId]>(
  'audit.archive_by_id',
  `SELECT ${COLUMNS}, content FROM audit_archives WHERE chain = $1 AND id = $2 FOR UPDATE`,
)

/** Deletes an archive and records it in the log of the instance. */
export const deleteArchiveById = namedQuery<never, [AuditArchiveId, AuditEntryId, Date]>(
  'audit.delete_archive',
  'SELECT delete_audit_archive($1::uuid, $2::uuid, $3::timestamptz)',
)
