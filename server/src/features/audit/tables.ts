import { isNotNull, sql } from 'drizzle-orm'
import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { AuditEntryId, TeamId, UserId } from '../../platform/ids.js'
import { EVENTS_BY_OTHERS, EVENTS_BY_USER, isOneOf } from './account-events.js'

/** SQL: the kind of the resource of an entry. An index has this expression. */
export const KIND_OF_RESOURCE = sql.raw("split_part(resource, ':', 1)")

/** Append-only: triggers reject UPDATE, TRUNCATE, and DELETE except for the removal of a team (migrations `audit-guard` and
 * `audit-counts`). */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid('id').$type<AuditEntryId>().primaryKey(),
    /** Null for entries of the instance. No foreign keys, because an entry remains after the deletion of its subject. */
    teamId: uuid('team_id').$type<TeamId>(),
    userId: uuid('user_id').$type<UserId>(),
    agentId: uuid('agent_id'),
    action: text('action').notNull(),
    resource: text('resource'),
    result: text('result').notNull(),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull(),
    riskScore: integer('risk_score'),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    requestId: text('request_id'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('audit_entries_team').on(table.teamId, table.createdAt, table.id),
    index('audit_entries_team_user').on(table.teamId, table.userId, table.createdAt),
    index('audit_entries_team_action').on(table.teamId, table.action, table.createdAt),
    // One for each filter of the log, so that a page costs as much in a log of a million entries as in one of a thousand.
    index('audit_entries_team_result').on(table.teamId, table.result, table.createdAt).where(sql`result <> 'SUCCESS'`),
    index('audit_entries_team_agent').on(table.teamId, table.agentId, table.createdAt).where(isNotNull(table.agentId)),
    index('audit_entries_team_resource').on(table.teamId, table.resource, table.createdAt),
    index('audit_entries_team_kind').on(table.teamId, KIND_OF_RESOURCE, table.createdAt),
    index('audit_entries_team_ip').on(table.teamId, table.ipAddress, table.createdAt),
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
