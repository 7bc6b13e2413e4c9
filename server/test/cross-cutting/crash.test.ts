import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedDatabase } from '../../src/platform/db/embedded/embedded-database.js'
import { type Account, createCrashLoad } from '../factories/crash-load.js'
import { type BuiltServer, freePort, startBuilt } from '../harness/built-server.js'
import { LONG } from '../harness/some-of.js'
import { createTestDatabase, SERVER_URL } from '../harness/test-database.js'

const ROUNDS = LONG ? 200 : 1
const WORKERS = 3

/** Queries that find partially created users and teams. */
const HALF_MADE = [
  'SELECT id FROM users u WHERE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id)',
  "SELECT id FROM organizations o WHERE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.organization_id = o.id AND m.role IN ('OWNER', 'SUPER_ADMIN'))",
  "SELECT id FROM users u WHERE NOT EXISTS (SELECT 1 FROM audit_entries a WHERE a.action = 'user.created' AND a.user_id = u.id)",
  "SELECT id FROM organizations o WHERE NOT EXISTS (SELECT 1 FROM audit_entries a WHERE a.action = 'organization.created' AND a.team_id = o.id)",
  'SELECT id FROM users u WHERE NOT EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = u.id)',
  'SELECT session_id FROM refresh_tokens GROUP BY session_id HAVING count(*) FILTER (WHERE used_at IS NULL) = 0',
]

describe(`kill -9 at ${ROUNDS === 1 ? 'a random time' : `${ROUNDS} random times`} of a mixed load (${SERVER_URL ? 'PostgreSQL' : 'embedded database'})`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyward-crash-'))
  let database: Awaited<ReturnType<typeof createTestDatabase>> | undefined
  let env: Record<string, string>
  let port: number
  let server: BuiltServer
  const load = createCrashLoad(() => server.url, join(dataDir, 'outbox'))

  beforeAll(async () => {
    database = SERVER_URL ? await createTestDatabase() : undefined
    env = {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      LIMIT_MAILS: '0',
      LIMIT_TEAM_MAILS: '0',
      ...(database && { DATABASE_URL: database.url, ENCRYPTION_KEY: randomBytes(32).toString('base64') }),
    }
    port = await freePort()
    server = await startBuilt(port, env)
  })
  afterAll(async () => {
    server?.process.kill('SIGKILL')
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function query(texts: string[]): Promise<unknown[][]> {
    const embedded = database ? undefined : await startEmbeddedDatabase({ dataDir, log: { info() {} } })
    const client = new pg.Client(embedded ? embedded.connection : { connectionString: database?.url as string })
    await client.connect()
    const results = []
    for (const text of texts) results.push((await client.query(text)).rows)
    await client.end()
    await embedded?.close()
    return results
  }

  it(
    'loses no acknowledged write, uses no single-use token twice, and is ready again',
    async () => {
      const known = await Promise.all(Array.from({ length: WORKERS }, () => load.register()))
      // Until the onboarding, every owner is an administrator of the instance.
      const steward = await load.register()
      for (let round = 0; round < ROUNDS; round++) {
        const working = [
          load.keepRegistering(),
          load.keepConfiguring(steward.token),
          ...known.map((account) => load.work(account)),
        ]
        await sleep(20 + Math.random() * 600)
        expect(await server.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
        const [registered = []] = (await Promise.all(working)) as [Account[]]
        server = await startBuilt(port, env)
        for (const account of [...known, steward, ...registered.slice(-3)]) await load.expectStored(account)
        await load.expectConfig(steward.token)
      }
    },
    60_000 + ROUNDS * 20_000,
  )

  it('leaves no partially created tenant', async () => {
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await query(HALF_MADE)).toEqual(HALF_MADE.map(() => []))
  })
})
