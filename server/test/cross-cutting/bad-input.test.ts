import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServiceProvider } from '../doubles/saml-service-provider.js'
import { logIn, onboardAdmin, registerApplication, registerUser } from '../factories/factories.js'
import { samlProvider } from '../factories/saml-sso.js'
import { makeDirectory } from '../factories/scim.js'
import { addProvider } from '../factories/sso.js'
import type { ApiResponse } from '../harness/api.js'
import { type WatchedState, watchState } from '../harness/dump.js'
import { documentedRoutes, nameOf, pathWith, sampleOf, wrongTypesFor } from '../harness/openapi.js'
import { sendRaw } from '../harness/raw-http.js'
import { startService } from '../harness/service.js'
import { halfInPostgresGate, LONG, SEED, someOf } from '../harness/some-of.js'

const service = await startService({ env: { LIMIT_REJECTED_BODIES: '0' } })
afterAll(() => service.close())
const { token, teamId } = await onboardAdmin(service)
const directory = await makeDirectory(service, { token, teamId })
await service.settle()

const all = (await documentedRoutes(service)).map((route, place) => ({ name: nameOf(route), place, ...route }))
const withBody = all
  .flatMap(({ body, ...route }) => (body ? [{ ...route, body }] : []))
  .map((route, place) => ({ ...route, place }))
const MEBIBYTE = 1_048_576
const NUL = '\u0000'
const LONE = '\ud800'

const pathOf = (path: string) =>
  pathWith(path, {
    ...Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map((match) => [match[1], 'unknown'])),
    orgId: teamId,
    orgRef: teamId,
  })

/** Path parameters that exist, so that a request reaches its handler. */
const existing = {
  orgId: teamId,
  orgRef: teamId,
  issuer: teamId,
  application: (await registerApplication(service, { token })).id,
  appId: (await startServiceProvider(service, { token })).id,
  providerId: (await addProvider(service, { token }, samlProvider())).id,
}

const repeatedOrNested = (name: string) => [`${name}=a&${name}=b`, `${name}[a]=b`, `${name}[]=a`]

const nested = (depth: number) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
const TOO_LARGE: [raw: string, status: number, code: string][] = [
  [nested(32), 400, 'invalid_request'],
  [nested(10_000), 400, 'invalid_request'],
  [nested(30_000), 400, 'invalid_request'],
  [`${'{"x":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 400, 'invalid_request'],
  [`{"x":"${'a'.repeat(MEBIBYTE + 1 - 8)}"}`, 413, 'payload_too_large'],
  ['['.repeat(60_000), 400, 'invalid_request'],
]

/** Sends raw bytes as the administrator of the instance and expects the error. */
async function expectError(
  route: { method: string; path: string; isOAuth: boolean; isScim: boolean },
  raw: string,
  [status, code]: [number, string],
  type?: string,
) {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  const opens = route.isScim ? directory.token : token
  const answer = await service.api(route.method, pathOf(route.path), { token: opens, raw, headers })
  const { headers: sent, body } = answer
  if (route.isOAuth) return expectOAuthError(answer, raw, status)
  if (route.isScim) return expectScimError(answer, raw, status)
  // A call of `expect` is expensive, so only failures reach the first one.
  if (answer.status !== status || body?.code !== code)
    expect([answer.status, body?.code], `response to ${raw.slice(0, 80)}: ${answer.text.slice(0, 200)}`).toEqual([
      status,
      code,
    ])
  expect(sent.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(body).toMatchObject({
    status,
    type: `${service.baseUrl}/docs/errors#${code}`,
    requestId: sent.get('x-request-id'),
  })
  return body
}

/** Expects the OAuth error of a malformed request (RFC 6749 5.2), which names no fields. */
function expectOAuthError({ status, headers, body, text }: ApiResponse, raw: string, expected: number) {
  const right = [expected === 415 ? 400 : expected, 'invalid_request']
  expect([status, body?.error], `response to ${raw.slice(0, 80)}: ${text.slice(0, 200)}`).toEqual(right)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  return undefined
}

/** Expects a SCIM error: two codes for malformed bodies, none for a body that is too large or of another media type (RFC 7644 3.12). */
function expectScimError({ status, headers, body, text }: ApiResponse, raw: string, expected: number) {
  expect(status, `response to ${raw.slice(0, 80)}: ${text.slice(0, 200)}`).toBe(expected)
  expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
  expect(body).toMatchObject({ status: String(expected), detail: expect.any(String) })
  expect(body.scimType).toEqual(expected === 400 ? expect.stringMatching(/^invalid(Syntax|Value)$/) : undefined)
  return undefined
}

/** Returns the fields that the error names, if it names any. */
const fieldsIn = (body: { errors: { path: string }[] } | undefined, otherwise: string[]): string[] =>
  body?.errors.map(({ path }) => path) ?? otherwise

