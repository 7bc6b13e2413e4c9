import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  authorize,
  confirm,
  expectOAuthError,
  locationOf,
  registerApp,
  requestTokens,
  type TestApp,
  uidOf,
} from '../../../../test/doubles/relying-party.js'
import { expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

let service: TestService
let user: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  user = await registerUser(service)
  app = await registerApp(service, user, { grantTypes: ['authorization_code', 'refresh_token', DEVICE_GRANT] })
})

const send = (path: string, form: Record<string, string>) =>
  service.api('POST', `${app.idp}${path}`, {
    raw: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}`,
    },
  })
async function stopAndStart(): Promise<void> {
  for (const act of ['stop', 'start']) {
    const { status } = await service.api('POST', `/api/v1/applications/${app.id}/${act}`, { token: user.token })
    expect(status).toBe(200)
  }
}
const pushed = async (): Promise<string> => {
  const form = { redirect_uri: app.redirectUri, response_type: 'code', scope: 'openid', state: 'pushed' }
  const { status, body } = await send('/request', form)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.request_uri
}
const begin = (reference: string) =>
  authorize(service, app, {
    request_uri: reference,
    redirect_uri: undefined,
    response_type: undefined,
    scope: undefined,
    state: undefined,
  })
const asked = async (): Promise<{ device_code: string; user_code: string }> =>
  (await send('/device/auth', { scope: 'openid' })).body
const verify = (userCode: string) =>
  service.api('POST', '/api/v1/oauth/device/verify', { token: user.token, body: { userCode } })
const poll = (code: string) => requestTokens(service, app, { grant_type: DEVICE_GRANT, device_code: code })

describe('stopping and starting an application', () => {
  it('invalidates its pending sign-ins', async () => {
    const uid = uidOf(await authorize(service, app))
    await stopAndStart()
    const path = `${app.idp}/interaction/${uid}`
    expectError(await service.api('GET', path, { token: user.token }), 404, 'interaction_not_found')
    for (const consent of [true, false])
      expectError(
        await service.api('POST', `${path}/confirm`, { token: user.token, body: { consent } }),
        409,
        'interaction_outdated',
      )
    const fresh = await confirm(service, app, uidOf(await authorize(service, app)), user)
    expect(fresh.searchParams.get('code')).toBeTruthy()
  })

  it('invalidates its pushed requests', async () => {
    const reference = await pushed()
    await stopAndStart()
    const rejected = await begin(reference)
    expect([rejected.status, rejected.headers.get('location')]).toEqual([400, null])
    expect(locationOf(await begin(await pushed())).pathname).toBe('/login')
  })

  it('invalidates its device codes, whether the user has entered them or not', async () => {
    const [unseen, seen] = [await asked(), await asked()]
    const { body } = await verify(seen.user_code)
    await stopAndStart()
    expectError(await verify(unseen.user_code), 404, 'device_code_not_found')
    const path = `${new URL(body.idp).pathname}/interaction/${body.uid}/confirm`
    expectError(
      await service.api('POST', path, { token: user.token, body: { consent: true } }),
      409,
      'interaction_outdated',
    )
    for (const { device_code } of [unseen, seen]) expectOAuthError(await poll(device_code), 'access_denied')
    const fresh = await asked()
    expect((await verify(fresh.user_code)).status).toBe(200)
    expectOAuthError(await poll(fresh.device_code), 'authorization_pending')
  })
})
