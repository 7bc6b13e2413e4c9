import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerUser, type TestUser } from '../factories/factories.js'
import { type Directory, makeDirectory } from '../factories/scim.js'
import { startService, type TestService } from '../harness/service.js'
import { LONG } from '../harness/some-of.js'

/** The number of cases per property; many more in the long run. */
const CASES = LONG ? 20_000 : 1_000

interface Operation {
  method: string
  path: string
}

describe('a request with random bytes', () => {
  let service: TestService
  let user: TestUser
  let directory: Directory
  let operations: Operation[]

  beforeAll(async () => {
    const unlimited = { LIMIT_SOURCE_FAILURES: '0', LIMIT_REGISTRATIONS: '0', LIMIT_REJECTED_BODIES: '0' }
    service = await startService({ env: { ...unlimited, LOG_LEVEL: 'error' } })
    user = await registerUser(service)
    directory = await makeDirectory(service, user)
    const { body } = await service.api('GET', '/openapi.json')
    operations = Object.entries(body.paths as Record<string, Record<string, unknown>>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => ({ method: method.toUpperCase(), path })),
    )
  })
  afterAll(() => service.close())

  /** Field names of routes, so that values pass the check for missing fields. */
  const names = fc.constantFrom(
    'email',
    'password',
    'newPassword',
    'currentPassword',
    'token',
    'refreshToken',
    'teamId',
    'name',
    'slug',
    'logoUrl',
    'allowedDomains',
    'customLoginConfig',
    'adminEmail',
    'remember',
    'type',
    'redirectUris',
    'scopes',
    'jwks',
    'samlAttributeMapping',
    'userIds',
    'schemas',
    'userName',
    'Operations',
    'members',
    '__proto__',
  )
  const values = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json().map((text): unknown => JSON.parse(text)),
    fc.integer(),
    fc.constant(null),
  )
  // Not in other fields, as a name: a test fails at its end if an audit entry contains a plain email address.
  const emails = fc.dictionary(fc.constantFrom('email', 'adminEmail', 'userName'), fc.emailAddress())
  const bodies = fc.oneof(
    fc.tuple(fc.dictionary(names, values), emails).map(([body, email]) => JSON.stringify({ ...body, ...email })),
    fc.json(),
    fc.string({ unit: 'binary' }),
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.uuid(),
    fc.constantFrom('...', '%00', '%', "';--"),
  )

  it('gets a documented response, and the service continues', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), bodies, texts, fc.boolean(), async (choice, raw, text, signedIn) => {
        const { method, path } = operations[choice % operations.length] as Operation
        // The test's own session must stay valid.
        if (signedIn && (/logout|change-password/.test(path) || `${method} ${path}` === 'DELETE /api/v1/auth/me'))
          return
        // The client removes one or two dots from the path.
        if (text === '.' || text === '..') return
        const url = (signedIn ? path.replace('{orgRef}', user.teamId) : path).replace(
          /\{\w+\}/g,
          () => encodeURIComponent(text.toWellFormed()) || 'x',
        )
        const query =
          method === 'GET'
            ? `?${['page', 'startDate', 'filter', 'sortBy'].map((name) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join('&')}`
            : ''
        // The harness fails on a 500 and on any undeclared status or code.
        await service.api(method, `${url}${query}`, {
          token: signedIn ? (path.startsWith('/scim/') ? directory.token : user.token) : undefined,
          ...(method !== 'GET' && { raw: raw.toWellFormed() }),
        })
      }),
      { numRuns: CASES },
    )
    expect((await service.api('GET', '/readyz')).status).toBe(200)
    expect(service.logLines.filter((line) => line.includes('"level":50'))).toEqual([])
  })
})
