import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../../test/factories/authenticator.js'
import {
  addUser,
  expectError,
  expectSession,
  invite,
  mailedToken,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import {
  type App,
  beginLogIn,
  completeChallengeWithCode,
  enrollApp,
  enrollPasskey,
  registerWithApp,
} from '../../../../test/factories/factors.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const NEW_PASSWORD = 'the password of the owner'

let service: TestService
let team: TestUser
let user: TestUser
let app: App
beforeAll(async () => {
  service = await startService()
  team = await registerUser(service)
})
afterAll(() => service.close())

const post = (path: string, body: object, token?: string): Promise<ApiResponse> =>
  service.api('POST', `/api/v1/${path}`, { body, token })

async function resetPassword(): Promise<ApiResponse> {
  const token = await requestToken(service, 'password_reset', user.email)
  expect((await post('auth/reset-password', { token, newPassword: NEW_PASSWORD })).status).toBe(200)
  return post('auth/login', { email: user.email, password: NEW_PASSWORD })
}

async function redeemWelcome(): Promise<ApiResponse> {
  await addUser(service, team, { email: user.email })
  return post('auth/verify', { token: await mailedToken(service, 'welcome', user.email) })
}

async function acceptInvitation(): Promise<ApiResponse> {
  const { token } = await invite(service, team, user.email)
  return post('invitations/accept', { token, password: NEW_PASSWORD })
}

const redeemLink = async (): Promise<ApiResponse> =>
  post('auth/verify', { token: await requestToken(service, 'magic_link', user.email) })

const challenge = async (): Promise<string> => (await beginLogIn(service, user)).mfaToken

describe('the requirement of an enrolled second factor', () => {
  beforeEach(async () => {
    ;({ user, app } = await registerWithApp(service, { verified: true }))
  })

  it.each<[method: string, act: () => Promise<ApiResponse>]>([
    ['a password', () => post('auth/login', { email: user.email, password: PASSWORD })],
    ['a mailed link', redeemLink],
    ['a reset of the password', resetPassword],
    ['the welcome link of a team', redeemWelcome],
  ])('challenges %s, which issues no session', async (_, act) => {
    const { status, body, cookies } = await act()
    expect(status).toBe(200)
    expect(body.mfaRequired).toBe(true)
    expect(body).not.toHaveProperty('accessToken')
    expect(body).not.toHaveProperty('refreshToken')
    expect(Object.keys(cookies)).not.toContain('keyward_rt')
    expect((await completeChallengeWithCode(service, body.mfaToken, app.code())).status).toBe(200)
  })

  it.each<[what: string, status: number, code: string, act: () => Promise<ApiResponse>]>([
    ['an invitation without a session', 409, 'account_exists', acceptInvitation],
    ['a registration', 409, 'email_taken', () => post('auth/register', { email: user.email, password: PASSWORD })],
    [
      'the token of a challenge as a refresh token',
      401,
      'invalid_refresh_token',
      async () => post('auth/refresh', { refreshToken: await challenge() }),
    ],
    [
      'the token of a challenge as an access token',
      401,
      'invalid_access_token',
      async () => post('auth/switch-team', { teamId: user.teamId }, await challenge()),
    ],
    [
      'the token of a challenge as a mailed link',
      400,
      'invalid_token',
      async () => post('auth/verify', { token: await challenge() }),
    ],
  ])('rejects %s', async (_, status, code, act) => expectError(await act(), status, code))

  it('ends sessions from before its enrollment, which a refresh does not renew', async () => {
    const later = await registerUser(service)
    const { body: earlier } = await post('auth/login', { email: later.email, password: PASSWORD })
    await enrollApp(service, later)
    await expectSession(service, earlier.accessToken, 'revoked')
    expectError(await post('auth/refresh', { refreshToken: earlier.refreshToken }), 401, 'invalid_refresh_token')
  })
})

describe('a factor from before the first verification', () => {
  beforeEach(async () => {
    user = await registerUser(service)
  })

  it.each<[method: string, act: () => Promise<ApiResponse>]>([
    ['a mailed link', redeemLink],
    ['a reset of the password', resetPassword],
    ['the welcome link of a team', redeemWelcome],
    ['an invitation', acceptInvitation],
  ])('ends with %s, and its passkey no longer signs in', async (_, act) => {
    await enrollApp(service, user)
    const { authenticator } = await enrollPasskey(service, user, createAuthenticator())
    const { status, body } = await act()
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).not.toHaveProperty('mfaRequired')
    await expectSession(service, body.accessToken, 'active')
    await expectSession(service, user.token, 'revoked')
    expectError(await post('auth/refresh', { refreshToken: user.refreshToken }), 401, 'invalid_refresh_token')
    expectError(await post('auth/login', { email: user.email, password: PASSWORD }), 401, 'invalid_credentials')
    const options = await service.api('POST', '/api/v1/auth/passkey/options')
    const answer = await post('auth/passkey/verify', { credential: authenticator.get(options.body) })
    expect(answer.status).toBe(401)
    expect(answer.body).not.toHaveProperty('accessToken')
  })
})
