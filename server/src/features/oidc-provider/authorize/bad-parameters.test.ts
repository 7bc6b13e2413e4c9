import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiAnswer } from '../../../../test/api.js'
import { dumpState } from '../../../../test/dump.js'
import { registerUser, type TestUser } from '../../../../test/factories.js'
import { sendRaw } from '../../../../test/raw-http.js'
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
} from '../../../../test/relying-party.js'
import { startService, type TestService } from '../../../../test/service.js'

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

/** In the bytes of a query or form: what no parameter means. */
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

/** Never a failure of ours, and never on to another place than the registered one or a page of ours. */
function expectVerified({ status, headers, text, body }: ApiAnswer, what: string): void {
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

describe('an authorize request', () => {
  const complete = () => ({ ...AUTHORIZE, client_id: app.clientId, redirect_uri: app.redirectUri })
  const needed = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state']
  const base = (without: string) =>
    new URLSearchParams(Object.entries(complete()).filter(([name]) => needed.includes(name) && name !== without))
  const ask = (query: string) =>
    service.api('GET', `${app.idp}/authorize?${query}`, { cookies, headers: { accept: 'application/json' } })

  it.each(Object.keys(AUTHORIZE))('with %s of any odd value is judged, and never a failure', async (name) => {
    for (const value of ODD)
      expectVerified(await ask(`${base(name)}&${name}=${value}`), `${name}=${value.slice(0, 30)}`)
    for (const key of [`${name}%00`, `${name}[]`, `${name}[x]`, `%ff${name}`])
      expectVerified(await ask(`${base('')}&${key}=x`), key)
  })

  it.each(Object.keys(AUTHORIZE))('with %s twice gives no code', async (name) => {
    const value = encodeURIComponent(complete()[name as keyof typeof AUTHORIZE])
    for (const other of [value, 'other']) {
      const answer = await ask(`${base(name)}&${name}=${value}&${name}=${other}`)
      expectVerified(answer, name)
      // The resource may be named often (RFC 8707 2); what is not known is ignored.
      if (!['unknown', 'audience'].includes(name)) expect(answer.headers.get('location') ?? '').not.toContain('code=')
      if (['client_id', 'redirect_uri'].includes(name)) expect(answer.status).toBe(400)
    }
  })

  const REFUSED: [what: string, error: string, params: Record<string, string | undefined>][] = [
    ['without state', 'invalid_request', { state: undefined }],
    ['with an empty state', 'invalid_request', { state: '' }],
    ['without scope', 'invalid_request', { scope: undefined }],
    ['with scopes that it may not have alone', 'invalid_scope', { scope: 'admin root' }],
    ['without response_type', 'invalid_request', { response_type: undefined }],
    ['for nothing', 'unsupported_response_type', { response_type: 'none' }],
    ['for an answer in a form', 'unsupported_response_mode', { response_mode: 'form_post' }],
    ['for an answer in a fragment', 'unsupported_response_mode', { response_mode: 'fragment' }],
    ['for an answer by a message', 'unsupported_response_mode', { response_mode: 'web_message' }],
    ['for an answer in a JWT', 'unsupported_response_mode', { response_mode: 'jwt' }],
    ['with an unknown prompt', 'invalid_request', { prompt: 'maybe' }],
    ['with prompt none and another', 'invalid_request', { prompt: 'none login' }],
    ['with a negative max_age', 'invalid_request', { max_age: '-1' }],
    ['with a max_age that is no number', 'invalid_request', { max_age: 'soon' }],
    ['with a max_age of half a second', 'invalid_request', { max_age: '0.5' }],
    ['with claims that are no JSON', 'invalid_request', { claims: '{' }],
    ['with claims that are a list', 'invalid_request', { claims: '[]' }],
    ['with a hint that is no token', 'invalid_request', { id_token_hint: 'x.y.z' }],
    ['with a request object', 'request_not_supported', { request: 'x.y.z' }],
    ['with the address of a request', 'request_uri_not_supported', { request_uri: 'https://evil.example/x' }],
    ['for another resource', 'invalid_target', { resource: 'https://other.example' }],
  ]
  it.each(REFUSED)('%s comes back with %s, its state and its issuer', async (_, error, params) => {
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
    'for %s comes back with an error alone',
    async (type) => {
      const { headers } = await authorize(service, app, { response_type: type }, cookies)
      const back = new URL(headers.get('location') as string)
      expect(back.origin + back.pathname + back.hash).toBe(app.redirectUri)
      expect(back.searchParams.get('error')).toBe('unsupported_response_type')
      expect([...back.searchParams.keys()].sort()).toEqual(['error', 'error_description', 'iss', 'state'])
    },
  )

  it('by a form that is too long or strange is judged like the query', async () => {
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

describe.each(FORMS)('a form to %s', (_what, path, fields) => {
  const all = () => ({ ...fields(), client_id: app.clientId, client_secret: app.secret ?? '' })
  const post = (raw: string, headers: Record<string, string> = {}) =>
    service.api('POST', path(), { raw, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
  const without = (name: string) => new URLSearchParams(Object.entries(all()).filter(([key]) => key !== name))

  it('with any odd value, without any value, and with each of them twice is judged, and changes nothing', async () => {
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

  it('that is none is refused', async () => {
    for (const raw of ['', '&', '=', '%', '{}', '[]', '\u0000', 'a'.repeat(5_000)])
      expect((await post(raw)).status, raw.slice(0, 10)).toBeLessThan(500)
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml', 'nonsense'])
      expectOAuthError(await post(`${without('')}`, { 'content-type': type }), 'invalid_request')
    expectOAuthError(await post(`x=${'y'.repeat(70_000)}`), 'invalid_request', 413)
  })
})

describe('a token request', () => {
  it('without a grant type, or with one that is not served, says so', async () => {
    expectOAuthError(await requestTokens(service, app, {}), 'invalid_request')
    for (const grant of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'x', LONG])
      expectOAuthError(await requestTokens(service, app, { grant_type: grant }), 'unsupported_grant_type')
  })

  it('with its parameters in the query gives nothing', async () => {
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

describe('any other address under an issuer', () => {
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
  it.each(STRANGE)('%s is answered, and neither a failure nor a way elsewhere', async (path) => {
    const { status, headers, text } = await sendRaw(service.urls[0] as string, `GET ${app.idp}${path}`, {
      Host: 'localhost',
    })
    expect(status, text).toBeLessThan(500)
    expect(String(headers.location ?? service.baseUrl)).toMatch(/^http:\/\/localhost:3000/)
    expect(text).not.toMatch(/"d":|"p":|at Object|node_modules/)
  })

  it('does not use up a request that waits for its person, also when its uid is known', async () => {
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

  it('is not where tokens come from', async () => {
    const { access_token: token } = await tokensFor(service, app, user)
    expect(await isActive(service, token)).toBe(true)
    const { status } = await service.api('GET', `${authorizePath(app).split('?')[0]}/x?token=${token}`)
    expect(status).toBeGreaterThanOrEqual(400)
  })
})
