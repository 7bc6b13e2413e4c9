import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * Returns `column = ANY (ids)` with a single parameter. The builder's `inArray` uses one per ID, and PostgreSQL accepts at most
 * 65,535.
 */
export const anyOf = <Id extends string>(column: AnyColumn<{ data: Id }>, ids: readonly Id[]): SQL =>
  sql`${column} = ANY(${sql.param(ids)}::uuid[])`
