import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  jwtPart,
  locationOf,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
  userinfo,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const API = 'https://api.example/v1'
const OTHER = 'https://other.example/'
const OFFLINE = 'openid email offline_access'

let service: TestService
let user: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user, {
    resources: [API, OTHER],
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
  })
})
afterAll(() => service.close())

describe('a registered resource server (RFC 8707)', () => {
  it('becomes the audience of the requested access token and of refreshed ones', async () => {
    const tokens = await tokensFor(service, app, user, { scope: OFFLINE, resource: API })
    expect(jwtPart(tokens.access_token)).toMatchObject({ aud: API, iss: app.issuer, sub: user.id })
    expect(jwtPart(tokens.id_token).aud).toBe(app.clientId)
    const { body } = await service.api('POST', '/api/v1/oauth/introspect', { body: { token: tokens.access_token } })
    expect(body).toMatchObject({ active: true, aud: API })
    const again = await refresh(service, app, tokens.refresh_token)
    expect(jwtPart(again.body.access_token).aud).toBe(API)
  })

  it('has tokens that userinfo rejects', async () => {
    const { access_token: token } = await tokensFor(service, app, user, { scope: OFFLINE, resource: API })
    expectOAuthError(await userinfo(service, app, token), 'invalid_token', 401)
  })

  it('accepts one of the requested resources at the token endpoint', async () => {
    const given = await codeFor(service, app, user, { scope: OFFLINE, resource: API })
    const form = (resource?: string) => ({
      grant_type: 'authorization_code',
      code: given.code,
      code_verifier: given.verifier,
      redirect_uri: app.redirectUri,
      resource,
    })
    expectOAuthError(await requestTokens(service, app, form(OTHER)), 'invalid_target')
    expect(jwtPart((await requestTokens(service, app, form(API))).body.access_token).aud).toBe(API)
  })

  it('accepts a resource with client_credentials', async () => {
    const ask = (resource?: string) => requestTokens(service, app, { grant_type: 'client_credentials', resource })
    expect(jwtPart((await ask(API)).body.access_token).aud).toBe(API)
    expect(jwtPart((await ask()).body.access_token).aud).toBe(app.issuer)
    expectOAuthError(await ask('https://elsewhere.example/'), 'invalid_target')
    expectOAuthError(await ask('not-a-uri'), 'invalid_target')
  })

  it('returns invalid_target for an unregistered resource', async () => {
    const back = locationOf(await authorize(service, app, { resource: 'https://elsewhere.example/' }))
    expect(back.searchParams.get('error')).toBe('invalid_target')
    const plain = await registerApp(service, user)
    const none = locationOf(await authorize(service, plain, { resource: API }))
    expect(none.searchParams.get('error')).toBe('invalid_target')
  })

  it('invalidates its tokens on the next request once it is removed', async () => {
    const own = await registerApp(service, user, { resources: [API] })
    const { access_token: token } = await tokensFor(service, own, user, { scope: OFFLINE, resource: API })
    expect(await isActive(service, token)).toBe(true)
    await service.api('PUT', `/api/v1/applications/${own.id}`, { token: user.token, body: { resources: [] } })
    expect(await isActive(service, token)).toBe(false)
  })

  it('defaults to the issuer', async () => {
    const { body } = await exchangeCode(service, app, await codeFor(service, app, user))
    expect(jwtPart(body.access_token).aud).toBe(app.issuer)
  })
})
