import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { UNOPTIMIZED } from '../../../../test/harness/built-server.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { EMBEDDED_TEMPLATE } from '../../../../test/harness/test-database.js'
import { compileProgram } from './compiled-program.js'
import { copyTemplate } from './data-folder.js'
import { DatabaseFiles } from './database-files.js'
import { type EmbeddedDatabaseOptions, startEmbeddedDatabase } from './embedded-database.js'
import { openEngine, SYNCED } from './engine.js'

const root = mkdtempSync(join(tmpdir(), 'kw-lost-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const start = (dataDir: string, options: Partial<EmbeddedDatabaseOptions> = {}) =>
  startEmbeddedDatabase({ dataDir, templateDir: EMBEDDED_TEMPLATE, log: { info() {}, warn() {} }, ...options })

async function withClient<T>(dataDir: string, use: (client: pg.Client) => Promise<T>, options = {}): Promise<T> {
  const database = await start(dataDir, options)
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
    await database.close()
  }
}
const positionFile = (dataDir: string) => join(dataDir, 'db/acknowledged-position')
const lastWritten = async (client: pg.Client) =>
  (await client.query('SELECT max(n) AS n FROM written')).rows[0].n as number

/** Writes at least `count` rows in another process, kills it, and returns the last acknowledged row. */
async function writeAndKill(dataDir: string, count: number): Promise<number> {
  const program = join(import.meta.dirname, 'child.fixture.mjs')
  const child = spawn(process.execPath, [UNOPTIMIZED, program, 'write', dataDir, EMBEDDED_TEMPLATE])
  let printed = ''
  const acknowledged = () => Number(/(\d+)\n[^\n]*$/.exec(printed)?.[1] ?? 0)
  for await (const chunk of child.stdout) {
    printed += chunk
    if (acknowledged() >= count) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return acknowledged()
}

/** The folder whose process was killed while it wrote, and the last acknowledged row. */
let killed: Promise<{ folder: string; acknowledged: number }> | undefined

/** Returns a copy of the folder of a killed process. */
async function copyOfKilled(): Promise<{ dataDir: string; acknowledged: number }> {
  const writeInto = async (folder: string) => {
    await withClient(folder, (client) => client.query('CREATE TABLE written (n int PRIMARY KEY, pad text UNIQUE)'))
    return { folder, acknowledged: await writeAndKill(folder, 300) }
  }
  killed ??= writeInto(mkdtempSync(join(root, 'd')))
  const { folder, acknowledged } = await killed
  const dataDir = mkdtempSync(join(root, 'd'))
  cpSync(join(folder, 'db'), join(dataDir, 'db'), { recursive: true })
  return { dataDir, acknowledged }
}

const SEGMENT_BYTES = 2 ** 20

/** Ends the write-ahead log halfway between its last checkpoint (`redo` in `pg_control`) and the last acknowledged position. */
function cutLogInHalf(dataDir: string): void {
  const redo = Number(readFileSync(join(dataDir, 'db/global/pg_control')).readBigUInt64LE(40))
  const [high = '', low = ''] =
    /([0-9A-F]+)\/([0-9A-F]+)/.exec(readFileSync(positionFile(dataDir), 'utf8'))?.slice(1) ?? []
  const end = Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
  expect(end - redo).toBeGreaterThan(20_000)
  const middle = Math.trunc((redo + end) / 2)
  const folder = join(dataDir, 'db/pg_wal')
  const cut = `00000001${'0'.repeat(8)}${Math.trunc(middle / SEGMENT_BYTES)
    .toString(16)
    .toUpperCase()
    .padStart(8, '0')}`
  for (const name of readdirSync(folder)) if (name.length === 24 && name > cut) rmSync(join(folder, name))
  truncateSync(join(folder, cut), middle % SEGMENT_BYTES)
}

const storedIn = (dataDir: string) => readFileSync(positionFile(dataDir), 'utf8').replace('acknowledged ', '').trim()

/** Returns a position as the file has it. */
const normal = (lsn: string) =>
  lsn
    .split('/')
    .map((half) => half.padStart(8, '0'))
    .join('/')

describe('the last acknowledged position', () => {
  it('rejects a start on a write-ahead log that was cut in half, repeatedly, until the loss is accepted once', async () => {
    const { dataDir, acknowledged } = await copyOfKilled()
    cutLogInHalf(dataDir)

    for (let attempt = 0; attempt < 2; attempt++) {
      const rejected = await start(dataDir).catch((error: Error) => error.message)
      expect(rejected).toMatch(
        /^The database in \S+ lacks acknowledged writes: .* Restore a backup.* ACCEPT_LOSS=1 .*\.$/,
      )
    }
    const warnings: string[] = []
    const log = { info() {}, warn: (_facts: object, message: string) => void warnings.push(message) }
    const remaining = await withClient(dataDir, lastWritten, { acceptLoss: true, log })
    expect(remaining).toBeLessThan(acknowledged)
    expect(warnings).toEqual([expect.stringContaining('without acknowledged writes')])
    expect(await withClient(dataDir, lastWritten)).toBe(remaining)
  }, 120_000)

  it('accepts a start after kill -9, with every acknowledged write', async () => {
    const { dataDir, acknowledged } = await copyOfKilled()
    expect(await withClient(dataDir, lastWritten)).toBeGreaterThanOrEqual(acknowledged)
  }, 120_000)

  it('equals the flushed end of the log after each commit, across pages and segments, and is not behind after a rollback', async () => {
    const dataDir = mkdtempSync(join(root, 'd'))
    await withClient(dataDir, async (client) => {
      await client.query('CREATE TABLE filled (bytes text)')
      await client.query('ALTER TABLE filled ALTER bytes SET STORAGE EXTERNAL')
      const stored = () => storedIn(dataDir)
      const flushed = async () => (await client.query('SELECT pg_current_wal_flush_lsn() AS lsn')).rows[0].lsn as string
      for (let round = 0; round < (LONG ? 120 : 60); round++) {
        const length = Math.trunc(Math.random() ** 4 * 60_000)
        await client.query("INSERT INTO filled VALUES (repeat('x', $1))", [length])
        expect(stored(), `${length} bytes`).toBe(normal(await flushed()))
        if (round % 10 !== 0) continue
        await client.query('BEGIN')
        await client.query("INSERT INTO filled SELECT repeat('y', 5000) FROM generate_series(1, 100)")
        await client.query('ROLLBACK')
        expect(stored() <= normal((await client.query('SELECT pg_current_wal_insert_lsn() AS lsn')).rows[0].lsn)).toBe(
          true,
        )
      }
    })
    await withClient(dataDir, (client) => client.query('SELECT 1'))
  }, 120_000)

  it('stays within the synced log with fsync, in a large transaction and after its rollback', async () => {
    const dataDir = mkdtempSync(join(root, 'd'))
    const write = async (client: pg.Client) => {
      const verify = async () => {
        const { rows } = await client.query('SELECT pg_current_wal_flush_lsn() AS lsn')
        expect(storedIn(dataDir) <= normal(rows[0].lsn), `${storedIn(dataDir)} ${rows[0].lsn}`).toBe(true)
      }
      await client.query('CREATE TABLE filled (bytes text)')
      await client.query('ALTER TABLE filled ALTER bytes SET STORAGE EXTERNAL')
      await client.query('BEGIN')
      for (let part = 0; part < 3; part++) {
        await client.query("INSERT INTO filled SELECT repeat('y', 5000) FROM generate_series(1, 80)")
        await verify()
      }
      await client.query('ROLLBACK')
      await verify()
    }
    await withClient(dataDir, write, { fsync: true })
  }, 60_000)

  it('rejects a damaged position, and accepts a database of an earlier release without one', async () => {
    const { dataDir } = await copyOfKilled()
    writeFileSync(positionFile(dataDir), '\0\0\0\0')
    await expect(start(dataDir)).rejects.toThrow(/acknowledged-position is damaged.* ACCEPT_LOSS=1 /)
    rmSync(positionFile(dataDir))
    await (await start(dataDir)).close()
    expect(existsSync(positionFile(dataDir))).toBe(true)
  }, 120_000)

  const shared = mkdtempSync(join(root, 'd'))
  it.each([true, false])(
    'syncs each commit to the disk before it is acknowledged with fsync: %s',
    async (fsync) => {
      if (readdirSync(shared).length === 0) await copyTemplate(EMBEDDED_TEMPLATE, shared)
      const files = new DatabaseFiles(shared, fsync)
      const input = { folder: shared, inMemory: false, program: await compileProgram() }
      const onCrash = (reason: string): never => {
        throw new Error(reason)
      }
      const engine = await openEngine(input, onCrash, { files, ...(fsync && { settings: SYNCED }) })
      await engine.run('CREATE TABLE IF NOT EXISTS synced (n int)')
      const sync = vi.spyOn(fs, 'fsyncSync')
      for (let n = 0; n < 5; n++) await engine.run(`INSERT INTO synced VALUES (${n})`)
      expect(sync.mock.calls).toHaveLength(fsync ? 5 : 0)
      sync.mockRestore()
      await engine.close()
    },
    60_000,
  )
})
