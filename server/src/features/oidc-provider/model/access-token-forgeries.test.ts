import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  expectOAuthError,
  isActive,
  jwtPart,
  registerApp,
  requestTokens,
  signInBrowser,
  type TestApp,
  tokensFor,
  userinfo,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, requestToken, type TestUser } from '../../../../test/factories/factories.js'
import { nextRsaKeyPair } from '../../../../test/harness/rsa-keys.mjs'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser
let app: TestApp
let tokens: Awaited<ReturnType<typeof tokensFor>>
let foreign: { app: TestApp; user: TestUser; tokens: Awaited<ReturnType<typeof tokensFor>> }
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user, {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    scopes: ['openid', 'profile', 'email', 'offline_access', 'api'],
  })
  tokens = await tokensFor(service, app, user, { scope: 'openid email offline_access' })
  const outsider = await registerUser(service)
  const theirs = await registerApp(service, outsider)
  foreign = { app: theirs, user: outsider, tokens: await tokensFor(service, theirs, outsider) }
})
afterAll(() => service.close())

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const { privateKey: ownKey, publicKey: ownPublic } = nextRsaKeyPair()
const byKey =
  (key: KeyObject, hash = 'sha256') =>
  (input: string) =>
    sign(hash, Buffer.from(input), key)

function forge(head: object, change: object, signer: (input: string) => Buffer = byKey(ownKey)): string {
  const input = `${part({ ...jwtPart(tokens.access_token, 0), ...head })}.${part({ ...jwtPart(tokens.access_token), ...change })}`
  return `${input}.${signer(input).toString('base64url')}`
}
const publicPem = async () => {
  const { body } = await service.api('GET', `${app.idp}/jwks`)
  return createPublicKey({ key: body.keys[0], format: 'jwk' }).export({ format: 'pem', type: 'spki' })
}

async function expectNothing(token: string): Promise<void> {
  expect(await isActive(service, token)).toBe(false)
  const info = await userinfo(service, app, token)
  expectOAuthError(info, 'invalid_token', 401)
  expect(info.headers.get('www-authenticate')).toMatch(/^Bearer /)
  const { status, body } = await service.api('POST', '/api/v1/oauth/revoke', { body: { token } })
  expect([status, body]).toEqual([200, { status: 'revoked' }])
}

