import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  exchangeCode,
  expectOAuthError,
  jwtPart,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
} from '../../../../test/doubles/relying-party.js'
import { type DpopKey, dpopKey, dpopProof, type ProofOptions } from '../../../../test/factories/dpop.js'
import { atOnce, CONCURRENT, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const OFFLINE = { scope: 'openid email offline_access' }

let service: TestService
let user: TestUser
let app: TestApp
let strict: TestApp
let withNonce: TestApp
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user)
  strict = await registerApp(service, user, { requireDpop: true })
  withNonce = await registerApp(service, user, { requireDpop: true, dpopNonceEnabled: true })
})
afterAll(() => service.close())

const proofFor = (at: TestApp, key: DpopKey, options: ProofOptions = {}) =>
  dpopProof(service, key, `${at.issuer}/token`, options)

async function boundTokens(at: TestApp, key: DpopKey) {
  const given = await codeFor(service, at, user, OFFLINE)
  const { status, body } = await exchangeCode(service, at, given, { headers: { dpop: proofFor(at, key) } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const ask = (at: TestApp, accessToken: string, headers: Record<string, string>, node?: number) =>
  service.api('GET', `${at.idp}/userinfo`, {
    headers: { authorization: `DPoP ${accessToken}`, ...headers },
    ...(node !== undefined && { node }),
  })
const userinfoProof = (at: TestApp, key: DpopKey, accessToken: string, options: ProofOptions = {}) =>
  dpopProof(service, key, `${at.issuer}/userinfo`, { method: 'GET', accessToken, ...options })

describe('a DPoP proof at the token endpoint', () => {
  it('binds the access token and the refresh token to its key', async () => {
    const key = dpopKey()
    const tokens = await boundTokens(app, key)
    expect(tokens.token_type).toBe('DPoP')
    expect(jwtPart(tokens.access_token).cnf).toEqual({ jkt: key.thumbprint })
    const { body } = await service.api('POST', '/api/v1/oauth/introspect', { body: { token: tokens.access_token } })
    expect(body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.thumbprint } })
    const again = await refresh(service, app, tokens.refresh_token, { headers: { dpop: proofFor(app, key) } })
    expect(jwtPart(again.body.access_token).cnf).toEqual({ jkt: key.thumbprint })
  })

  it('binds the refresh token of a public client, so that no other key can use it', async () => {
    const open = await registerApp(service, user, { isPublicClient: true })
    const key = dpopKey()
    const tokens = await boundTokens(open, key)
    expectOAuthError(await refresh(service, open, tokens.refresh_token), 'invalid_grant')
    const wrong = { headers: { dpop: proofFor(open, dpopKey()) } }
    expectOAuthError(await refresh(service, open, tokens.refresh_token, wrong), 'invalid_grant')
    const right = await refresh(service, open, tokens.refresh_token, { headers: { dpop: proofFor(open, key) } })
    expect(right.status).toBe(200)
  })

  it('binds the refresh token of a confidential client to its key too', async () => {
    const key = dpopKey()
    const tokens = await boundTokens(strict, key)
    const by = (other: DpopKey) => ({ headers: { dpop: proofFor(strict, other) } })
    expectOAuthError(await refresh(service, strict, tokens.refresh_token, by(dpopKey())), 'invalid_grant')
    const again = await refresh(service, strict, tokens.refresh_token, by(key))
    expect(again.status).toBe(200)
    expectOAuthError(await refresh(service, strict, again.body.refresh_token, by(dpopKey())), 'invalid_grant')
    expect((await refresh(service, strict, again.body.refresh_token, by(key))).status).toBe(200)
  })

  it('requires a proof for every grant if the application does', async () => {
    const given = await codeFor(service, strict, user, OFFLINE)
    expectOAuthError(await exchangeCode(service, strict, given), 'invalid_grant')
    const own = await registerApp(service, user, { requireDpop: true, grantTypes: ['client_credentials'] })
    expectOAuthError(await requestTokens(service, own, { grant_type: 'client_credentials' }), 'invalid_grant')
    const bound = await requestTokens(
      service,
      own,
      { grant_type: 'client_credentials' },
      { headers: { dpop: proofFor(own, dpopKey()) } },
    )
    expect([bound.status, bound.body.token_type]).toEqual([200, 'DPoP'])
  })

  const WRONG: [what: string, options: ProofOptions][] = [
    ['another method', { method: 'GET' }],
    ['another URL', { claims: { htu: 'https://elsewhere.example/token' } }],
    ['no jti', { claims: { jti: undefined } }],
    ['no iat', { claims: { iat: undefined } }],
    ['another type', { header: { typ: 'JWT' } }],
    ['another algorithm in the header', { header: { alg: 'none' } }],
    ['a symmetric algorithm', { header: { alg: 'HS256' } }],
    ['no key', { header: { jwk: undefined } }],
    ['a different embedded key', { header: { jwk: dpopKey().jwk } }],
  ]
  it.each(WRONG)('rejects a proof with %s, and consumes no code or token', async (_, options) => {
    const given = await codeFor(service, app, user, OFFLINE)
    const key = dpopKey()
    expectOAuthError(
      await exchangeCode(service, app, given, { headers: { dpop: proofFor(app, key, options) } }),
      'invalid_dpop_proof',
    )
    const right = await exchangeCode(service, app, given, { headers: { dpop: proofFor(app, key) } })
    expect(right.status).toBe(200)
  })

  it.each([-3_600, 3_600])(
    'requires a nonce if its clock is off by %s seconds, and is accepted with it',
    async (off) => {
      const given = await codeFor(service, app, user, OFFLINE)
      const key = dpopKey()
      const wrong = { iat: Math.floor(service.clock.ms() / 1_000) + off }
      const headers = (nonce?: string) => ({ dpop: proofFor(app, key, { claims: wrong, nonce }) })
      const asked = await exchangeCode(service, app, given, { headers: headers() })
      expectOAuthError(asked, 'use_dpop_nonce')
      const nonce = asked.headers.get('dpop-nonce') as string
      const { status, body } = await exchangeCode(service, app, given, { headers: headers(nonce) })
      expect(status).toBe(200)
      const proof = (more: ProofOptions) => userinfoProof(app, key, body.access_token, { claims: wrong, ...more })
      const late = await ask(app, body.access_token, { dpop: proof({}) })
      expectOAuthError(late, 'use_dpop_nonce', 401)
      const fresh = late.headers.get('dpop-nonce') as string
      expect((await ask(app, body.access_token, { dpop: proof({ nonce: fresh }) })).status).toBe(200)
    },
  )

  it('accepts a proof once across many concurrent requests on every node', async () => {
    const machine = await registerApp(service, user, { grantTypes: ['client_credentials'] })
    const headers = { dpop: proofFor(machine, dpopKey()) }
    const answers = await atOnce(CONCURRENT, (at) =>
      requestTokens(
        service,
        machine,
        { grant_type: 'client_credentials' },
        { headers, node: at % service.urls.length },
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect(status).toBeLessThan(500)
  })

  it('requires a nonce if the application does, valid on every node for some minutes', async () => {
    const key = dpopKey()
    const given = await codeFor(service, withNonce, user, OFFLINE)
    const without = await exchangeCode(service, withNonce, given, { headers: { dpop: proofFor(withNonce, key) } })
    expectOAuthError(without, 'use_dpop_nonce')
    const nonce = without.headers.get('dpop-nonce') as string
    expect(nonce).toMatch(/^[\w-]{43}$/)
    const made = await exchangeCode(service, withNonce, given, {
      headers: { dpop: proofFor(withNonce, key, { nonce: 'made up' }) },
    })
    expectOAuthError(made, 'use_dpop_nonce')
    const right = await exchangeCode(service, withNonce, given, {
      headers: { dpop: proofFor(withNonce, key, { nonce }) },
      node: service.urls.length - 1,
    })
    expect(right.status, JSON.stringify(right.body)).toBe(200)
    await service.clock.advance(10 * 60_000)
    const late = await refresh(service, withNonce, right.body.refresh_token, {
      headers: { dpop: proofFor(withNonce, key, { nonce }) },
    })
    expectOAuthError(late, 'use_dpop_nonce')
  })
})

describe('a bound token at userinfo', () => {
  it('accepts a bound token only with a fresh proof of its key', async () => {
    const key = dpopKey()
    const { access_token: token } = await boundTokens(app, key)
    const { status, body } = await ask(app, token, { dpop: userinfoProof(app, key, token) })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ sub: user.id, email: user.email })

    const bearer = await service.api('GET', `${app.idp}/userinfo`, { token })
    expectOAuthError(bearer, 'invalid_token', 401)
    const inForm = await service.api('POST', `${app.idp}/userinfo`, {
      raw: new URLSearchParams({ access_token: token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expectOAuthError(inForm, 'invalid_token', 401)
    const none = await ask(app, token, {})
    expectOAuthError(none, 'invalid_dpop_proof', 401)
    expect(none.headers.get('www-authenticate')).toMatch(/^DPoP realm="keyward", error="invalid_dpop_proof", algs="/)
  })

  const WRONG: [what: string, options: ProofOptions][] = [
    ['another method', { method: 'POST' }],
    ['another URL', { claims: { htu: 'http://localhost:3000/' } }],
    ['no jti', { claims: { jti: undefined } }],
    ['another token', { accessToken: 'another' }],
    ['no token hash', { claims: { ath: undefined } }],
    ['another type', { header: { typ: 'at+jwt' } }],
    ['the algorithm none', { header: { alg: 'none' } }],
    ['a critical extension', { header: { crit: ['exp'] } }],
    ['no key', { header: { jwk: undefined } }],
    ['a key of another type', { header: { jwk: { kty: 'oct', k: 'AAAA' } } }],
    ['a non-string nonce', { claims: { nonce: 5 } }],
  ]
  it.each(WRONG)('rejects a proof with %s', async (_, options) => {
    const key = dpopKey()
    const { access_token: token } = await boundTokens(app, key)
    const proof = userinfoProof(app, key, token, options)
    expectOAuthError(await ask(app, token, { dpop: proof }), 'invalid_dpop_proof', 401)
  })

  it('rejects the proof of another key', async () => {
    const { access_token: token } = await boundTokens(app, dpopKey())
    expectOAuthError(await ask(app, token, { dpop: userinfoProof(app, dpopKey(), token) }), 'invalid_dpop_proof', 401)
  })

  it('accepts each proof once across many concurrent requests on every node', async () => {
    const key = dpopKey()
    const { access_token: token } = await boundTokens(app, key)
    const headers = { dpop: userinfoProof(app, key, token) }
    const answers = await atOnce(CONCURRENT, (at) => ask(app, token, headers, at % service.urls.length))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const rejected of answers.filter(({ status }) => status !== 200))
      expectOAuthError(rejected, 'invalid_dpop_proof', 401)
  })

  it('requires a nonce if the application does', async () => {
    const key = dpopKey()
    const given = await codeFor(service, withNonce, user, OFFLINE)
    const first = await exchangeCode(service, withNonce, given, { headers: { dpop: proofFor(withNonce, key) } })
    const nonceOfTokens = first.headers.get('dpop-nonce') as string
    const { body } = await exchangeCode(service, withNonce, given, {
      headers: { dpop: proofFor(withNonce, key, { nonce: nonceOfTokens }) },
    })
    const token = body.access_token
    const without = await ask(withNonce, token, { dpop: userinfoProof(withNonce, key, token) })
    expectOAuthError(without, 'use_dpop_nonce', 401)
    const nonce = without.headers.get('dpop-nonce') as string
    const right = await ask(
      withNonce,
      token,
      { dpop: userinfoProof(withNonce, key, token, { nonce }) },
      service.urls.length - 1,
    )
    expect([right.status, right.headers.get('dpop-nonce')]).toEqual([200, expect.any(String)])
  })

  it.each([
    ['requires', () => withNonce],
    ['does not require', () => app],
  ])('accepts a nonce of the token endpoint, and vice versa: an application that %s one', async (_, at) => {
    const key = dpopKey()
    const given = await codeFor(service, at(), user, OFFLINE)
    const first = await exchangeCode(service, at(), given, {
      headers: { dpop: proofFor(at(), key, { nonce: 'old' }) },
    })
    expectOAuthError(first, 'use_dpop_nonce')
    const nonce = first.headers.get('dpop-nonce') as string
    const { body } = await exchangeCode(service, at(), given, {
      headers: { dpop: proofFor(at(), key, { nonce }) },
    })
    const accepted = await ask(at(), body.access_token, {
      dpop: userinfoProof(at(), key, body.access_token, { nonce }),
    })
    expect(accepted.status, accepted.text).toBe(200)
    const next = accepted.headers.get('dpop-nonce') as string
    const headers = { dpop: proofFor(at(), key, { nonce: next }) }
    const again = await refresh(service, at(), body.refresh_token, { headers })
    expect(again.status, again.text).toBe(200)
  })

  it('rejects the DPoP scheme for a token that is not bound', async () => {
    const given = await codeFor(service, app, user, OFFLINE)
    const { body } = await exchangeCode(service, app, given)
    const key = dpopKey()
    const proof = userinfoProof(app, key, body.access_token)
    expectOAuthError(await ask(app, body.access_token, { dpop: proof }), 'invalid_token', 401)
  })
})
