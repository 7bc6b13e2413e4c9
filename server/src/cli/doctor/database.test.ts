import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkOf, diagnose } from '../../../test/harness/doctor.js'
import { createTestDatabase, onServer, SERVER_URL } from '../../../test/harness/test-database.js'
import { systemClock } from '../../platform/clock.js'
import { inspectConfig, type SettingName } from '../../platform/config/config.js'
import type { ServerFacts } from '../../platform/db/inspect-server.js'
import { assessConnections } from './connections.js'
import { assessServer } from './server.js'

const ENCRYPTION_KEY = randomBytes(32).toString('base64')

describe.skipIf(!SERVER_URL)('keyward doctor: PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  const suffix = randomBytes(6).toString('hex')
  const [empty, ascii, role] = [`doctor_empty_${suffix}`, `doctor_ascii_${suffix}`, `doctor_${suffix}`]
  beforeAll(async () => {
    database = await createTestDatabase()
    await onServer(
      `CREATE DATABASE ${empty} TEMPLATE template0 ENCODING 'UTF8'`,
      `ALTER DATABASE ${empty} SET default_transaction_read_only = on`,
      `CREATE DATABASE ${ascii} TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'`,
      `CREATE ROLE ${role} LOGIN CONNECTION LIMIT 5`,
    )
  })
  afterAll(async () => {
    await database.drop()
    await onServer(...[empty, ascii].map((name) => `DROP DATABASE ${name} WITH (FORCE)`), `DROP ROLE ${role}`)
  })

  const urlOf = (change: (url: URL) => void) => {
    const url = new URL(database.url)
    change(url)
    return url.href
  }
  const inspect = (url: string, args: string[] = [], aheadMs = 0, env: Record<string, string> = {}) =>
    diagnose({ DATABASE_URL: url, ENCRYPTION_KEY, ...env }, args, aheadMs)
  const statusOf = async (diagnosis: ReturnType<typeof inspect>, name: string) =>
    checkOf(await diagnosis, 'database', name)

  it('accepts a migrated database, and warns about acknowledged writes that can be lost', async () => {
    const diagnosis = await inspect(database.url)
    for (const name of [
      'connection',
      'version',
      'writable',
      'rights',
      'encoding',
      'migrations',
      'pooler',
      'connections',
    ])
      expect(checkOf(diagnosis, 'database', name)).toMatchObject({ name, status: 'ok' })
    expect(checkOf(diagnosis, 'database', 'connection').finding).toMatch(/ in \d+ ms$/)
    expect(checkOf(diagnosis, 'database', 'durability')).toMatchObject({
      status: 'warning',
      finding: expect.stringContaining('synchronous_commit is off'),
    })
    expect(checkOf(diagnosis, 'clock', 'database').status).toBe('ok')
    expect(diagnosis.code).toBe(0)
  })

  it('reports pending migrations, read-only transactions and an encoding that is not UTF8', async () => {
    const diagnosis = await inspect(urlOf((url) => (url.pathname = `/${empty}`)))
    expect(checkOf(diagnosis, 'database', 'migrations')).toMatchObject({
      status: 'warning',
      finding: expect.stringMatching(/^\d+ migrations pending$/),
      solution: expect.stringContaining('keyward migrate apply'),
    })
    expect(checkOf(diagnosis, 'database', 'writable').status).toBe('problem')
    const asciiUrl = urlOf((url) => (url.pathname = `/${ascii}`))
    expect(await statusOf(inspect(asciiUrl), 'encoding')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('SQL_ASCII'),
    })
  })

  it('reports a role without rights, its connection limit, and a database that does not exist', async () => {
    const asRole = await inspect(urlOf((url) => (url.username = role)))
    expect(checkOf(asRole, 'database', 'rights')).toMatchObject({
      status: 'problem',
      solution: expect.stringMatching(/^Run ALTER DATABASE "\w+" OWNER TO "\w+"$/),
    })
    expect(checkOf(asRole, 'database', 'connections')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('20 connections of 5 (the connection limit of the role'),
    })
    const unknown = urlOf((url) => {
      url.pathname = '/doctor_unknown'
      url.password = 'topsecret'
    })
    const diagnosis = await inspect(unknown)
    expect(checkOf(diagnosis, 'database', 'connection')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('"doctor_unknown" does not exist'),
    })
    expect(diagnosis.output).not.toContain('topsecret')
  })

  it('reports more connections of all nodes than the server accepts', async () => {
    const connections = (nodes: string, pool: string) =>
      statusOf(inspect(database.url, ['--nodes', nodes], 0, { DATABASE_POOL: pool }), 'connections')
    expect(await connections('100', '50')).toMatchObject({
      status: 'problem',
      finding: expect.stringMatching(
        /^100 nodes × DATABASE_POOL 50 = 5000 connections of \d+ \(max_connections \d+ - \d+/,
      ),
    })
    expect(await connections('2', '5')).toMatchObject({ status: 'ok' })
    expect(await connections('2', 'x')).toMatchObject({ status: 'skipped' })
  })

  it('reports a clock that differs from that of the server', async () => {
    const clock = async (aheadMs: number) => checkOf(await inspect(database.url, [], aheadMs), 'clock', 'database')
    expect(await clock(5_000)).toMatchObject({ status: 'warning', finding: expect.stringContaining('5.0 s ahead of') })
    expect(await clock(-40_000)).toMatchObject({ status: 'problem', finding: expect.stringContaining('40.0 s behind') })
  })

  it('reports a pooler that shares sessions', async () => {
    const pooler = await startPooler(new URL(database.url))
    const pooled = urlOf((url) => (url.host = `127.0.0.1:${pooler.port}`))
    expect(await statusOf(inspect(pooled), 'pooler')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('transaction mode'),
    })
    pooler.close()
  })
})

