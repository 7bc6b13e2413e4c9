import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  comparable,
  expectError,
  expectSession,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const NEW = 'a new correct horse'

describe('the recovery by mail', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const reset = (token: string, newPassword: string) =>
    service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword } })
  const login = (email: string, password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password } })

  it.each(['forgot-password', 'magic-link'])(
    'returns the same response of %s for every email address and mails only accounts',
    async (path) => {
      const { email } = await registerUser(service, { overHttp: true })
      const unknown = newEmail()
      const ask = (address: string) => service.api('POST', `/api/v1/auth/${path}`, { body: { email: address } })
      const known = await ask(email)
      expect(known.status).toBe(200)
      expect(known.body).toEqual({ message: expect.any(String) })
      expect(comparable(await ask(unknown))).toEqual(comparable(known))
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

  it('replaces the password and ends every session', async () => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    const other = await logIn(service, user)
    const { status, body } = await reset(await requestToken(service, 'password_reset', user.email), NEW)
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.any(String) } })
    for (const { token } of [user, other]) await expectSession(service, token, 'revoked')
    expectError(await login(user.email, PASSWORD), 401, 'invalid_credentials')
    expect((await login(user.email, NEW)).status).toBe(200)
    expect((await service.mails(user.email)).at(-1)?.kind).toBe('password_changed')
  })

  it('rejects a password that violates the policy and leaves the link valid', async () => {
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
    expect((await reset(token, NEW)).status).toBe(200)
  })

  it('rejects an invalid link before it validates the password', async () => {
    expectError(await reset('A'.repeat(43), 'short'), 400, 'invalid_token')
  })

  it('does not sign in to a suspended account', async () => {
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
    await reset(earlier, NEW)
    expectError(await login(email, NEW), 403, 'account_suspended')
    expectError(await login(email, 'wrong'), 401, 'invalid_credentials')
  })

  it('keeps the password of a verified account that signs in with a link', async () => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    const token = await requestToken(service, 'magic_link', user.email)
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(body).toMatchObject({ user: { id: user.id }, team: { id: user.teamId } })
    expect(body).not.toHaveProperty('cleaned')
    await expectSession(service, user.token, 'active')
    await logIn(service, user)
  })
})
