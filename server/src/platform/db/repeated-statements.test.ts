import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { takeDatabase } from '../../../test/harness/test-database.js'
import { createLogger } from '../log.js'
import { openDatabase } from './database.js'

const database = await takeDatabase()
const db = openDatabase({ ...database.settings, max: 1 }, createLogger({ logLevel: 'silent' }))
afterAll(async () => {
  await db.close()
  await database.release()
})

type Row = Record<string, unknown>
/** Runs one statement of the query builder in its own transaction. */
const send = (text: string): Promise<Row[]> =>
  db.transaction(async (tx) => (await tx.execute(sql.raw(text))).rows as Row[])
const prepared = async (part: string): Promise<number> => {
  const rows = await db.read<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM pg_prepared_statements WHERE position(${part}::text in statement) = 1`,
  )
  return rows[0]?.n ?? 0
}

it('prepares a statement that is sent for the second time', async () => {
  const text = "SELECT 'sent twice' AS x"
  await send(text)
  expect(await prepared(text)).toBe(0)
  await send(text)
  expect(await prepared(text)).toBe(1)
  expect(await send(text)).toEqual([{ x: 'sent twice' }])
})

it('prepares no statement that sorts, matches a pattern, looks up a list or is long', async () => {
  const long = `SELECT ${'1 + '.repeat(600)} 1 AS long`
  const list = "SELECT 1 = any('{1,2}'::int[]) AS listed"
  for (const text of ['SELECT 1 AS sorted ORDER BY 1', "SELECT 'a' LIKE 'a%' AS compared", list, long]) {
    for (let count = 0; count < 3; count++) await send(text)
    expect(await prepared(text)).toBe(0)
  }
})

it('replaces a connection that has prepared too many statements', async () => {
  const count = async () =>
    (await db.read<{ n: number }>(sql`SELECT count(*)::int AS n FROM pg_prepared_statements`))[0]?.n
  await db.transaction(async (tx) => {
    for (let number = 0; number < 802; number++) await tx.execute(sql.raw(`SELECT ${number % 401} AS one_of_many`))
    const { rows } = await tx.execute(sql.raw('SELECT count(*)::int AS n FROM pg_prepared_statements'))
    expect(rows[0]?.n).toBeGreaterThan(400)
  })
  expect(await count()).toBe(0)
})

it('resends a prepared statement after the type of a returned column changed', async () => {
  await send('CREATE TABLE changing (value int)')
  await send('INSERT INTO changing VALUES (7)')
  for (let count = 0; count < 3; count++) expect(await send('SELECT value FROM changing')).toEqual([{ value: 7 }])
  await send('ALTER TABLE changing ALTER COLUMN value TYPE text')
  expect(await send('SELECT value FROM changing')).toEqual([{ value: '7' }])
  await send('DROP TABLE changing')
})
