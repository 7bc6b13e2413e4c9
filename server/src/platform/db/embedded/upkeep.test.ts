import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { EMBEDDED_TEMPLATE } from '../../../../test/harness/test-database.js'
import { startEmbeddedDatabase } from './embedded-database.js'

const root = mkdtempSync(join(tmpdir(), 'kw-upkeep-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('bounds the log on disk, vacuums tables and collects statistics without background processes', async () => {
  const dataDir = join(root, 'd')
  const database = await startEmbeddedDatabase({ dataDir, templateDir: EMBEDDED_TEMPLATE, log: { info() {} } })
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query('CREATE TABLE "Busy" (id int PRIMARY KEY, n int, pad text)')
  await client.query(`INSERT INTO "Busy" SELECT g, 0, (SELECT string_agg(md5((g * 100 + i)::text), '')
    FROM generate_series(1, 28) i) FROM generate_series(1, 1000) g`)
  const written = async () => Number((await client.query("SELECT pg_current_wal_lsn() - '0/0' AS n")).rows[0].n)
  const before = await written()
  // Fifty rows each, by the index: reading the whole table would cost more than the updates.
  for (let i = 0; i < 1_200; i++)
    await client.query('UPDATE "Busy" SET n = n + 1, pad = reverse(pad) WHERE id > $1 AND id <= $1 + 50', [
      (i % 20) * 50,
    ])

  expect((await written()) - before).toBeGreaterThan(52 * 2 ** 20)
  const segments = readdirSync(join(dataDir, 'db', 'pg_wal')).filter((name) => name.length === 24)
  expect(segments.length).toBeLessThan(48) // of 1 MiB
  const { rows } = await client.query(`SELECT reltuples::int AS rows, pg_relation_size(oid)::int AS bytes,
    (SELECT vacuum_count::int FROM pg_stat_user_tables WHERE relid = c.oid) AS vacuums
    FROM pg_class c WHERE relname = 'Busy'`)
  expect(rows[0]).toMatchObject({ rows: 1000 })
  expect(rows[0].vacuums).toBeGreaterThan(0)
  // 60,000 row versions of 1 kB were written. Their space is used again.
  expect(rows[0].bytes).toBeLessThan(30 * 2 ** 20)
  await client.end()
  await database.close()
}, 120_000)

it('keeps the connection if a table is dropped before its vacuum', async () => {
  const dataDir = join(root, 'dropped')
  const database = await startEmbeddedDatabase({ dataDir, templateDir: EMBEDDED_TEMPLATE, log: { info() {} } })
  const client = new pg.Client(database.connection)
  await client.connect()
  // Each request drops the table of the previous one, so that the table of a check is gone one request later.
  for (let i = 0; i < 600; i++)
    await client.query(
      `DROP TABLE IF EXISTS t${Math.max(0, i - 1)}; CREATE TABLE t${i} AS SELECT generate_series(1, 60)`,
    )
  expect((await client.query('SELECT count(*)::int AS rows FROM t599')).rows).toEqual([{ rows: 60 }])
  await client.end()
  await database.close()
}, 120_000)
