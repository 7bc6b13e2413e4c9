import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApp, withIssuerPath } from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { type Browser, openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { begin, discover } from '../../../../test/peers/openid-client.js'

/**
 * A third-party relying party: the certified library openid-client, which rejects every deviation from the standard and verifies the
 * signatures of ID tokens.
 */
let service: TestService
let user: TestUser
let browser: Browser

const AFTER_LOGOUT = 'https://rp.example/signed-out'

beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  browser = openBrowser(service, user)
})
afterAll(() => service.close())

const register = (fields: object = {}) =>
  registerApp(service, user, { postLogoutRedirectUris: [AFTER_LOGOUT], ...fields })

const CLIENTS: [string, object, (secret: string) => client.ClientAuth][] = [
  ['a secret with Basic', {}, (secret) => client.ClientSecretBasic(secret)],
  [
    'a secret in the body',
    { tokenEndpointAuthMethod: 'client_secret_post' },
    (secret) => client.ClientSecretPost(secret),
  ],
  ['no secret (public)', { isPublicClient: true }, () => client.None()],
]

describe.each(CLIENTS)('a relying party with %s', (_, fields, authOf) => {
  it('discovers each issuer URL, signs its user in with PKCE, refreshes, reads userinfo, and signs out', async () => {
    const registered = await register(fields)
    const auth = authOf(registered.secret as string)
    for (const path of [registered.teamId, registered.id, `${registered.teamId}/${registered.id}`]) {
      const app = withIssuerPath(service, path, registered)
      const config = await discover(service, app, auth)
      expect(config.serverMetadata().issuer).toBe(app.issuer)
      expect(config.serverMetadata().supportsPKCE()).toBe(true)
      const own = openBrowser(service, user)

      const { callback, checks } = await begin(config, app, own)
      const tokens = await client.authorizationCodeGrant(config, callback, checks)
      const claims = tokens.claims()
      expect(claims).toMatchObject({ iss: app.issuer, sub: user.id, aud: app.clientId, email: user.email })
      expect(tokens.expiresIn()).toBeGreaterThan(3_500)

      const told = await client.fetchUserInfo(config, tokens.access_token, user.id)
      expect(told).toMatchObject({ sub: user.id, email: user.email, email_verified: false })
      await expect(client.fetchUserInfo(config, tokens.access_token, 'another-user')).rejects.toThrow()

      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token as string)
      expect(refreshed.access_token).not.toBe(tokens.access_token)
      expect(refreshed.claims()?.sub).toBe(user.id)
      expect((await client.fetchUserInfo(config, refreshed.access_token, user.id)).sub).toBe(user.id)

      const end = client.buildEndSessionUrl(config, {
        id_token_hint: refreshed.id_token as string,
        post_logout_redirect_uri: AFTER_LOGOUT,
        state: checks.expectedState,
      })
      const answer = await own.visit(end.href)
      expect(answer.headers.get('location')).toBe(`${AFTER_LOGOUT}?state=${checks.expectedState}`)
    }
  })

  it('introspects a token, and sees it inactive after revocation', async () => {
    const app = await register(fields)
    const config = await discover(service, app, authOf(app.secret as string))
    const { callback, checks } = await begin(config, app, browser)
    const tokens = await client.authorizationCodeGrant(config, callback, checks)
    for (const token of [tokens.access_token, tokens.refresh_token as string]) {
      expect(await client.tokenIntrospection(config, token)).toMatchObject({
        active: true,
        client_id: app.clientId,
        sub: user.id,
        iss: app.issuer,
      })
      await client.tokenRevocation(config, token)
      expect(await client.tokenIntrospection(config, token)).toEqual({ active: false })
    }
    await expect(client.fetchUserInfo(config, tokens.access_token, user.id)).rejects.toMatchObject({ status: 401 })
    await expect(client.refreshTokenGrant(config, tokens.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    })
  })

  it('receives an error for a used code, and for a wrong verifier', async () => {
    const app = await register(fields)
    const config = await discover(service, app, authOf(app.secret as string))
    const first = await begin(config, app, browser)
    await client.authorizationCodeGrant(config, first.callback, first.checks)
    const second = await begin(config, app, browser)
    const other = { ...second.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    for (const [callback, checks] of [
      [first.callback, first.checks],
      [second.callback, other],
    ] as const)
      await expect(client.authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      })
  })
})

it('recognizes a missing session and a denied consent', async () => {
  const app = await register()
  const config = await discover(service, app, client.ClientSecretBasic(app.secret as string))
  const visitor = openBrowser(service, user)
  const silent = await begin(config, app, visitor, { prompt: 'none' })
  await expect(client.authorizationCodeGrant(config, silent.callback, silent.checks)).rejects.toMatchObject({
    error: 'login_required',
  })

  const state = client.randomState()
  const url = client.buildAuthorizationUrl(config, { redirect_uri: app.redirectUri, scope: 'openid', state })
  const page = new URL((await browser.visit(url.href)).headers.get('location') as string)
  const path = `${app.idp}/interaction/${page.searchParams.get('uid')}/confirm`
  const { body } = await browser.call('POST', path, { consent: false })
  const rejected = client.authorizationCodeGrant(config, new URL(body.redirectTo), { expectedState: state })
  await expect(rejected).rejects.toMatchObject({ error: 'access_denied' })
})

it('receives invalid_client for a wrong secret', async () => {
  const app = await register()
  for (const auth of [client.ClientSecretBasic('wrong'), client.ClientSecretPost('wrong'), client.None()]) {
    const config = await discover(service, app, auth)
    const { callback, checks } = await begin(config, app, browser)
    const rejected = await client.authorizationCodeGrant(config, callback, checks).catch((error) => error)
    // The library distinguishes a challenge from other errors.
    const error = rejected.error ?? rejected.cause[0].parameters.error
    expect([rejected.status, error]).toEqual([401, 'invalid_client'])
  }
})
