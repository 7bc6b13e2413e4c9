import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, makeGroup, newEmail, registerUser, type TestUser } from '../../../test/factories/factories.js'
import type { ApiResponse } from '../../../test/harness/api.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const LOGIN = '/api/v1/auth/login'
const STANDARD = 65_536
const LARGE = 1_048_576

describe('request bodies', () => {
  let service: TestService
  let owner: TestUser
  let members: string
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { TRUST_PROXY: '1', LIMIT_REJECTED_BODIES: '0' } })
    owner = await registerUser(service)
    members = `/api/v1/groups/${await makeGroup(service, owner.teamId)}/users`
  })
  afterAll(() => service.close())

  const post = (raw: string, path = LOGIN) => service.api('POST', path, { raw })
  const replaceMembers = (body: object) => service.api('PUT', members, { token: owner.token, body })
  const attempt = (unknown: unknown) => JSON.stringify({ email: newEmail(), password: 'wrong', unknown })
  /** Returns a body of so many bytes that the route accepts. */
  const bodyOf = (bytes: number) => attempt('x'.repeat(bytes - attempt('').length))
  const expectInvalid = (answer: ApiResponse, detail: string) => {
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.detail).toBe(detail)
  }

  it('rejects a body of more than 64 kB', async () => {
    expect((await post(bodyOf(STANDARD))).status).toBe(401)
    expectError(await post(bodyOf(STANDARD + 1)), 413, 'payload_too_large')
  })

  it('rejects a chunked body of more than 64 kB', async () => {
    const send = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
        const sent = request(`${service.urls[0]}${LOGIN}`, { method: 'POST', headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        sent.on('error', reject)
        for (let at = 0; at < body.length; at += 10_000) sent.write(body.slice(at, at + 10_000))
        sent.end()
      })
    expect(await send(bodyOf(STANDARD))).toBe(401)
    expect(await send(bodyOf(STANDARD + 1))).toBe(413)
  })

  it('rejects a form of more than 64 kB in the format of OAuth', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, body } = await service.api('POST', '/api/v1/oauth/token', {
      raw: 'x'.repeat(STANDARD + 1),
      headers,
    })
    expect([status, body.error]).toEqual([413, 'invalid_request'])
  })

  it('accepts 10,000 IDs on a route that replaces a set', async () => {
    const answer = await replaceMembers({ userIds: Array.from({ length: 10_000 }, () => randomUUID()) })
    expectError(answer, 404, 'user_not_found')
  })

  it('rejects a body of more than 1 MiB on a route that replaces a set', async () => {
    expectError(await replaceMembers({ userIds: ['x'.repeat(LARGE)] }), 413, 'payload_too_large')
  })

  it('rejects a body with more than 10,000 values', async () => {
    const elements = (count: number) => attempt(Array(count).fill(0))
    // Four more: the object, two strings, and the array.
    expect((await post(elements(9_996))).status).toBe(401)
    expectInvalid(await post(elements(9_997)), 'The body has more than 10,000 values')
  })

  it('rejects a body with more than 100,000 values on a route that replaces a set', async () => {
    expectInvalid(await replaceMembers({ userIds: Array(100_000).fill(0) }), 'The body has more than 100,000 values')
  })

  it('rejects a body nested deeper than 32 levels', async () => {
    const nested = (depth: number) =>
      `{"email":"${newEmail()}","password":"x","y":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await post(nested(31))).status).toBe(401)
    expectInvalid(await post(nested(32)), 'The body is nested deeper than 32 levels')
    expectInvalid(await post('['.repeat(STANDARD)), 'The body is nested deeper than 32 levels')
  })

  it('rejects a body that has an object with more than 1,000 members, at any level', async () => {
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, [0, 0]]))
    expect((await post(attempt(members(1_000)))).status).toBe(401)
    const detail = 'The body has an object with more than 1,000 members'
    expectInvalid(await post(attempt(members(1_001))), detail)
    expectInvalid(await post(JSON.stringify(members(1_001))), detail)
    expectInvalid(await post(attempt([{ x: [members(1_001)] }])), detail)
    expect((await post(attempt(Array(1_500).fill({ x: 1, y: 2 })))).status).toBe(401)
  })

  it('counts no brackets and commas inside a string as values', async () => {
    expect((await post(attempt('\\"[{,'.repeat(9_000)))).status).toBe(401)
  })

  it('rejects a form with more than 1,000 fields', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = (fields: number) =>
      service.api('POST', '/api/v1/oauth/introspect', { raw: `token=x${'&y='.repeat(fields - 1)}`, headers })
    const { status, body } = await send(1_001)
    expect([status, body.error_description]).toEqual([400, 'The body has more than 1,000 fields'])
    expect((await send(1_000)).body.error_description).toBe('A parameter is repeated')
  })

  describe('without being read', () => {
    const sockets: Socket[] = []
    afterAll(() => {
      for (const socket of sockets) socket.destroy()
    })

    const open = () => {
      const { hostname, port } = new URL(service.urls[0] as string)
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      socket.on('error', () => {})
      return socket
    }
    /** Sends the bytes and returns the status and headers of the next response. */
    const exchange = (socket: Socket, bytes: string) =>
      new Promise<string>((resolve) => {
        socket.once('data', (chunk) => resolve(chunk.toString()))
        socket.write(bytes)
      })
    const head = (path: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
    const livez = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n'

    it('closes the connection after the body if the server is stopping', async () => {
      const socket = open()
      const ended = new Promise((resolve) => socket.once('close', resolve))
      expect(await exchange(socket, `${head(LOGIN, LARGE)}${'x'.repeat(STANDARD)}`)).toMatch(/^HTTP\/1.1 413 /)
      const restarted = service.restart()
      await delay(500)
      socket.write('x'.repeat(LARGE - STANDARD))
      // The idle timeout is 72 s.
      expect(await Promise.race([ended.then(() => 'ended'), delay(20_000, 'open', { ref: false })])).toBe('ended')
      await restarted
    })

    it.each([
      ['404 to an unknown path', '/api/v1/nothing', 404],
      ['413 to a body over the limit', LOGIN, 413],
    ])('returns %s at once and reuses the connection', async (_what, path, status) => {
      const socket = open()
      expect(await exchange(socket, head(path, 900_000))).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      socket.write('x'.repeat(900_000))
      expect(await exchange(socket, livez)).toMatch(/^HTTP\/1.1 200 /)
    })

    describe('from unauthenticated clients', () => {
      const path = `/api/v1/sso/saml/${randomUUID()}/acs`
      const form = (source: string, length: number) =>
        head(path, length).replace(
          'Content-Type: application/json',
          `X-Forwarded-For: ${source}\r\nContent-Type: application/x-www-form-urlencoded`,
        )
      const body = `SAMLResponse=${'x'.repeat(100_000)}`
      const sendWhole = (source: string) => exchange(open(), form(source, body.length) + body)
      /** Begins a large body from each source, and returns the first response. They all remain incomplete until the end of `during`. */
      const withSlow = async (from: string[], during: (first: string) => Promise<void>) => {
        const slow = from.map((source) => ({ source, socket: open() }))
        const first = slow.map(({ source, socket }) => exchange(socket, `${form(source, 500_000)}SAMLResponse=`))
        await during(await Promise.race(first))
        for (const { socket } of slow) socket.destroy()
        for (const source of new Set(from))
          await expect.poll(() => sendWhole(source), { timeout: 10_000 }).toMatch(/^HTTP\/1.1 302 /)
      }

      it('returns 503 beyond 4 concurrent large bodies of a source, and accepts those of others', () =>
        withSlow(Array(32).fill('198.51.100.1'), async (first) => {
          expect(first).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 1\r\n/)
          expect(await sendWhole('198.51.100.1')).toMatch(/^HTTP\/1.1 503 /)
          expect(await exchange(open(), `${form('198.51.100.1', 15)}SAMLResponse=xy`)).toMatch(/^HTTP\/1.1 302 /)
          expect(await sendWhole('198.51.100.2')).toMatch(/^HTTP\/1.1 302 /)
        }))

      it.each([
        ['a forged address', (n: number) => `203.0.113.${n}, 198.51.100.3`],
        ['another address of its IPv6 network', (n: number) => `2001:db8::${n}`],
      ])('returns 503 to a source that uses %s for each body', (_what, sourceOf) =>
        withSlow(
          Array.from({ length: 5 }, (_, n) => sourceOf(n)),
          async (first) => expect(first).toMatch(/^HTTP\/1.1 503 /),
        ),
      )

      it('returns 503 beyond 32 concurrent large bodies of all sources', () =>
        withSlow(
          Array.from({ length: 33 }, (_, n) => `192.0.2.${n}`),
          async (first) => {
            expect(first).toMatch(/^HTTP\/1.1 503 /)
            expect(await exchange(open(), `${form('192.0.2.0', 15)}SAMLResponse=xy`)).toMatch(/^HTTP\/1.1 302 /)
          },
        ))
    })

    it('returns 404 in the SCIM format', async () => {
      expect(await exchange(open(), head('/scim/v2/nothing', 900_000))).toMatch(
        /^HTTP\/1.1 404 [\s\S]*application\/scim\+json/,
      )
    })

    it('closes the connection of a client that sends more than 4 MiB after the response', async () => {
      const socket = open()
      const closed = new Promise((resolve) => socket.once('close', resolve))
      expect(await exchange(socket, head('/api/v1/nothing', 100_000_000))).toMatch(/^HTTP\/1.1 404 /)
      socket.write('x'.repeat(5 * LARGE))
      await closed
    })
  })
})

describe('a form for an unknown path', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { LIMIT_REJECTED_BODIES: '0' } })
  })
  afterAll(() => service.close())

  it.each([
    '/nothing',
    '/login',
    '/assets/nothing',
    '/docs/nothing',
    '/.well-known/nothing',
    '/api/nothing',
    '/api/v1/nothing',
    '/api/v1/auth/nothing',
    '/api/v1/oauth/nothing',
    `/api/v1/sso/oidc-idp/${randomUUID()}/nothing`,
    `/api/v1/sso/oidc-idp/${randomUUID()}/${randomUUID()}/nothing`,
    `/api/v1/sso/saml-idp/${randomUUID()}/nothing`,
    `/api/v1/sso/oidc/${randomUUID()}/nothing`,
    '/scim/v2/nothing',
    `/scim/v2/${randomUUID()}/nothing`,
    `/scim/v2/${randomUUID()}/Users/x/nothing`,
  ])('returns 404 at %s', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const raw of ['a=1', ''])
        for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
          const { status, text } = await service.api(method, path, { raw, headers: { 'content-type': type } })
          expect(status, `${method} ${path} ${type} "${raw}": ${text.slice(0, 200)}`).toBe(404)
        }
  })
})

describe('a source with rejected bodies', () => {
  let service: TestService
  let sources = 0
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { TRUST_PROXY: '1', LIMIT_REJECTED_BODIES: '3' } })
  })
  afterAll(() => service.close())

  const newSource = () => `198.51.100.${++sources}`
  const send = (source: string, raw: string, path = LOGIN, type = 'application/json') =>
    service.api('POST', path, { raw, headers: { 'x-forwarded-for': source, 'content-type': type } })
  const good = () => JSON.stringify({ email: newEmail(), password: 'wrong' })

  const REJECTED: [what: string, raw: string, path?: string, type?: string][] = [
    ['malformed', '{'],
    ['in another character set', '{}', LOGIN, 'application/json; charset=latin1'],
    ['too deep', '['.repeat(33)],
    ['too large', 'x'.repeat(STANDARD + 1)],
    ['of an unknown media type', '{}', LOGIN, 'text/plain'],
    ['for an unknown path', '{}', '/api/v1/nothing'],
  ]
  it.each(REJECTED)(
    'limits a source to one body per second after too many bodies that are %s',
    async (_what, ...rejected) => {
      const source = newSource()
      for (let count = 0; count < 3; count++) expect((await send(source, ...rejected)).status).not.toBe(429)
      expect((await send(source, good())).status).toBe(401)
      const slowed = await send(source, good())
      expectError(slowed, 429, 'rate_limited')
      expect(slowed.headers.get('retry-after')).toBe('1')
      await service.clock.advance(1_000)
      expect((await send(source, good())).status).toBe(401)
      expect((await send(source, good())).status).toBe(429)
    },
  )

  it('accepts requests without a body, and slows no other source down', async () => {
    const source = newSource()
    for (let count = 0; count < 5; count++) await send(source, '{')
    const headers = { 'x-forwarded-for': source }
    expect((await service.api('GET', '/livez', { headers })).status).toBe(200)
    expect((await send(newSource(), good())).status).toBe(401)
  })

  it('regains access ten minutes after its first rejected body', async () => {
    const source = newSource()
    for (let count = 0; count < 5; count++) await send(source, '{')
    await service.clock.advance(600_000)
    for (let count = 0; count < 3; count++) expect((await send(source, good())).status).toBe(401)
  })

  it('receives 429 before its body is read', async () => {
    const source = newSource()
    for (let count = 0; count < 5; count++) await send(source, '{')
    const { hostname, port } = new URL(service.urls[0] as string)
    const socket = connect(Number(port), hostname)
    const answer = new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))
    socket.write(
      `POST ${LOGIN} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${source}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n`,
    )
    expect(await answer).toMatch(/^HTTP\/1.1 429 /)
    socket.destroy()
  })
})