describe('a malformed body', () => {
  let state: WatchedState
  beforeAll(async () => {
    state = await watchState(service)
  })
  afterAll(() => state.expectUnchangedInTheEnd())

  it.each(halfInPostgresGate(withBody))(
    'gets an error at $name if it is missing, not JSON or not an object',
    async (route) => {
      const malformed = [
        '{',
        '{"a":1,}',
        "{'a':1}",
        '{"a":1}}',
        'nothing',
        '{"a":NaN}',
        '\ufeff{',
        '\u0000',
        '{"a":"\n"}',
      ]
      const others = ['null', '7', '"text"', '[]', '[{}]', 'true']
      for (const raw of someOf([...malformed, ...others], route.place))
        await expectError(route, raw, [400, 'invalid_request'])
      if (route.body.required?.length) {
        const missing = route.body.required.map((name) => `/${name}`)
        const rejected = await expectError(route, '', [400, 'invalid_request'])
        expect(fieldsIn(rejected, missing).sort()).toEqual(missing.sort())
      }
      await state.expectUnchanged()
    },
  )

  it.each(halfInPostgresGate(withBody))(
    'gets an error at $name that names a field of the wrong type',
    async (route) => {
      const good = sampleOf(route.body) as object
      for (const [index, [field, schema]] of Object.entries(route.body.properties ?? {}).entries()) {
        for (const wrong of someOf(wrongTypesFor(schema), route.place + index)) {
          const rejected = await expectError(route, JSON.stringify({ ...good, [field]: wrong }), [
            400,
            'invalid_request',
          ])
          expect(fieldsIn(rejected, [`/${field}`])).toContain(`/${field}`)
        }
      }
      await state.expectUnchanged()
    },
  )

  it.each(halfInPostgresGate(withBody))(
    'gets an error at $name for U+0000 or an unpaired surrogate in any string or key',
    async (route) => {
      const good = sampleOf(route.body) as Record<string, unknown>
      const texts = Object.keys(good).filter((field) => typeof good[field] === 'string')
      const bodiesWith = (bad: string) => [
        ...[...texts, 'unknown'].map((field) => ({ ...good, [field]: `a${bad}b` })),
        { ...good, [`key${bad}`]: 1 },
        { ...good, deep: [{ x: [bad] }] },
      ]
      for (const [index, bad] of [NUL, LONE, `${LONE}${LONE}`, '\udc00'].entries())
        for (const body of someOf(bodiesWith(bad), route.place + index))
          await expectError(route, JSON.stringify(body), [400, 'invalid_request'])
      await state.expectUnchanged()
    },
  )

  it.each(halfInPostgresGate(withBody))(
    'gets an error at $name if it is nested too deeply or too large, and the process continues',
    async (route) => {
      for (const [raw, status, code] of someOf(TOO_LARGE, route.place)) await expectError(route, raw, [status, code])
      expect((await service.api('GET', '/livez')).status).toBe(200)
    },
  )

  it.each(halfInPostgresGate(withBody))('gets an error at $name in another media type', async (route) => {
    const raw = JSON.stringify(sampleOf(route.body))
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'nonsense',
      'application/jsonx',
    ].filter((kind) => !(route.takesForm && kind === 'application/x-www-form-urlencoded'))
    for (const type of someOf(types, route.place)) await expectError(route, raw, [415, 'unsupported_media_type'], type)
  })
})

describe('a form', () => {
  it.each(halfInPostgresGate(all.filter(({ takesForm }) => takesForm)))(
    'causes no server error at $name by a repeated or nested field',
    async ({ method, path, formFields }) => {
      expect(formFields).not.toEqual([])
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const name of formFields)
        for (const raw of repeatedOrNested(name)) {
          const { status, text } = await service.api(method, pathWith(path, existing), { raw, headers })
          expect(status, `${raw}: ${text.slice(0, 200)}`).toBeLessThan(500)
        }
    },
  )
})