describe('assessServer', () => {
  const facts: ServerFacts = {
    version: 180_001,
    role: 'keyward',
    database: 'keyward',
    isStandby: false,
    isReadOnly: false,
    ownsDatabase: true,
    canCreate: true,
    encoding: 'UTF8',
    fsync: true,
    synchronousCommit: 'on',
    maxConnections: 100,
    reserved: 3,
    roleLimit: -1,
    databaseLimit: -1,
    usedByOthers: 0,
    connectMs: 1,
    clockAheadMs: 0,
    pending: [],
    isNewer: false,
    sharesSessions: false,
  }

  it.each<[title: string, name: string, change: Partial<ServerFacts>, status: string]>([
    ['warns about a version without support', 'version', { version: 130_022 }, 'warning'],
    ['accepts a schema of a later version', 'migrations', { isNewer: true }, 'ok'],
    ['accepts a later version than this build knows', 'version', { version: 250_000 }, 'ok'],
    ['reports a standby', 'writable', { isStandby: true }, 'problem'],
    ['reports fsync = off', 'durability', { fsync: false }, 'problem'],
    ['warns about a role that does not own the database', 'rights', { ownsDatabase: false }, 'warning'],
    ['reports unreadable migrations', 'migrations', { pending: new Error('permission denied') }, 'problem'],
    ['skips the pooler without a second connection', 'pooler', { sharesSessions: undefined }, 'skipped'],
  ])('examines the server and %s', (_title, name, change, status) => {
    const found = assessServer({ ...facts, ...change }, systemClock)
    expect(found.find((one) => one.name === name)).toMatchObject({ status })
    expect(found.filter((one) => one.status !== 'ok').length).toBe(status === 'ok' ? 0 : 1)
  })

  it('warns about connections that others use, and reports those beyond the limits', () => {
    const { config } = inspectConfig({ DATABASE_POOL: '40' })
    const context = { config, invalid: new Set<SettingName>(), nodes: 2 }
    const status = (change: Partial<ServerFacts>) => assessConnections({ ...facts, ...change }, context).status
    expect(status({ usedByOthers: 17 })).toBe('ok')
    expect(status({ usedByOthers: 18 })).toBe('warning')
    expect(status({ reserved: 21 })).toBe('problem')
    expect(status({ databaseLimit: 79 })).toBe('problem')
  })
})

/** Starts a pooler with one session of a server that trusts its clients. Each client gets the responses to its own messages. */
async function startPooler({ hostname, port }: URL) {
  const upstream = connect(Number(port), hostname)
  let welcome: Buffer | undefined
  let current: Socket | undefined
  const greeting: Buffer[] = []
  upstream.on('data', (chunk) => {
    if (!welcome) {
      greeting.push(chunk)
      const all = Buffer.concat(greeting)
      // ReadyForQuery, outside of a transaction.
      if (all.subarray(-6).toString('latin1') === 'Z\0\0\0\x05I') welcome = all
    }
    current?.write(chunk)
  })
  const server = createServer((client) => {
    client.on('error', () => {})
    client.once('data', (startup) => {
      current = client
      if (welcome) client.write(welcome)
      else upstream.write(startup)
      client.on('data', (message) => {
        current = client
        if (message[0] !== 'X'.charCodeAt(0)) upstream.write(message)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      upstream.destroy()
      server.close()
    },
  }
}
