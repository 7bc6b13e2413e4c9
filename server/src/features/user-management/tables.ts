import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { ImportRunId, TeamId, UserId } from '../../platform/ids.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'
import type { ImportOptions } from './import-deps.js'

/** A list of users that is being read in, or was: how far it is and what came of it. */
export const importRuns = pgTable(
  'import_runs',
  {
    id: uuid('id').$type<ImportRunId>().primaryKey(),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Who started it, and with whose rights it runs. */
    startedBy: uuid('started_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** The member who set the temporary password that started the session in which it was started. */
    temporarySetBy: uuid('temporary_set_by').$type<UserId>(),
    dryRun: boolean('dry_run').notNull(),
    status: text('status').$type<'queued' | 'running' | 'completed' | 'failed' | 'cancelled'>().notNull(),
    /** The rows that still wait. */
    rows: jsonb('rows').$type<Record<string, string>[]>().notNull(),
    options: jsonb('options').$type<ImportOptions>().notNull(),
    total: integer('total').notNull(),
    processed: integer('processed').notNull(),
    created: integer('created').notNull(),
    updated: integer('updated').notNull(),
    unchanged: integer('unchanged').notNull(),
    /** Rows that were refused, each with its line, code and message. */
    failures: jsonb('failures').$type<{ line: number; email: string; code: string; message: string }[]>().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    finishedAt: timestampColumn('finished_at'),
  },
  (table) => [
    index('import_runs_newest').on(table.organizationId, table.createdAt, table.id),
    index('import_runs_started_by').on(table.startedBy),
  ],
)
