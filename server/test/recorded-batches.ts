import type { TestService } from './service.js'

/**
 * Records the value of an expression over the new row whenever a row of the table is updated, in a table of its own: one update for each
 * transaction of a run shows how large each was.
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

/** How much each value is above the one before it, where it is above it. */
export const increases = (values: number[]): number[] =>
  values.map((value, at) => value - (values[at - 1] ?? 0)).filter((more) => more > 0)
