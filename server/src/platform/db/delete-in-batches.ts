import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './database.js'

const BATCH = 2_000

/** Deletes the rows that match, some at a time and each time in a transaction of its own: a backlog neither holds others up nor runs into a time limit. */
export async function deleteInBatches(db: Database, table: PgTable, condition: SQL | undefined): Promise<void> {
  for (;;) {
    const deleted = await db.execute(
      sql`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH}))`,
    )
    if (deleted < BATCH) return
  }
}
