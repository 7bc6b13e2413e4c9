import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  claimsOf,
  expectError,
  mailedToken,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { type App, beginLogIn, enrollApp } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const KINDS = [
  'access',
  'refresh',
  'sso cookie',
  'device cookie',
  'magic link',
  'welcome',
  'reset',
  'verification',
  'disown',
  'challenge',
  'session id',
  'API token',
  'garbage',
] as const
type Kind = (typeof KINDS)[number]

interface Endpoint {
  name: string
  /** The kinds that it accepts. */
  accepts: Kind[]
  status: number
  code: string
  send(service: TestService, token: string, user: TestUser): ReturnType<TestService['api']>
}

const bearerEndpoint = (method: string, path: string, body?: object): Endpoint => ({
  name: `${method} ${path} as Bearer`,
  accepts: ['access'],
  status: 401,
  code: 'invalid_access_token',
  send: (service, token) => service.api(method, `/api/v1${path}`, { token, body }),
})

/** Requires a permission of the team, by an access token or the header of API tokens. */
const teamEndpoint = (header: 'Bearer' | 'x-api-token', accepts: Kind[]): Endpoint => ({
  name: `GET /applications by ${header}`,
  accepts,
  status: 401,
  code: 'invalid_access_token',
  send: (service, token) =>
    service.api('GET', '/api/v1/applications', header === 'Bearer' ? { token } : { headers: { 'x-api-token': token } }),
})

const linkEndpoint = (path: string, accepts: Kind[], more: object = {}): Endpoint => ({
  name: `POST ${path}`,
  accepts,
  status: 400,
  code: 'invalid_token',
  send: (service, token, user) =>
    service.api('POST', `/api/v1${path}`, {
      body: { token, ...more },
      token: path.endsWith('verify-email') ? user.token : undefined,
    }),
})

const refreshEndpoint = (name: string, request: (token: string) => object): Endpoint => ({
  name,
  accepts: ['refresh'],
  status: 401,
  code: 'invalid_refresh_token',
  send: (service, token) => service.api('POST', '/api/v1/auth/refresh', request(token)),
})

/** A valid token fails with the next missing input: a right code, or a passkey. */
const challengeEndpoint = (path: string, more: object = {}): Endpoint => ({
  name: `POST ${path}`,
  accepts: ['challenge'],
  status: 400,
  code: 'mfa_expired',
  send: (service, mfaToken) => service.api('POST', `/api/v1${path}`, { body: { mfaToken, ...more } }),
})

/** A well-formed passkey assertion. */
const CREDENTIAL = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
}

const ENDPOINTS: Endpoint[] = [
  bearerEndpoint('GET', '/auth/me'),
  bearerEndpoint('GET', '/organizations'),
  bearerEndpoint('GET', '/auth/sessions'),
  bearerEndpoint('PUT', '/settings', { name: 'x' }),
  teamEndpoint('Bearer', ['access', 'API token']),
  teamEndpoint('x-api-token', ['API token']),
  refreshEndpoint('POST /auth/refresh by body', (refreshToken) => ({ body: { refreshToken } })),
  refreshEndpoint('POST /auth/refresh by cookie', (keyward_rt) => ({
    body: {},
    console: true,
    cookies: { keyward_rt },
  })),
  linkEndpoint('/auth/verify', ['magic link', 'welcome']),
  linkEndpoint('/auth/reset-password', ['reset'], { newPassword: 'a new correct horse' }),
  linkEndpoint('/auth/verify-email', ['verification']),
  linkEndpoint('/auth/disown', ['disown', 'verification']),
  challengeEndpoint('/auth/mfa/verify-challenge', { code: '123456' }),
  challengeEndpoint('/auth/mfa/other-team'),
  challengeEndpoint('/auth/mfa/passkey/challenge/options'),
  challengeEndpoint('/auth/mfa/passkey/challenge/verify', { credential: CREDENTIAL }),
]

describe('an endpoint for one kind of token', () => {
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
    app = await enrollApp(service, guarded)
    const { mfaToken } = await beginLogIn(service, guarded)
    tokens = {
      access: user.token,
      refresh: user.refreshToken,
      'sso cookie': cookies.keyward_sso?.value ?? '',
      'device cookie': cookies.keyward_device?.value ?? '',
      'magic link': await requestToken(service, 'magic_link', email),
      welcome: await mailedToken(service, 'welcome', (await addUser(service, user)).email),
      reset: await requestToken(service, 'password_reset', email),
      verification: proof,
      disown: body.cleaned.disownToken,
      challenge: mfaToken,
      'session id': claimsOf(user.token).sid,
      'API token': made.token,
      garbage: 'A'.repeat(43),
    }
  })
  afterAll(() => service.close())

  describe.each(ENDPOINTS)('$name', (endpoint) => {
    it.each(KINDS.filter((kind) => !endpoint.accepts.includes(kind)))('rejects: %s', async (kind) => {
      const token = tokens[kind]
      expect(token).not.toBe('')
      const answer = await endpoint.send(service, token, user)
      // A valid token of the service, but not a session.
      if (kind === 'API token' && endpoint.code === 'invalid_access_token') expectError(answer, 403, 'session_required')
      // An access token is longer than any token of the other kinds may be.
      else if (kind === 'access' && token.length > 512) expectError(answer, 400, 'invalid_request')
      else expectError(answer, endpoint.status, endpoint.code)
    })
  })

  it('accepts every token at its own endpoint afterwards', async () => {
    const send = (name: string, kind: Kind) =>
      ENDPOINTS.find((endpoint) => endpoint.name === name)?.send(service, tokens[kind], user)
    const own: [string, Kind][] = [
      ['GET /auth/me as Bearer', 'access'],
      ['GET /applications by Bearer', 'API token'],
      ['GET /applications by x-api-token', 'API token'],
      ['POST /auth/refresh by body', 'refresh'],
      ['POST /auth/verify-email', 'verification'],
      ['POST /auth/verify', 'magic link'],
      ['POST /auth/verify', 'welcome'],
      ['POST /auth/reset-password', 'reset'],
      ['POST /auth/disown', 'disown'],
    ]
    for (const [name, kind] of own) expect((await send(name, kind))?.status, name).toBe(200)
    const body = { mfaToken: tokens.challenge, code: app.code() }
    expect((await service.api('POST', '/api/v1/auth/mfa/verify-challenge', { body })).status).toBe(200)
  })
})
