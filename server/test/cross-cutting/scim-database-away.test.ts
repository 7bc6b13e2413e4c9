import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateScimToken } from '../../src/features/access-tokens/index.js'
import { createRequestLog } from '../../src/features/scim/requests/request-log.js'
import { createLogger } from '../../src/platform/log.js'
import { atOnce, newEmail, registerUser, type TestUser } from '../factories/factories.js'
import { type Directory, expectScimError, GROUP, makeDirectory, PATCH, SEARCH, USER } from '../factories/scim.js'
import { type FaultProxy, startFaultProxy } from '../harness/fault-proxy.js'
import { startService, type TestService } from '../harness/service.js'
import { SERVER_URL } from '../harness/test-database.js'

if (!SERVER_URL) process.stdout.write('skipped: SCIM with an unavailable database, which needs DATABASE_URL\n')

describe.skipIf(!SERVER_URL)('SCIM with an unavailable database', () => {
  let proxy: FaultProxy
  let service: TestService
  let owner: TestUser
  let directory: Directory
  let person: { id: string; userName: string }
  let group: { id: string }
  beforeAll(async () => {
    const { hostname, port } = new URL(SERVER_URL as string)
    proxy = await startFaultProxy({ host: hostname, port: Number(port || 5432) })
    const databaseUrl = (url: string) =>
      Object.assign(new URL(url), { hostname: '127.0.0.1', port: `${proxy.port}` }).href
    service = await startService({ databaseUrl, nodes: 1 })
    owner = await registerUser(service)
    directory = await makeDirectory(service, owner)
    person = await directory.makeUser({ userName: newEmail() })
    group = await directory.makeGroup({ displayName: 'Stays', members: [{ value: person.id }] })
    person = (await directory.call('GET', `/Users/${person.id}`)).body
  })
  afterAll(async () => {
    await proxy.restore()
    await service.close()
    await proxy.close()
  })

  const never = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'displayName', value: 'Never' }] }
  const bodies: Record<string, unknown> = {
    'POST /Users': { schemas: [USER], userName: 'never@example.com' },
    'PUT /Users/{userId}': { schemas: [USER], userName: 'never@example.com' },
    'PATCH /Users/{userId}': never,
    'POST /Groups': { schemas: [GROUP], displayName: 'Never' },
    'PUT /Groups/{groupId}': { schemas: [GROUP], displayName: 'Never' },
    'PATCH /Groups/{groupId}': never,
    'POST /.search': { schemas: [SEARCH] },
    'POST /Users/.search': { schemas: [SEARCH] },
    'POST /Groups/.search': { schemas: [SEARCH] },
  }

  /** All SCIM routes of the service. */
  async function everyRoute(): Promise<{ name: string; method: string; path: string; body: unknown }[]> {
    const { paths } = (await service.api('GET', '/openapi.json')).body as { paths: Record<string, object> }
    return Object.entries(paths).flatMap(([path, methods]) => {
      const behind = /^\/scim\/v2\/\{orgRef\}(.*)$/.exec(path)?.[1]
      if (behind === undefined) return []
      const filled = behind
        .replace('{userId}', person.id)
        .replace('{groupId}', group.id)
        .replace(/\{\w+\}/, 'User')
      return Object.keys(methods).map((key) => {
        const name = `${key.toUpperCase()} ${behind}`
        return { name, method: key.toUpperCase(), path: filled, body: bodies[name] }
      })
    })
  }

  async function expectAway() {
    const routes = await everyRoute()
    expect(routes.length).toBeGreaterThan(15)
    for (const name of Object.keys(bodies)) expect(routes.map((route) => route.name)).toContain(name)
    const answers = await Promise.all(
      routes.map(async ({ name, method, path, body }) => ({ name, answer: await directory.call(method, path, body) })),
    )
    for (const { name, answer } of answers) {
      expect(answer.status, name).toBe(503)
      expectScimError(answer, 503)
      expect(Number(answer.headers.get('retry-after')), name).toBeGreaterThan(0)
    }
  }

  /** Expects that requests succeed again without a restart, and that no request with 503 has changed anything. */
  async function expectBack() {
    await expect.poll(async () => (await service.api('GET', '/readyz')).status, { timeout: 20_000 }).toBe(200)
    expect((await directory.call('GET', `/Users/${person.id}`)).body).toEqual(person)
    expect((await directory.call('GET', `/Groups/${group.id}`)).body).toEqual(group)
    expect(await directory.find('Users', 'userName eq "never@example.com"')).toEqual([])
    await directory.makeUser({ userName: newEmail() })
  }

  it('returns a SCIM error with 503 on every route while the connections are cut, and recovers afterwards', async () => {
    await proxy.cut()
    await expectAway()
    await proxy.restore()
    await expectBack()
  })

  it('returns 503 on every route within the time budget while the database is silent, and recovers afterwards', async () => {
    proxy.hang()
    await expectAway()
    await proxy.restore()
    await expectBack()
  })

  it('creates each user in progress, or returns 503 and accepts the user again, when the connections are cut', async () => {
    const names = Array.from({ length: 40 }, () => newEmail())
    const post = (userName: string | undefined) => directory.call('POST', '/Users', { schemas: [USER], userName })
    const answers = names.map(post)
    await Promise.race(answers)
    await proxy.cut()
    const settled = await Promise.all(answers)
    await proxy.restore()
    await expectBack()
    expect([...new Set(settled.map(({ status }) => status))].sort()).toEqual([201, 503])
    for (const [n, { status, body }] of settled.entries()) {
      if (status === 201) expect((await directory.call('GET', `/Users/${body.id}`)).body).toEqual(body)
      else expect((await post(names[n])).status).toBe(201)
    }
    const [members] = await service.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.email = ANY($1::text[])',
      [names],
    )
    expect(members?.count).toBe(names.length)
  })

  it('stores at most the newest thousand requests of a directory', async () => {
    const lost: number[] = []
    const log = createLogger({ logLevel: 'warn' }, { write: (line) => void lost.push(JSON.parse(line).requests) })
    const { db, clock } = service
    const actor = await authenticateScimToken({ db, clock })({
      token: directory.token,
      orgRef: owner.teamId,
      origin: { ip: '127.0.0.1', userAgent: null, requestId: 'x' },
    })
    const requests = createRequestLog({ db, clock, log })
    const note = (n: number) =>
      requests.note(actor, {
        method: 'GET',
        url: `/scim/v2/x/Users/${n}`,
        status: 200,
        scimType: undefined,
        detail: undefined,
      })
    await proxy.cut()
    for (let n = 0; n < 5_000; n++) note(n)
    await requests.settled()
    expect(lost).toEqual([1_000])
    await proxy.restore()
    await expectBack()
    await atOnce(3, async (n) => note(n))
    expect((await requests.list(actor.teamId)).map(({ path }) => path)).toContain('/Users/2')
  })
})
