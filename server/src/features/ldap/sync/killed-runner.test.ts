import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { type BuiltServer, freePort, startBuilt } from '../../../../test/harness/built-server.js'
import { type FaultProxy, startFaultProxy } from '../../../../test/harness/fault-proxy.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { createTestDatabase, SERVER_URL } from '../../../../test/harness/test-database.js'
import {
  BASE_DN,
  BIND_DN,
  BIND_PASSWORD,
  group,
  HAS_SLAPD,
  person,
  personDn,
  personWithInvalidEmail,
  startSlapd,
} from '../../../../test/peers/slapd.js'
import { startEmbeddedDatabase } from '../../../platform/db/embedded/embedded-database.js'

if (!HAS_SLAPD) process.stdout.write('skipped: a sync whose process is killed (slapd is not installed)\n')

/** More than a page of 500 entries. In short runs, one in twenty becomes a member. */
const ENTRIES = 600
const isMember = (index: number) => LONG || index % 20 === 0
const indexes = Array.from({ length: ENTRIES }, (_, index) => index)
const PEOPLE = indexes.filter(isMember).length
const IN_FIRST_PAGE = indexes.slice(0, 500).filter(isMember).length
const IN_SECOND_PAGE = 170_000

describe.skipIf(!HAS_SLAPD)('a process killed with SIGKILL during a sync', async () => {
  if (!HAS_SLAPD) return
  const dataDir = mkdtempSync(join(tmpdir(), 'keyward-killed-'))
  const database = SERVER_URL ? await createTestDatabase() : undefined
  const uids = indexes.map((index) => `p${index}`)
  const people = uids.map((uid, index) => (isMember(index) ? person(uid) : personWithInvalidEmail(uid)))
  const slapd = await startSlapd({ ldif: people.join('') + group('all', uids.map(personDn)) })
  const env = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(database && { DATABASE_URL: database.url, ENCRYPTION_KEY: randomBytes(32).toString('base64') }),
  }
  // Tokens contain the URL for which they were issued.
  const port = await freePort()
  let proxy: FaultProxy
  let server: BuiltServer
  beforeAll(async () => {
    proxy = await startFaultProxy({ host: '127.0.0.1', port: slapd.port })
    server = await startBuilt(port, env)
  }, 60_000)
  afterAll(async () => {
    server?.process.kill('SIGKILL')
    await proxy?.close()
    await slapd.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function ask(method: string, path: string, token?: string, body?: unknown) {
    const headers = { ...(body !== undefined && { 'content-type': 'application/json' }) }
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as ApiResponse['body'] }
  }

  /** Runs while no process has the database open. */
  async function sql(...texts: string[]) {
    const embedded = database ? undefined : await startEmbeddedDatabase({ dataDir, log: { info() {} } })
    const client = new pg.Client(embedded ? embedded.connection : { connectionString: database?.url as string })
    await client.connect()
    const results = []
    for (const text of texts) results.push((await client.query(text)).rows)
    await client.end()
    await embedded?.close()
    return results
  }

  it('leaves a run that the next process completes without repeating changes', {
    timeout: 180_000,
  }, async () => {
    const owner = { email: 'owner@example.com', password: 'correct horse battery staple' }
    const { body: session } = await ask('POST', '/auth/register', undefined, owner)
    const { accessToken: token } = session
    const saved = await ask('POST', '/directory/ldap/config', token, {
      ldapUrl: `ldap://127.0.0.1:${proxy.port}`,
      ldapBaseDn: BASE_DN,
      ldapBindDn: BIND_DN,
      ldapBindPassword: BIND_PASSWORD,
      preset: 'openldap',
    })
    expect(saved.status).toBe(201)
    const hanging = proxy.failAfter(IN_SECOND_PAGE, 'hang')
    const syncing = ask('POST', '/directory/ldap/sync', token, {}).catch(() => 'gone')
    await hanging
    // The second page is requested when the first one is applied.
    expect(await server.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await syncing).toBe('gone')
    await proxy.restore()

    // Advances past the lease and to the next sweep for expired runs.
    const [[run], [left]] = (await sql(
      "SELECT id, (counts->>'created')::int AS created, status FROM directory_runs",
      'SELECT count(*)::int AS count FROM directory_entries',
      "UPDATE directory_runs SET leased_until = now() - interval '1 second'",
      "UPDATE jobs SET run_at = now() - interval '1 second', leased_until = NULL WHERE kind = 'directory.sweep'",
    )) as [[{ id: string; created: number; status: string }], [{ count: number }]]
    expect(run).toMatchObject({ status: 'running', created: IN_FIRST_PAGE })
    // The counts of the run match the stored members.
    expect(left.count).toBe(IN_FIRST_PAGE)

    server = await startBuilt(port, env)
    let ended = await ask('GET', `/directory/ldap/runs/${run.id}`, token)
    expect(ended.status).toBe(200)
    while (ended.body.status === 'running') {
      await new Promise((resume) => setTimeout(resume, 250))
      ended = await ask('GET', `/directory/ldap/runs/${run.id}`, token)
    }
    expect(ended.body).toMatchObject({
      status: 'completed',
      created: PEOPLE,
      unchanged: IN_FIRST_PAGE,
      membersAdded: PEOPLE,
      suspended: 0,
    })
    const { body: again } = await ask('POST', '/directory/ldap/sync', token, {})
    expect(again).toMatchObject({ status: 'completed', run: { created: 0, unchanged: PEOPLE, membersAdded: 0 } })
    const get = async (path: string) => (await ask('GET', path, token)).body
    const counts = {
      members: (await get('/users?limit=1')).total,
      // At the start of the second run, which created no other.
      entries: again.run.total,
      grouped: (await get('/groups')).data.map(({ memberCount }: { memberCount: number }) => memberCount),
      added: (await get('/audit/logs?action=member.added&limit=1')).total,
      ended: (await get('/audit/logs?action=directory.synced&limit=1')).total,
    }
    expect(counts).toEqual({ members: PEOPLE + 1, entries: PEOPLE + 1, grouped: [PEOPLE], added: PEOPLE + 1, ended: 2 })
  })
})
