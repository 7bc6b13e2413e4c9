import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/platform/version.js'
import { startService } from '../harness/service.js'
import { createTestClock } from '../harness/test-clock.js'
import { SERVER_URL, schemaOf } from '../harness/test-database.js'
import { createReleaseData, expectReleaseData, type ReleaseData } from './release-data.js'

/** One folder per release: `data.json`, and `database.sql`, a dump of PostgreSQL. */
const FOLDER = import.meta.dirname
const RELEASES = readdirSync(FOLDER).filter((name) => /^\d+\.\d+\.\d+$/.test(name))

describe('an upgrade', () => {
  it.each(RELEASES)(
    'keeps every session, credential, token and audit entry of %s, and results in the schema of a new database',
    async (release) => {
      const read = (name: string) => readFileSync(join(FOLDER, release, name), 'utf8')
      const data: ReleaseData = JSON.parse(read('data.json'))
      // Nothing has expired since.
      await createTestClock().advance(data.at + 60_000 - Date.now())
      const service = await startService({
        env: { ENCRYPTION_KEY: data.encryptionKey, BASE_URL: data.baseUrl },
        // Another node would start at the time of the system.
        nodes: 1,
        database: read('database.sql'),
      })
      try {
        await expectReleaseData(service, data)
        expect(comparable(await schemaOf(service.db.pool))).toEqual(comparable(await newSchema()))
      } finally {
        await service.close()
      }
    },
  )
})

/** Leaves out settings of the test database. A dump writes conditions with other parentheses. */
const comparable = (schema: string[]): string[] =>
  schema.filter((part) => !part.startsWith('s ')).map((part) => part.replace(/[()]/g, ''))

async function newSchema(): Promise<string[]> {
  const service = await startService({ nodes: 1 })
  const schema = await schemaOf(service.db.pool)
  await service.close()
  return schema
}

// `npm run release:data`: stores the database of this release, from which later ones are tested.
if (process.env.KEYWARD_WRITE_RELEASE)
  it('writes the data of this release', async () => {
    if (!SERVER_URL) throw new Error('Set DATABASE_URL: the dump needs a PostgreSQL server')
    // The database of a release never changes: later versions are tested with what it wrote.
    if (RELEASES.includes(VERSION)) throw new Error(`The data of ${VERSION} exists already`)
    const encryptionKey = randomBytes(32).toString('base64')
    const service = await startService({ env: { ENCRYPTION_KEY: encryptionKey }, nodes: 1 })
    const data = await createReleaseData(service, encryptionKey)
    const args = ['--no-owner', '--no-privileges', '--rows-per-insert=50', service.env.DATABASE_URL ?? '']
    const dump = execFileSync('pg_dump', args, { encoding: 'utf8', maxBuffer: 64 << 20 })
    const folder = join(FOLDER, VERSION)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'data.json'), `${JSON.stringify(data, null, 2)}\n`)
    writeFileSync(join(folder, 'database.sql'), withoutClientCommands(dump))
    await service.close()
  })

/** Removes commands of psql, comments, and settings that other versions of PostgreSQL do not know. */
const withoutClientCommands = (dump: string): string =>
  dump
    .split('\n')
    .filter(
      (line) =>
        !/^(\\|--|SET (transaction_timeout|default_table_access_method)|SELECT pg_catalog\.set_config)/.test(line),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
