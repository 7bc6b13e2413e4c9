import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  expectOAuthError,
  registerApp,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { atOnce, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const OFFLINE = { scope: 'openid offline_access' }
let service: TestService
let user: TestUser
let app: TestApp
let other: TestApp
let tokens: Awaited<ReturnType<typeof tokensFor>>
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user)
  other = await registerApp(service, user)
  tokens = await tokensFor(service, app, user, OFFLINE)
})
afterAll(() => service.close())

const ENDPOINTS = ['/api/v1/oauth/introspect', '/api/v1/oauth/revoke'] as const
const ask = (body: object, headers: Record<string, string> = {}, path: string = ENDPOINTS[0], at = service) =>
  at.api('POST', path, { body, headers })
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

describe('POST /oauth/introspect', () => {
  it('returns the data of an access token and a refresh token', async () => {
    const { body } = await ask({ token: tokens.access_token })
    expect(body).toMatchObject({
      active: true,
      client_id: app.clientId,
      sub: user.id,
      iss: app.issuer,
      aud: app.issuer,
      token_type: 'Bearer',
      exp: body.iat + 3_600,
    })
    const refresh = await ask({ token: tokens.refresh_token })
    expect(refresh.body).toMatchObject({ active: true, client_id: app.clientId, sub: user.id, iss: app.issuer })
  })

  it('returns only active: false for every other token, and for a token of another client', async () => {
    const { code } = await codeFor(service, app, user)
    const nothing = [
      '',
      'x',
      '.',
      '..',
      'a.b.c',
      code,
      tokens.id_token,
      user.token,
      user.refreshToken,
      app.secret ?? '',
    ]
    for (const token of nothing) {
      const { status, text } = await ask({ token })
      expect([status, text], token.slice(0, 20)).toEqual([200, '{"active":false}'])
    }
    for (const token of [tokens.access_token, tokens.refresh_token])
      for (const more of [
        { client_id: other.clientId },
        { client_id: other.clientId, client_secret: other.secret },
        { client_id: 'unknown' },
        { client_id: '' },
      ])
        expect((await ask({ token, ...more })).text).toBe('{"active":false}')
  })

  it('ignores token_type_hint', async () => {
    for (const token of [tokens.access_token, tokens.refresh_token])
      for (const token_type_hint of ['access_token', 'refresh_token', 'nonsense'])
        expect((await ask({ token, token_type_hint })).body.active).toBe(true)
  })

  it('returns tokens of its own team to an authenticated client, and none of other teams', async () => {
    const foreign = await registerApp(service, await registerUser(service))
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const introspectedBy = async ({ clientId, secret }: TestApp) =>
        (await ask({ token }, basic(`${clientId}:${secret}`))).body
      expect(await introspectedBy(other)).toMatchObject({ active: true, client_id: app.clientId })
      expect(await introspectedBy(foreign)).toEqual({ active: false })
    }
  })
})

describe.each(ENDPOINTS)('client credentials at %s', (path) => {
  it('verifies credentials in header and body, and rejects wrong or malformed ones', async () => {
    const token = 'unknown'
    const right = [basic(`${app.clientId}:${app.secret}`), {}]
    expect((await ask({ token }, right[0], path)).status).toBe(200)
    expect((await ask({ token, client_id: app.clientId, client_secret: app.secret }, {}, path)).status).toBe(200)
    const wrong = [`${app.clientId}:wrong`, `unknown:${app.secret}`, `${app.clientId}:`, ':', 'no colon', '%:%']
    for (const text of wrong) {
      const answer = await ask({ token }, basic(text), path)
      expectOAuthError(answer, 'invalid_client', 401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    }
    expectOAuthError(await ask({ token }, { authorization: 'Basic !!!' }, path), 'invalid_client', 401)
    for (const fields of [{ client_id: app.clientId, client_secret: 'wrong' }, { client_secret: app.secret }])
      expectOAuthError(await ask({ token, ...fields }, {}, path), 'invalid_client', 401)
    const both = await ask({ token, client_secret: app.secret }, basic(`${app.clientId}:${app.secret}`), path)
    expectOAuthError(both, 'invalid_request')
  })

  it('requires credentials with REQUIRE_INTROSPECTION_AUTH', async () => {
    const own = await startService({ env: { REQUIRE_INTROSPECTION_AUTH: 'true' }, nodes: 1 })
    try {
      const one = await registerUser(own)
      const client = await registerApp(own, one)
      const { access_token: token } = await tokensFor(own, client, one)
      for (const body of [{ token }, { token, client_id: client.clientId }])
        expectOAuthError(await ask(body, {}, path, own), 'invalid_client', 401)
      expect((await ask({ token }, basic(`${client.clientId}:${client.secret}`), path, own)).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  it('throttles a source with too many failures, for valid credentials too, and no other source', async () => {
    const env = { LIMIT_SOURCE_FAILURES: '3', TRUST_PROXY: '127.0.0.1,::1' }
    const own = await startService({ env, nodes: 1 })
    try {
      const one = await registerUser(own)
      const client = await registerApp(own, one)
      const from = (ip: string, secret = client.secret) =>
        ask({ token: 'x' }, { ...basic(`${client.clientId}:${secret}`), 'x-forwarded-for': ip }, path, own)
      const [wrong, right] = ['203.0.113.1', '203.0.113.2']
      for (let turn = 0; turn < 2; turn++) expectOAuthError(await from(wrong, 'wrong'), 'invalid_client', 401)
      expect((await from(wrong)).status).toBe(200)
      expectOAuthError(await from(wrong, 'wrong'), 'invalid_client', 401)
      const answers = await atOnce(6, () => from(wrong))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429, 429])
      expect((await from(right)).status).toBe(200)
      expectOAuthError(await from(right, 'wrong'), 'invalid_client', 401)
      await own.clock.advance(2_000)
      expect((await from(wrong)).status).toBe(200)
      expect((await from(wrong)).status).toBe(429)
      // Each failure has an entry, and no other request has one.
      const rejected = await own.sql(`SELECT 1 FROM audit_entries WHERE action = 'application.token_refused'`)
      expect(rejected).toHaveLength(4)
    } finally {
      await own.close()
    }
  })
})
