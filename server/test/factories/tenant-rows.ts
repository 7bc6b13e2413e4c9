import { randomBytes, randomUUID } from 'node:crypto'
import type { TestService } from '../harness/service.js'

type Sql = Pick<TestService, 'sql'>['sql']

interface Column extends Record<string, unknown> {
  name: string
  type: string
  /** The table and column that its foreign key references. */
  target: string | null
  target_column: string | null
}

/** Returns a value for a NOT NULL column without a default. */
function valueFor({ type }: Column): unknown {
  if (type === 'uuid') return randomUUID()
  if (type === 'bytea') return randomBytes(32)
  if (type === 'jsonb') return '{}'
  if (type === 'boolean') return true
  if (type === 'uuid[]') return `{${randomUUID()}}`
  if (type === 'ARRAY') return '{}'
  if (/^timestamp|^date$/.test(type)) return new Date().toISOString()
  if (/int|numeric|double/.test(type)) return 1
  return `text ${randomBytes(4).toString('hex')}`
}

/** Returns the tables with a column `organization_id`, whose rows belong to a team. */
export const tablesOfTeams = async (sql: Sql): Promise<string[]> =>
  (
    await sql<{ name: string }>(
      `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND c.column_name = 'organization_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
    )
  ).map(({ name }) => name)

export const hasRowOf = async (sql: Sql, table: string, teamId: string): Promise<boolean> =>
  (await sql(`SELECT 1 FROM "${table}" WHERE organization_id = $1 LIMIT 1`, [teamId])).length > 0

/**
 * Inserts a row of the team into every team table without one. Rows are generated from the schema, so that new tables are covered
 * automatically. Foreign keys reference rows of the same team and user.
 * @throws Error if a table cannot be filled, with the last database error
 */
export async function fillTeam(sql: Sql, { teamId, userId }: { teamId: string; userId: string }): Promise<void> {
  let empty = await tablesOfTeams(sql)
  const failures = new Map<string, unknown>()
  // A row may reference a table that comes later, so repeat as long as a table was filled.
  for (let before = empty.length + 1; empty.length > 0 && empty.length < before; ) {
    before = empty.length
    const left: string[] = []
    for (const table of empty) {
      if (await hasRowOf(sql, table, teamId)) continue
      try {
        await insertRow(sql, table, { teamId, userId })
      } catch (error) {
        failures.set(table, error)
        left.push(table)
      }
    }
    empty = left
  }
  if (empty.length > 0)
    throw new Error(`No row could be inserted into ${empty.join()}`, { cause: failures.get(empty[0] ?? '') })
}

async function insertRow(sql: Sql, table: string, of: { teamId: string; userId: string }): Promise<void> {
  const columns = await sql<Column>(
    `SELECT a.attname AS name, CASE WHEN t.typelem <> 0 AND t.typlen = -1 AND t.oid <> 'uuid[]'::regtype THEN 'ARRAY' ELSE format_type(a.atttypid, NULL) END AS type,
       f.relname AS target, fa.attname AS target_column
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
       LEFT JOIN LATERAL (
         SELECT k.confrelid, k.confkey[array_position(k.conkey, a.attnum)] AS attnum FROM pg_constraint k
         WHERE k.conrelid = a.attrelid AND k.contype = 'f' AND a.attnum = ANY(k.conkey) ORDER BY cardinality(k.conkey) LIMIT 1) k ON true
       LEFT JOIN pg_class f ON f.oid = k.confrelid
       LEFT JOIN pg_attribute fa ON fa.attrelid = k.confrelid AND fa.attnum = k.attnum
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
       AND (a.attname = 'organization_id' OR (a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''))`,
    [`public."${table}"`],
  )
  const values: unknown[] = []
  for (const column of columns) values.push(await referred(sql, column, of))
  const names = columns.map(({ name }) => `"${name}"`)
  await sql(
    `INSERT INTO "${table}" (${names.join()}) VALUES (${names.map((_, index) => `$${index + 1}`).join()})`,
    values,
  )
}

/** Returns the referenced row of the same team and user for a foreign key, or a new value for any other column. */
async function referred(
  sql: Sql,
  column: Column,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<unknown> {
  const { name, target, target_column: key } = column
  if (name === 'organization_id' || target === 'organizations') return teamId
  if (name === 'user_id' || target === 'users') return userId
  if (!target || !key) return valueFor(column)
  const teams = await tablesOfTeams(sql)
  const where = teams.includes(target) ? 'WHERE organization_id = $1' : ''
  const [row] = await sql(`SELECT "${key}" AS value FROM "${target}" ${where} LIMIT 1`, where ? [teamId] : [])
  if (!row) throw new Error(`${target} is still empty`)
  return row.value
}
