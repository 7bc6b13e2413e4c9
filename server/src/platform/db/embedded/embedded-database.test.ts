import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EMBEDDED_TEMPLATE } from '../../../../test/harness/test-database.js'
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.js'
import { socketPath } from './socket-folder.js'

const root = mkdtempSync(join(tmpdir(), 'kw-db-'))
const quiet = { info() {} }
let database: EmbeddedDatabase
let pool: pg.Pool
const connected = async (patience = 0) => {
  const client = new pg.Client({ ...database.connection, connectionTimeoutMillis: patience })
  client.on('error', () => {})
  await client.connect()
  return client
}
/** Drops the connection as a killed process would: no Terminate, no ROLLBACK. */
const drop = (client: pg.Client) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()

beforeAll(async () => {
  database = await startEmbeddedDatabase({
    dataDir: join(root, 'main'),
    templateDir: EMBEDDED_TEMPLATE,
    log: quiet,
    patience: 300,
  })
  pool = new pg.Pool({ ...database.connection, max: 1, idleTimeoutMillis: 1 })
  pool.on('error', () => {})
  await pool.query('CREATE TABLE kept (id int PRIMARY KEY, v text)')
  await pool.end()
}, 60_000)
afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

describe('a connection to the embedded database', () => {
  it('rolls back its open transaction when it is lost', async () => {
    const lost = await connected()
    await lost.query('BEGIN')
    await lost.query("INSERT INTO kept VALUES (1, 'never committed')")
    await lost.query('LOCK TABLE kept IN ACCESS EXCLUSIVE MODE')
    drop(lost)
    const next = await connected()
    expect((await next.query('SELECT count(*)::int AS n FROM kept')).rows).toEqual([{ n: 0 }])
    await next.query('BEGIN')
    await next.query('ROLLBACK')
    await next.end()
  })

  it('starts without settings, temporary tables, locks and prepared statements of earlier connections', async () => {
    const first = await connected()
    await first.query("SET search_path = pg_catalog; SET work_mem = '77MB'; CREATE TEMP TABLE scratch (i int)")
    await first.query('SELECT pg_advisory_lock(7); LISTEN news')
    expect((await first.query({ name: 'same', text: 'SELECT 1 AS x' })).rows).toEqual([{ x: 1 }])
    await expect(first.query('BEGIN; SELECT 1/0')).rejects.toMatchObject({ code: '22012' })
    drop(first)

    const next = await connected()
    expect((await next.query({ name: 'same', text: 'SELECT $1::int AS y', values: [2] })).rows).toEqual([{ y: 2 }])
    const state = await next.query(`SELECT current_setting('search_path') AS path, current_setting('work_mem') AS mem,
      to_regclass('scratch') AS scratch, (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory') AS locks,
      (SELECT count(*)::int FROM pg_prepared_statements WHERE name = 'same') AS prepared,
      (SELECT count(*)::int FROM pg_listening_channels()) AS listening`)
    expect(state.rows[0]).toEqual({ path: 'public', mem: '4MB', scratch: null, locks: 0, prepared: 1, listening: 0 })
    await next.end()
  })

  it('reuses a prepared statement after errors in transactions', async () => {
    const client = await connected()
    const insert = (id: number) =>
      client.query({ name: 'i', text: 'INSERT INTO kept VALUES ($1, $2)', values: [id, 'v'] })
    for (let round = 0; round < 5; round++) {
      await client.query('BEGIN')
      await insert(10 + round)
      await expect(insert(10 + round)).rejects.toMatchObject({ code: '23505' })
      await expect(insert(99)).rejects.toMatchObject({ code: '25P02' })
      await client.query('ROLLBACK')
    }
    await client.query('BEGIN')
    await insert(10)
    await client.query('SAVEPOINT s')
    await expect(insert(10)).rejects.toMatchObject({ code: '23505' })
    await client.query('ROLLBACK TO s')
    await client.query('COMMIT')
    expect((await client.query('SELECT id FROM kept')).rows).toEqual([{ id: 10 }])
    await client.query('DELETE FROM kept')
    await client.end()
  })

  it('transfers values and results of several MiB', async () => {
    const client = await connected()
    const text = 'ä€x'.repeat(700_000)
    const echoed = await client.query({ text: 'SELECT $1::text AS v, length($1) AS n', values: [text] })
    expect(echoed.rows[0].n).toBe(text.length)
    expect(echoed.rows[0].v === text).toBe(true)
    const many = await client.query('SELECT g, repeat(md5(g::text), 32) AS v FROM generate_series(1, 4000) g')
    expect(many.rows.length).toBe(4000)
    expect(many.rows[3999].v.length).toBe(1024)
    await client.end()
  })

  it('waits for the previous connection and fails with a reason if that does not end', async () => {
    const first = await connected()
    await first.query('SELECT 1')
    await expect(connected()).rejects.toMatchObject({
      code: '53300',
      message: expect.stringContaining('one connection'),
    })
    const second = connected(5_000)
    await first.end()
    await (await second).end()
  })

  it('leaves the pool after a failure during a query', async () => {
    const own = new pg.Pool({ ...database.connection, max: 1, query_timeout: 20 })
    own.on('error', () => {})
    await expect(own.query('SELECT count(*) FROM generate_series(1, 1000000) g')).rejects.toThrow('timeout')
    expect((await own.query({ text: 'SELECT 1 AS x', query_timeout: 20_000 } as pg.QueryConfig)).rows).toEqual([
      { x: 1 },
    ])
    await own.end()
  }, 30_000)

  it('fails without effect if it does not use the protocol', async () => {
    const socket = connect(socketPath(database.connection.host))
    socket.end('GET / HTTP/1.1\r\n\r\n')
    const answer = (await socket.toArray()).join('')
    expect(answer).toContain('08P01')
    await (await connected()).end()
  })

  it('leaves the main thread free during a query', async () => {
    const client = await connected()
    let pending = true
    let turns = 0
    const count = () => {
      turns += 1
      if (pending) setImmediate(count)
    }
    setImmediate(count)
    await client.query('SELECT count(*) FROM generate_series(1, 500000) g')
    pending = false
    expect(turns).toBeGreaterThan(1_000)
    await client.end()
  }, 30_000)
})
