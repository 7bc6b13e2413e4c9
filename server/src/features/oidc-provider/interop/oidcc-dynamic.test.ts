import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  jwtPart,
  refresh,
  requestTokens,
  type TestApp,
  tokensFor,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { jwksOf } from '../../../../test/peers/conformance.js'

// The supported modules of the plan for dynamic registration (OIDCCDynamicTestPlan); docs/reference/conformance.md lists the others with the
// reason. Clients register with an API token of the team.

const REDIRECT = 'https://rp.example/callback'
const WITH_QUERY = 'https://rp.example/callback?tenant=one'
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

let service: TestService
let user: TestUser
let token: string
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  const { body } = await service.api('POST', '/api/v1/api-tokens', {
    token: user.token,
    body: { name: 'conformance', scopes: ['applications:write'] },
  })
  token = body.token
})
afterAll(() => service.close())

const register = (metadata: object = {}) =>
  service.api('POST', `/api/v1/sso/oidc-idp/${user.teamId}/register`, {
    headers: { 'x-api-token': token },
    body: { client_name: 'Relying party', redirect_uris: [REDIRECT], ...metadata },
  })

async function client(metadata: object = {}): Promise<TestApp & { manage: string; key: string }> {
  const { status, body } = await register(metadata)
  expect(status, JSON.stringify(body)).toBe(201)
  const app = withIssuerPath(service, user.teamId, {
    id: '',
    teamId: user.teamId,
    clientId: body.client_id,
    secret: body.client_secret,
    redirectUri: body.redirect_uris[0],
  })
  return { ...app, manage: new URL(body.registration_client_uri).pathname, key: body.registration_access_token }
}

const keyPair = (kid: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] } }
}

function assertion(app: TestApp, privateKey: KeyObject, kid: string, aud: string): Record<string, string> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(service.clock.ms() / 1_000)
  const input = `${part({ alg: 'ES256', kid })}.${part({ iss: app.clientId, sub: app.clientId, aud, jti: randomUUID(), iat: now, exp: now + 60 })}`
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return { client_assertion: `${input}.${signature.toString('base64url')}`, client_assertion_type: ASSERTION }
}

