import { and, eq, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Labeller } from '../module.js'
import { anyOf } from './any-of.js'

/** Creates the labeller of a table whose rows belong to teams. @param label the column of the name */
export const labelsOf =
  (table: PgTable & { id: AnyPgColumn<{ data: string }>; organizationId: AnyPgColumn }, label: AnyPgColumn): Labeller =>
  async (tx, teamId, ids) => {
    const rows = await tx
      .select({ id: sql<string>`${table.id}`, label: sql<string>`${label}` })
      .from(table)
      .where(and(eq(table.organizationId, teamId), anyOf(table.id, ids)))
    return new Map(rows.map((row) => [row.id, row.label]))
  }
