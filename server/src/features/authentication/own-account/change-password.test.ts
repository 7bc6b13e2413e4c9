import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  expectSession,
  logIn,
  PASSWORD,
  registerUser,
  requestToken,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const MINUTE = 60_000
const NEW = 'a new correct horse'

describe('POST /auth/change-password', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const change = (token: string, body: object) => service.api('POST', '/api/v1/auth/change-password', { token, body })
  const login = (email: string, password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password } })

  it('replaces the password, keeps the current session, and ends all others', async () => {
    const user = await registerUser(service)
    const other = await logIn(service, user)
    const { status, body } = await change(user.token, { currentPassword: PASSWORD, newPassword: NEW })
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.any(String) } })
    expectError(await login(user.email, PASSWORD), 401, 'invalid_credentials')
    await logIn(service, { email: user.email, password: NEW })
    await expectSession(service, user.token, 'active')
    await expectSession(service, other.token, 'revoked')
    const refresh = (refreshToken: string) => service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })
    expect((await refresh(user.refreshToken)).status).toBe(200)
    expectError(await refresh(other.refreshToken), 401, 'invalid_refresh_token')
  })

  it('notifies the owner by mail without the password', async () => {
    const user = await registerUser(service)
    await change(user.token, { currentPassword: PASSWORD, newPassword: NEW })
    const mail = (await service.mails(user.email)).find(({ kind }) => kind === 'password_changed')
    expect(mail?.link).toBe('http://localhost:3000/forgot-password')
    for (const secret of [PASSWORD, NEW]) expect(`${mail?.text}${mail?.html}`).not.toContain(secret)
  })

  it('rejects a wrong current password and changes nothing', async () => {
    const user = await registerUser(service)
    const other = await logIn(service, user)
    for (const currentPassword of ['wrong', '', PASSWORD.toUpperCase(), `${PASSWORD} `])
      expectError(await change(user.token, { currentPassword, newPassword: NEW }), 403, 'wrong_password')
    await expectSession(service, other.token, 'active')
    await logIn(service, user)
  })

  it('requires the current password if the account has one', async () => {
    const user = await registerUser(service)
    const answer = await change(user.token, { newPassword: NEW })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.errors).toEqual([{ path: '/currentPassword', message: 'is required' }])
  })

  it('rejects a new password that violates the policy and changes nothing', async () => {
    const user = await registerUser(service)
    const other = await logIn(service, user)
    const answer = await change(user.token, { currentPassword: PASSWORD, newPassword: '1234567' })
    expectError(answer, 400, 'password_policy')
    expect(answer.body.errors).toEqual([{ path: '/newPassword', rule: 'min_length', message: expect.any(String) }])
    await expectSession(service, other.token, 'active')
    await logIn(service, user)
  })

  it('changes the password once across many concurrent requests', async () => {
    const user = await registerUser(service)
    const passwords = Array.from({ length: CONCURRENT }, (_, index) => `${NEW} ${index}`)
    const answers = await atOnce(CONCURRENT, (index) =>
      change(user.token, { currentPassword: PASSWORD, newPassword: passwords[index] }),
    )
    const winners = passwords.filter((_, index) => answers[index]?.status === 200)
    expect(winners).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 403, 'wrong_password')
    // The other requests counted as failures.
    await service.clock.advance(16 * MINUTE)
    await logIn(service, { email: user.email, password: winners[0] ?? '' })
  })

  it('sets the first password only with a recent sign-in', async () => {
    const { email } = await registerUser(service)
    const token = await requestToken(service, 'magic_link', email)
    const { body: session } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    await service.clock.advance(15 * MINUTE + 1_000)
    const { body: later } = await service.api('POST', '/api/v1/auth/refresh', {
      body: { refreshToken: session.refreshToken },
    })
    expectError(await change(later.accessToken, { newPassword: NEW }), 403, 'reauthentication_required')
    const fresh = await service.api('POST', '/api/v1/auth/verify', {
      body: { token: await requestToken(service, 'magic_link', email) },
    })
    expect((await change(fresh.body.accessToken, { newPassword: NEW })).status).toBe(200)
    await logIn(service, { email, password: NEW })
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: fresh.body.accessToken })
    expect(me.hasPassword).toBe(true)
  })
})
