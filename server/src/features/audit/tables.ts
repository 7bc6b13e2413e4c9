import { isNotNull, sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { AuditArchiveId, AuditEntryId, AuditKeyId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import { EVENTS_BY_OTHERS, EVENTS_BY_USER, isOneOf } from './account-events.js'

/** SQL: the kind of the resource of an entry. An index has this expression. */
export const KIND_OF_RESOURCE = sql.raw("split_part(resource, ':', 1)")

/** Append-only: triggers reject TRUNCATE, DELETE except for retention and the removal of a team, and UPDATE except that the IP hash of an erased user
 * becomes null (migrations `audit-guard`, `audit-counts` and `audit-protection`). */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid('id').$type<AuditEntryId>().primaryKey(),
    /** The version of the members that the hash covers (`HASHED_MEMBERS`). 1: before personal data was encrypted. */
    format: smallint('format').notNull().default(1),
    /** Null for entries of the instance. No foreign keys, because an entry remains after the deletion of its subject. */
    teamId: uuid('team_id').$type<TeamId>(),
    userId: uuid('user_id').$type<UserId>(),
    agentId: uuid('agent_id'),
    sessionId: uuid('session_id').$type<SessionId>(),
    action: text('action').notNull(),
    resource: text('resource'),
    result: text('result').notNull(),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull(),
    riskScore: integer('risk_score'),
    /** ISO 3166-1 alpha-2, of the IP address when the entry was written. */
    country: text('country'),
    /** Plain only in entries without a user, and in those of format 1. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** The key of the user, and under it the IP address and the user agent. */
    keyId: uuid('key_id').$type<AuditKeyId>(),
    sealedOrigin: bytes('sealed_origin'),
    /** Keyed hash of the encrypted IP address, by which the log is filtered. Not hashed: null after the erasure of the user. */
    ipHash: bytes('ip_hash'),
    /** The key of the person whom the personal part of the metadata describes, and under it that part. */
    subjectKeyId: uuid('subject_key_id').$type<AuditKeyId>(),
    sealedDetails: bytes('sealed_details'),
    requestId: text('request_id'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('audit_entries_team').on(table.teamId, table.createdAt, table.id),
    // The user is first, so that the index also has the entries of a user over all teams.
    index('audit_entries_user').on(table.userId, table.teamId, table.createdAt),
    index('audit_entries_team_action').on(table.teamId, table.action, table.createdAt),
    // One for each filter of the log, so that a page costs as much in a log of a million entries as in one of a thousand.
    index('audit_entries_team_result').on(table.teamId, table.result, table.createdAt).where(sql`result <> 'SUCCESS'`),
    index('audit_entries_team_agent').on(table.teamId, table.agentId, table.createdAt).where(isNotNull(table.agentId)),
    index('audit_entries_team_resource').on(table.teamId, table.resource, table.createdAt),
    index('audit_entries_team_kind').on(table.teamId, KIND_OF_RESOURCE, table.createdAt),
    index('audit_entries_team_ip').on(table.teamId, table.ipAddress, table.createdAt).where(isNotNull(table.ipAddress)),
    index('audit_entries_team_ip_hash').on(table.teamId, table.ipHash, table.createdAt).where(isNotNull(table.ipHash)),
    // To remove the IP hashes of an erased address; those of a user are found by user. Partial, because the hot paths have a user.
    index('audit_entries_key').on(table.keyId).where(sql`user_id IS NULL AND ip_hash IS NOT NULL`),
    index('audit_entries_team_session')
      .on(table.teamId, table.sessionId, table.createdAt)
      .where(isNotNull(table.sessionId)),
    index('audit_entries_team_request').on(table.teamId, table.requestId),
    index('audit_entries_team_risk').on(table.teamId, table.riskScore, table.createdAt).where(sql`risk_score > 0`),
    // The security events of an account over all teams. Partial, because the hot paths record other actions.
    index('audit_entries_own_events')
      .on(table.userId, table.createdAt, table.id)
      .where(sql.raw(isOneOf('action', EVENTS_BY_USER))),
    index('audit_entries_events_of_others')
      .on(table.resource, table.createdAt, table.id)
      .where(sql.raw(isOneOf('action', EVENTS_BY_OTHERS))),
  ],
)

/**
 * The keys of persons, each of which encrypts the personal data of a user, or of an email address, in entries. Erasure destroys a key and
 * keeps the row. A trigger allows only that, a new `ENCRYPTION_KEY` around the same key, and the time of `clearedAt`.
 */
export const auditKeys = pgTable(
  'audit_keys',
  {
    id: uuid('id').$type<AuditKeyId>().primaryKey(),
    /** Remains after the erasure, so that no new key is created. */
    userId: uuid('user_id').$type<UserId>(),
    /** Keyed hash of an email address; null after the deletion of its user, because another person may use the address later. */
    addressHash: bytes('address_hash'),
    /** Null after the erasure. */
    sealedKey: text('sealed_key'),
    /** The entry that records the erasure. */
    erasedBy: uuid('erased_by').$type<AuditEntryId>(),
    erasedAt: timestampColumn('erased_at'),
    /** When the IP hashes of the user were removed. */
    clearedAt: timestampColumn('cleared_at'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    unique('audit_keys_user').on(table.userId),
    unique('audit_keys_address').on(table.addressHash),
    index('audit_keys_uncleared').on(table.erasedAt).where(sql`erased_at IS NOT NULL AND cleared_at IS NULL`),
  ],
)

/** Erasures of deleted users that take effect later. */
export const auditErasures = pgTable(
  'audit_erasures',
  {
    userId: uuid('user_id').$type<UserId>().primaryKey(),
    /** The key of the email address, if the user had verified it. */
    addressKeyId: uuid('address_key_id').$type<AuditKeyId>(),
    dueAt: timestampColumn('due_at').notNull(),
  },
  (table) => [index('audit_erasures_due').on(table.dueAt)],
)

/** Entries without a seal: inserted with the entry, deleted with the seal. */
export const auditPending = pgTable(
  'audit_pending',
  {
    entryId: uuid('entry_id').$type<AuditEntryId>().primaryKey(),
    chain: uuid('chain').notNull(),
  },
  (table) => [index('audit_pending_chain').on(table.chain, table.entryId)],
)

/** The hash chain of a team, one row per batch: the entries in order, and the hash after each. Append-only. */
export const auditSeals = pgTable(
  'audit_seals',
  {
    /** The team's ID, or the nil UUID for the instance. */
    chain: uuid('chain').notNull(),
    number: bigint('number', { mode: 'number' }).notNull(),
    /** The newest format that its sealer knows. The database rejects a seal over entries of a newer one, by a node of an earlier release. */
    format: smallint('format').notNull().default(1),
    entryIds: uuid('entry_ids').$type<AuditEntryId>().array().notNull(),
    hashes: bytes('hashes').array().notNull(),
    /** HMAC over chain, number and last hash with the seal key, which an attacker with only the database does not have. */
    signature: bytes('signature').notNull(),
    keyId: text('key_id').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.number] })],
)