describe('a malformed URL', () => {
  it.each(halfInPostgresGate(all))('causes no server error at $name', async ({ method, path, place }) => {
    const queries = [
      '%',
      '%00',
      'x=%00',
      'x=%ff',
      'page=x',
      'page=1&page=2',
      '__proto__=1',
      'x[y]=1',
      `x=${'y'.repeat(4_000)}`,
      '=',
      '&&',
    ]
    for (const query of someOf(queries, place)) {
      const { status, text } = await service.api(method, `${pathOf(path)}?${query}`, { headers: { 'x-org-id': '' } })
      expect(status, `${query}: ${text.slice(0, 200)}`).toBeLessThan(500)
    }
  })

  it.each(halfInPostgresGate(all.filter(({ method, query }) => method === 'GET' && query.length > 0)))(
    'causes no server error at $name by a repeated or nested parameter',
    async ({ path, query, isScim }) => {
      for (const name of query)
        for (const parameters of repeatedOrNested(name)) {
          const url = `${pathWith(path, existing)}?${parameters}`
          const { status, text } = await service.api('GET', url, { token: isScim ? directory.token : token })
          expect(status, `${parameters}: ${text.slice(0, 200)}`).toBeLessThan(500)
        }
    },
  )

  const strange = [
    '/api/v1/organizations/%E0%A4%A',
    '/api/v1/%',
    '/api/v1/auth/me%00',
    '//',
    '///',
    '//[',
    '//example.com/login',
    '/\\example.com',
    '/api//v1',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2fpackage.json',
    '/?%',
    '*',
    'http://[/',
  ]
  it.each(strange)('gets a 4xx response with every security header for %s', async (path) => {
    const { status, headers, text } = await sendRaw(service.urls[0] as string, `GET ${path}`, { Host: 'localhost' })
    expect(status, text).toBeGreaterThanOrEqual(path === '/?%' ? 200 : 400)
    expect(status, text).toBeLessThan(500)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(text).not.toMatch(/root:|"workspaces"/)
  })

  it('gets a problem document if it or the headers are too large', async () => {
    for (const [line, headers] of [
      ['GET /api/v1/auth/me', { Host: 'localhost', 'x-huge': 'a'.repeat(40_000) }],
      [`GET /api/v1/auth/me?x=${'a'.repeat(40_000)}`, { Host: 'localhost' }],
    ] as const) {
      const answer = await sendRaw(service.urls[0] as string, line, headers)
      expect(answer.status).toBe(431)
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('gets a problem document with 400 in a request that is not HTTP', async () => {
    const answer = await sendRaw(service.urls[0] as string, 'NONSENSE /', { Host: 'localhost' })
    expect(answer.status).toBe(400)
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect((await service.api('GET', '/livez')).status).toBe(200)
  })
})

/** The last block of this file, because its requests change the team. */
describe('an empty body', () => {
  const TYPES = [
    'application/json',
    'application/scim+json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'nonsense',
    '',
  ]
  /** They end the session of their caller, so each request has its own. */
  const SIGN_OUT = ['POST /api/v1/auth/logout', 'POST /api/v1/sso/logout']
  /** Ends all sessions of its caller, so each request has its own account. */
  const DELETION = 'DELETE /api/v1/auth/me'
  const writing = all.filter(({ method }) => method !== 'GET').map((route, place) => ({ ...route, place }))
  let user: Awaited<ReturnType<typeof registerUser>>
  let scim: Awaited<ReturnType<typeof makeDirectory>>
  beforeAll(async () => {
    user = await registerUser(service)
    scim = await makeDirectory(service, user)
  })

  /** Sends no byte of a body, with its length or in chunks. */
  async function sendEmpty(method: string, path: string, type: string, bearer: string, chunked: boolean) {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': type }
    if (!chunked) return service.api(method, path, { headers: { ...headers, 'content-length': '0' } })
    const body = new ReadableStream({ start: (controller) => controller.close() })
    const answer = await fetch(`${service.urls[0]}${path}`, {
      method,
      headers,
      body,
      duplex: 'half',
      redirect: 'manual',
    } as RequestInit)
    return { status: answer.status, text: await answer.text() }
  }

  it.each(halfInPostgresGate(writing))('gets no error about its media type at $name', async (route) => {
    // The team stays; another ID than the own one would be rejected before the body is read.
    const team = route.name === 'DELETE /api/v1/organizations/{orgId}' ? 'unknown' : user.teamId
    const path = pathWith(route.path, {
      ...Object.fromEntries(route.params.map((name) => [name, 'unknown'])),
      orgId: team,
      orgRef: team,
    })
    const bearer = route.isScim ? scim.token : route.permission === 'instance:update' ? token : user.token
    // Short runs alternate, so that each route gets both.
    for (const [index, type] of someOf(TYPES, route.place).entries())
      for (const chunked of LONG ? [false, true] : [(index + route.place + SEED) % 2 === 0]) {
        const own = SIGN_OUT.includes(route.name)
          ? (await logIn(service, user)).token
          : route.name === DELETION
            ? (await registerUser(service)).token
            : bearer
        const answer = await sendEmpty(route.method, path, type, own, chunked)
        const sent = `${type} ${chunked ? 'in chunks' : 'with its length'}: ${answer.text.slice(0, 200)}`
        // Otherwise the request would end before its body is read.
        if (route.permission !== 'public') expect([401, 403], sent).not.toContain(answer.status)
        if (route.body?.required?.length) expect(answer.status, sent).toBe(400)
        expect(answer.status, sent).not.toBe(415)
        // Interfaces without a 415 return the reason in the body.
        expect(answer.text, sent).not.toMatch(/media type|Send (the body|JSON)/)
      }
  })
})
