import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSession, logIn, newEmail, PASSWORD, registerUser, type TestUser } from '../factories/factories.js'
import { type FaultProxy, startFaultProxy } from '../harness/fault-proxy.js'
import { startService, type TestService } from '../harness/service.js'
import { onServer, SERVER_URL } from '../harness/test-database.js'

if (!SERVER_URL) process.stdout.write('skipped: an unavailable database, which needs DATABASE_URL\n')

/** Longer than the sum of all declared waits for the database. A request without a response by then never gets one. */
const HUNG = 20_000

describe.skipIf(!SERVER_URL)('a service with an unavailable database', () => {
  let proxy: FaultProxy
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    const { hostname, port } = new URL(SERVER_URL as string)
    proxy = await startFaultProxy({ host: hostname, port: Number(port || 5432) })
    const databaseUrl = (url: string) =>
      Object.assign(new URL(url), { hostname: '127.0.0.1', port: `${proxy.port}` }).href
    service = await startService({ databaseUrl, nodes: 1 })
    user = await registerUser(service)
  })
  afterAll(async () => {
    await proxy.restore()
    await service.close()
    await proxy.close()
  })

  const send = (method: string, path: string, body?: object) =>
    fetch(`${service.urls[0]}${path}`, {
      method,
      signal: AbortSignal.timeout(HUNG),
      headers: { authorization: `Bearer ${user.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const requests = (email = newEmail()): [string, string, object?][] => [
    ['GET', '/readyz'],
    ['GET', '/api/v1/auth/me'],
    ['GET', '/api/v1/settings'],
    ['POST', '/api/v1/auth/login', { email: user.email, password: PASSWORD }],
    ['POST', '/api/v1/auth/refresh', { refreshToken: user.refreshToken }],
    ['POST', '/api/v1/auth/register', { email, password: PASSWORD }],
    ['POST', '/api/v1/auth/magic-link', { email: user.email }],
    ['PUT', '/api/v1/settings', { name: 'Never' }],
  ]

  async function expectAway(email?: string) {
    // The metrics that are read from the database are due again.
    await service.clock.advance(20_000)
    const [metrics, ...answers] = await Promise.all([
      send('GET', '/metrics'),
      ...requests(email).map(async ([method, path, body]) => ({ path, answer: await send(method, path, body) })),
    ])
    for (const { path, answer } of answers) {
      expect(answer.status, path).toBe(503)
      expect(Number(answer.headers.get('retry-after')), path).toBeGreaterThan(0)
      expect(await answer.json()).toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) })
    }
    expect((await send('GET', '/livez')).status).toBe(200)
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.stringMatching(/^keyward_database_connections_max 8$/m),
    ])
  }

  /** Expects that the first requests after the outage succeed, without a restart. */
  async function expectBack(email: string) {
    await expect.poll(async () => (await send('GET', '/readyz')).status, { timeout: 20_000, interval: 100 }).toBe(200)
    await expectSession(service, user.token, 'active')
    // A request that got 503 has changed nothing and can be repeated.
    expect((await send('POST', '/api/v1/auth/register', { email, password: PASSWORD })).status).toBe(201)
    user = await logIn(service, user)
    expect((await service.sql('SELECT name FROM instance_settings'))[0]).toEqual({ name: 'Keyward' })
    // An interrupted job runs again when its lease expires.
    await service.clock.advance(150_000)
    await service.settle()
  }

  it('returns 503 with Retry-After while its connections are cut, and recovers afterwards', async () => {
    const email = newEmail()
    await proxy.cut()
    await expectAway(email)
    await proxy.restore()
    await expectBack(email)
  })

  it('waits at its start for the database and names it in the log without the password', async () => {
    await proxy.cut()
    service.logLines.length = 0
    const started = service.restart()
    const waiting = () => service.logLines.find((line) => line.includes('waiting for the database'))
    await expect.poll(waiting, { timeout: 20_000, interval: 20 }).toBeDefined()
    expect(JSON.parse(waiting() ?? '')).toMatchObject({ level: 40, database: `127.0.0.1:${proxy.port}` })
    expect(waiting()).not.toMatch(/postgres:|password/)
    await proxy.restore()
    await started
    await expectBack(newEmail())
  })

  it('returns 503 within the time budget while the database is silent, and recovers afterwards', async () => {
    const email = newEmail()
    proxy.hang()
    await expectAway(email)
    await proxy.restore()
    await expectBack(email)
  })

  it('opens no new connections for requests once the database is known to be silent', async () => {
    proxy.hang()
    await expectAway()
    await expect.poll(() => service.db.isUnavailable, { timeout: 20_000 }).toBe(true)
    await expectAway()
    const before = proxy.accepted
    for (let round = 0; round < 5; round++) await expectAway()
    // Connections of the service itself, which tries to connect every half second.
    expect(proxy.accepted - before).toBeLessThanOrEqual(3)
    await proxy.restore()
    await expectBack(newEmail())
  })

  it('returns a page with Retry-After on every URL to which browsers navigate', async () => {
    const id = '0198c5f0-0000-7000-8000-000000000000'
    const openapi = (await (await send('GET', '/openapi.json')).json()) as {
      paths: Record<string, Record<string, { responses: object }>>
    }
    const redirecting = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => '302' in responses || '303' in responses)
        .map(([method]) => [method.toUpperCase(), path.replace(/\{\w+\}/g, id)] as const),
    )
    expect(redirecting.map(([, path]) => path).join()).toMatch(/authorize.*end-session.*slo.*sso/s)
    await proxy.cut()
    const pages = ['/', '/login', '/account/security', '/api/v1/oauth/authorize/response']
    const visits = [...pages.map((path) => ['GET', path] as const), ...redirecting]
    const query = `?id=x&client_id=${id}&response_type=code&providerId=${id}&state=x&code=x&SAMLRequest=x`
    for (const [method, path] of visits) {
      const answer = await fetch(`${service.urls[0]}${path}${method === 'GET' ? query : ''}`, {
        method,
        redirect: 'manual',
        headers: { accept: 'text/html,*/*;q=0.8', cookie: 'keyward_sso=x' },
        ...(method === 'POST' && { body: new URLSearchParams({ SAMLResponse: 'x', state: 'x' }) }),
        signal: AbortSignal.timeout(HUNG),
      })
      // A redirect that needs no database is as good.
      if (answer.status < 400) continue
      const type = answer.headers.get('content-type')
      expect([method, path, type]).toEqual([method, path, 'text/html; charset=utf-8'])
      if (answer.status < 500) continue
      expect([path, answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([path, 503, true])
      expect(await answer.text()).toContain('Service temporarily unavailable')
    }
    await proxy.restore()
    await expectBack(newEmail())
  })

  it('serves the next requests after the server has terminated all sessions', async () => {
    await service
      .sql(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      .catch(() => {})
    await expectBack(newEmail())
  })

  it('returns 503 with Retry-After while the database accepts no connections, and recovers afterwards', async () => {
    const [row] = await service.sql<{ name: string }>('SELECT current_database() AS name')
    const allow = (allowed: boolean) => onServer(`ALTER DATABASE ${row?.name} ALLOW_CONNECTIONS ${allowed}`)
    await allow(false)
    await onServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${row?.name}'`)
    // The first query on each pooled connection fails, because the connection is closed.
    for (let round = 0; round < 2; round++)
      await Promise.all(requests().map(([method, path, body]) => send(method, path, body)))
    await expectAway()
    await allow(true)
    await expectSession(service, user.token, 'active')
  })

  it('completes each request in progress, or returns 503 for it, when the connections are cut', async () => {
    const emails = Array.from({ length: 30 }, () => newEmail())
    const answers = emails.map((email) => send('POST', '/api/v1/auth/register', { email, password: PASSWORD }))
    await Promise.race(answers)
    await proxy.cut()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    await proxy.restore()
    await expectBack(newEmail())
    expect([...new Set(statuses)].sort()).toEqual([201, 503])
    for (const [index, email] of emails.entries())
      if (statuses[index] === 201)
        expect((await send('POST', '/api/v1/auth/login', { email, password: PASSWORD })).status).toBe(200)
  })
})
