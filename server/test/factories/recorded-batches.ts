import type { TestService } from '../harness/service.js'

/**
 * Records the value of an expression over the new row on each update of the table, in a separate table. A run updates its row once per
 * transaction, so this shows the size of each.
 */
export async function recordUpdates(
  { sql }: TestService,
  table: string,
  expression: string,
): Promise<{ values(): Promise<number[]>; end(): Promise<void> }> {
  const log = `updates_of_${table}`
  await sql(`CREATE TABLE ${log} (no serial, value int)`)
  await sql(
    `CREATE FUNCTION ${log}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO ${log} (value) VALUES (${expression}); RETURN NULL; END $$`,
  )
  await sql(`CREATE TRIGGER ${log} AFTER UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${log}()`)
  return {
    async values() {
      const rows = await sql<{ value: number }>(`SELECT value FROM ${log} ORDER BY no`)
      return rows.map(({ value }) => value)
    },
    async end() {
      await sql(`DROP TRIGGER ${log} ON ${table}`)
      await sql(`DROP FUNCTION ${log}`)
      await sql(`DROP TABLE ${log}`)
    },
  }
}

/** Returns the increases between consecutive values. */
export const increases = (values: number[]): number[] =>
  values.map((value, at) => value - (values[at - 1] ?? 0)).filter((more) => more > 0)
