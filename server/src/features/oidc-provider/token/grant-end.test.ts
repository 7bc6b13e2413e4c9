import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answerDevice,
  expectOAuthError,
  isActive,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { logIn, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const SECOND = 1_000
const DAY = 86_400 * SECOND
const SCOPE = 'openid offline_access'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
}

describe('the absolute end of a grant', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  const setDays = (days: number) => service.sql('UPDATE instance_settings SET session_max_lifetime_days = $1', [days])
  async function appWith(policy: Record<string, unknown> = {}, fields: Record<string, unknown> = {}): Promise<TestApp> {
    user = await logIn(service, user)
    const app = await registerApp(service, user, fields)
    const { status, text } = await service.api('PUT', `/api/v1/applications/${app.id}/oidc-config/token-policy`, {
      token: user.token,
      body: policy,
    })
    expect(status, text).toBe(200)
    return app
  }
  /** Refreshes after each of the given numbers of days. */
  async function refreshAfter(app: TestApp, first: Tokens, days: number[]): Promise<Tokens> {
    let tokens = first
    for (const each of days) {
      await service.clock.advance(each * DAY)
      const { status, body } = await refresh(service, app, tokens.refresh_token)
      expect(status, JSON.stringify(body)).toBe(200)
      tokens = { refresh_token: tokens.refresh_token, ...body }
    }
    return tokens
  }
  async function expectEnded(app: TestApp, { access_token, refresh_token }: Tokens): Promise<void> {
    expect(await isActive(service, access_token)).toBe(false)
    expect(await isActive(service, refresh_token)).toBe(false)
    expectOAuthError(await refresh(service, app, refresh_token), 'invalid_grant')
  }

  it('comes 90 days after its creation, regardless of refreshes', async () => {
    const app = await appWith()
    const last = await refreshAfter(app, await tokensFor(service, app, user, { scope: SCOPE }), [29, 29, 21.999])
    const { body: seen } = await service.api('POST', '/api/v1/oauth/introspect', {
      body: { token: last.refresh_token },
    })
    expect(seen.exp * SECOND).toBeLessThanOrEqual(service.clock.ms() + 10.001 * DAY)
    const end = await refreshAfter(app, last, [9.999])
    // The access token expires with its grant.
    expect(end.expires_in).toBeLessThanOrEqual(0.002 * 86_400 + 1)
    expect(await isActive(service, end.access_token)).toBe(true)
    await service.clock.advance(0.003 * DAY)
    await expectEnded(app, end)
  })

  it('follows the refreshTokenLifetime of the application if that is longer', async () => {
    const app = await appWith({ refreshTokenLifetime: 100 * 86_400 })
    const last = await refreshAfter(app, await tokensFor(service, app, user, { scope: SCOPE }), [60, 39.9])
    await service.clock.advance(0.2 * DAY)
    await expectEnded(app, last)
  })

  it('changes with the setting of the instance on the next request', async () => {
    const app = await appWith({ refreshTokenLifetime: 3_600, accessTokenLifetime: 5 * 86_400 })
    const tokens = await tokensFor(service, app, user, { scope: SCOPE })
    await service.clock.advance(0.04 * DAY)
    expect(await isActive(service, tokens.access_token)).toBe(true)
    await service.clock.advance(1 * DAY)
    expect(await isActive(service, tokens.access_token)).toBe(true)
    await setDays(1)
    expect(await isActive(service, tokens.access_token)).toBe(false)
    await setDays(90)
  })

  it('applies to a device too, and comes no later than the session without offline_access', async () => {
    const grantTypes = [DEVICE_GRANT, 'refresh_token']
    const app = await appWith({}, { grantTypes, responseTypes: [], redirectUris: [] })
    const { body: begun } = await startDeviceAuthorization(app)
    await answerDevice(service, begun.user_code, user)
    const { body: device } = await requestTokens(service, app, {
      grant_type: DEVICE_GRANT,
      device_code: begun.device_code,
    })
    const web = await appWith({ accessTokenLifetime: 100 * 86_400 })
    const online = await tokensFor(service, web, user, { scope: 'openid' })
    await setDays(20)
    const last = await refreshAfter(app, device, [15])
    expect(await isActive(service, online.access_token)).toBe(true)
    await service.clock.advance(6 * DAY)
    // The application's refresh tokens are valid for 30 days, the session for 20.
    expect(await isActive(service, online.access_token)).toBe(false)
    const later = await refreshAfter(app, last, [8.9])
    await service.clock.advance(0.2 * DAY)
    await expectEnded(app, later)
    await setDays(90)
  })

  const startDeviceAuthorization = (app: TestApp) =>
    service.api('POST', `${app.idp}/device/auth`, {
      raw: new URLSearchParams({ client_id: app.clientId, scope: SCOPE }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}`,
      },
    })
})
