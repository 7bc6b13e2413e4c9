import { sql } from 'drizzle-orm'
import { customType, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { JobId, MailId, TeamId, UserId } from '../ids.js'

/** A `bytea` column, for hashes of tokens. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

/** Background jobs, each of which one node runs once. */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').$type<JobId>().primaryKey(),
    kind: text('kind').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    /** The team that caused the job, for kinds that serve teams round-robin. */
    teamId: uuid('team_id').$type<TeamId>(),
    /** Unique among waiting and running jobs; recurring jobs are named after their kind. */
    uniqueName: text('unique_name'),
    runAt: timestampColumn('run_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Until then a node runs the job; afterwards the node is considered crashed. */
    leasedUntil: timestampColumn('leased_until'),
    lastError: text('last_error'),
    /** Set when the job is given up; the row remains for inspection. */
    failedAt: timestampColumn('failed_at'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('jobs_due').on(table.runAt).where(sql`failed_at IS NULL AND team_id IS NULL`),
    index('jobs_of_teams')
      .on(table.kind, table.teamId, table.runAt)
      .where(sql`failed_at IS NULL AND team_id IS NOT NULL`),
    uniqueIndex('jobs_unique_name').on(table.uniqueName),
  ],
)

/** The outbox: one row and one Message-ID per mail. The values are sealed because they can contain a sign-in link. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').$type<MailId>().primaryKey(),
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    /** The team that caused the mail; null if the recipient may have requested it. The two have separate limits. */
    teamId: uuid('team_id').$type<TeamId>(),
    /** The user who caused the mail in that team; the limit applies to all of their teams together. */
    causedByUserId: uuid('caused_by_user_id').$type<UserId>(),
    messageId: text('message_id').notNull(),
    /** Sealed JSON of the template's values; null once the mail is sent. */
    sealedValues: text('sealed_values'),
    createdAt: timestampColumn('created_at').notNull(),
    sentAt: timestampColumn('sent_at'),
  },
  (table) => [
    index('mails_created').on(table.createdAt),
    index('mails_recent').on(table.recipient, table.kind, table.createdAt),
    index('mails_caused').on(table.causedByUserId, table.createdAt).where(sql`caused_by_user_id IS NOT NULL`),
  ],
)

/** The sealed keys of the service. Never deleted while something that they signed is still valid. */
export const serverKeys = pgTable('server_keys', {
  id: text('id').primaryKey(),
  purpose: text('purpose').notNull(),
  algorithm: text('algorithm').notNull(),
  sealedKey: text('sealed_key').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
  /** The time from which the key signs; before that, nodes only load it. */
  activeAt: timestampColumn('active_at').notNull(),
})

/** Counters of failures and other limited actions, shared by all nodes. */
export const throttleCounters = pgTable(
  'throttle_counters',
  {
    /** Hash of the kind and subject of the counter, so that no email or IP address is stored in plaintext. */
    key: bytes('key').primaryKey(),
    count: integer('count').notNull(),
    windowEndsAt: timestampColumn('window_ends_at').notNull(),
    /** Set when the limit is reached: until then everything is rejected. */
    lockedUntil: timestampColumn('locked_until'),
  },
  (table) => [index('throttle_counters_over').on(table.windowEndsAt)],
)
