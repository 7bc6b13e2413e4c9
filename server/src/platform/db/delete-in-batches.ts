import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './database.js'

const BATCH = 2_000

/** Deletes matching rows in batches, each in its own transaction, so that a backlog neither blocks other work nor exceeds a time limit. */
export async function deleteInBatches(db: Database, table: PgTable, condition: SQL | undefined): Promise<void> {
  for (;;) {
    const deleted = await db.execute(
      sql`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH}))`,
    )
    if (deleted < BATCH) return
  }
}
