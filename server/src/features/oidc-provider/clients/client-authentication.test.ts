import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  exchangeCode,
  expectOAuthError,
  registerApp,
  requestTokens,
  type TestApp,
} from '../../../../test/doubles/relying-party.js'
import { atOnce, CONCURRENT, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { nextRsaKeyPair } from '../../../../test/harness/rsa-keys.mjs'
import { startService, type TestService } from '../../../../test/harness/service.js'

const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials']
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
})
afterAll(() => service.close())

const make = (fields: object = {}) =>
  registerApp(service, user, { grantTypes: GRANTS, scopes: ['openid', 'api'], ...fields })
const post = (app: TestApp, fields: Record<string, string>, authorization?: string, global = false) =>
  service.api('POST', global ? '/api/v1/oauth/token' : `${app.idp}/token`, {
    raw: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api', ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(authorization && { authorization }) },
  })
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
/** Encodes every character in its longest form. */
const encoded = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('a client with a secret', () => {
  let app: TestApp
  let secret: string
  beforeAll(async () => {
    app = await make()
    secret = app.secret ?? ''
  })

  it('authenticates with its registered method, Basic or body, also with form-encoded Basic', async () => {
    const other = await make({ tokenEndpointAuthMethod: 'client_secret_post' })
    for (const { clientId: client_id, secret: client_secret = '', ...rest } of [app, other])
      for (const global of [true, false]) {
        const at = { ...rest, clientId: client_id, secret: client_secret }
        const answers = [
          await post(at, { client_id, client_secret }, undefined, global),
          await post(at, {}, basic(client_id, client_secret), global),
          await post(at, {}, basic(encoded(client_id), encoded(client_secret)), global),
          await post(at, {}, basic(client_id, client_secret.replaceAll('-', '%2D')), global),
          await post(at, {}, basic(client_id, client_secret).replace('Basic', 'bAsIc'), global),
          await post(at, { client_id }, basic(client_id, client_secret), global),
        ]
        expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
      }
  })

  it('authenticates with special characters only if they are form-encoded', async () => {
    const strange = 'a+b c%2D:ü€🦊&='
    await service.sql("UPDATE applications SET secret_hash = sha256(convert_to($2, 'UTF8')) WHERE id = $1", [
      app.id,
      strange,
    ])
    await service.sql('UPDATE applications SET version = version + 1 WHERE id = $1', [app.id])
    const form = new URLSearchParams([['x', strange]]).toString().slice(2)
    // The engine accepts only visible ASCII, and every generated secret is.
    for (const authorization of [basic(app.clientId, strange), basic(app.clientId, encodeURIComponent('a+b c'))])
      expect((await post(app, {}, authorization)).status).toBeGreaterThanOrEqual(400)
    expect((await post(app, {}, basic(app.clientId, form))).status).toBeLessThan(500)
    const plain = 'svc+%2D-x'
    await service.sql(
      "UPDATE applications SET secret_hash = sha256(convert_to($2, 'UTF8')), version = version + 1 WHERE id = $1",
      [app.id, plain],
    )
    expect((await post(app, {}, basic(app.clientId, encodeURIComponent(plain)))).status).toBe(200)
    expectOAuthError(await post(app, {}, basic(app.clientId, plain)), 'invalid_client', 401)
    await service.sql(
      "UPDATE applications SET secret_hash = sha256(convert_to($2, 'UTF8')), version = version + 1 WHERE id = $1",
      [app.id, secret],
    )
  })

  it('rejects a wrong secret like an unknown client, with a challenge for Basic', async () => {
    const wrong = [
      'wrong',
      secret.slice(0, -1),
      `${secret}x`,
      secret.toUpperCase(),
      `${secret} `,
      'ü',
      'x'.repeat(2_000),
    ]
    for (const text of wrong) {
      const byHeader = await post(app, {}, basic(app.clientId, encodeURIComponent(text)))
      expect(byHeader.body).not.toHaveProperty('access_token')
      expect([400, 401]).toContain(byHeader.status)
      if (byHeader.status === 401) expect(byHeader.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
      expectOAuthError(await post(app, { client_id: app.clientId, client_secret: text }), 'invalid_client', 401)
    }
    // The stored hash is not accepted as a secret.
    const [row] = await service.sql<{ hash: string; raw: string }>(
      "SELECT encode(secret_hash, 'hex') AS hash, encode(secret_hash, 'base64') AS raw FROM applications WHERE id = $1",
      [app.id],
    )
    for (const text of [row?.hash ?? '', row?.raw ?? '', Buffer.from(row?.hash ?? '', 'hex').toString('base64url')])
      expectOAuthError(await post(app, { client_id: app.clientId, client_secret: text }), 'invalid_client', 401)
    const unknown = await post(app, { client_id: 'unknown', client_secret: 'wrong' })
    const known = await post(app, { client_id: app.clientId, client_secret: 'wrong' })
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  })

  it('rejects missing, empty and duplicate credentials', async () => {
    const { clientId: client_id } = app
    expectOAuthError(await post(app, {}), 'invalid_client', 401)
    expectOAuthError(await post(app, { client_id }), 'invalid_client', 401)
    const empty = [await post(app, { client_id, client_secret: '' }), await post(app, {}, basic(client_id, ''))]
    for (const { status, body } of empty)
      expect([status >= 400 && status < 500, body.access_token]).toEqual([true, undefined])
    for (const global of [true, false])
      expectOAuthError(
        await post(app, { client_id, client_secret: secret }, basic(client_id, secret), global),
        'invalid_request',
      )
    const { body } = await post(app, { client_id: 'another' }, basic(client_id, secret))
    expect(body).not.toHaveProperty('access_token')
  })

  it.each([
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic =',
    `Basic ${Buffer.from('no colon').toString('base64')}`,
    `Basic ${Buffer.from(':').toString('base64')}`,
    `Basic ${Buffer.from('%:%').toString('base64')}`,
    `Basic ${Buffer.from('a%00b:c').toString('base64')}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    `Basic ${Buffer.from('a:b').toString('base64')} x`,
    'Bearer x',
    'Digest username=x',
    'x',
  ])('rejects the header %j without a server error', async (authorization) => {
    for (const global of [true, false])
      for (const fields of [{}, { client_id: app.clientId }] as Record<string, string>[]) {
        const { status, body, text } = await post(app, fields, authorization, global)
        expect([400, 401], text).toContain(status)
        expect(body.error).toMatch(/^invalid_(client|request)$/)
      }
  })

  it('rejects the method of a public client, and a secret of a public client', async () => {
    const open = await registerApp(service, user, { isPublicClient: true })
    const given = await codeFor(service, open, user)
    expectOAuthError(await exchangeCode(service, open, given, { auth: 'basic', secret: 'x' }), 'invalid_client', 401)
    expectOAuthError(await exchangeCode(service, open, given, { auth: 'post', secret: secret }), 'invalid_client', 401)
    expect((await exchangeCode(service, open, given)).status).toBe(200)
    const own = await requestTokens(service, open, { grant_type: 'client_credentials' })
    expect([own.status, own.body.access_token]).toEqual([400, undefined])
  })
})

describe('a client with a key', () => {
  const pair = nextRsaKeyPair()
  const second = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const outsider = nextRsaKeyPair()
  const publicOf = ({ publicKey }: { publicKey: KeyObject }, kid: string) => ({
    ...(publicKey.export({ format: 'jwk' }) as object),
    kid,
  })
  let app: TestApp
  let sibling: TestApp
  beforeAll(async () => {
    const fields = { tokenEndpointAuthMethod: 'private_key_jwt' }
    app = await make({ ...fields, jwks: { keys: [publicOf(pair, 'one'), publicOf(second, 'two')] } })
    sibling = await make({ ...fields, jwks: { keys: [publicOf(outsider, 'one')] } })
  })

  const now = () => Math.floor(service.clock.ms() / 1_000)
  const claims = (change: object = {}) => ({
    iss: app.clientId,
    sub: app.clientId,
    aud: app.issuer,
    jti: randomUUID(),
    iat: now(),
    exp: now() + 60,
    ...change,
  })
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  function jwt(payload: object, header: object = {}, signer: (input: string) => Buffer = withKey(pair.privateKey)) {
    const input = `${part({ alg: 'RS256', kid: 'one', ...header })}.${part(payload)}`
    return `${input}.${signer(input).toString('base64url')}`
  }
  const withKey = (key: KeyObject) => (input: string) =>
    sign('sha256', Buffer.from(input), key.asymmetricKeyType === 'ec' ? { key, dsaEncoding: 'ieee-p1363' } : key)
  const prove = (assertion: string, global = false, more: Record<string, string> = {}) =>
    post(app, { client_assertion: assertion, client_assertion_type: ASSERTION, ...more }, undefined, global)

  it('authenticates with a JWT for the issuer or the endpoint, valid for up to 60 minutes', async () => {
    const token = '/api/v1/oauth/token'
    expect((await prove(jwt(claims()))).status).toBe(200)
    expect((await prove(jwt(claims({ exp: now() + 3_600 })))).status).toBe(200)
    expect((await prove(jwt(claims({ aud: `${app.issuer}/token` })))).status).toBe(200)
    expect((await prove(jwt(claims({ aud: [app.issuer] })))).status).toBe(200)
    expect((await prove(jwt(claims({ aud: `${service.baseUrl}${token}` })), true)).status).toBe(200)
    const byEc = jwt(claims(), { alg: 'ES256', kid: 'two' }, withKey(second.privateKey))
    expect((await prove(byEc)).status).toBe(200)
  })

  const WRONG: [what: string, assertion: () => string][] = [
    ['another audience', () => jwt(claims({ aud: 'https://other.example' }))],
    ['a longer audience', () => jwt(claims({ aud: `${app.issuer}/` }))],
    [
      'the issuer of another team as audience',
      () => jwt(claims({ aud: app.issuer.replace(app.teamId, randomUUID()) })),
    ],
    ['no audience', () => jwt(claims({ aud: undefined }))],
    ['an expired exp', () => jwt(claims({ exp: now() - 30 }))],
    ['no exp', () => jwt(claims({ exp: undefined }))],
    ['a lifetime of more than 60 minutes', () => jwt(claims({ exp: now() + 3_660 }))],
    ['a lifetime of a year', () => jwt(claims({ exp: now() + 31_536_000 }))],
    ['a future nbf', () => jwt(claims({ nbf: now() + 120 }))],
    ['a future iat', () => jwt(claims({ iat: now() + 120, exp: now() + 180 }))],
    ['no jti', () => jwt(claims({ jti: undefined }))],
    ['another issuer', () => jwt(claims({ iss: 'another' }))],
    ['another subject', () => jwt(claims({ sub: sibling.clientId }))],
    ['a foreign key', () => jwt(claims(), {}, withKey(outsider.privateKey))],
    ['the kid of another key', () => jwt(claims(), { kid: 'two' })],
    ['the algorithm none', () => `${part({ alg: 'none' })}.${part(claims())}.`],
    ['the algorithm none and a signature', () => jwt(claims(), { alg: 'none' })],
    [
      'HMAC with the public key',
      () =>
        jwt(claims(), { alg: 'HS256' }, (input) =>
          createHmac('sha256', pair.publicKey.export({ format: 'pem', type: 'spki' }))
            .update(input)
            .digest(),
        ),
    ],
    [
      'an embedded jwk',
      () =>
        jwt(
          claims(),
          { kid: undefined, jwk: outsider.publicKey.export({ format: 'jwk' }) },
          withKey(outsider.privateKey),
        ),
    ],
    ['a jku', () => jwt(claims(), { kid: 'x', jku: 'https://evil.example/jwks' }, withKey(outsider.privateKey))],
    ['another hash algorithm', () => jwt(claims(), { alg: 'RS512' })],
    ['a truncated signature', () => jwt(claims()).slice(0, -4)],
    ['a critical extension', () => jwt(claims(), { crit: ['x'], x: 1 })],
    ['a malformed JWT', () => 'x'],
  ]
  it.each(WRONG)('rejects an assertion with %s', async (_, assertion) => {
    for (const global of [false, true]) {
      const { status, body, text } = await prove(assertion(), global)
      expect([400, 401], text).toContain(status)
      expect(body.error).toMatch(/^invalid_(client|request)$/)
    }
  })

  const REASONS: [reason: string, change: () => object][] = [
    ['exp is in the past', () => ({ exp: now() - 30 })],
    ['exp is more than 60 minutes in the future', () => ({ exp: now() + 3_660 })],
    ['exp is missing', () => ({ exp: undefined })],
    ['exp is not a number', () => ({ exp: `${now() + 60}` })],
    ['nbf is in the future', () => ({ nbf: now() + 120 })],
    ['iat is in the future', () => ({ iat: now() + 120, exp: now() + 180 })],
    ['jti is missing', () => ({ jti: undefined })],
    ['iss and sub must be the client ID', () => ({ iss: 'another' })],
    ['aud must be the issuer, its token endpoint or this endpoint', () => ({ aud: 'https://other.example' })],
  ]
  const rejectedAt = async (form: Record<string, string>, path: string) =>
    service.api('POST', path, {
      raw: new URLSearchParams({ ...form, client_assertion_type: ASSERTION }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const reasonsInLog = async () =>
    (
      await service.sql<{ reason: string | null }>(
        "SELECT metadata->>'reason' AS reason FROM audit_entries WHERE action = 'application.token_refused' AND metadata->>'error' = 'invalid_client' ORDER BY created_at DESC, id DESC LIMIT 3",
      )
    ).map(({ reason }) => reason)

  it.each(REASONS)('returns and records the reason %s to the holder of the key', async (reason, change) => {
    const form = { grant_type: 'client_credentials', scope: 'api', response_type: 'code', state: 's' }
    const shared = '/api/v1/oauth/token'
    for (const path of [shared, `${app.idp}/token`, `${app.idp}/request`]) {
      const aud = path === shared ? `${service.baseUrl}${shared}` : app.issuer
      const answer = await rejectedAt({ ...form, client_assertion: jwt(claims({ aud, ...change() })) }, path)
      expectOAuthError(answer, 'invalid_client', 401)
      expect(answer.body.error_description, path).toBe(`client authentication failed: ${reason}`)
    }
    expect(await reasonsInLog()).toEqual([reason, reason, reason])
  })

  it('returns the reason that an assertion was already used', async () => {
    const used = jwt(claims())
    expect((await prove(used)).status).toBe(200)
    const again = await prove(used)
    expectOAuthError(again, 'invalid_client', 401)
    expect(again.body.error_description).toBe('client authentication failed: jti was already used')
  })

  it('returns no reason for an assertion without the signature of a registered key, but records it', async () => {
    const foreign = withKey(outsider.privateKey)
    for (const assertion of [
      jwt(claims(), {}, foreign),
      jwt(claims({ exp: now() + 3_660 }), {}, foreign),
      jwt(claims({ aud: 'https://other.example' }), { kid: 'x' }, foreign),
      jwt(claims({ exp: now() - 30 }), { alg: 'HS256' }),
      jwt({ ...claims(), iss: 'unknown', sub: 'unknown' }, {}, foreign),
    ]) {
      const answer = await prove(assertion)
      expectOAuthError(answer, 'invalid_client', 401)
      expect(answer.body.error_description).toBe('client authentication failed')
    }
    expect(await reasonsInLog()).toEqual(['unknown_client', ...Array(2).fill('not signed with a registered key')])
  })

  it('accepts each assertion once across many concurrent requests', async () => {
    const assertion = jwt(claims())
    const answers = await atOnce(CONCURRENT, (index) => prove(assertion, index % 2 === 1))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 400, 401]).toContain(status)
    expect((await prove(assertion)).body).not.toHaveProperty('access_token')
    await service.clock.advance(30_000)
    expect((await prove(assertion)).body).not.toHaveProperty('access_token')
    const again = claims()
    expect((await prove(jwt(again))).status).toBe(200)
    expect((await prove(jwt({ ...again, exp: again.exp + 1 }))).body).not.toHaveProperty('access_token')
  })

  it('rejects every other authentication method', async () => {
    const { clientId: client_id } = app
    for (const answer of [
      await post(app, { client_id }),
      await post(app, { client_id, client_secret: randomBytes(32).toString('base64url') }),
      await post(app, { client_id, client_secret: Buffer.alloc(32).toString('base64url') }),
      await prove(jwt(claims()), false, { client_id, client_secret: 'x' }),
      await prove(jwt(claims()), false, { client_assertion_type: 'x' }),
      await prove(jwt(claims()), false, { client_id: sibling.clientId }),
    ])
      expect([answer.status >= 400 && answer.status < 500, answer.body.access_token]).toEqual([true, undefined])
  })
})

describe('a source with failed client authentications', () => {
  it('throttles the source, but no other, also after a success', async () => {
    const own = await startService({ env: { LIMIT_SOURCE_FAILURES: '5', TRUST_PROXY: '127.0.0.1,::1' }, nodes: 1 })
    try {
      const owner = await registerUser(own)
      const app = await registerApp(own, owner, { grantTypes: GRANTS, scopes: ['api'] })
      const ask = (ip: string, secret = app.secret) =>
        requestTokens(
          own,
          app,
          { grant_type: 'client_credentials', scope: 'api' },
          { secret, headers: { 'x-forwarded-for': ip } },
        )
      for (let turn = 0; turn < 4; turn++) expectOAuthError(await ask('203.0.113.1', 'wrong'), 'invalid_client', 401)
      expect((await ask('203.0.113.1')).status).toBe(200)
      expectOAuthError(await ask('203.0.113.1', 'wrong'), 'invalid_client', 401)
      const answers = await atOnce(6, () => ask('203.0.113.1', 'wrong'))
      const slowed = answers.filter(({ status }) => status === 429)
      expect(slowed.length).toBeGreaterThanOrEqual(5)
      for (const { headers, body } of slowed) {
        expect(headers.get('retry-after')).toBe('1')
        expect(body.error).toBe('temporarily_unavailable')
      }
      expect((await ask('203.0.113.2')).status).toBe(200)
      const login = await own.api('POST', '/api/v1/auth/login', {
        body: { email: owner.email, password: owner.password },
        headers: { 'x-forwarded-for': '203.0.113.1' },
      })
      expect(login.status).toBe(200)
      await own.clock.advance(2_000)
      expect((await ask('203.0.113.1')).status).toBe(200)
      expect((await ask('203.0.113.1')).status).toBe(429)
    } finally {
      await own.close()
    }
  })
})