/** The record of a deleted team's entries. Only `remove_team_audit` writes it, and only its chains can be deleted. */
export const auditRemovals = pgTable('audit_removals', {
  chain: uuid('chain').primaryKey(),
  entries: integer('entries').notNull(),
  /** Hash after the last sealed entry; null if none was sealed. */
  lastHash: bytes('last_hash'),
  removedAt: timestampColumn('removed_at').notNull(),
  /** The transaction of the removal: the guard allows deletes only in it. */
  transactionId: text('transaction_id').notNull(),
})

/** How long the entries of a chain are kept in the log; without a row, they stay. */
export const auditRetention = pgTable(
  'audit_retention',
  {
    chain: uuid('chain').primaryKey(),
    days: integer('days').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  () => [check('audit_retention_days', sql`days BETWEEN 90 AND 3650`)],
)

/**
 * Where a chain begins after retention removed its first seals: the last of them. Only `remove_audit_seals` writes it, which records the
 * removal in the log of the instance.
 */
export const auditBases = pgTable('audit_bases', {
  chain: uuid('chain').primaryKey(),
  seal: bigint('seal', { mode: 'number' }).notNull(),
  /** The removed entries, up to and including this seal. */
  entries: bigint('entries', { mode: 'number' }).notNull(),
  /** The hash after the last removed entry, and the signature of its seal. */
  head: bytes('head').notNull(),
  signature: bytes('signature').notNull(),
  keyId: text('key_id').notNull(),
  /** The entry that records the removal. */
  recordId: uuid('record_id').$type<AuditEntryId>().notNull(),
  removedAt: timestampColumn('removed_at').notNull(),
  /** The transaction of the removal: the guard allows deletes only in it. */
  transactionId: text('transaction_id').notNull(),
})

/** Removed entries with their seals, as a file that can be verified (`chain/archive`). The team downloads and deletes it. */
export const auditArchives = pgTable(
  'audit_archives',
  {
    id: uuid('id').$type<AuditArchiveId>().primaryKey(),
    chain: uuid('chain').notNull(),
    firstSeal: bigint('first_seal', { mode: 'number' }).notNull(),
    lastSeal: bigint('last_seal', { mode: 'number' }).notNull(),
    entries: integer('entries').notNull(),
    /** Times of the first and the last entry. */
    firstAt: timestampColumn('first_at').notNull(),
    lastAt: timestampColumn('last_at').notNull(),
    /** Bytes of the file, which is stored compressed (gzip). */
    size: integer('size').notNull(),
    content: bytes('content').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [unique('audit_archives_seal').on(table.chain, table.firstSeal)],
)

/**
 * Counts of the sealed entries of a chain by day (UTC), action and result, so that counting a million entries reads a few hundred rows.
 * A trigger writes them in the transaction of the seal (migration `audit-counts`).
 */
export const auditDaily = pgTable(
  'audit_daily',
  {
    chain: uuid('chain').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    action: text('action').notNull(),
    result: text('result').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.day, table.action, table.result] })],
)

/**
 * One row for each sealing run, for all chains together and linked to the previous row: an attacker who removes the newest seals of
 * one team has to remove all later activity of all teams. Append-only.
 */
export const auditCheckpoints = pgTable('audit_checkpoints', {
  number: bigint('number', { mode: 'number' }).primaryKey(),
  /** Over the previous hash, the number, the time and the heads. */
  hash: bytes('hash').notNull(),
  /** HMAC over number and hash with the seal key. */
  signature: bytes('signature').notNull(),
  keyId: text('key_id').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
})

/** The heads of the chains in a checkpoint. Each seal has a row, without which the database rejects it. Append-only. */
export const auditCheckpointHeads = pgTable(
  'audit_checkpoint_heads',
  {
    chain: uuid('chain').notNull(),
    /** The number of the chain's last seal, and the number of entries up to it. */
    seal: bigint('seal', { mode: 'number' }).notNull(),
    entries: bigint('entries', { mode: 'number' }).notNull(),
    head: bytes('head').notNull(),
    checkpoint: bigint('checkpoint', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.seal] }),
    index('audit_checkpoint_heads_checkpoint').on(table.checkpoint),
  ],
)