describe('an access token', () => {
  it('opens userinfo and introspection if valid', async () => {
    const { status, body } = await userinfo(service, app, tokens.access_token)
    expect([status, body]).toEqual([200, { sub: user.id, email: user.email, email_verified: false }])
    expect(jwtPart(tokens.access_token, 0)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' })
  })

  const split = () => tokens.access_token.split('.') as [string, string, string]
  const FORGED: [what: string, token: () => string | Promise<string>][] = [
    ['no signature', () => `${split()[0]}.${split()[1]}.`],
    ['two parts', () => `${split()[0]}.${split()[1]}`],
    ['four parts', () => `${tokens.access_token}.x`],
    ['the algorithm none', () => `${part({ typ: 'at+jwt', alg: 'none' })}.${split()[1]}.`],
    ['the algorithm none and a signature', () => forge({ alg: 'none' }, {})],
    [
      'HMAC with the public key',
      async () => {
        const key = await publicPem()
        return forge({ alg: 'HS256' }, {}, (input) => createHmac('sha256', key).update(input).digest())
      },
    ],
    ['a foreign key', () => forge({}, {})],
    ['an embedded foreign key', () => forge({ jwk: ownPublic.export({ format: 'jwk' }), kid: 'mine' }, {})],
    ['a jku', () => forge({ jku: 'https://evil.example/jwks' }, {})],
    ['an x5u', () => forge({ x5u: 'https://evil.example/c' }, {})],
    ['another algorithm of the same family', () => forge({ alg: 'PS256' }, {})],
    ['the kid of another team', () => forge({ kid: jwtPart(foreign.tokens.access_token, 0).kid }, {})],
    ['a path as kid', () => forge({ kid: '../../../dev/null' }, {})],
    [
      'another user under the same signature',
      () => `${split()[0]}.${part({ ...jwtPart(tokens.access_token), sub: foreign.user.id })}.${split()[2]}`,
    ],
    [
      'more scopes under the same signature',
      () => `${split()[0]}.${part({ ...jwtPart(tokens.access_token), scope: 'openid profile email' })}.${split()[2]}`,
    ],
    [
      'other bytes in the signature',
      () => `${split()[0]}.${split()[1]}.${Buffer.from(split()[2], 'base64url').reverse().toString('base64url')}`,
    ],
    ['a padded signature', () => `${tokens.access_token}==`],
    [
      'a signature in standard base64',
      () => `${split()[0]}.${split()[1]}.${Buffer.from(split()[2], 'base64url').toString('base64')}=`,
    ],
    ['a meaningless character in the signature', () => `${split()[0]}.${split()[1]}.${split()[2]}~`],
    ['white space', () => `${split()[0]}.${split()[1]} .${split()[2]}`],
    [
      'the signature of another team',
      () => {
        const [head, , signature] = foreign.tokens.access_token.split('.')
        return `${head}.${split()[1]}.${signature}`
      },
    ],
    ['an ID token', () => tokens.id_token],
    ['a session token', () => user.token],
    ['only dots', () => '..'],
    ['an excessive length', () => `${'a'.repeat(10_000)}.b.c`],
  ]
  it.each(FORGED)('opens no endpoint with %s', async (_, make) => {
    const token = await make()
    await expectNothing(token)
    expect(await isActive(service, tokens.access_token)).toBe(true)
  })

  it.each([
    ['type', { typ: 'JWT' }, {}],
    ['issuer', {}, { iss: 'https://evil.example' }],
    ['audience', {}, { aud: 'another' }],
    ['expiry', {}, { exp: 4_102_444_800 }],
  ])('fails verification with another %s, despite a valid signature', async (_, head, change) => {
    await expectNothing(forge(head, change))
  })

  it('needs more than the signature of an imported key, regardless of its scopes', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const imported = await service.api('POST', `/api/v1/applications/${app.id}/oidc-config/signing-keys`, {
      token: user.token,
      body: {
        kid: 'imported',
        algorithm: 'ES256',
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        isDefault: true,
      },
    })
    expect(imported.status, imported.text).toBe(201)
    const real = await tokensFor(service, app, user, { scope: 'openid' })
    const claims = jwtPart(real.access_token) as Record<string, unknown> & { exp: number; iat: number }
    const signed = (change: object) => {
      const input = `${part(jwtPart(real.access_token, 0))}.${part({ ...claims, ...change })}`
      const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${input}.${signature.toString('base64url')}`
    }
    // The service issued these claims; another signature of them is accepted.
    expect((await userinfo(service, app, signed({}))).body).toEqual({ sub: user.id })
    const other = jwtPart(tokens.access_token)
    for (const change of [
      { scope: 'openid profile email' },
      { exp: claims.exp + 86_400 },
      { iat: claims.iat + 1 },
      { jti: 'another' },
      { jti: other.jti },
      { gid: other.gid },
      { sub: foreign.user.id },
      { uic: ['email'] },
      { cnf: { jkt: 'x' } },
      { act: { sub: 'x' } },
      { gid: undefined, gen: 1 },
    ])
      await expectNothing(signed(change))

    expect((await service.api('POST', '/api/v1/oauth/revoke', { body: { token: real.access_token } })).status).toBe(200)
    await expectNothing(real.access_token)
    await expectNothing(signed({}))
    await expectNothing(signed({ jti: `${claims.jti}x` }))
  })

  it('opens userinfo only under the issuer that issued it', async () => {
    for (const path of [app.id, app.teamId, foreign.app.teamId, foreign.app.id]) {
      const answer = await userinfo(service, withIssuerPath(service, path, app), tokens.access_token)
      expectOAuthError(answer, 'invalid_token', 401)
    }
  })

  it('contains no user for client_credentials', async () => {
    const { body } = await requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api openid' })
    expect(body.scope).toBe('api')
    expectOAuthError(await userinfo(service, app, body.access_token), 'invalid_token', 401)
    expect(jwtPart(body.access_token).sub).toBe(app.clientId)
  })
})

describe('each token type is accepted only for its purpose', () => {
  it('rejects other token types at userinfo, introspection and the account API', async () => {
    const { code } = await codeFor(service, app, user)
    const browser = await signInBrowser(service, user)
    const mailed = [
      await requestToken(service, 'magic_link', user.email),
      await requestToken(service, 'password_reset', user.email),
    ]
    const account = [user.token, browser.token, browser.refreshToken, browser.cookies.keyward_sso ?? '', ...mailed]
    for (const token of [...account, tokens.id_token, code, app.secret ?? '', app.clientId]) await expectNothing(token)
    expectOAuthError(await userinfo(service, app, tokens.refresh_token), 'invalid_token', 401)
    for (const token of [tokens.access_token, tokens.id_token, tokens.refresh_token, code, app.secret ?? '']) {
      for (const path of ['/api/v1/auth/me', '/api/v1/auth/sessions', '/api/v1/applications'])
        expect((await service.api('GET', path, { token })).status).toBe(401)
      const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: token } })
      expect([400, 401]).toContain(refreshed.status)
      const reset = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
      expect(reset.status).toBe(400)
      const cookies = { keyward_sso: token }
      const { headers } = await service.api(
        'GET',
        `${app.idp}/authorize?${new URLSearchParams({
          client_id: app.clientId,
          redirect_uri: app.redirectUri,
          response_type: 'code',
          scope: 'openid',
          state: 's',
          prompt: 'none',
        })}`,
        { cookies },
      )
      expect(headers.get('location')).toContain('error=login_required')
    }
  })

  it('rejects other token types at the token endpoint', async () => {
    const { code, verifier } = await codeFor(service, app, user)
    const account = [user.token, user.refreshToken, tokens.access_token, tokens.id_token]
    for (const token of [...account, code])
      expectOAuthError(
        await requestTokens(service, app, { grant_type: 'refresh_token', refresh_token: token }),
        'invalid_grant',
      )
    for (const token of [...account, tokens.refresh_token]) {
      const fields = {
        grant_type: 'authorization_code',
        code: token,
        code_verifier: verifier,
        redirect_uri: app.redirectUri,
      }
      expectOAuthError(await requestTokens(service, app, fields), 'invalid_grant')
    }
    expect(await isActive(service, tokens.refresh_token)).toBe(true)
  })
})
