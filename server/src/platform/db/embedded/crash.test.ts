import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { UNOPTIMIZED } from '../../../../test/harness/built-server.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { EMBEDDED_TEMPLATE } from '../../../../test/harness/test-database.js'
import { startEmbeddedDatabase } from './embedded-database.js'

const root = mkdtempSync(join(tmpdir(), 'kw-crash-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const open = async (dataDir: string) => {
  const database = await startEmbeddedDatabase({ dataDir, templateDir: EMBEDDED_TEMPLATE, log: { info() {} } })
  const client = new pg.Client(database.connection)
  client.on('error', () => {})
  await client.connect()
  return { database, client }
}

const ROUNDS = LONG ? 20 : 2

describe('a killed process', () => {
  it(`loses no acknowledged write and leaves the indexes whole, in ${ROUNDS} rounds of kill -9 while writing`, async () => {
    const dataDir = mkdtempSync(join(root, 'd'))
    let total = 0
    for (let round = 0; round < ROUNDS; round++) {
      const program = join(import.meta.dirname, 'child.fixture.mjs')
      const child = spawn(process.execPath, [UNOPTIMIZED, program, 'write', dataDir, EMBEDDED_TEMPLATE])
      let printed = ''
      child.stdout.on('data', (chunk) => {
        printed += chunk
      })
      child.stderr.on('data', (chunk) => {
        printed += chunk
      })
      while (!printed.includes('ready') && child.exitCode === null) await sleep(5)
      expect(child.exitCode, printed).toBeNull()
      const acknowledgedSoFar = () => Number(/(\d+)\n[^\n]*$/.exec(printed)?.[1] ?? 0)
      while (acknowledgedSoFar() <= total && child.exitCode === null) await sleep(5)
      await sleep(Math.random() * (LONG ? 800 : 300))
      child.kill('SIGKILL')
      await once(child, 'close')
      const acknowledged = acknowledgedSoFar()
      expect(acknowledged, printed).toBeGreaterThan(total)

      const { database, client } = await open(dataDir)
      const { rows } = await client.query('SELECT count(*)::int AS n, max(n) AS last FROM written')
      total = rows[0].n
      expect(rows[0].last).toBe(total)
      // the write in progress may or may not be stored
      expect([acknowledged, acknowledged + 1]).toContain(total)
      await client.query('SET enable_seqscan = off')
      const byIndexes = `SELECT (SELECT count(*)::int FROM written WHERE n > 0) AS by_n,
        (SELECT count(*)::int FROM written WHERE pad > '') AS by_pad,
        (SELECT count(*)::int FROM written WHERE pad <> md5(n::text)) AS wrong`
      expect((await client.query(byIndexes)).rows).toEqual([{ by_n: total, by_pad: total, wrong: 0 }])
      const again = client.query("INSERT INTO written VALUES (0, md5('1'))")
      await expect(again).rejects.toMatchObject({ code: '23505', constraint: 'written_pad_key' })
      await client.end()
      await database.close()
    }
  }, 300_000)
})

describe('a crash of the database thread', () => {
  const dataDir = mkdtempSync(join(root, 'd'))
  let opened: Awaited<ReturnType<typeof open>> | undefined
  const running = async () => {
    opened ??= await open(dataDir)
    return opened
  }
  afterAll(async () => {
    await opened?.client.end()
    await opened?.database.close()
  })

  it('resolves `crashed`, ends the connection, loses no write, and close() still cleans up', async () => {
    const { database, client } = await running()
    await client.query('CREATE TABLE kept (i int); INSERT INTO kept VALUES (1)')
    // PostgreSQL requests more bytes in the middle of a statement, on which this engine ends
    await expect(client.query('COPY kept FROM STDIN')).rejects.toThrow('Connection terminated')
    const reason = (await database.crashed).message
    expect(reason).toMatch(/^The embedded database in \S+ stopped: terminating connection because .*lost/)
    await database.close()
    opened = undefined
    expect(readdirSync(dataDir).sort()).toEqual(['.lock', 'db'])

    const next = await running()
    expect((await next.client.query('SELECT * FROM kept')).rows).toEqual([{ i: 1 }])
  }, 60_000)

  it('survives input nested a million levels deep, and infinite recursion', async () => {
    const { client } = await running()
    await expect(client.query('SELECT $1::jsonb', ['['.repeat(2 ** 20)])).rejects.toMatchObject({ code: '22P02' })
    await client.query(`CREATE FUNCTION pg_temp.f(i int) RETURNS int LANGUAGE plpgsql AS
      'BEGIN RETURN pg_temp.f(i); END'`)
    await expect(client.query('SELECT pg_temp.f(1)')).rejects.toMatchObject({ code: '54001' })
  }, 60_000)

  it('reports close() as no crash', async () => {
    const { database, client } = await running()
    opened = undefined
    await client.end()
    await Promise.all([database.close(), database.close()])
    expect(await Promise.race([database.crashed, Promise.resolve('nothing')])).toBe('nothing')
  }, 60_000)
})
