import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addColleague,
  atOnce,
  CONCURRENT,
  claimsOf,
  expectError,
  expectSession,
  invite,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import {
  type App,
  beginLogIn,
  beginStep,
  completeChallengeWithCode,
  enrollApp,
  registerWithApp,
} from '../../../../test/factories/factors.js'
import { dumpDatabase } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { DAY, MINUTE } from '../../../platform/clock.js'

const WRONG = '000000'

describe('POST /auth/mfa/verify-challenge', () => {
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

  const logIn = (by = user, password = PASSWORD) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: by.email, password } })
  const entriesOf = (action: string) =>
    service.sql(
      'SELECT result, metadata, risk_score FROM audit_entries WHERE user_id = $1 AND action = $2 ORDER BY id',
      [user.id, action],
    )

  it('completes a password sign-in with a code, and issues no tokens or cookies before', async () => {
    const begun = await service.api('POST', '/api/v1/auth/login', { console: true, body: user })
    expect(begun.status).toBe(200)
    expect(begun.cookies).toEqual({})
    expect(begun.body).toEqual({
      mfaRequired: true,
      mfaToken: expect.stringMatching(/^[\w-]{43}$/),
      mfaMethods: expect.arrayContaining(['TOTP', 'BACKUP_CODE']),
      mfaExpiresAt: expect.any(String),
    })
    expect(Date.parse(begun.body.mfaExpiresAt) - service.clock.ms()).toBeGreaterThan(4 * MINUTE)
    const { status, body, cookies } = await completeChallengeWithCode(service, begun.body.mfaToken, app.code(), {
      console: true,
    })
    expect(status).toBe(200)
    expect(Object.keys(cookies).sort()).toEqual(['keyward_device', 'keyward_rt', 'keyward_sso'])
    expect(body).toMatchObject({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      user: { id: user.id, role: 'OWNER' },
      mfa: { enabled: true },
    })
    expect(body.mfaRequired).toBeUndefined()
    await expectSession(service, body.accessToken, 'active')
  })

  it('challenges a sign-in by mailed link, also after a password reset', async () => {
    await verifyEmailAddress(service, user)
    const token = await requestToken(service, 'magic_link', user.email)
    const byLink = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(byLink.body).toMatchObject({ mfaRequired: true })
    expect(byLink.body.accessToken).toBeUndefined()
    expect((await completeChallengeWithCode(service, byLink.body.mfaToken, app.code())).status).toBe(200)

    const reset = await requestToken(service, 'password_reset', user.email)
    const newPassword = 'quite another password'
    const done = await service.api('POST', '/api/v1/auth/reset-password', { body: { token: reset, newPassword } })
    expect(done.body).toEqual({ message: expect.any(String) })
    expect((await logIn(user, newPassword)).body).toMatchObject({ mfaRequired: true })
  })

  it('requires no earlier factor when an invitation verifies the account, and returns the disown token', async () => {
    const owner = await registerUser(service)
    const { token } = await invite(service, owner, user.email)
    const { status, body } = await service.api('POST', '/api/v1/invitations/accept', {
      body: { token, password: 'the password of the owner' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      accessToken: expect.any(String),
      cleaned: { passwordRemoved: true, factorsRemoved: 1 },
    })
    const disowned = await service.api('POST', '/api/v1/auth/disown', { body: { token: body.cleaned.disownToken } })
    expect(disowned.status).toBe(200)
    await expectSession(service, body.accessToken, 'revoked')
    expectError(await logIn(), 401, 'invalid_credentials')
  })

  it('preserves team, method and `remember` of the first step', async () => {
    const begun = await service.api('POST', '/api/v1/auth/login', {
      console: true,
      body: { ...user, teamId: user.teamId, remember: false },
    })
    const { body, cookies } = await completeChallengeWithCode(service, begun.body.mfaToken, app.code(), {
      console: true,
    })
    expect(cookies.keyward_rt?.attributes).not.toContain('Max-Age')
    const [session] = await service.sql('SELECT method, amr, remember FROM sessions WHERE id = $1', [
      claimsOf(body.accessToken).sid,
    ])
    expect(session).toEqual({ method: 'password', amr: ['pwd', 'otp', 'mfa'], remember: false })
  })

  it('accepts codes of adjacent time steps, with spaces or full-width digits, each once for the account', async () => {
    await beginStep(service)
    const fullWidth = (code: string) => [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
    for (const code of [app.code(-1), `${app.code().slice(0, 3)} ${app.code().slice(3)}`, fullWidth(app.code(1))]) {
      const { mfaToken } = await beginLogIn(service, user)
      expect((await completeChallengeWithCode(service, mfaToken, code)).status).toBe(200)
      const again = await beginLogIn(service, user)
      expectError(await completeChallengeWithCode(service, again.mfaToken, code), 401, 'mfa_invalid')
    }
    const { mfaToken } = await beginLogIn(service, user)
    for (const steps of [-2, 2])
      expectError(await completeChallengeWithCode(service, mfaToken, app.code(steps)), 401, 'mfa_invalid')
  })

  it('accepts the code of the enrollment once', async () => {
    const code = app.code()
    expect((await completeChallengeWithCode(service, (await beginLogIn(service, user)).mfaToken, code)).status).toBe(
      200,
    )
    const again = await beginLogIn(service, user)
    expectError(await completeChallengeWithCode(service, again.mfaToken, code), 401, 'mfa_invalid')
  })

  it('starts one session for many concurrent submissions of one code, in one challenge and in many', async () => {
    const { mfaToken } = await beginLogIn(service, user)
    const inOne = await atOnce(CONCURRENT, () => completeChallengeWithCode(service, mfaToken, app.code()))
    expect(inOne.filter(({ status }) => status === 200)).toHaveLength(1)

    await service.clock.advance(MINUTE)
    const begun = await atOnce(CONCURRENT, () => beginLogIn(service, user))
    const inMany = await atOnce(CONCURRENT, (index) =>
      completeChallengeWithCode(service, begun[index].mfaToken, app.code()),
    )
    expect(inMany.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(inMany.map(({ status }) => status))).toEqual(new Set([200, 401]))
  })

  it('starts one session for many concurrent submissions of one backup code', async () => {
    const begun = await atOnce(CONCURRENT, () => beginLogIn(service, user))
    const code = app.backupCodes[0] ?? ''
    const answers = await atOnce(CONCURRENT, (index) =>
      completeChallengeWithCode(service, begun[index].mfaToken, code, { isBackupCode: true }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('revokes the challenge after the fifth wrong code, also for concurrent ones', async () => {
    const { mfaToken } = await beginLogIn(service, user)
    const answers = await atOnce(12, () => completeChallengeWithCode(service, mfaToken, WRONG))
    expect(answers.map(({ body }) => body.code).sort()).toEqual([
      ...Array(7).fill('mfa_expired'),
      ...Array(5).fill('mfa_invalid'),
    ])
    expectError(await completeChallengeWithCode(service, mfaToken, app.code()), 400, 'mfa_expired')
    expect(
      (await completeChallengeWithCode(service, (await beginLogIn(service, user)).mfaToken, app.code())).status,
    ).toBe(200)
  })

  it('rejects an expired, a completed and an unknown challenge', async () => {
    const { mfaToken } = await beginLogIn(service, user)
    const late = await beginLogIn(service, user)
    expect((await completeChallengeWithCode(service, mfaToken, app.code())).status).toBe(200)
    await service.clock.advance(5 * MINUTE + 1)
    for (const token of [mfaToken, late.mfaToken, 'never given', ''])
      expectError(await completeChallengeWithCode(service, token, app.code()), 400, 'mfa_expired')
  })

  it('rejects a malformed code without counting it', async () => {
    const { mfaToken } = await beginLogIn(service, user)
    for (const code of ['12345', 'abcdef', '1234567'])
      for (let time = 0; time < 2; time++)
        expectError(await completeChallengeWithCode(service, mfaToken, code), 400, 'invalid_request')
    expectError(
      await completeChallengeWithCode(service, mfaToken, 'AB', { isBackupCode: true }),
      400,
      'invalid_request',
    )
    expect((await completeChallengeWithCode(service, mfaToken, app.code())).status).toBe(200)
  })

  it('allows ten guesses across all challenges, and then rejects the right code', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const { mfaToken } = await beginLogIn(service, user)
      for (let guess = 0; guess < 2; guess++)
        expectError(await completeChallengeWithCode(service, mfaToken, WRONG), 401, 'mfa_invalid')
    }
    // The account is locked for the password, and for a pending challenge.
    expectError(await logIn(), 401, 'invalid_credentials')
    await service.clock.advance(15 * MINUTE)
    const { mfaToken } = await beginLogIn(service, user)
    expect((await completeChallengeWithCode(service, mfaToken, app.code())).status).toBe(200)
  })

  it('rejects a right code on a locked account like a wrong one, and does not use it', async () => {
    const waiting = await beginLogIn(service, user)
    for (let failure = 0; failure < 10; failure++) await logIn(user, 'not the password')
    const backup = app.backupCodes[3] ?? ''
    const [locked, wrong] = [
      await completeChallengeWithCode(service, waiting.mfaToken, backup, { isBackupCode: true }),
      await completeChallengeWithCode(service, waiting.mfaToken, WRONG),
    ]
    expectError(locked, 401, 'mfa_invalid')
    expect({ ...locked.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    await service.clock.advance(15 * MINUTE)
    const { mfaToken } = await beginLogIn(service, user)
    expect((await completeChallengeWithCode(service, mfaToken, backup, { isBackupCode: true })).status).toBe(200)
  })

  it('accepts a known device after failures from other devices', async () => {
    const begun = await service.api('POST', '/api/v1/auth/login', { console: true, body: user })
    const first = await completeChallengeWithCode(service, begun.body.mfaToken, app.code(), { console: true })
    const cookies = { keyward_device: first.cookies.keyward_device?.value ?? '' }
    for (let failure = 0; failure < 10; failure++) await logIn(user, 'not the password')
    const known = await service.api('POST', '/api/v1/auth/login', { console: true, cookies, body: user })
    expect(known.body.mfaRequired).toBe(true)
    const done = await completeChallengeWithCode(service, known.body.mfaToken, app.code(1), { console: true, cookies })
    expect(done.status).toBe(200)
  })

  it('keeps failure counters after a restart', async () => {
    for (let failure = 0; failure < 5; failure++) {
      const { mfaToken } = await beginLogIn(service, user)
      await completeChallengeWithCode(service, mfaToken, WRONG)
    }
    const waiting = await beginLogIn(service, user)
    await service.restart()
    for (let failure = 0; failure < 5; failure++) await completeChallengeWithCode(service, waiting.mfaToken, WRONG)
    expectError(await logIn(), 401, 'invalid_credentials')
  })

  it('revokes the challenge with a new password, a suspension, and everything else that ends all sessions', async () => {
    const byChange = await beginLogIn(service, user)
    const changed = await service.api('POST', '/api/v1/auth/change-password', {
      token: user.token,
      body: { currentPassword: PASSWORD, newPassword: 'another password altogether' },
    })
    expect(changed.status).toBe(200)
    expectError(await completeChallengeWithCode(service, byChange.mfaToken, app.code()), 400, 'mfa_expired')

    const owner = await registerUser(service)
    const colleague = await addColleague(service, owner)
    const own = await enrollApp(service, colleague)
    const waiting = await beginLogIn(service, colleague)
    const suspended = await service.api('PUT', `/api/v1/users/${colleague.id}`, {
      token: owner.token,
      body: { status: 'suspended' },
    })
    expect(suspended.status).toBe(200)
    expectError(await completeChallengeWithCode(service, waiting.mfaToken, own.code()), 400, 'mfa_expired')
    await service.api('PUT', `/api/v1/users/${colleague.id}`, { token: owner.token, body: { status: 'active' } })
    expectError(await completeChallengeWithCode(service, waiting.mfaToken, own.code()), 400, 'mfa_expired')
  })

  it('rejects a user whom the team suspended during the challenge', async () => {
    const { mfaToken } = await beginLogIn(service, user)
    await service.sql(`UPDATE memberships SET status = 'suspended' WHERE user_id = $1`, [user.id])
    expectError(await completeChallengeWithCode(service, mfaToken, app.code()), 403, 'not_a_member')
  })

  it('records the reason of the challenge, each wrong code, and the factor that completed it', async () => {
    const { mfaToken } = await beginLogIn(service, user)
    await completeChallengeWithCode(service, mfaToken, WRONG)
    await completeChallengeWithCode(service, mfaToken, app.backupCodes[0] ?? '', { isBackupCode: true })
    expect(await entriesOf('user.challenged')).toMatchObject([
      { result: 'SUCCESS', metadata: { method: 'password', secondFactor: 'always', reasons: expect.any(Array) } },
    ])
    expect(await entriesOf('user.challenge_failed')).toMatchObject([
      { result: 'FAILURE', metadata: { method: 'password', factor: 'TOTP', reason: 'wrong' } },
    ])
    const [, login] = await entriesOf('user.login')
    expect(login).toMatchObject({
      result: 'SUCCESS',
      risk_score: expect.any(Number),
      metadata: { method: 'password', amr: ['pwd', 'otp', 'mfa'], factor: { type: 'BACKUP_CODE' } },
    })
  })

  it('stores only the SHA-256 of its token, and logs neither that nor a backup code', async () => {
    const { mfaToken } = await beginLogIn(service, user)
    const code = app.backupCodes[0] ?? ''
    expect((await completeChallengeWithCode(service, mfaToken, code, { isBackupCode: true })).status).toBe(200)
    const dump = JSON.stringify(await dumpDatabase(service))
    expect(dump).not.toContain(mfaToken)
    expect(dump).toContain(createHash('sha256').update(mfaToken).digest('hex'))
    for (const secret of [mfaToken, code]) expect(service.logLines.join('\n')).not.toContain(secret)
  })

  it('challenges every sign-in, also a year later', async () => {
    await service.clock.advance(365 * DAY)
    expect((await beginLogIn(service, user)).mfaToken).toBeDefined()
  })
})
