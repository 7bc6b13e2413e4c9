import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { ImportRunId, OriginId, TeamId, UserId } from '../../platform/ids.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'
import type { BulkAction, RunOptions } from './runs/deps.js'

export interface RunFailure {
  line: number
  email: string
  /** Only for a bulk run. */
  userId?: string
  code: string
  message: string
}

/** The imports and bulk changes of users, with their progress and results. */
export const importRuns = pgTable(
  'import_runs',
  {
    id: uuid('id').$type<ImportRunId>().primaryKey(),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The user with whose permissions the import runs. */
    startedBy: uuid('started_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** The origin of the session that started it. */
    temporarySetBy: uuid('temporary_set_by').$type<OriginId>(),
    /** The change of a bulk run; null: an import. */
    action: jsonb('action').$type<BulkAction>(),
    dryRun: boolean('dry_run').notNull(),
    status: text('status').$type<'queued' | 'running' | 'completed' | 'failed' | 'cancelled'>().notNull(),
    /** The rows that are not processed yet: lines of a file, or IDs of users. */
    rows: jsonb('rows').$type<Record<string, string>[]>().notNull(),
    options: jsonb('options').$type<RunOptions>().notNull(),
    total: integer('total').notNull(),
    processed: integer('processed').notNull(),
    created: integer('created').notNull(),
    updated: integer('updated').notNull(),
    unchanged: integer('unchanged').notNull(),
    /** The rows that failed: the line number in the file or the place in the list of users, with error code and message. */
    failures: jsonb('failures').$type<RunFailure[]>().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    finishedAt: timestampColumn('finished_at'),
  },
  (table) => [
    index('import_runs_newest').on(table.organizationId, table.createdAt, table.id),
    index('import_runs_started_by').on(table.startedBy),
  ],
)
