import { randomBytes } from 'node:crypto'
import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkOf, diagnose, newFolder } from '../../../test/harness/doctor.js'
import { EMBEDDED_TEMPLATE } from '../../../test/harness/test-database.js'
import { systemClock } from '../../platform/clock.js'
import { inspectConfig } from '../../platform/config/config.js'
import { startEmbeddedDatabase } from '../../platform/db/embedded/embedded-database.js'
import { lockFolder } from '../../platform/db/embedded/folder-lock.js'
import { MIGRATIONS_FOLDER } from '../../platform/db/migrate.js'
import { createLogger } from '../../platform/log.js'
import { type Part, runPart } from './check.js'
import { databasePart } from './database.js'

const LAST = '(SELECT max(created_at) FROM drizzle.__drizzle_migrations)'

describe('keyward doctor: embedded database', () => {
  const folder = newFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const log = createLogger({ logLevel: 'silent' })

  async function query(sql: string) {
    const database = await startEmbeddedDatabase({ dataDir: folder, templateDir: EMBEDDED_TEMPLATE, log })
    const client = new pg.Client(database.connection)
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
      await database.close()
    }
  }
  beforeAll(async () => {
    writeFileSync(join(folder, 'encryption.key'), randomBytes(32).toString('base64'), { mode: 0o600 })
    // As if a later release had added a migration.
    await query(`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', ${LAST} + 1)`)
  })
  const inspect = (env: Record<string, string> = {}) => diagnose({ DATA_DIR: folder, ...env })
  const expectUnlocked = async () => (await lockFolder(folder)).release()

  it('stops the database at the time limit and releases the folder', async () => {
    const { config } = inspectConfig({ DATA_DIR: folder })
    const context = { config, invalid: new Set<never>(), env: {}, clock: systemClock, log, nodes: 1, mailTo: undefined }
    let ended: Promise<unknown> | undefined
    const part: Part = {
      ...databasePart,
      run(given, signal) {
        const run = databasePart.run(given, signal)
        ended = run
        return run
      },
    }
    expect(await runPart(part, { ...context, timeLimit: 1 })).toEqual([
      expect.objectContaining({
        name: 'connection',
        status: 'warning',
        finding: 'The embedded database did not open within 0.001 seconds',
        solution: expect.stringContaining('--timeout'),
      }),
    ])
    // It may lock the folder after the time limit.
    await ended?.catch(() => {})
    await expectUnlocked()
  })

  it('opens it, reports version, migrations and acknowledged writes, and releases the folder', async () => {
    const diagnosis = await inspect()
    expect(checkOf(diagnosis, 'database', 'connection')).toMatchObject({
      status: 'ok',
      finding: expect.stringMatching(/^Opened the embedded database of \d+ MiB in \d+ ms$/),
    })
    expect(checkOf(diagnosis, 'database', 'version').finding).toMatch(/^PostgreSQL \d+\.\d+$/)
    expect(checkOf(diagnosis, 'database', 'migrations').finding).toContain('of a later version of Keyward')
    expect(checkOf(diagnosis, 'database', 'acknowledged writes').status).toBe('ok')
    expect(checkOf(diagnosis, 'data folder', 'embedded database').finding).toContain('is not in use')
    expect(diagnosis.code).toBe(0)
    await expectUnlocked()
  })

  it('reports pending migrations without applying them', async () => {
    const removed = await query(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at >= ${LAST} - 1 RETURNING 1`)
    expect(removed).toHaveLength(2)
    expect(checkOf(await inspect(), 'database', 'migrations')).toMatchObject({
      status: 'warning',
      finding: '1 migration pending',
    })
    const { length } = JSON.parse(readFileSync(join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')).entries
    expect(await query('SELECT count(*)::int AS n FROM drizzle.__drizzle_migrations')).toEqual([{ n: length - 1 }])
  })

  it.runIf(process.getuid?.() === 0)('skips the database of another user', async () => {
    const version = join(folder, 'db/PG_VERSION')
    chownSync(version, 12_345, 12_345)
    const diagnosis = await inspect()
    chownSync(version, 0, 0)
    expect(checkOf(diagnosis, 'database', 'connection')).toMatchObject({
      status: 'skipped',
      solution: 'Run keyward doctor as user 12345',
    })
  })

  it.each([
    ['missing acknowledged writes', 'acknowledged-position', 'acknowledged 000000FF/00000000\n', 'ACCEPT_LOSS=1'],
    ['another version of PostgreSQL', 'PG_VERSION', '11\n', 'Start the version of Keyward that wrote it'],
    ['a damaged file', 'global/pg_control', 'x', 'restore the data folder from a backup'],
  ])(
    'reports %s with what to do, also with ACCEPT_LOSS, and releases the folder',
    async (_title, name, content, solution) => {
      const path = join(folder, 'db', name)
      const before = readFileSync(path)
      writeFileSync(path, content)
      const diagnosis = await inspect({ ACCEPT_LOSS: '1' })
      writeFileSync(path, before)
      expect(checkOf(diagnosis, 'database', 'connection')).toMatchObject({
        status: 'problem',
        solution: expect.stringContaining(solution),
      })
      expect(diagnosis.code).toBe(1)
      await expectUnlocked()
    },
  )

  it('reports a folder without a control file', async () => {
    const path = join(folder, 'db/global/pg_control')
    rmSync(path)
    expect(checkOf(await inspect(), 'database', 'connection')).toMatchObject({
      status: 'problem',
      solution: 'Restore the data folder from a backup',
    })
  })
})
