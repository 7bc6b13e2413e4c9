import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  comparable,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const NEW_PASSWORD = 'a new correct horse'

describe('account recovery by mail', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const reset = (token: string, newPassword: string) =>
    service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword } })
  const rules = (token: string) => service.api('POST', '/api/v1/auth/reset-password/rules', { body: { token } })
  const login = (email: string, password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password } })

  it.each(['forgot-password', 'magic-link'])(
    'returns the same response for every email address and sends mail only to accounts (%s)',
    async (path) => {
      const { email } = await registerUser(service, { overHttp: true })
      const unknown = newEmail()
      const requestMail = (address: string) => service.api('POST', `/api/v1/auth/${path}`, { body: { email: address } })
      const known = await requestMail(email)
      expect(known.status).toBe(200)
      expect(known.body).toEqual({ message: expect.any(String) })
      expect(comparable(await requestMail(unknown))).toEqual(comparable(known))
      expect(await service.mails(unknown)).toEqual([])
      expect(await service.mails(email)).toHaveLength(2)
    },
  )

  it('mails a link to the reset page under the configured URL', async () => {
    const { email } = await registerUser(service)
    const forged = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    await service.api('POST', '/api/v1/auth/forgot-password', { body: { email }, headers: forged })
    const mail = (await service.mails(email)).at(-1)
    expect(mail?.link).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}&email=/)
    expect(new URL(mail?.link ?? '').searchParams.get('email')).toBe(email)
  })

  it('replaces the password and revokes every session', async () => {
    const user = await registerVerifiedUser(service)
    const other = await logIn(service, user)
    const { status, body } = await reset(await requestToken(service, 'password_reset', user.email), NEW_PASSWORD)
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.any(String) } })
    for (const { token } of [user, other]) await expectSession(service, token, 'revoked')
    expectError(await login(user.email, PASSWORD), 401, 'invalid_credentials')
    expect((await login(user.email, NEW_PASSWORD)).status).toBe(200)
    expect((await service.mails(user.email)).at(-1)?.kind).toBe('password_changed')
  })

  it('returns the strictest rules of the confirmed teams for a link, and leaves the link valid', async () => {
    const user = await registerVerifiedUser(service)
    const [company, hostile] = [await registerUser(service), await registerUser(service)]
    await joinTeam(service, user, company.teamId)
    await joinTeam(service, user, hostile.teamId, { counts: false })
    const policy = (owner: TestUser, body: object) =>
      service.api('PUT', '/api/v1/policies/password', { token: owner.token, body })
    await policy(user, { minLength: 10, requireNumbers: true })
    await policy(company, { minLength: 100, maxAgeDays: 30, historyCount: 2 })
    await policy(hostile, { minLength: 128, requireSymbols: true, requireUppercase: true })
    const token = await requestToken(service, 'password_reset', user.email)
    for (let count = 0; count < 3; count++) {
      const { status, body } = await rules(token)
      expect(status).toBe(200)
      expect(body).toEqual({
        minLength: 64,
        requireUppercase: false,
        requireLowercase: false,
        requireNumbers: true,
        requireSymbols: false,
        maxAgeDays: 30,
        historyCount: 2,
      })
    }
    expectError(await reset(token, `1${'x'.repeat(62)}`), 400, 'password_policy')
    expect((await reset(token, `1${'x'.repeat(63)}`)).status).toBe(200)
    expectError(await rules(token), 400, 'invalid_token')
  })

  it('returns the same error for an unknown, a used and an expired link, and for one of another kind', async () => {
    const { email } = await registerUser(service)
    const [used, other] = [
      await requestToken(service, 'password_reset', email),
      await requestToken(service, 'magic_link', email),
    ]
    await reset(used, NEW_PASSWORD)
    const expired = await requestToken(service, 'password_reset', email)
    await service.clock.advance(30 * 60_000)
    const unknown = await rules('unknown')
    expectError(unknown, 400, 'invalid_token')
    for (const token of [used, other, expired]) expect(comparable(await rules(token))).toEqual(comparable(unknown))
  })

  it('rejects a password that violates the policy and keeps the token valid', async () => {
    const { email } = await registerUser(service)
    const token = await requestToken(service, 'password_reset', email)
    for (const [newPassword, rule] of [
      ['1234567', 'min_length'],
      ['x'.repeat(257), 'max_length'],
    ] as const) {
      const answer = await reset(token, newPassword)
      expectError(answer, 400, 'password_policy')
      expect(answer.body.errors).toEqual([{ path: '/newPassword', rule, message: expect.any(String) }])
    }
    expect((await reset(token, NEW_PASSWORD)).status).toBe(200)
  })

  it('rejects an invalid token before it validates the password', async () => {
    expectError(await reset('A'.repeat(43), 'short'), 400, 'invalid_token')
  })

  it('rejects a mailed link and a reset password for a suspended account', async () => {
    const user = await registerUser(service)
    const { email, id } = user
    await verifyEmailAddress(service, user)
    const earlier = await requestToken(service, 'password_reset', email)
    const link = await requestToken(service, 'magic_link', email)
    await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [id])
    const before = (await service.mails(email)).length
    await service.api('POST', '/api/v1/auth/forgot-password', { body: { email } })
    expect(await service.mails(email)).toHaveLength(before)
    expectError(await service.api('POST', '/api/v1/auth/verify', { body: { token: link } }), 403, 'account_suspended')
    await reset(earlier, NEW_PASSWORD)
    expectError(await login(email, NEW_PASSWORD), 403, 'account_suspended')
    expectError(await login(email, 'wrong'), 401, 'invalid_credentials')
  })

  it('keeps the password and the sessions of a verified account at a sign-in with a mailed link', async () => {
    const user = await registerVerifiedUser(service)
    const token = await requestToken(service, 'magic_link', user.email)
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(body).toMatchObject({ user: { id: user.id }, team: { id: user.teamId } })
    expect(body).not.toHaveProperty('cleaned')
    await expectSession(service, user.token, 'active')
    await logIn(service, user)
  })
})
