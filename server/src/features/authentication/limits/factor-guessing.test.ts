import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  expectError,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import {
  type App,
  beginLogIn,
  completeChallengeWithCode,
  completeChallengeWithPasskey,
  enrollApp,
  enrollPasskey,
  registerWithApp,
} from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const WRONG = '000000'

describe('the limit of ten guesses of a second factor in 15 minutes', () => {
  let service: TestService
  let user: TestUser
  let app: App
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    ;({ user, app } = await registerWithApp(service))
  })

  const logIn = (password = user.password, cookies: Record<string, string> = {}) =>
    service.api('POST', '/api/v1/auth/login', { console: true, cookies, body: { email: user.email, password } })
  const guess = async (times: number, mfaToken: string, cookies: Record<string, string> = {}) => {
    for (let time = 0; time < times; time++)
      expectError(
        await completeChallengeWithCode(service, mfaToken, WRONG, { console: true, cookies }),
        401,
        'mfa_invalid',
      )
  }
  const reauthenticate = (body: Record<string, unknown>) =>
    service.api('POST', '/api/v1/auth/reauthenticate', { token: user.token, body })
  /** A correct code, which is rejected while the factor is locked. */
  const isLocked = async (mfaToken: string) => {
    const { status } = await completeChallengeWithCode(service, mfaToken, app.code())
    return status !== 200
  }

  it('ignores a right password in between', async () => {
    for (let round = 0; round < 5; round++) {
      expect((await reauthenticate({ password: user.password })).status).toBe(200)
      for (let time = 0; time < 2; time++) await reauthenticate({ code: WRONG })
    }
    expect((await reauthenticate({ password: user.password })).status).toBe(200)
    expectError(await reauthenticate({ code: app.code() }), 403, 'mfa_invalid')
    expect(await isLocked((await logIn()).body.mfaToken)).toBe(true)
    await service.clock.advance(15 * MINUTE + 1)
    expect(await isLocked((await logIn()).body.mfaToken)).toBe(false)
  })

  it('ignores a password reset in between', async () => {
    let password = PASSWORD
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id])
    for (let round = 0; round < 2; round++) {
      await guess(5, (await logIn(password)).body.mfaToken)
      password = `another password ${round}`
      const token = await requestToken(service, 'password_reset', user.email)
      const body = { token, newPassword: password }
      expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
    }
    const { body } = await logIn(password)
    expect(body.mfaRequired).toBe(true)
    expect(await isLocked(body.mfaToken)).toBe(true)
  })

  it('applies in a team without a lockout', async () => {
    const policy = { lockoutThreshold: 0 }
    const set = await service.api('PUT', '/api/v1/policies/password', { token: user.token, body: policy })
    expect(set.status).toBe(200)
    const waiting = await beginLogIn(service, user)
    for (let round = 0; round < 2; round++) await guess(5, (await logIn()).body.mfaToken)
    expectError(await logIn(), 401, 'invalid_credentials')
    expect(await isLocked(waiting.mfaToken)).toBe(true)
  })

  it('applies to all browsers without a verified factor together', async () => {
    const planted = await registerUser(service)
    const browsers = await atOnce(3, async () => {
      const { cookies } = await service.api('POST', '/api/v1/auth/login', { console: true, body: planted })
      return { keyward_device: cookies.keyward_device?.value ?? '' }
    })
    user = planted
    app = await enrollApp(service, planted)
    let verified = 0
    for (const cookies of browsers) {
      const { body } = await logIn(PASSWORD, cookies)
      for (let time = 0; time < 5; time++)
        if ((await completeChallengeWithCode(service, body.mfaToken, WRONG, { console: true, cookies })).status === 401)
          verified++
    }
    expect(verified).toBe(15)
    const reasons = await service.sql<{ reason: string; times: number }>(
      `SELECT metadata->>'reason' AS reason, count(*)::int AS times FROM audit_entries
       WHERE user_id = $1 AND action = 'user.challenge_failed' GROUP BY 1 ORDER BY 1`,
      [user.id],
    )
    expect(reasons).toEqual([
      { reason: 'locked', times: 5 },
      { reason: 'wrong', times: 10 },
    ])
  })

  it('accepts a browser that has verified the factor, and a passkey', async () => {
    const { authenticator } = await enrollPasskey(service, user)
    const first = await logIn()
    const done = await completeChallengeWithCode(service, first.body.mfaToken, app.code(), { console: true })
    const trusted = { keyward_device: done.cookies.keyward_device?.value ?? '' }
    for (let round = 0; round < 2; round++) await guess(5, (await logIn()).body.mfaToken)
    const { body } = await logIn(PASSWORD, trusted)
    const answer = await completeChallengeWithCode(service, body.mfaToken, app.code(1), {
      console: true,
      cookies: trusted,
    })
    expect(answer.status).toBe(200)
    await service.clock.advance(15 * MINUTE + 1)
    const waiting = await beginLogIn(service, user)
    for (let round = 0; round < 2; round++) await guess(5, (await logIn()).body.mfaToken)
    expect((await completeChallengeWithPasskey(service, waiting.mfaToken, authenticator)).status).toBe(200)
  })
})

