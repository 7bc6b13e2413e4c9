import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * `column = ANY (ids)`: one parameter, however many ids there are. The builder's `inArray` sends one for each, and PostgreSQL
 * takes 65,535 at most.
 */
export const anyOf = <Id extends string>(column: AnyColumn<{ data: Id }>, ids: readonly Id[]): SQL =>
  sql`${column} = ANY(${sql.param(ids)}::uuid[])`