describe('a dynamically registered client', () => {
  it('oidcc-server, oidcc-idtoken-rs256: signs a user in, with an ID token by RS256', async () => {
    const app = await client({ id_token_signed_response_alg: 'RS256' })
    const tokens = await tokensFor(service, app, user)
    expect(jwtPart(tokens.id_token, 0).alg).toBe('RS256')
    expect(jwtPart(tokens.id_token)).toMatchObject({ iss: app.issuer, aud: app.clientId, sub: user.id })
  })

  it('oidcc-ensure-redirect-uri-in-authorization-request: receives no redirect without a redirect URI, although one is registered', async () => {
    const answer = await authorize(service, await client(), { redirect_uri: undefined })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it('oidcc-redirect-uri-query-OK: receives the response in addition to the query of its redirect URI', async () => {
    const app = await client({ redirect_uris: [WITH_QUERY] })
    const { callback, ...given } = await codeFor(service, app, user)
    expect([callback.searchParams.get('tenant'), callback.searchParams.get('state')]).toEqual(['one', 'the-state'])
    expect((await exchangeCode(service, app, given)).status).toBe(200)
  })

  it.each([
    ['oidcc-redirect-uri-query-added', [REDIRECT], `${REDIRECT}?added=1`],
    ['oidcc-redirect-uri-query-mismatch', [WITH_QUERY], 'https://rp.example/callback?tenant=two'],
  ])('%s: receives no redirect with another query than the registered one', async (_, redirect_uris, redirect_uri) => {
    const answer = await authorize(service, await client({ redirect_uris }), { redirect_uri })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it('oidcc-redirect-uri-regfrag: rejects a redirect URI with a fragment', async () => {
    expectOAuthError(await register({ redirect_uris: [`${REDIRECT}#fragment`] }), 'invalid_redirect_uri')
  })

  it('oidcc-registration-logo-uri, oidcc-registration-policy-uri, oidcc-registration-tos-uri: registers URIs for users, and the logo is shown', async () => {
    const uris = {
      logo_uri: 'https://rp.example/logo.png',
      policy_uri: 'https://rp.example/policy',
      tos_uri: 'https://rp.example/tos',
    }
    const { status, body } = await register(uris)
    expect([status, body.logo_uri]).toEqual([201, uris.logo_uri])
  })

  it('oidcc-ensure-client-assertion-with-iss-aud-succeeds: authenticates with a JWT whose audience is the issuer', async () => {
    const { privateKey, jwks } = keyPair('one')
    const app = await client({ jwks, token_endpoint_auth_method: 'private_key_jwt' })
    const { callback, ...given } = await codeFor(service, app, user)
    const { status, body } = await requestTokens(
      service,
      app,
      {
        grant_type: 'authorization_code',
        code: given.code,
        code_verifier: given.verifier,
        redirect_uri: callback.origin + callback.pathname,
        ...assertion(app, privateKey, 'one', app.issuer),
      },
      { global: true, auth: 'none' },
    )
    expect(status, JSON.stringify(body)).toBe(200)
  })

  it('oidcc-refresh-token-rp-key-rotation: replaces its key, and refreshes only with the new one', async () => {
    const [first, second] = [keyPair('first'), keyPair('second')]
    const metadata = { jwks: first.jwks, token_endpoint_auth_method: 'private_key_jwt' }
    const app = await client(metadata)
    const prove = (by: KeyObject, kid: string) => assertion(app, by, kid, app.issuer)
    const { code, verifier } = await codeFor(service, app, user, { scope: 'openid offline_access' })
    const exchanged = await requestTokens(
      service,
      app,
      {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT,
        ...prove(first.privateKey, 'first'),
      },
      { global: true, auth: 'none' },
    )
    const changed = await service.api('PUT', app.manage, {
      token: app.key,
      body: {
        client_id: app.clientId,
        client_name: 'Relying party',
        redirect_uris: [REDIRECT],
        ...metadata,
        jwks: second.jwks,
      },
    })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const again = (by: Record<string, string>) =>
      requestTokens(
        service,
        app,
        { grant_type: 'refresh_token', refresh_token: exchanged.body.refresh_token, ...by },
        { global: true, auth: 'none' },
      )
    expectOAuthError(await again(prove(first.privateKey, 'first')), 'invalid_client', 401)
    expect((await again(prove(second.privateKey, 'second'))).status).toBe(200)
  })

  it('oidcc-refresh-token: refreshes', async () => {
    const app = await client()
    const tokens = await tokensFor(service, app, user, { scope: 'openid offline_access' })
    expect((await refresh(service, app, tokens.refresh_token, { global: true })).status).toBe(200)
  })

  it('oidcc-server-rotate-keys: verifies earlier tokens after a rotation, and receives tokens of the new key', async () => {
    const app = await client()
    const before = await tokensFor(service, app, user)
    const { status } = await service.api('POST', '/api/v1/org/signing-keys/rotate', { token: user.token })
    expect(status).toBeLessThan(300)
    const after = await tokensFor(service, app, user)
    const [old, fresh] = [before, after].map(({ id_token }) => jwtPart(id_token, 0).kid as string)
    expect(old).not.toBe(fresh)
    const kids = (await jwksOf(service, app)).keys.map(({ kid }) => kid)
    expect(kids).toEqual(expect.arrayContaining([old, fresh]))
    expect([await isActive(service, before.access_token), await isActive(service, after.access_token)]).toEqual([
      true,
      true,
    ])
  })

  it.each([
    ['oidcc-registration-jwks-uri', { jwks_uri: 'https://rp.example/jwks' }],
    ['oidcc-registration-sector-uri', { sector_identifier_uri: 'https://rp.example/sector' }],
    ['oidcc-registration-sector-bad', { sector_identifier_uri: 'https://rp.example/other' }],
    [
      'oidcc-request-uri-signed-rs256',
      { request_uris: ['https://rp.example/request'], request_object_signing_alg: 'RS256' },
    ],
    ['oidcc-userinfo-rs256', { userinfo_signed_response_alg: 'RS256' }],
  ])('%s: receives an error for the unsupported metadata, and is not registered', async (_, metadata) => {
    expectOAuthError(await register(metadata), 'invalid_client_metadata')
  })
})
