import { lt, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Clock, fromNow, HOUR } from '../clock.js'
import type { Database } from './database.js'
import { deleteInBatches } from './delete-in-batches.js'

/** When the rows of a table are deleted. A table without a rule is listed with a reason in `server/src/retention.ts`. */
export interface RetentionRule {
  table: PgTable
  /** Which rows, and when: "an hour after they expire". For the reference page. */
  deleted: string
  /** SQL: whether a row is deleted now. */
  condition(clock: Clock): SQL | undefined
}

/** Returns the rule to delete rows some time after the timestamp in a column; rows without one stay. */
export const deletedAfter = (
  table: PgTable,
  column: PgColumn,
  milliseconds: number,
  deleted: string,
): RetentionRule => ({
  table,
  deleted,
  condition: (clock) => lt(column, fromNow(clock, -milliseconds)),
})

/**
 * The rule for rows with `expires_at`. The hour tolerates nodes with different clocks, and lets a late request still get the error of an
 * expired row.
 */
export const anHourAfterExpiry = (table: PgTable & { expiresAt: PgColumn }): RetentionRule =>
  deletedAfter(table, table.expiresAt, HOUR, 'an hour after they expire')

/** Deletes the rows that rules select now, in the order of the rules. */
export async function deleteExpired(
  { db, clock }: { db: Database; clock: Clock },
  rules: RetentionRule[],
): Promise<void> {
  for (const { table, condition } of rules) await deleteInBatches(db, table, condition(clock))
}
