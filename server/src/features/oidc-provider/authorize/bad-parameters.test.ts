import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  authorizePath,
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  pkce,
  registerApp,
  requestTokens,
  signInBrowser,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { sendRaw } from '../../../../test/harness/raw-http.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser
let app: TestApp
let cookies: Record<string, string>
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user)
  await tokensFor(service, app, user)
  cookies = (await signInBrowser(service, user)).cookies
})
afterAll(() => service.close())

/** Values in the bytes of a query or form that no parameter accepts. */
const UNSAFE = ['%00', 'a%00b', '%ff', '%ed%a0%80', '%c0%80', '%', '%zz', '%u0000']
const LONG = 'x'.repeat(3_000)
const ODD = [
  ...UNSAFE,
  LONG,
  '',
  '%20',
  '%0d%0aLocation:%20https://evil.example',
  '%F0%9F%A6%8A',
  '%7B%7D',
  '[]',
  '__proto__',
]

const AUTHORIZE = {
  client_id: '',
  redirect_uri: '',
  response_type: 'code',
  scope: 'openid',
  state: 's',
  nonce: 'n',
  prompt: 'consent',
  max_age: '10',
  login_hint: 'a@example.com',
  id_token_hint: 'x',
  claims: '{}',
  acr_values: '1',
  code_challenge: pkce().challenge,
  code_challenge_method: 'S256',
  response_mode: 'query',
  display: 'page',
  ui_locales: 'en',
  request: 'x',
  request_uri: 'urn:x',
  registration: '{}',
  resource: 'https://x.example',
  audience: 'x',
  dpop_jkt: 'x',
  keyward: 'x',
  unknown: 'x',
}

/** Expects no server error, and no redirect except to the registered URI or a page of the console. */
function expectVerified({ status, headers, text, body }: ApiResponse, what: string): void {
  expect(status, `${what}: ${text.slice(0, 300)}`).toBeLessThan(500)
  const location = headers.get('location')
  if (location !== null) {
    const { origin, pathname, searchParams } = new URL(location)
    expect([app.redirectUri, `${service.baseUrl}/login`, `${service.baseUrl}/consent`], what).toContain(
      origin + pathname,
    )
    const error = searchParams.get('error')
    if (error !== null) expect(error, what).toMatch(/^[a-z_]+$/)
  } else if (status >= 400 && body) expect(body.error, what).toMatch(/^[a-z_]+$/)
}

