import { createHmac, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectOAuthError,
  isActive,
  OIDC_BASE,
  registerApp,
  type TestApp,
} from '../../../../test/doubles/relying-party.js'
import {
  assertionClaims,
  assertionFields,
  compactJwt,
  publicJwk,
  signerOf,
} from '../../../../test/factories/client-assertion.js'
import { atOnce, CONCURRENT, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { nextRsaKeyPair } from '../../../../test/harness/rsa-keys.mjs'
import { startService, type TestService } from '../../../../test/harness/service.js'

const INTROSPECT = '/api/v1/oauth/introspect'
const REVOKE = '/api/v1/oauth/revoke'
const TOKEN = '/api/v1/oauth/token'
const ENDPOINTS = [INTROSPECT, REVOKE] as const
const GRANTS = { grantTypes: ['authorization_code', 'client_credentials'], scopes: ['openid', 'api'] }

const rsa = nextRsaKeyPair()
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const encrypting = nextRsaKeyPair()
const narrow = nextRsaKeyPair()
const outsider = nextRsaKeyPair()
const jwks = {
  keys: [
    publicJwk(rsa.publicKey, 'rsa'),
    publicJwk(ec.publicKey, 'ec'),
    publicJwk(ed.publicKey, 'ed'),
    publicJwk(encrypting.publicKey, 'encrypting', { use: 'enc' }),
    publicJwk(narrow.publicKey, 'narrow', { alg: 'PS256' }),
  ],
}
const byRsa = signerOf(rsa.privateKey)

let service: TestService
let user: TestUser
let app: TestApp
let sibling: TestApp
let withSecret: TestApp
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  const fields = { ...GRANTS, tokenEndpointAuthMethod: 'private_key_jwt' }
  app = await registerApp(service, user, { ...fields, jwks })
  sibling = await registerApp(service, user, {
    ...fields,
    jwks: { keys: [publicJwk(outsider.publicKey, 'rsa')] },
  })
  withSecret = await registerApp(service, user, { ...GRANTS, jwks })
})
afterAll(() => service.close())

const now = () => Math.floor(service.clock.ms() / 1_000)
const issuer = (path: string) => `${service.baseUrl}${OIDC_BASE}/${path}`
const claims = (change: object = {}) => assertionClaims(app.clientId, issuer(app.teamId), now(), change)
const jwt = (payload: object, header: object = {}, signer: (input: string) => Buffer = byRsa) =>
  compactJwt({ alg: 'RS256', kid: 'rsa', ...header }, payload, signer)

type Fields = Record<string, string>
const asJson = (path: string, body: Fields, headers: Fields = {}, at = service) =>
  at.api('POST', path, { body, headers })
const asForm = (path: string, body: Fields, headers: Fields = {}, at = service) =>
  at.api('POST', path, {
    raw: new URLSearchParams(body).toString(),
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  })
const prove = (path: string, assertion: string, more: Fields = {}) =>
  asForm(path, { token: 'unknown', ...assertionFields(assertion), ...more })
const askToken = (assertion: string) =>
  asForm(TOKEN, { grant_type: 'client_credentials', scope: 'api', ...assertionFields(assertion) })
const basic = (id: string, secret = '') => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

/** Returns the number of rejections in the audit log, and the failures of this source. */
async function noted(): Promise<[entries: number, failures: number]> {
  const [entries] = await service.sql<{ count: number }>(
    "SELECT count(*)::int AS count FROM audit_entries WHERE action = 'application.token_refused'",
  )
  const [failures] = await service.sql<{ count: number }>(
    'SELECT coalesce(sum(count), 0)::int AS count FROM throttle_counters',
  )
  return [entries?.count ?? 0, failures?.count ?? 0]
}
const forgetFailures = () => service.sql('DELETE FROM throttle_counters')

