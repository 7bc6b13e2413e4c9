import { sql } from 'drizzle-orm'
import { customType, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { JobId, MailId, TeamId, UserId } from '../ids.js'

/** Bytes: hashes of tokens. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

/** Work that is done outside a request, once, by whichever node takes it. */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').$type<JobId>().primaryKey(),
    kind: text('kind').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    /** The team that caused the job, for kinds whose jobs are run in fair turns by team. */
    teamId: uuid('team_id').$type<TeamId>(),
    /** One job of this name at most waits or runs (recurring jobs are named after their kind). */
    uniqueName: text('unique_name'),
    runAt: timestampColumn('run_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** While it is in the future a node works on the job; after it the node is taken for dead. */
    leasedUntil: timestampColumn('leased_until'),
    lastError: text('last_error'),
    /** Set when the job is given up; it stays for somebody to look at. */
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

/** The outbox: one row and one Message-ID a mail. The text holds a link that signs somebody in, so it lies sealed. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').$type<MailId>().primaryKey(),
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    /** The team that caused the mail; null where the recipient may have requested it. Each has a limit of its own. */
    teamId: uuid('team_id').$type<TeamId>(),
    /** The user who caused the mail in that team, whose mails are limited over all of their teams. */
    causedByUserId: uuid('caused_by_user_id').$type<UserId>(),
    messageId: text('message_id').notNull(),
    /** Sealed JSON of the template's values; null once the mail is handed over. */
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

/** Keys of the service itself, private part sealed. Never deleted while something they signed can still be presented. */
export const serverKeys = pgTable('server_keys', {
  id: text('id').primaryKey(),
  purpose: text('purpose').notNull(),
  algorithm: text('algorithm').notNull(),
  sealedKey: text('sealed_key').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
  /** From here on it signs; earlier nodes only learn it. */
  activeAt: timestampColumn('active_at').notNull(),
})

/** Failures and other counted acts, shared by all nodes. */
export const throttleCounters = pgTable(
  'throttle_counters',
  {
    /** Hash of what is counted and for whom: an address does not lie here in the clear. */
    key: bytes('key').primaryKey(),
    count: integer('count').notNull(),
    windowEndsAt: timestampColumn('window_ends_at').notNull(),
    /** Set when the limit was reached: until then everything is refused. */
    lockedUntil: timestampColumn('locked_until'),
  },
  (table) => [index('throttle_counters_over').on(table.windowEndsAt)],
)
