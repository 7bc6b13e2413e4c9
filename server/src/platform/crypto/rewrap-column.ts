import { eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../db/database.js'
import type { Envelope } from './envelope.js'

const AT_A_TIME = 500

interface SealedColumn<Id extends string> {
  table: PgTable
  id: PgColumn
  /** the sealed text; rows without one are left */
  sealed: PgColumn
  /** what the value of a row was sealed for */
  contextOf: (id: Id) => string
}

/**
 * Wraps every value of a column under the first ENCRYPTION_KEY, some in each transaction. Run at the start. A row that another node has in
 * its hands is left to that node.
 */
export async function rewrapColumn<Id extends string>(
  { db, envelope }: { db: Database; envelope: Envelope },
  { table, id, sealed, contextOf }: SealedColumn<Id>,
): Promise<void> {
  const isOld = sql`${sealed} NOT LIKE ${`v1.${envelope.keyId}.%`}`
  if ((await db.read(sql`SELECT FROM ${table} WHERE ${isOld} LIMIT 1`)).length === 0) return
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx
        .select({ id: sql<Id>`${id}`, text: sql<string>`${sealed}` })
        .from(table)
        .where(isOld)
        .limit(AT_A_TIME)
        .for('update', { skipLocked: true })
      for (const row of old) {
        const again = envelope.rewrap(row.text, contextOf(row.id)) ?? row.text
        await tx.execute(sql`UPDATE ${table} SET ${sql.identifier(sealed.name)} = ${again} WHERE ${eq(id, row.id)}`)
      }
      return old.length
    })
    if (count < AT_A_TIME) return
  }
}