describe.each(ENDPOINTS)('a client assertion at %s', (path) => {
  it('authenticates a client with the endpoint, a token endpoint or any of its issuer URLs as audience', async () => {
    const issuerUrls = [app.teamId, app.id, `${app.teamId}/${app.id}`].map(issuer)
    const audiences = [
      `${service.baseUrl}${path}`,
      `${service.baseUrl}${TOKEN}`,
      ...issuerUrls,
      ...issuerUrls.map((form) => `${form}/token`),
    ]
    for (const aud of [...audiences, [audiences[0]], ['https://other.example', audiences[2]]])
      for (const send of [asJson, asForm]) {
        const { status, text } = await send(path, { token: 'x', ...assertionFields(jwt(claims({ aud }))) })
        expect(status, `${aud}: ${text}`).toBe(200)
      }
  })

  it('accepts each advertised algorithm, with a key of the client for it', async () => {
    const signed: Record<string, [kid: string | undefined, signer: (input: string) => Buffer][]> = {
      RS256: [
        ['rsa', byRsa],
        [undefined, byRsa],
      ],
      PS256: [
        ['rsa', signerOf(rsa.privateKey, true)],
        ['narrow', signerOf(narrow.privateKey, true)],
      ],
      ES256: [['ec', signerOf(ec.privateKey)]],
      EdDSA: [['ed', signerOf(ed.privateKey)]],
      Ed25519: [['ed', signerOf(ed.privateKey)]],
    }
    const { body } = await service.api('GET', `${app.idp}/.well-known/openid-configuration`)
    const name = path === INTROSPECT ? 'introspection' : 'revocation'
    expect(body[`${name}_endpoint_auth_methods_supported`]).toContain('private_key_jwt')
    expect(body[`${name}_endpoint_auth_signing_alg_values_supported`].sort()).toEqual(Object.keys(signed).sort())
    for (const [alg, ways] of Object.entries(signed))
      for (const [kid, signer] of ways)
        expect((await prove(path, jwt(claims(), { alg, kid }, signer))).status, `${alg} ${kid}`).toBe(200)
  })

  it('accepts a lifetime of 60 minutes, the ID of its client beside it, and a missing iat', async () => {
    for (const change of [{ exp: now() + 3_600 }, { iat: undefined }, { nbf: now() }])
      expect((await prove(path, jwt(claims(change)))).status).toBe(200)
    expect((await prove(path, jwt(claims()), { client_id: app.clientId })).status).toBe(200)
  })

  const WRONG: [what: string, assertion: () => string][] = [
    ['another audience', () => jwt(claims({ aud: 'https://other.example' }))],
    ['several other audiences', () => jwt(claims({ aud: ['https://other.example', `${service.baseUrl}/`] }))],
    ['the other endpoint as audience', () => jwt(claims({ aud: service.baseUrl + otherThan(path) }))],
    ['a longer audience', () => jwt(claims({ aud: `${app.issuer}/` }))],
    ['only the path as audience', () => jwt(claims({ aud: path }))],
    ['the issuer of another team as audience', () => jwt(claims({ aud: issuer(randomUUID()) }))],
    ['the issuer of another application as audience', () => jwt(claims({ aud: issuer(sibling.id) }))],
    ['a non-string audience', () => jwt(claims({ aud: [issuer(app.teamId), 1] }))],
    ['no audience', () => jwt(claims({ aud: undefined }))],
    ['an expired exp', () => jwt(claims({ iat: now() - 90, exp: now() - 30 }))],
    ['no exp', () => jwt(claims({ exp: undefined }))],
    ['a string as exp', () => jwt(claims({ exp: `${now() + 60}` }))],
    ['a lifetime of more than 60 minutes', () => jwt(claims({ exp: now() + 3_660 }))],
    ['an infinite exp', () => jwt(claims()).replace(/\.[^.]+\./, `.${endless(claims())}.`)],
    ['a future nbf', () => jwt(claims({ nbf: now() + 120 }))],
    ['a malformed nbf', () => jwt(claims({ nbf: 'now' }))],
    ['a future iat', () => jwt(claims({ iat: now() + 120, exp: now() + 180 }))],
    ['no jti', () => jwt(claims({ jti: undefined }))],
    ['an empty jti', () => jwt(claims({ jti: '' }))],
    ['a non-string jti', () => jwt(claims({ jti: 7 }))],
    ['another issuer', () => jwt(claims({ iss: 'another' }))],
    ['no issuer', () => jwt(claims({ iss: undefined }))],
    ['another subject', () => jwt(claims({ sub: sibling.clientId }))],
    ['another client as issuer and subject', () => jwt(claims({ iss: sibling.clientId, sub: sibling.clientId }))],
    ['no subject', () => jwt(claims({ sub: undefined }))],
    ['an unknown client', () => jwt(claims({ iss: 'unknown', sub: 'unknown' }))],
    ['a foreign key', () => jwt(claims(), {}, signerOf(outsider.privateKey))],
    ['the kid of another key', () => jwt(claims(), { kid: 'narrow' })],
    ['an unknown kid', () => jwt(claims(), { kid: 'unknown' })],
    ['an encryption key', () => jwt(claims(), { kid: 'encrypting' }, signerOf(encrypting.privateKey))],
    ['a key for another algorithm', () => jwt(claims(), { kid: 'narrow' }, signerOf(narrow.privateKey))],
    ['the algorithm of another key type', () => jwt(claims(), { alg: 'ES256', kid: 'rsa' })],
    ['the algorithm none', () => compactJwt({ alg: 'none' }, claims(), () => Buffer.alloc(0))],
    ['the algorithm none and a signature', () => jwt(claims(), { alg: 'none' })],
    ['no algorithm', () => jwt(claims(), { alg: undefined })],
    [
      'HMAC with the public key',
      () =>
        jwt(claims(), { alg: 'HS256' }, (input) =>
          createHmac('sha256', rsa.publicKey.export({ format: 'pem', type: 'spki' }))
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
          signerOf(outsider.privateKey),
        ),
    ],
    ['a jku', () => jwt(claims(), { kid: 'x', jku: 'https://evil.example/jwks' }, signerOf(outsider.privateKey))],
    ['another hash algorithm', () => jwt(claims(), { alg: 'RS512' })],
    ['a truncated signature', () => jwt(claims()).slice(0, -4)],
    [
      'the signature of another assertion',
      () => `${jwt(claims()).replace(/[^.]+$/, '')}${jwt(claims()).split('.')[2]}`,
    ],
    ['a critical extension', () => jwt(claims(), { crit: ['x'], x: 1 })],
    ['no JWT format', () => 'x'],
    ['an empty value', () => ''],
    ['an array of claims', () => jwt([claims()])],
    ['U+0000 in the client', () => jwt(claims({ iss: 'a\0', sub: 'a\0' }))],
    ['an excessive length', () => jwt(claims({ x: 'y'.repeat(20_000) }))],
  ]
  it.each(WRONG)('rejects an assertion with %s, counts the failure and records an entry', async (_, assertion) => {
    for (const send of [asJson, asForm]) {
      const [entries, failures] = await noted()
      const answer = await send(path, { token: 'unknown', ...assertionFields(assertion()) })
      expectOAuthError(answer, 'invalid_client', 401)
      expect(await noted()).toEqual([entries + 1, failures + 1])
    }
    await forgetFailures()
  })

  it('returns the reason to the holder of the key only', async () => {
    const described = async (assertion: string) => (await prove(path, assertion)).body.error_description
    const failed = 'client authentication failed'
    const tooLong = claims({ exp: now() + 3_660 })
    expect(await described(jwt(tooLong))).toBe(`${failed}: exp is more than 60 minutes in the future`)
    expect(await described(jwt(tooLong, {}, signerOf(outsider.privateKey)))).toBe(failed)
    expect(await described('x')).toBe(failed)
    const used = jwt(claims())
    expect((await prove(path, used)).status).toBe(200)
    expect(await described(used)).toBe(`${failed}: jti was already used`)
    const reasons = await service.sql<{ reason: string | null }>(
      "SELECT metadata->>'reason' AS reason FROM audit_entries WHERE action = 'application.token_refused' ORDER BY created_at DESC, id DESC LIMIT 4",
    )
    expect(reasons.map(({ reason }) => reason)).toEqual([
      'jti was already used',
      null,
      'not signed with a registered key',
      'exp is more than 60 minutes in the future',
    ])
    await forgetFailures()
  })

  it('rejects two credentials, half of one, and one of a client other than client_id', async () => {
    const assertion = jwt(claims())
    const { client_assertion, client_assertion_type } = assertionFields(assertion)
    const token = 'unknown'
    const before = await noted()
    for (const send of [asJson, asForm]) {
      const answers = [
        await send(path, { token, ...assertionFields(assertion), client_secret: 'x' }),
        await send(path, { token, ...assertionFields(assertion), client_secret: '' }),
        await send(path, { token, ...assertionFields(assertion) }, basic(app.clientId, 'x')),
        await send(path, { token, ...assertionFields(assertion) }, basic(withSecret.clientId, withSecret.secret)),
        await send(path, { token, client_assertion }),
        await send(path, { token, client_assertion, client_assertion_type: 'x' }),
        await send(path, { token, client_assertion_type }),
        await send(path, { token, ...assertionFields(assertion), client_id: sibling.clientId }),
      ]
      for (const answer of answers) expectOAuthError(answer, 'invalid_request')
    }
    expect(await noted()).toEqual(before)
    // None of these requests consumed the assertion.
    expect((await prove(path, assertion)).status).toBe(200)
  })

  it('authenticates only a client with private_key_jwt, for which no other credential is accepted', async () => {
    const secret = randomBytes(32).toString('base64url')
    // A secret from before the registration of its keys.
    await service.sql("UPDATE applications SET secret_hash = sha256(convert_to($2, 'UTF8')) WHERE id = $1", [
      app.id,
      secret,
    ])
    const token = 'unknown'
    for (const wrong of [secret, 'x', '', Buffer.alloc(32).toString('base64url')]) {
      const fields = { token, client_id: app.clientId, client_secret: wrong }
      expectOAuthError(await asForm(path, fields), 'invalid_client', 401)
      expectOAuthError(await asForm(path, { token }, basic(app.clientId, wrong)), 'invalid_client', 401)
    }
    const open = await registerApp(service, user, { isPublicClient: true, jwks })
    for (const { clientId } of [withSecret, open])
      expectOAuthError(await prove(path, jwt(claims({ iss: clientId, sub: clientId }))), 'invalid_client', 401)
    expect((await asForm(path, { token }, basic(withSecret.clientId, withSecret.secret))).status).toBe(200)
    await forgetFailures()
  })

  it('rejects an assertion after its key was removed from the client', async () => {
    const change = (keys: object[]) =>
      service.api('PUT', `/api/v1/applications/${app.id}`, { token: user.token, body: { jwks: { keys } } })
    expect((await prove(path, jwt(claims()))).status).toBe(200)
    expect((await change([publicJwk(ec.publicKey, 'ec')])).status).toBe(200)
    for (const kid of ['rsa', undefined])
      expectOAuthError(await prove(path, jwt(claims(), { kid })), 'invalid_client', 401)
    expect((await change(jwks.keys)).status).toBe(200)
    expect((await prove(path, jwt(claims()))).status).toBe(200)
    await forgetFailures()
  })

  it('throttles a source with too many failures, for valid assertions too', async () => {
    const own = await startService({ env: { LIMIT_SOURCE_FAILURES: '3', TRUST_PROXY: '127.0.0.1,::1' }, nodes: 1 })
    try {
      const fields = { ...GRANTS, tokenEndpointAuthMethod: 'private_key_jwt', jwks }
      const client = await registerApp(own, await registerUser(own), fields)
      const from = (ip: string, signer = byRsa) => {
        const aud = `${own.baseUrl}${path}`
        const seconds = Math.floor(own.clock.ms() / 1_000)
        const assertion = jwt(assertionClaims(client.clientId, aud, seconds), {}, signer)
        return asForm(path, { token: 'x', ...assertionFields(assertion) }, { 'x-forwarded-for': ip }, own)
      }
      const [wrong, right] = ['203.0.113.1', '203.0.113.2']
      for (let turn = 0; turn < 3; turn++)
        expectOAuthError(await from(wrong, signerOf(outsider.privateKey)), 'invalid_client', 401)
      const answers = await atOnce(6, () => from(wrong))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429, 429])
      expect((await from(right)).status).toBe(200)
    } finally {
      await own.close()
    }
  })
})

