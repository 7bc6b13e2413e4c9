import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnce, newEmail, PASSWORD, registerUser, type TestUser } from '../factories/factories.js'
import { startService, type TestService } from '../harness/service.js'
import { SERVER_URL } from '../harness/test-database.js'

const signIn = (service: TestService, email = newEmail()) =>
  service.api('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } })

describe('a flood of sign-ins', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { HASH_QUEUE: '1' }, nodes: 1, realHashing: true })
  })
  afterAll(() => service.close())

  it('gets rejected before the first database read when the hash queue is full', async () => {
    let connections = 0
    service.db.pool.on('acquire', () => connections++)
    await signIn(service)
    await service.settle()
    connections = 0
    await signIn(service)
    const connectionsPerSignIn = connections
    connections = 0
    const answers = await atOnce(60, () => signIn(service))
    // An unknown email address gets 401 after hashing.
    const accepted = answers.filter(({ status }) => status === 401).length
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(60 - accepted)
    expect(accepted).toBeLessThan(30)
    // A few more, for concurrent jobs that seal the audit log.
    expect(connections).toBeLessThanOrEqual((accepted + 5) * connectionsPerSignIn)
  })

  it('verifies the password of a later sign-in instead of rejecting it with 503', async () => {
    await atOnce(20, () => signIn(service))
    expect((await signIn(service)).status).toBe(401)
  })
})

if (!SERVER_URL) process.stdout.write('skipped: connections reserved for session checks, which needs DATABASE_URL\n')

describe.skipIf(!SERVER_URL)('sign-ins that wait for the database', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { DATABASE_POOL: '4' } })
    user = await registerUser(service)
    await service.settle()
  })
  afterAll(() => service.close())

  it('leaves a database connection for session checks', async () => {
    const [row] = await service.sql<{ name: string }>('SELECT current_database() AS name')
    const blocker = new pg.Client(Object.assign(new URL(SERVER_URL as string), { pathname: `/${row?.name}` }).href)
    await blocker.connect()
    await blocker.query('BEGIN; LOCK TABLE audit_entries IN SHARE MODE')
    let answered = 0
    const signIns = atOnce(20, async () => {
      const { status } = await signIn(service)
      answered++
      return status
    })
    // Three sign-ins hold the transaction slots and wait for the table lock. The others wait for a slot.
    await expect.poll(() => service.db.waiting, { timeout: 3_000 }).toBeGreaterThanOrEqual(16)
    for (let check = 0; check < 5; check++) {
      expect((await service.api('GET', '/api/v1/auth/me', { token: user.token })).status).toBe(200)
      expect(answered).toBe(0)
    }
    await blocker.query('COMMIT')
    await blocker.end()
    expect(await signIns).toEqual(Array(20).fill(401))
  })

  it('leaves connections for other accounts when sign-ins to one account wait', async () => {
    const other = await registerUser(service)
    await service.settle()
    const [row] = await service.sql<{ name: string }>('SELECT current_database() AS name')
    const blocker = new pg.Client(Object.assign(new URL(SERVER_URL as string), { pathname: `/${row?.name}` }).href)
    await blocker.connect()
    await blocker.query('BEGIN')
    await blocker.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id])
    const signIns = atOnce(60, () => signIn(service, user.email))
    await expect.poll(() => service.db.pool.totalCount - service.db.pool.idleCount, { timeout: 3_000 }).toBe(2)
    expect((await signIn(service, other.email)).status).toBe(200)
    await blocker.query('COMMIT')
    await blocker.end()
    const statuses = (await signIns).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    // Two run, and a quarter of HASH_QUEUE wait.
    expect(statuses.filter((status) => status === 200)).toHaveLength(52)
  })
})
