import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { UNOPTIMIZED } from '../../../../test/harness/built-server.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { EMBEDDED_TEMPLATE as templateDir } from '../../../../test/harness/test-database.js'
import { createLogger } from '../../log.js'
import { migrateDatabase } from '../migrate.js'
import { EMPTY_FOLDERS } from './data-folder.js'
import { type EmbeddedConnection, startEmbeddedDatabase } from './embedded-database.js'
import { lockFolder } from './folder-lock.js'

const root = mkdtempSync(join(tmpdir(), 'kw-first-'))
const quiet = { info() {} }
const folder = () => mkdtempSync(join(root, 'd'))

async function query(connection: EmbeddedConnection, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
const DESCRIPTION = `
  SELECT 'column' AS kind, table_name || '.' || column_name || ' ' || data_type AS what FROM information_schema.columns
  WHERE table_schema = 'public'
  UNION ALL SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'setting', name || '=' || setting FROM pg_settings
  UNION ALL SELECT 'type', typname FROM pg_type
  UNION ALL SELECT 'function', proname FROM pg_proc
  UNION ALL SELECT 'database', datname || datcollate || pg_encoding_to_char(encoding) FROM pg_database WHERE NOT datistemplate
  ORDER BY 1, 2`

afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the first start', () => {
  it('creates the same schema from the template as migrations without a template', async () => {
    const plain = await startEmbeddedDatabase({ dataDir: folder(), log: quiet })
    await migrateDatabase({ ...plain.connection, max: 1 }, createLogger({ logLevel: 'silent' }))
    const copied = await startEmbeddedDatabase({ dataDir: folder(), templateDir, log: quiet })
    expect([plain.firstStart, copied.firstStart]).toEqual([true, true])
    // A session has the settings of plpgsql once it has used the language, as the migrations do.
    await query(copied.connection, "LOAD 'plpgsql'")
    const described = await query(copied.connection, DESCRIPTION)
    expect(described.length).toBeGreaterThan(3_000)
    expect(described).toEqual(await query(plain.connection, DESCRIPTION))
    await Promise.all([plain.close(), copied.close()])
  }, 60_000)

  describe('and the next one', () => {
    const dataDir = folder()
    const start = () => startEmbeddedDatabase({ dataDir, templateDir, log: quiet })

    it('creates the folders that are empty in the template, which an npm package does not contain', () => {
      const folders = readdirSync(templateDir, { recursive: true, withFileTypes: true }).filter((one) =>
        one.isDirectory(),
      )
      const empty = folders
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => !readdirSync(path).length)
      expect(empty.map((path) => relative(templateDir, path)).sort()).toEqual(EMPTY_FOLDERS)
    })

    it('leaves the template unchanged', async () => {
      const before = readdirSync(templateDir, { recursive: true }).length
      const first = await start()
      await query(first.connection, "CREATE TABLE kept (name text); INSERT INTO kept VALUES ('kept')")
      await first.close()
      expect(readdirSync(templateDir, { recursive: true }).length).toBe(before)
    }, 60_000)

    it('fails with a reason on files of another PostgreSQL version and releases the lock of the folder', async () => {
      const version = readFileSync(join(dataDir, 'db', 'PG_VERSION'), 'utf8')
      writeFileSync(join(dataDir, 'db', 'PG_VERSION'), '11\n')
      try {
        await expect(start()).rejects.toThrow(/failed to start: PostgreSQL did not start: .*incompatible/)
        await (await lockFolder(dataDir)).release()
      } finally {
        writeFileSync(join(dataDir, 'db', 'PG_VERSION'), version)
      }
    }, 60_000)

    it('preserves the data', async () => {
      const before = readdirSync(templateDir, { recursive: true }).length
      const second = await start()
      expect(second.firstStart).toBe(false)
      expect(await query(second.connection, 'SELECT name FROM kept')).toEqual([{ name: 'kept' }])
      await second.close()
      expect(readdirSync(templateDir, { recursive: true }).length).toBe(before)
    }, 60_000)
  })

  it('recovers from a kill at any time during the copy', async () => {
    const dataDir = folder()
    const seen = new Set<string>()
    for (const delay of LONG ? Array.from({ length: 16 }, (_, index) => index * 3) : [0, 15]) {
      rmSync(join(dataDir, 'db'), { recursive: true, force: true })
      const child = spawn(process.execPath, [
        UNOPTIMIZED,
        join(import.meta.dirname, 'child.fixture.mjs'),
        'start',
        dataDir,
        templateDir,
      ])
      await once(child.stdout, 'data')
      // spread over the copy: from its first file to some time after the rename
      while (!existsSync(join(dataDir, 'db.new')) && !existsSync(join(dataDir, 'db'))) await new Promise(setImmediate)
      await new Promise((resolve) => setTimeout(resolve, delay))
      child.kill('SIGKILL')
      await once(child, 'exit')
      seen.add(existsSync(join(dataDir, 'db')) ? 'renamed' : 'half copied')

      const database = await startEmbeddedDatabase({ dataDir, templateDir, log: quiet })
      expect(await query(database.connection, 'SELECT count(*)::int AS n FROM users')).toEqual([{ n: 0 }])
      await database.close()
      expect(readdirSync(dataDir).sort()).toEqual(['.lock', 'db'])
    }
    expect(seen).toContain('half copied')
  }, 120_000)

  it('leaves a folder unchanged that is neither empty nor a database', async () => {
    const dataDir = folder()
    mkdirSync(join(dataDir, 'db'))
    writeFileSync(join(dataDir, 'db', 'notes.txt'), 'mine')
    const start = startEmbeddedDatabase({ dataDir, templateDir, log: quiet })
    await expect(start).rejects.toThrow(/db is not empty and contains no database\./)
    expect(readdirSync(join(dataDir, 'db'))).toEqual(['notes.txt'])
  })
})