const otherThan = (path: string) => (path === INTROSPECT ? REVOKE : INTROSPECT)

/** Returns the claims with an exp that JSON.stringify cannot write. */
const endless = (payload: object) =>
  Buffer.from(JSON.stringify(payload).replace(/"exp":\d+/, '"exp":1e999')).toString('base64url')

describe('a client assertion', () => {
  it('accepts an assertion once across many concurrent requests to all endpoints', async () => {
    const assertion = jwt(claims())
    const ask = (index: number) =>
      index % 3 === 2 ? askToken(assertion) : prove(ENDPOINTS[index % 3] as string, assertion)
    const answers = await atOnce(CONCURRENT, ask)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 400, 401]).toContain(status)
    await forgetFailures()
  })

  it('rejects a used assertion at every endpoint, on every node, unlike another assertion of its client', async () => {
    const asks = [
      (assertion: string, node: number) =>
        service.api('POST', INTROSPECT, { body: { token: 'x', ...assertionFields(assertion) }, node }),
      (assertion: string, node: number) =>
        service.api('POST', REVOKE, { body: { token: 'x', ...assertionFields(assertion) }, node }),
      (assertion: string, node: number) =>
        service.api('POST', TOKEN, {
          raw: new URLSearchParams({
            grant_type: 'client_credentials',
            scope: 'api',
            ...assertionFields(assertion),
          }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          node,
        }),
    ]
    for (const first of asks) {
      const used = claims({ exp: now() + 300 })
      expect((await first(jwt(used), 0)).status).toBe(200)
      for (const again of asks)
        for (const node of service.urls.keys()) {
          expectOAuthError(await again(jwt(used), node), 'invalid_client', 401)
          // The jti decides, regardless of the other claims.
          expectOAuthError(await again(jwt({ ...used, exp: used.exp - 1 }), node), 'invalid_client', 401)
        }
      await forgetFailures()
      for (const again of asks) expect((await again(jwt(claims()), 0)).status).toBe(200)
    }
  })

  it('rejects a used assertion until it expires', async () => {
    const exp = now() + 3_600
    const [atEngine, atCaller] = [jwt(claims({ exp })), jwt(claims({ exp }))]
    expect((await askToken(atEngine)).status).toBe(200)
    expect((await prove(INTROSPECT, atCaller)).status).toBe(200)
    const expiries = await service.sql<{ late: boolean }>(
      'SELECT expires_at >= to_timestamp($1) AS late FROM used_proofs ORDER BY expires_at DESC LIMIT 2',
      [exp],
    )
    expect(expiries).toEqual([{ late: true }, { late: true }])
    for (let quarter = 0; quarter < 4; quarter++) {
      await service.clock.advance(14 * 60_000)
      await service.settle()
      for (const used of [atEngine, atCaller])
        for (const again of [(one: string) => prove(INTROSPECT, one), askToken])
          expect((await again(used)).body).toMatchObject({
            error: 'invalid_client',
            error_description: 'client authentication failed: jti was already used',
          })
      await forgetFailures()
    }
  })

  it('accepts the same jti from two clients', async () => {
    const jti = randomUUID()
    const theirs = assertionClaims(sibling.clientId, issuer(sibling.teamId), now(), { jti })
    expect((await prove(INTROSPECT, jwt(claims({ jti })))).status).toBe(200)
    expect((await prove(INTROSPECT, jwt(theirs, {}, signerOf(outsider.privateKey)))).status).toBe(200)
  })

  it('grants access to both endpoints if credentials are required, for tokens of its own client', async () => {
    const own = await startService({ env: { REQUIRE_INTROSPECTION_AUTH: 'true' }, nodes: 1 })
    try {
      const owner = await registerUser(own)
      const fields = { ...GRANTS, tokenEndpointAuthMethod: 'private_key_jwt', jwks }
      const [mine, another] = [await registerApp(own, owner, fields), await registerApp(own, owner, fields)]
      const ofOtherTeam = await registerApp(own, await registerUser(own), fields)
      const fresh = ({ clientId, teamId }: TestApp) =>
        assertionFields(
          jwt(assertionClaims(clientId, `${own.baseUrl}${OIDC_BASE}/${teamId}`, Math.floor(own.clock.ms() / 1_000))),
        )
      const request = { grant_type: 'client_credentials', scope: 'api' }
      const { body } = await asForm(TOKEN, { ...request, ...fresh(mine) }, {}, own)
      const token: string = body.access_token
      const active = async (by: TestApp) =>
        (await asForm(INTROSPECT, { token, ...fresh(by) }, {}, own)).body.active as boolean

      for (const path of ENDPOINTS)
        for (const half of [{}, { client_id: mine.clientId }] as Fields[])
          expectOAuthError(await asForm(path, { token, ...half }, {}, own), 'invalid_client', 401)
      expect([await active(mine), await active(another), await active(ofOtherTeam)]).toEqual([true, true, false])
      for (const [by, lives] of [
        [ofOtherTeam, true],
        [another, true],
        [mine, false],
      ] as const) {
        expect((await asForm(REVOKE, { token, ...fresh(by) }, {}, own)).status).toBe(200)
        expect(await active(mine)).toBe(lives)
      }
      const { body: metadata } = await own.api('GET', `${mine.idp}/.well-known/openid-configuration`)
      const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']
      expect(metadata.introspection_endpoint_auth_methods_supported).toEqual(methods)
      expect(metadata.revocation_endpoint_auth_methods_supported).toEqual(methods)
    } finally {
      await own.close()
    }
  })

  it('revokes no token if it is invalid, although having the token would be sufficient', async () => {
    const { body } = await askToken(jwt(claims()))
    const wrong = assertionFields(jwt(claims(), {}, signerOf(outsider.privateKey)))
    expectOAuthError(await asForm(REVOKE, { token: body.access_token, ...wrong }), 'invalid_client', 401)
    expect(await isActive(service, body.access_token)).toBe(true)
    await forgetFailures()
  })
})