describe('the authorization endpoint', () => {
  const complete = () => ({ ...AUTHORIZE, client_id: app.clientId, redirect_uri: app.redirectUri })
  const needed = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state']
  const base = (without: string) =>
    new URLSearchParams(Object.entries(complete()).filter(([name]) => needed.includes(name) && name !== without))
  const ask = (query: string) =>
    service.api('GET', `${app.idp}/authorize?${query}`, { cookies, headers: { accept: 'application/json' } })

  it.each(Object.keys(AUTHORIZE))('handles any odd value of %s without a server error', async (name) => {
    for (const value of ODD)
      expectVerified(await ask(`${base(name)}&${name}=${value}`), `${name}=${value.slice(0, 30)}`)
    for (const key of [`${name}%00`, `${name}[]`, `${name}[x]`, `%ff${name}`])
      expectVerified(await ask(`${base('')}&${key}=x`), key)
  })

  it.each(Object.keys(AUTHORIZE))('issues no code for a repeated %s', async (name) => {
    const value = encodeURIComponent(complete()[name as keyof typeof AUTHORIZE])
    for (const other of [value, 'other']) {
      const answer = await ask(`${base(name)}&${name}=${value}&${name}=${other}`)
      expectVerified(answer, name)
      // `resource` may be repeated (RFC 8707 2); unknown parameters are ignored.
      if (!['unknown', 'audience'].includes(name)) expect(answer.headers.get('location') ?? '').not.toContain('code=')
      if (['client_id', 'redirect_uri'].includes(name)) expect(answer.status).toBe(400)
    }
  })

  const REJECTED: [what: string, error: string, params: Record<string, string | undefined>][] = [
    ['no state', 'invalid_request', { state: undefined }],
    ['an empty state', 'invalid_request', { state: '' }],
    ['no scope', 'invalid_request', { scope: undefined }],
    ['only scopes that the application does not have', 'invalid_scope', { scope: 'admin root' }],
    ['no response_type', 'invalid_request', { response_type: undefined }],
    ['response_type none', 'unsupported_response_type', { response_type: 'none' }],
    ['response_mode fragment', 'unsupported_response_mode', { response_mode: 'fragment' }],
    ['response_mode web_message', 'unsupported_response_mode', { response_mode: 'web_message' }],
    ['response_mode jwt', 'unsupported_response_mode', { response_mode: 'jwt' }],
    ['an unknown prompt', 'invalid_request', { prompt: 'maybe' }],
    ['prompt none with another value', 'invalid_request', { prompt: 'none login' }],
    ['a negative max_age', 'invalid_request', { max_age: '-1' }],
    ['a non-numeric max_age', 'invalid_request', { max_age: 'soon' }],
    ['a fractional max_age', 'invalid_request', { max_age: '0.5' }],
    ['malformed JSON in claims', 'invalid_request', { claims: '{' }],
    ['an array in claims', 'invalid_request', { claims: '[]' }],
    ['a malformed id_token_hint', 'invalid_request', { id_token_hint: 'x.y.z' }],
    ['a request object', 'request_not_supported', { request: 'x.y.z' }],
    ['a request_uri of a third party', 'request_uri_not_supported', { request_uri: 'https://evil.example/x' }],
    ['an unregistered resource', 'invalid_target', { resource: 'https://other.example' }],
  ]
  it.each(REJECTED)('returns an error with state and issuer for %s: %s', async (_, error, params) => {
    const before = await service.sql('SELECT count(*)::int FROM oauth_tokens')
    const { headers, status, text } = await authorize(service, app, params, cookies)
    expect(headers.get('location'), `${status} ${text}`).not.toBeNull()
    const back = new URL(headers.get('location') as string)
    expect(back.origin + back.pathname + back.hash).toBe(app.redirectUri)
    expect(back.searchParams.get('error'), back.href).toBe(error)
    expect(back.searchParams.get('state')).toBe('state' in params ? params.state || null : 'the-state')
    expect(back.searchParams.get('iss')).toBe(app.issuer)
    expect(back.searchParams.has('code')).toBe(false)
    expect(await service.sql('SELECT count(*)::int FROM oauth_tokens')).toEqual(before)
  })

  it.each(['token', 'id_token', 'code token', 'code id_token'])(
    'returns only an error for the response type %s',
    async (type) => {
      const { headers } = await authorize(service, app, { response_type: type }, cookies)
      const back = new URL(headers.get('location') as string)
      expect(back.origin + back.pathname + back.hash).toBe(app.redirectUri)
      expect(back.searchParams.get('error')).toBe('unsupported_response_type')
      expect([...back.searchParams.keys()].sort()).toEqual(['error', 'error_description', 'iss', 'state'])
    },
  )

  it('handles a form that is too long or malformed like a query', async () => {
    const post = (raw: string) =>
      service.api('POST', `${app.idp}/authorize`, {
        raw,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expectOAuthError(await post(`x=${'y'.repeat(9_000)}`), 'invalid_request')
    expectOAuthError(await post('state=%00'), 'invalid_request')
    for (const raw of ['', '%', '&&', 'a', '%0d%0aSet-Cookie:x=y', '#', '\r\nx: y', 'é'])
      expect((await post(raw)).status, raw).toBeLessThan(500)
  })
})

const FORMS: [endpoint: string, path: () => string, fields: () => Record<string, string>][] = [
  [
    'token with a code',
    () => `${app.idp}/token`,
    () => ({
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: app.redirectUri,
      code_verifier: 'v'.repeat(43),
    }),
  ],
  [
    'token with a refresh token',
    () => '/api/v1/oauth/token',
    () => ({ grant_type: 'refresh_token', refresh_token: 'x', scope: 'openid' }),
  ],
  [
    'token with own credentials',
    () => '/api/v1/oauth/token',
    () => ({ grant_type: 'client_credentials', scope: 'x', resource: 'x' }),
  ],
  [
    'token with an assertion',
    () => `${app.idp}/token`,
    () => ({
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_assertion: 'e30.e30.e30',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }),
  ],
  ['introspect', () => '/api/v1/oauth/introspect', () => ({ token: 'x', token_type_hint: 'x' })],
  ['revoke', () => '/api/v1/oauth/revoke', () => ({ token: 'x', token_type_hint: 'x' })],
  [
    'introspect with an assertion',
    () => '/api/v1/oauth/introspect',
    () => ({
      token: 'x',
      client_assertion: 'e30.e30.e30',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }),
  ],
  ['userinfo', () => `${app.idp}/userinfo`, () => ({ access_token: 'x' })],
]

describe.each(FORMS)('POST %s', (_what, path, fields) => {
  const all = () => ({ ...fields(), client_id: app.clientId, client_secret: app.secret ?? '' })
  const post = (raw: string, headers: Record<string, string> = {}) =>
    service.api('POST', path(), { raw, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
  const without = (name: string) => new URLSearchParams(Object.entries(all()).filter(([key]) => key !== name))

  it('rejects odd, empty and repeated parameters without a server error or a change', async () => {
    await service.settle()
    const before = await dumpState(service)
    for (const name of Object.keys(all())) {
      for (const value of [...ODD, 'x'.repeat(50_000)]) {
        const { status, body, text } = await post(`${without(name)}&${name}=${value}`)
        expect(status, `${name}=${value.slice(0, 30)}: ${text}`).toBeLessThan(500)
        if (status >= 400) expect(body.error).toMatch(/^[a-z_]+$/)
        else expect(body).not.toHaveProperty('access_token')
      }
      const twice = await post(`${without(name)}&${name}=a&${name}=b`)
      expect(twice.status, `${name} twice: ${twice.text}`).toBeGreaterThanOrEqual(400)
      expect(twice.status).toBeLessThan(500)
      expect((await post(`${without(name)}`)).status).toBeLessThan(500)
    }
    expect(await dumpState(service)).toEqual(before)
    await service.sql('DELETE FROM throttle_counters')
  })

  it('rejects a body that is not a form', async () => {
    for (const raw of ['', '&', '=', '%', '{}', '[]', '\u0000', 'a'.repeat(5_000)])
      expect((await post(raw)).status, raw.slice(0, 10)).toBeLessThan(500)
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml', 'nonsense'])
      expectOAuthError(await post(`${without('')}`, { 'content-type': type }), 'invalid_request')
    expectOAuthError(await post(`x=${'y'.repeat(70_000)}`), 'invalid_request', 413)
  })
})

describe('the token endpoint', () => {
  it('rejects a missing or unsupported grant type', async () => {
    expectOAuthError(await requestTokens(service, app, {}), 'invalid_request')
    for (const grant of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'x', LONG])
      expectOAuthError(await requestTokens(service, app, { grant_type: grant }), 'unsupported_grant_type')
  })

  it('issues no token for parameters in the query', async () => {
    const { code, verifier } = await codeFor(service, app, user)
    const query = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: app.redirectUri,
      client_id: app.clientId,
      client_secret: app.secret ?? '',
    })
    const { status, body } = await service.api('POST', `${app.idp}/token?${query}`, {
      raw: 'x=y',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([status, body.access_token]).toEqual([401, undefined])
    expect((await exchangeCode(service, app, { code, verifier })).status).toBe(200)
  })
})

describe('an unknown path of an issuer', () => {
  const STRANGE = [
    '',
    '/',
    '//',
    '/x',
    '/authorize/',
    '/authorize/x',
    '/AUTHORIZE',
    '/authorize/%0d%0ax',
    '/authorize/x%3b%20engine_session=live',
    '/authorize%3Fclient_id=x',
    '/%00',
    '/%0a',
    '/%ff',
    '/%E0%A4%A',
    '/..%2f..',
    '/%2e%2e/token',
    '//evil.example/x',
    '/%2f%2fevil.example',
    '/\\evil.example',
    '/jwks/',
    '/JWKS',
    '/userinfo/',
    '/token',
    '/token/introspection',
    '/request',
    '/reg',
    '/device',
    '/session/end',
    '/session/end/confirm',
    '/me',
    '/interaction',
    '/.well-known/webfinger',
    `/${'x'.repeat(5_000)}`,
    '/?%00',
    '/x?%',
    '/%F0%9F%A6%8A',
    '/%23x',
    '/[',
    '/:8080',
    '/a b',
    '/x%7f',
  ]
  it.each(STRANGE)('returns neither a server error nor a redirect for %s', async (path) => {
    const { status, headers, text } = await sendRaw(service.urls[0] as string, `GET ${app.idp}${path}`, {
      Host: 'localhost',
    })
    expect(status, text).toBeLessThan(500)
    expect(String(headers.location ?? service.baseUrl)).toMatch(/^http:\/\/localhost:3000/)
    expect(text).not.toMatch(/"d":|"p":|at Object|node_modules/)
  })

  it('consumes no pending request, even if its uid is known', async () => {
    const foreign = await registerApp(service, await registerUser(service))
    for (const begun of [
      await authorize(service, app, { prompt: 'consent' }, cookies),
      await authorize(service, app),
    ]) {
      const uid = new URL(begun.headers.get('location') as string).searchParams.get('uid')
      for (const { idp } of [app, foreign]) {
        const { headers } = await service.api('GET', `${idp}/authorize/${uid}`)
        expect(headers.get('location')).toBeNull()
      }
      const { status } = await service.api('GET', `${app.idp}/interaction/${uid}`, { token: user.token })
      expect(status).toBe(200)
    }
  })

  it('issues no tokens', async () => {
    const { access_token: token } = await tokensFor(service, app, user)
    expect(await isActive(service, token)).toBe(true)
    const { status } = await service.api('GET', `${authorizePath(app).split('?')[0]}/x?token=${token}`)
    expect(status).toBeGreaterThanOrEqual(400)
  })
})
