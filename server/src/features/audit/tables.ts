import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { AuditEntryId, TeamId, UserId } from '../../platform/ids.js'

/** Append-only: triggers refuse UPDATE, TRUNCATE, and DELETE outside the removal of a team (migration `audit-guard`). */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid('id').$type<AuditEntryId>().primaryKey(),
    /** Null for entries of the instance. No foreign keys: an entry outlives what it speaks of. */
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
  ],
)

/** Entries that no seal covers yet: written with the entry, taken away with the seal. */
export const auditPending = pgTable(
  'audit_pending',
  {
    entryId: uuid('entry_id').$type<AuditEntryId>().primaryKey(),
    chain: uuid('chain').notNull(),
  },
  (table) => [index('audit_pending_chain').on(table.chain, table.entryId)],
)

/** The hash chain of a team, one row a batch: which entries, in which order, and the hash after each. Append-only. */
export const auditSeals = pgTable(
  'audit_seals',
  {
    /** The team's id, or the nil UUID for the instance. */
    chain: uuid('chain').notNull(),
    number: bigint('number', { mode: 'number' }).notNull(),
    entryIds: uuid('entry_ids').$type<AuditEntryId>().array().notNull(),
    hashes: bytes('hashes').array().notNull(),
    /** HMAC over chain, number and last hash, by the service's seal key: not to be made by who has only the database. */
    signature: bytes('signature').notNull(),
    keyId: text('key_id').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chain, table.number] })],
)

/** What remains of a deleted team's entries. Only `remove_team_audit` writes it, and only what it names may be deleted. */
export const auditRemovals = pgTable('audit_removals', {
  chain: uuid('chain').primaryKey(),
  entries: integer('entries').notNull(),
  /** Hash after the last sealed entry; null when none was sealed. */
  lastHash: bytes('last_hash'),
  removedAt: timestampColumn('removed_at').notNull(),
  /** The transaction that removed them: the guard lets that one delete, and no other. */
  transactionId: text('transaction_id').notNull(),
})

/**
 * How many sealed entries a chain has of each day (UTC), action and result, so that counting a million is reading a few hundred.
 * Written by a trigger with the seal (migration `audit-counts`), in its transaction.
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
 * One row for each run that sealed something, of all chains together, each bound to the one before: who cuts off the newest
 * seals of one team must cut off everything that anybody has done since. Append-only.
 */
export const auditCheckpoints = pgTable('audit_checkpoints', {
  number: bigint('number', { mode: 'number' }).primaryKey(),
  /** Over the one before, the number, the time and the heads. */
  hash: bytes('hash').notNull(),
  /** HMAC over number and hash, by the service's seal key. */
  signature: bytes('signature').notNull(),
  keyId: text('key_id').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
})

/** How far a checkpoint found the chains that it names: each seal has its row, and the database takes no seal without. Append-only. */
export const auditCheckpointHeads = pgTable(
  'audit_checkpoint_heads',
  {
    chain: uuid('chain').notNull(),
    /** The number of the chain's last seal, and its entries up to there. */
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
