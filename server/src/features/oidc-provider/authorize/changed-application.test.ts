import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  confirm,
  exchangeCode,
  jwtPart,
  pkce,
  refresh,
  registerApp,
  type TestApp,
  tokensFor,
  uidOf,
} from '../../../../test/doubles/relying-party.js'
import {
  expectError,
  joinTeam,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser

beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
})
afterAll(() => service.close())

const change = async (app: TestApp, fields: Record<string, unknown>) => {
  const { status, body } = await service.api('PUT', `/api/v1/applications/${app.id}`, {
    token: user.token,
    body: fields,
  })
  expect(status, JSON.stringify(body)).toBe(200)
}
const answer = (app: TestApp, uid: string) =>
  service.api('POST', `${app.idp}/interaction/${uid}/confirm`, { token: user.token, body: { consent: true } })

describe('a pending request whose application changes', () => {
  it.each([
    ['its redirect URI is removed', { redirectUris: ['https://rp.example/other'] }],
    ['the application may no longer use the code flow', { grantTypes: ['client_credentials'] }],
    ['the application becomes public and the request has no PKCE', { isPublicClient: true }],
    ['none of the requested scopes remains', { scopes: ['profile'] }],
  ])('gives no code when %s', async (_how, fields) => {
    const app = await registerApp(service, user)
    const uid = uidOf(await authorize(service, app))
    await change(app, fields)
    expectError(await answer(app, uid), 409, 'interaction_outdated')
    expect(
      await service.sql(
        'SELECT 1 FROM oauth_tokens t JOIN sessions g ON g.id = t.grant_id WHERE g.application_id = $1',
        [app.id],
      ),
    ).toEqual([])
  })

  it('issues only the remaining scopes', async () => {
    const app = await registerApp(service, user)
    const { verifier, challenge } = pkce()
    const uid = uidOf(
      await authorize(service, app, {
        scope: 'openid email profile',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    )
    await change(app, { scopes: ['openid', 'email'] })
    const callback = await confirm(service, app, uid, user)
    const { body } = await exchangeCode(service, app, { code: callback.searchParams.get('code') as string, verifier })
    expect(body.scope.split(' ').sort()).toEqual(['email', 'openid'])
  })
})

describe('removing scopes from an application', () => {
  it('removes them from issued tokens, userinfo, refresh and introspection', async () => {
    const app = await registerApp(service, user)
    const before = await tokensFor(service, app, user, { scope: 'openid email offline_access' })
    await change(app, { scopes: ['openid', 'offline_access'] })
    const { body: info } = await service.api('GET', `${app.idp}/userinfo`, { token: before.access_token })
    expect(info).toEqual({ sub: user.id })
    for (const token of [before.access_token, before.refresh_token]) {
      const { body } = await service.api('POST', '/api/v1/oauth/introspect', { body: { token } })
      expect(body).toMatchObject({ active: true, scope: 'openid offline_access' })
    }
    const { body: after } = await refresh(service, app, before.refresh_token)
    expect(after.scope).toBe('openid offline_access')
    expect(jwtPart(after.id_token)).not.toHaveProperty('email')
  })
})

describe('POST /applications/{id}/try/token', () => {
  const tryIt = (appId: string, body: Record<string, unknown>) =>
    service.api('POST', `/api/v1/applications/${appId}/try/token`, { token: user.token, body })
  const callback = 'http://localhost:3000/try/callback'

  it('exchanges a code of the administrator for the tokens of the application, without its secret', async () => {
    const app = await registerApp(service, user, { redirectUris: [callback] })
    const { code, verifier } = await codeFor(service, app, user, { scope: 'openid offline_access' })
    const exchange = {
      issuer: app.issuer,
      grantType: 'authorization_code',
      code,
      codeVerifier: verifier,
      redirectUri: callback,
    }
    const { body } = await tryIt(app.id, exchange)
    expect(body).toMatchObject({ status: 200, body: { token_type: 'Bearer', refresh_token: expect.any(String) } })
    const again = await tryIt(app.id, {
      issuer: app.issuer,
      grantType: 'refresh_token',
      refreshToken: body.body.refresh_token,
    })
    expect(again.body.status).toBe(200)
    const entries = await service.sql(
      `SELECT action FROM audit_entries WHERE action = 'application.tried' AND team_id = $1`,
      [user.teamId],
    )
    expect(entries).toHaveLength(2)
    expect((await tryIt(app.id, exchange)).body).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('rejects codes of other users and of other redirect URIs', async () => {
    const app = await registerApp(service, user, { redirectUris: [callback, 'https://rp.example/callback'] })
    const colleague = await registerUser(service)
    await joinTeam(service, colleague, user.teamId)
    const theirs = await codeFor(service, app, colleague)
    const exchange = {
      issuer: app.issuer,
      grantType: 'authorization_code',
      code: theirs.code,
      codeVerifier: theirs.verifier,
      redirectUri: callback,
    }
    expect((await tryIt(app.id, exchange)).body).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expectError(
      await tryIt(app.id, { ...exchange, redirectUri: 'https://rp.example/callback' }),
      400,
      'invalid_request',
    )
    const asColleague = { token: colleague.token, headers: { 'x-org-id': user.teamId }, body: exchange }
    expectError(await service.api('POST', `/api/v1/applications/${app.id}/try/token`, asColleague), 403, 'forbidden')
    // The owner of the code can still redeem it.
    expect((await exchangeCode(service, app, theirs)).status).toBe(200)
  })

  it('accepts only issuers of that application', async () => {
    const app = await registerApp(service, user)
    const sibling = await registerApp(service, user)
    const outsider = await registerUser(service)
    const foreign = await registerApp(service, outsider)
    const saml = await registerApplication(service, user, { type: 'SAML', samlEntityId: 'https://sp.example' })
    const body = { grantType: 'refresh_token', refreshToken: 'x' }
    for (const [id, issuer] of [
      [app.id, sibling.issuer],
      [app.id, foreign.issuer],
      [foreign.id, foreign.issuer],
      [saml.id, `${service.baseUrl}/api/v1/sso/oidc-idp/${user.teamId}`],
      [app.id, 'https://elsewhere.example/api/v1/sso/oidc-idp/x'],
      ['nothing', app.issuer],
    ] as const)
      expectError(await tryIt(id, { ...body, issuer }), 404, 'issuer_not_found')
  })
})

describe('another spelling of a path of an issuer', () => {
  it.each([
    '.well-known/openid-configuration/',
    'jwks/',
    'userinfo/',
    'AUTHORIZE',
    'authorize/x',
    'token',
    'request',
    'register',
  ])('returns 404 for %s', async (path) => {
    const app = await registerApp(service, user)
    const { status, body } = await service.api('GET', `${app.idp}/${path}`)
    expect({ status, error: body?.error }).toEqual({ status: 404, error: 'not_found' })
  })
})
