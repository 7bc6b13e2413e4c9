import { afterAll, describe, expect, it } from 'vitest'
import {
  refresh as refreshTokens,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { atOnce, registerUser } from '../../../../test/factories/factories.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService({ env: { TRUST_PROXY: '1' } })
afterAll(() => service.close())
const HOUR = 3_600_000
const OFFLINE = { scope: 'openid offline_access' }
const ELSEWHERE = { 'x-forwarded-for': '198.51.100.3' }
/** Parameters that only the engine handles. */
const RARE = { unknown_parameter: 'x' }

async function newApp() {
  const user = await registerUser(service)
  return { user, app: await registerApp(service, user, { grantTypes: ['authorization_code', 'refresh_token'] }) }
}

/** Returns the metadata of the entries of an application's tokens, without the grant. */
const entriesOf = async (app: TestApp) =>
  (
    await service.sql<{ metadata: object }>(
      "SELECT metadata - 'grant' AS metadata FROM audit_entries WHERE action = 'application.token_issued' AND resource = $1 ORDER BY id",
      [`application:${app.id}`],
    )
  ).map(({ metadata }) => metadata)
const CODE = { grantType: 'authorization_code' }
const refreshed = (refreshes: number) => ({ grantType: 'refresh_token', refreshes })

describe('the entries of refreshes by an application', () => {
  it.each([
    ['the fast path', {}],
    ['the engine', RARE],
  ])('records one from each network in 24 hours, with the number of refreshes: %s', async (_, more) => {
    const { user, app } = await newApp()
    let { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    const refresh = async (headers = {}) => {
      const form = { grant_type: 'refresh_token', refresh_token: token, ...more }
      const { status, body, text } = await requestTokens(service, app, form, { headers })
      expect(status, text).toBe(200)
      token = body.refresh_token
    }
    for (let done = 0; done < 3; done++) await refresh()
    expect(await entriesOf(app)).toEqual([CODE])
    await refresh(ELSEWHERE)
    await refresh(ELSEWHERE)
    await refresh()
    expect(await entriesOf(app)).toEqual([CODE, refreshed(4)])
    await service.clock.advance(24 * HOUR)
    await refresh()
    await refresh(ELSEWHERE)
    await refresh()
    expect(await entriesOf(app)).toEqual([CODE, refreshed(4), refreshed(7), refreshed(8)])
  })

  it('counts one of concurrent refreshes with the same token, and records the network of each', async () => {
    const { user, app } = await newApp()
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    const responses = await atOnce(20, (index) =>
      refreshTokens(service, app, token, { headers: index === 19 ? ELSEWHERE : {} }),
    )
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.refresh_token}`)).size).toBe(1)
    expect(await entriesOf(app)).toEqual([CODE, refreshed(1)])
  })

  it('counts concurrent refreshes without rotation exactly, and writes one entry', async () => {
    const { user, app } = await newApp()
    const set = await service.api('PUT', `/api/v1/applications/${app.id}/oidc-config/token-policy`, {
      token: user.token,
      body: { rotationEnabled: false },
    })
    expect(set.status, set.text).toBe(200)
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    await service.clock.advance(24 * HOUR)
    const responses = await atOnce(20, (index) =>
      requestTokens(service, app, {
        grant_type: 'refresh_token',
        refresh_token: token,
        ...(index % 4 === 0 && RARE),
      }),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await entriesOf(app)).toEqual([CODE, refreshed(1)])
    await service.clock.advance(24 * HOUR)
    await refreshTokens(service, app, token)
    expect(await entriesOf(app)).toEqual([CODE, refreshed(1), refreshed(21)])
  })
})
