import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, newEmail, PASSWORD, registerUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

interface Field {
  name: string
  /** Maximum length of a string; undefined for a boolean. */
  maxLength?: number
  isOptional?: boolean
}

const email = { name: 'email', maxLength: 320 }
const password = { name: 'password', maxLength: 2_048 }
const newPassword = { name: 'newPassword', maxLength: 2_048 }
const token = { name: 'token', maxLength: 512 }
const remember = { name: 'remember', isOptional: true }
const name = (field: string) => ({ name: field, maxLength: 100, isOptional: true })

const ROUTES: [path: string, isSignedIn: boolean, fields: Field[]][] = [
  ['/auth/register', false, [email, password, name('firstName'), name('lastName'), remember]],
  ['/auth/login', false, [email, password, name('teamId'), remember]],
  ['/auth/verify', false, [token, remember]],
  ['/auth/magic-link', false, [email]],
  ['/auth/forgot-password', false, [email]],
  ['/auth/reset-password', false, [token, newPassword]],
  ['/auth/change-password', true, [{ name: 'currentPassword', maxLength: 2_048 }, newPassword]],
  ['/auth/reauthenticate', true, [password]],
  ['/auth/verify-email', true, [token]],
  ['/auth/disown', false, [token]],
  ['/auth/refresh', false, [{ name: 'refreshToken', maxLength: 512, isOptional: true }]],
  ['/auth/switch-team', true, [{ name: 'teamId', maxLength: 100 }]],
  ['/onboard', false, [{ name: 'adminEmail', maxLength: 320 }]],
]

describe('request bodies of the authentication endpoints', () => {
  let service: TestService
  let accessToken: string
  beforeAll(async () => {
    service = await startService()
    accessToken = (await registerUser(service)).token
  })
  afterAll(() => service.close())

  const send = (path: string, isSignedIn: boolean, body: unknown) =>
    service.api('POST', `/api/v1${path}`, { body, token: isSignedIn ? accessToken : undefined })

  it.each(ROUTES)(
    'rejects a missing, mistyped, overlong or malformed field of %s and names it in the error',
    async (path, isSignedIn, fields) => {
      const strings = fields.filter(({ maxLength }) => maxLength).map((field) => [field.name, 'text'])
      for (const field of fields) {
        const invalid: unknown[] = [7, null, ['text'], { text: 'text' }]
        if (!field.isOptional) invalid.push(undefined)
        if (field.maxLength) invalid.push(true, 'x'.repeat(field.maxLength + 1), 'NUL \0', 'lone surrogate \ud83d')
        else invalid.push('true')
        for (const value of invalid) {
          const response = await send(path, isSignedIn, { ...Object.fromEntries(strings), [field.name]: value })
          expectError(response, 400, 'invalid_request')
          expect(response.body.errors).toContainEqual({ path: `/${field.name}`, message: expect.any(String) })
        }
      }
    },
  )

  it.each(ROUTES)('accepts only a JSON object of at most 64 kB at %s', async (path, isSignedIn) => {
    const sendRaw = (raw: string, type: string) =>
      service.api('POST', `/api/v1${path}`, {
        raw,
        token: isSignedIn ? accessToken : undefined,
        headers: { 'content-type': type },
      })
    for (const raw of ['{', '[]', '"text"', '7', '{"__proto__":{"email":"x"}}', '{"a":"\\ud800"}'])
      expectError(await sendRaw(raw, 'application/json'), 400, 'invalid_request')
    expectError(await sendRaw('email=x', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type')
    expectError(await sendRaw('{}', 'text/plain'), 415, 'unsupported_media_type')
    expectError(await sendRaw(`"${'x'.repeat(65_536)}"`, 'application/json'), 413, 'payload_too_large')
  })

  const MALFORMED_ADDRESSES = [
    '',
    ' ',
    'text',
    '@example.com',
    'a@',
    'a@b@example.com',
    'a b@example.com',
    'a@exa mple.com',
    '"a b"@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a@.example.com',
    'a@example.com.',
    'a@-example.com',
    'a@example..com',
    'a,b@example.com',
    'a<b>@example.com',
    'a@example.com\r\nBcc: x@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(250)}.com`,
  ]

  it.each(['/auth/register', '/auth/login', '/auth/magic-link', '/auth/forgot-password', '/onboard'])(
    'rejects a malformed email address at %s',
    async (path) => {
      const field = path === '/onboard' ? 'adminEmail' : 'email'
      for (const address of MALFORMED_ADDRESSES) {
        const response = await send(path, false, { [field]: address, password: PASSWORD })
        expectError(response, 400, 'invalid_request')
        expect(response.body.errors, address).toEqual([{ path: `/${field}`, message: expect.any(String) }])
      }
    },
  )

  it.each([
    ['a plus and dots', 'first.last+tag@example.com'],
    ['an apostrophe and special characters', "o'neil_!#$%&*/=?^`{|}~-@example.com"],
    ['the longest local part', `${'a'.repeat(64)}@example.com`],
    ['a non-ASCII local part', 'jürgen@example.com'],
    ['a domain with a single label', 'root@localhost'],
  ])('accepts an email address with %s', async (_, address) => {
    const { status, body } = await send('/auth/register', false, { email: address, password: PASSWORD })
    expect(status).toBe(201)
    expect(body.user.email).toBe(address)
  })

  it('ignores undeclared fields', async () => {
    const body = {
      email: newEmail(),
      password: PASSWORD,
      id: 'mine',
      teamId: 'mine',
      role: 'SUPER_ADMIN',
      status: 'suspended',
      emailVerified: true,
      emailVerifiedAt: '2020-01-01T00:00:00Z',
      selfRegistered: false,
      constructor: { x: 1 },
    }
    const registered = await send('/auth/register', false, body)
    expect(registered.status).toBe(201)
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: registered.body.accessToken })
    expect(me).toMatchObject({ emailVerified: false, user: { role: 'OWNER' } })
    expect([me.user.id, me.team.id]).not.toContain('mine')
  })
})
