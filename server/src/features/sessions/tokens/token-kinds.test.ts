import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  claimsOf,
  expectError,
  mailedToken,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories.js'
import { type App, beginLogIn, enrolApp } from '../../../../test/factors.js'
import { startService, type TestService } from '../../../../test/service.js'

const KINDS = [
  'access',
  'refresh',
  'sso cookie',
  'device cookie',
  'magic link',
  'welcome',
  'reset',
  'address proof',
  'disown',
  'sign-in that waits',
  'session id',
  'API token',
  'garbage',
] as const
type Kind = (typeof KINDS)[number]

interface Door {
  name: string
  /** The kinds that it is there for. */
  takes: Kind[]
  status: number
  code: string
  knock(service: TestService, token: string, user: TestUser): ReturnType<TestService['api']>
}

const bearerDoor = (method: string, path: string, body?: object): Door => ({
  name: `${method} ${path} as Bearer`,
  takes: ['access'],
  status: 401,
  code: 'invalid_access_token',
  knock: (service, token) => service.api(method, `/api/v1${path}`, { token, body }),
})

/** Opens to a permission of the team, by the Bearer or by the header of API tokens alone. */
const teamDoor = (header: 'Bearer' | 'x-api-token', takes: Kind[]): Door => ({
  name: `GET /applications by ${header}`,
  takes,
  status: 401,
  code: 'invalid_access_token',
  knock: (service, token) =>
    service.api('GET', '/api/v1/applications', header === 'Bearer' ? { token } : { headers: { 'x-api-token': token } }),
})

const linkDoor = (path: string, takes: Kind[], more: object = {}): Door => ({
  name: `POST ${path}`,
  takes,
  status: 400,
  code: 'invalid_token',
  knock: (service, token, user) =>
    service.api('POST', `/api/v1${path}`, {
      body: { token, ...more },
      token: path.endsWith('verify-email') ? user.token : undefined,
    }),
})

const refreshDoor = (name: string, request: (token: string) => object): Door => ({
  name,
  takes: ['refresh'],
  status: 401,
  code: 'invalid_refresh_token',
  knock: (service, token) => service.api('POST', '/api/v1/auth/refresh', request(token)),
})

/** A token that is right is answered by what is missing next to it: a right code, or a passkey. */
const challengeDoor = (path: string, more: object = {}): Door => ({
  name: `POST ${path}`,
  takes: ['sign-in that waits'],
  status: 400,
  code: 'mfa_expired',
  knock: (service, mfaToken) => service.api('POST', `/api/v1${path}`, { body: { mfaToken, ...more } }),
})

/** The shape of an answer of a passkey. */
const CREDENTIAL = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
}

const DOORS: Door[] = [
  bearerDoor('GET', '/auth/me'),
  bearerDoor('GET', '/organizations'),
  bearerDoor('GET', '/auth/sessions'),
  bearerDoor('PUT', '/settings', { name: 'x' }),
  teamDoor('Bearer', ['access', 'API token']),
  teamDoor('x-api-token', ['API token']),
  refreshDoor('POST /auth/refresh by body', (refreshToken) => ({ body: { refreshToken } })),
  refreshDoor('POST /auth/refresh by cookie', (keyward_rt) => ({ body: {}, console: true, cookies: { keyward_rt } })),
  linkDoor('/auth/verify', ['magic link', 'welcome']),
  linkDoor('/auth/reset-password', ['reset'], { newPassword: 'a new correct horse' }),
  linkDoor('/auth/verify-email', ['address proof']),
  linkDoor('/auth/disown', ['disown', 'address proof']),
  challengeDoor('/auth/mfa/verify-challenge', { code: '123456' }),
  challengeDoor('/auth/mfa/other-team'),
  challengeDoor('/auth/mfa/passkey/challenge/options'),
  challengeDoor('/auth/mfa/passkey/challenge/verify', { credential: CREDENTIAL }),
]

describe('no kind of token is accepted in place of another', () => {
  let service: TestService
  let user: TestUser
  let tokens: Record<Kind, string>
  let app: App
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    const { email, password } = user
    const proof = await mailedToken(service, 'verify_email', email)
    const { cookies } = await service.api('POST', '/api/v1/auth/login', { body: { email, password }, console: true })
    const unproven = await registerUser(service)
    const link = await requestToken(service, 'magic_link', unproven.email)
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token: link } })
    const wanted = { name: 'All', scopes: ['org:read', 'org:update', 'applications:read'] }
    const { body: made } = await service.api('POST', '/api/v1/api-tokens', { token: user.token, body: wanted })
    const guarded = await registerUser(service)
    app = await enrolApp(service, guarded)
    const { mfaToken } = await beginLogIn(service, guarded)
    tokens = {
      access: user.token,
      refresh: user.refreshToken,
      'sso cookie': cookies.keyward_sso?.value ?? '',
      'device cookie': cookies.keyward_device?.value ?? '',
      'magic link': await requestToken(service, 'magic_link', email),
      welcome: await mailedToken(service, 'welcome', (await addUser(service, user)).email),
      reset: await requestToken(service, 'password_reset', email),
      'address proof': proof,
      disown: body.cleaned.disownToken,
      'sign-in that waits': mfaToken,
      'session id': claimsOf(user.token).sid,
      'API token': made.token,
      garbage: 'A'.repeat(43),
    }
  })
  afterAll(() => service.close())

  describe.each(DOORS)('$name', (door) => {
    it.each(KINDS.filter((kind) => !door.takes.includes(kind)))('refuses: %s', async (kind) => {
      const token = tokens[kind]
      expect(token).not.toBe('')
      const answer = await door.knock(service, token, user)
      // It is a token of ours, and nobody's session.
      if (kind === 'API token' && door.code === 'invalid_access_token') expectError(answer, 403, 'session_required')
      // An access token is longer than any token of the other kinds may be.
      else if (kind === 'access' && token.length > 512) expectError(answer, 400, 'invalid_request')
      else expectError(answer, door.status, door.code)
    })
  })

  it('and each still opens its own door afterwards', async () => {
    const knock = (name: string, kind: Kind) =>
      DOORS.find((door) => door.name === name)?.knock(service, tokens[kind], user)
    const own: [string, Kind][] = [
      ['GET /auth/me as Bearer', 'access'],
      ['GET /applications by Bearer', 'API token'],
      ['GET /applications by x-api-token', 'API token'],
      ['POST /auth/refresh by body', 'refresh'],
      ['POST /auth/verify-email', 'address proof'],
      ['POST /auth/verify', 'magic link'],
      ['POST /auth/verify', 'welcome'],
      ['POST /auth/reset-password', 'reset'],
      ['POST /auth/disown', 'disown'],
    ]
    for (const [name, kind] of own) expect((await knock(name, kind))?.status, name).toBe(200)
    const body = { mfaToken: tokens['sign-in that waits'], code: app.code() }
    expect((await service.api('POST', '/api/v1/auth/mfa/verify-challenge', { body })).status).toBe(200)
  })
})