describe('a lock after wrong passwords', () => {
  let service: TestService
  let user: TestUser
  let app: App
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    ;({ user, app } = await registerWithApp(service, { verified: true }))
  })

  const logIn = (password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password } })
  async function lock(): Promise<void> {
    for (let time = 0; time < 10; time++) expectError(await logIn('not the password'), 401, 'invalid_credentials')
    expectError(await logIn(PASSWORD), 401, 'invalid_credentials')
  }
  /** Signs in with a mailed link until the challenge. */
  async function byLink(): Promise<string> {
    const body = { token: await requestToken(service, 'magic_link', user.email) }
    return (await service.api('POST', '/api/v1/auth/verify', { body })).body.mfaToken
  }

  it('accepts the right code after a mailed link', async () => {
    await lock()
    const answer = { isBackupCode: true }
    expect((await completeChallengeWithCode(service, await byLink(), app.code())).status).toBe(200)
    expect((await completeChallengeWithCode(service, await byLink(), app.backupCodes[0] ?? '', answer)).status).toBe(
      200,
    )
    expectError(await logIn(PASSWORD), 401, 'invalid_credentials')
  })

  it('limits the codes after a mailed link to ten', async () => {
    await lock()
    for (let round = 0; round < 2; round++) {
      const mfaToken = await byLink()
      for (let time = 0; time < 5; time++)
        expectError(await completeChallengeWithCode(service, mfaToken, WRONG), 401, 'mfa_invalid')
    }
    expectError(await completeChallengeWithCode(service, await byLink(), app.code()), 401, 'mfa_invalid')
  })

  it('accepts the right code in a session', async () => {
    await lock()
    const body = { code: app.code() }
    expect((await service.api('POST', '/api/v1/auth/reauthenticate', { token: user.token, body })).status).toBe(200)
  })

  it('rejects the right code of a sign-in that a password started', async () => {
    const { mfaToken } = await beginLogIn(service, user)
    await lock()
    expectError(await completeChallengeWithCode(service, mfaToken, app.code()), 401, 'mfa_invalid')
  })
})

describe('concurrent attempts with passwords, codes and passkeys of one account', () => {
  it('completes concurrent passwords, codes and passkeys of one account without a deadlock', async () => {
    const service = await startService()
    const user = await registerUser(service)
    const app = await enrollApp(service, user)
    const { authenticator } = await enrollPasskey(service, user)
    const login = (password: string) =>
      service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password } })
    const waiting = await atOnce(8, () => beginLogIn(service, user))
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => login(PASSWORD)),
      ...Array.from({ length: 3 }, () => login('not the password')),
      ...waiting.map(({ mfaToken }) => completeChallengeWithCode(service, mfaToken, app.code(9))),
      ...Array.from({ length: 6 }, () =>
        service.api('POST', '/api/v1/auth/reauthenticate', { token: user.token, body: { password: PASSWORD } }),
      ),
      ...Array.from({ length: 4 }, async () => {
        const { body } = await service.api('POST', '/api/v1/auth/passkey/options')
        const credential = authenticator.get(body)
        return service.api('POST', '/api/v1/auth/passkey/verify', { body: { credential } })
      }),
    ])
    for (const answer of answers) expect(answer.status, answer.text).toBeLessThan(500)
    expect(service.logLines.join('\n')).not.toContain('deadlock')
    await service.close()
  })
})
