import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  isActive,
  jwtPart,
  locationOf,
  registerApp,
  signInBrowser,
  type TestApp,
  tokensFor,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser
let app: TestApp

beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user)
})
afterAll(() => service.close())

describe('the authorization code flow', () => {
  it('issues tokens under each issuer URL, and each token names the requested one', async () => {
    for (const path of [app.teamId, app.id, `${app.teamId}/${app.id}`]) {
      const asked = withIssuerPath(service, path, app)
      const tokens = await tokensFor(service, asked, user, {
        scope: 'openid profile email offline_access',
        nonce: 'n1',
      })
      for (const token of [tokens.access_token, tokens.id_token]) expect(jwtPart(token).iss).toBe(asked.issuer)
      expect(jwtPart(tokens.id_token)).toMatchObject({
        sub: user.id,
        aud: app.clientId,
        nonce: 'n1',
        email: user.email,
      })
      expect(tokens.scope.split(' ').sort()).toEqual(['email', 'offline_access', 'openid', 'profile'])
      expect(await isActive(service, tokens.access_token)).toBe(true)
      expect(await isActive(service, tokens.refresh_token)).toBe(true)
    }
  })

  it('accepts the code of any issuer at the endpoint of all issuers, and at an issuer only its own', async () => {
    const given = await codeFor(service, app, user)
    const elsewhere = withIssuerPath(service, app.teamId, app)
    const rejected = await exchangeCode(service, elsewhere, given)
    expect([rejected.status, rejected.body.error]).toEqual([400, 'invalid_grant'])
    const taken = await exchangeCode(service, app, given, { global: true })
    expect(taken.status).toBe(200)
    expect(jwtPart(taken.body.access_token).iss).toBe(app.issuer)
  })

  it('issues a code without a page to a browser with a session and an earlier consent', async () => {
    await tokensFor(service, app, user)
    const browser = await signInBrowser(service, user)
    const back = locationOf(await authorize(service, app, {}, browser.cookies))
    expect(back.origin + back.pathname).toBe(app.redirectUri)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: 'the-state',
      iss: app.issuer,
    })
  })
})
