import { eq, getTableName, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../db/database.js'
import type { Envelope } from './envelope.js'

const BATCH = 500

/** Where sealed values are stored. */
export interface SealedValues {
  /** The sealed value; rows without one are skipped. */
  sealed: PgColumn
  /** The member of a JSON column that contains it. */
  member?: string
}

/** A column of sealed values, not of JSON. */
export interface SealedColumn extends SealedValues {
  id: PgColumn
  /** Returns the context of a row's value. */
  contextOf: (id: never) => string
}

/**
 * Wraps every value of a column with the first ENCRYPTION_KEY, in batches of one transaction each. Run at startup. Skips rows that
 * another node has locked.
 */
export async function rewrapColumn(
  { db, envelope }: { db: Database; envelope: Envelope },
  { id, sealed, contextOf }: SealedColumn,
): Promise<void> {
  const { table } = sealed as PgColumn & { table: PgTable }
  const isOld = sql`${sealed} NOT LIKE ${`v1.${envelope.keyId}.%`}`
  if ((await db.read(sql`SELECT FROM ${table} WHERE ${isOld} LIMIT 1`)).length === 0) return
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx
        .select({ id: sql<never>`${id}`, sealed: sql<string>`${sealed}` })
        .from(table)
        .where(isOld)
        .limit(BATCH)
        .for('update', { skipLocked: true })
      for (const row of old) {
        const rewrapped = envelope.rewrap(row.sealed, contextOf(row.id)) ?? row.sealed
        await tx.execute(sql`UPDATE ${table} SET ${sql.identifier(sealed.name)} = ${rewrapped} WHERE ${eq(id, row.id)}`)
      }
      return old.length
    })
    if (count < BATCH) return
  }
}

/** Returns the name of the values, and how many each key seals, by the ID of the key. */
export async function countByKey(
  db: Database,
  { sealed, member }: SealedValues,
): Promise<{ name: string; byKey: { key: string; count: number }[] }> {
  const { table } = sealed as PgColumn & { table: PgTable }
  const value = member === undefined ? sql`${sealed}` : sql`(${sealed} ->> ${member})`
  const byKey = await db.read<{ key: string; count: number }>(
    sql`SELECT split_part(${value}, '.', 2) AS key, count(*)::int AS count FROM ${table} WHERE ${value} IS NOT NULL GROUP BY 1 ORDER BY 1`,
  )
  const column = `${getTableName(table)}.${sealed.name}`
  return { name: member === undefined ? column : `${column}.${member}`, byKey }
}
