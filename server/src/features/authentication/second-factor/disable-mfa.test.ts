import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Authenticator, Tamper } from '../../../../test/factories/authenticator.js'
import {
  atOnce,
  claimsOf,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import {
  type App,
  beginLogIn,
  completeChallengeWithCode,
  enrollApp,
  enrollPasskey,
  registerWithApp,
  startApp,
} from '../../../../test/factories/factors.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'
import { MINUTE } from '../../../platform/clock.js'

/** The backends that wait for a lock in this test's database. */
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

describe('POST /auth/mfa/disable', () => {
  let service: TestService
  let user: TestUser
  let app: App
  let authenticator: Authenticator
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    ;({ user, app } = await registerWithApp(service))
    ;({ authenticator } = await enrollPasskey(service, user))
  })

  type By = Pick<TestUser, 'token'>
  const disable = (body: unknown, by: By = user) =>
    service.api('POST', '/api/v1/auth/mfa/disable', { token: by.token, body })
  const byPasskey = async (tamper: Tamper = {}, by: By = user) => {
    const { body } = await service.api('POST', '/api/v1/auth/reauthenticate/options', { token: by.token })
    return disable({ credential: authenticator.get(body, tamper) }, by)
  }
  const factorsOf = async ({ id }: TestUser) =>
    (await service.sql('SELECT id FROM factors WHERE user_id = $1', [id])).length
  const state = async () => {
    const { answered_challenges: _, ...rest } = await dumpState(service)
    return rest
  }
  /** Like an account that was only used with mailed links. */
  async function takePassword(): Promise<void> {
    await service.sql('DELETE FROM passwords WHERE user_id = $1', [user.id])
    await service.sql('UPDATE users SET password_set_at = NULL WHERE id = $1', [user.id])
  }
  async function grow(): Promise<By> {
    await service.clock.advance(16 * MINUTE)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
    return { token: body.accessToken }
  }

  it('removes every factor, backup code and pending enrollment with the password, and ends challenges at sign-in', async () => {
    await startApp(service, user)
    await service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', { token: user.token, body: { enabled: true } })
    const { mfaToken } = await beginLogIn(service, user)
    const { status, body } = await disable({ password: user.password })
    expect([status, body]).toEqual([200, { success: true }])
    const mfa = await service.api('GET', '/api/v1/auth/mfa/status', { token: user.token })
    expect(mfa.body).toEqual({ enabled: false, adaptive: false, backupCodesLeft: 0, methods: [] })
    for (const table of ['totp_secrets', 'passkeys', 'backup_codes'])
      expect(
        await service.sql(
          `SELECT 1 FROM ${table} t WHERE NOT EXISTS (SELECT 1 FROM factors f WHERE f.id = t.factor_id)`,
        ),
      ).toEqual([])
    expect(await factorsOf(user)).toBe(0)
    const me = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    expect(me.body.mfa.enabled).toBe(false)
    expectError(await completeChallengeWithCode(service, mfaToken, app.code()), 400, 'mfa_expired')
    expectError(
      await completeChallengeWithCode(service, mfaToken, app.backupCodes[0] ?? '', { isBackupCode: true }),
      400,
      'mfa_expired',
    )
    const options = (await service.api('POST', '/api/v1/auth/passkey/options')).body
    const credential = authenticator.get(options)
    expectError(
      await service.api('POST', '/api/v1/auth/passkey/verify', { body: { credential } }),
      401,
      'passkey_invalid',
    )
    await expectSession(service, (await logIn(service, user)).token, 'active')
  })

  it('notifies the owner by mail, and records successes and failures', async () => {
    await disable({ password: 'not the password' })
    await disable({ password: user.password })
    const mails = (await service.mails(user.email)).filter(({ subject }) => subject.startsWith('Two-step'))
    expect(mails).toMatchObject([
      { kind: 'factor_changed', subject: 'Two-step verification was turned off at Keyward' },
    ])
    const entries = await service.sql(
      "SELECT result, resource, metadata FROM audit_entries WHERE user_id = $1 AND action = 'user.mfa_disabled' ORDER BY id",
      [user.id],
    )
    const resource = `user:${user.id}`
    expect(entries).toEqual([
      { result: 'FAILURE', resource, metadata: { reason: 'wrong_password' } },
      { result: 'SUCCESS', resource, metadata: { removed: 2 } },
    ])
  })

  it('accepts password or passkey in a session that is not recent', async () => {
    expect((await byPasskey({}, await grow())).status).toBe(200)
    expect(await factorsOf(user)).toBe(0)
  })

  it('accepts a passkey without user verification, also for an account without a password', async () => {
    await takePassword()
    expect((await byPasskey({ userVerified: false })).status).toBe(200)
    expect(await factorsOf(user)).toBe(0)
  })

  it('requires a recent sign-in or a passkey for an account without a password', async () => {
    await takePassword()
    const by = await grow()
    for (const body of [{}, { password: 'any' }]) expectError(await disable(body, by), 403, 'reauthentication_required')
    expect(await factorsOf(user)).toBe(3)
    const again = await service.api('POST', '/api/v1/auth/reauthenticate', {
      token: by.token,
      body: { code: app.code() },
    })
    expect(again.status).toBe(200)
    expect((await disable({}, by)).status).toBe(200)
    expect(await factorsOf(user)).toBe(0)
  })

  it('rejects a wrong and a missing password', async () => {
    const before = await state()
    for (const password of ['not the password', user.password.toUpperCase(), ''])
      expectError(await disable({ password }), 403, 'wrong_password')
    const missing = await disable({})
    expectError(missing, 400, 'invalid_request')
    expect(missing.body.errors).toMatchObject([{ path: '/password' }])
    for (const body of [{ password: 7 }, { credential: 'x' }, { password: 'x'.repeat(10_000) }])
      expectError(await disable(body), 400, 'invalid_request')
    expect(await state()).toEqual(before)
  })

  it.each<[what: string, tamper: Tamper]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['of another key', { signature: 'of another key' }],
    ['without user presence', { userPresent: false }],
    ['for an unknown challenge', { challenge: 'AAAA' }],
  ])('rejects a passkey assertion %s in a recent session', async (_, tamper) => {
    const before = await state()
    expectError(await byPasskey(tamper), 403, 'passkey_invalid')
    expect(await state()).toEqual(before)
  })

  it('rejects an assertion for a sign-in challenge, and for one of another session', async () => {
    const { body: signIn } = await service.api('POST', '/api/v1/auth/passkey/options')
    expectError(await byPasskey({ challenge: signIn.challenge }), 403, 'passkey_invalid')
    const { mfaToken } = await beginLogIn(service, user)
    const { body: other } = await completeChallengeWithCode(service, mfaToken, app.code())
    const { body: options } = await service.api('POST', '/api/v1/auth/reauthenticate/options', {
      token: other.accessToken,
    })
    expectError(await byPasskey({ challenge: options.challenge }), 403, 'passkey_invalid')
    expect(await factorsOf(user)).toBe(3)
  })

  it('rejects the right password of a locked account like a wrong one, and accepts a passkey', async () => {
    for (let failure = 0; failure < 10; failure++)
      expectError(await disable({ password: 'not the password' }), 403, 'wrong_password')
    expectError(await disable({ password: user.password }), 403, 'wrong_password')
    expect(await factorsOf(user)).toBe(3)
    expect((await byPasskey()).status).toBe(200)
  })

  it('rejects every proof if the instance requires a factor', async () => {
    const require = (required: boolean) =>
      service.sql('UPDATE instance_settings SET mfa_required = $1, mfa_required_since = $2', [
        required,
        required ? service.clock.now() : null,
      ])
    await require(true)
    try {
      expectError(await disable({ password: user.password }), 409, 'mfa_required_here')
      expectError(await byPasskey(), 409, 'mfa_required_here')
      expect(await factorsOf(user)).toBe(3)
    } finally {
      await require(false)
    }
    expect((await disable({ password: user.password })).status).toBe(200)
  })

  it('records the removal of a pending enrollment', async () => {
    const plain = await registerUser(service)
    await startApp(service, plain)
    expect((await disable({ password: plain.password }, plain)).status).toBe(200)
    const entries = await service.sql(
      "SELECT result, metadata FROM audit_entries WHERE user_id = $1 AND action = 'user.mfa_disabled'",
      [plain.id],
    )
    expect(entries).toEqual([{ result: 'SUCCESS', metadata: { removed: 0 } }])
  })

  it('changes nothing for an account without factors', async () => {
    const plain = await registerUser(service, { overHttp: true })
    const before = await state()
    await disable({ password: plain.password }, plain)
    expect(await state()).toEqual(before)
    expect(await service.mails(plain.email)).toHaveLength(1)
  })

  it('takes effect once across concurrent requests', async () => {
    const answers = await atOnce(10, () => disable({ password: user.password }))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const entries = await service.sql(
      "SELECT 1 FROM audit_entries WHERE user_id = $1 AND action = 'user.mfa_disabled' AND result = 'SUCCESS'",
      [user.id],
    )
    expect(entries).toHaveLength(1)
  })

  it.skipIf(!SERVER_URL)('rejects a password that was replaced after its verification', async () => {
    let answer: ReturnType<typeof disable> | undefined
    await service.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT 1 FROM users WHERE id = ${user.id} FOR UPDATE`)
      answer = disable({ password: user.password })
      // The password is verified by now, and the removal waits for the account.
      for (let waiting = 0; waiting === 0; ) waiting = (await service.sql(WAITING)).length
      await tx.execute(sql`UPDATE passwords SET hash = 'replaced' WHERE user_id = ${user.id}`)
    })
    if (!answer) throw new Error('No challenge was requested')
    expectError(await answer, 403, 'wrong_password')
    expect(await factorsOf(user)).toBe(3)
  })
})

describe('a restricted session of a user with another team', () => {
  let service: TestService
  let user: TestUser
  let token: string
  let deviceId: string
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    const asserting = await registerUser(service)
    await joinTeam(service, user, asserting.teamId)
    const app = await enrollApp(service, user)
    const begun = await service.api('POST', '/api/v1/auth/login', {
      console: true,
      body: { email: user.email, password: user.password, teamId: asserting.teamId },
    })
    const { body } = await completeChallengeWithCode(service, begun.body.mfaToken, app.code(), { console: true })
    token = body.accessToken
    deviceId = (await service.api('GET', '/api/v1/auth/devices', { token })).body.data[0].id
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [
      claimsOf(token).sid,
      asserting.teamId,
    ])
    await service.settle()
  })
  afterAll(() => service.close())

  type Rejected = [what: string, method: string, path: () => string, body?: () => unknown]
  const REJECTED: Rejected[] = [
    ['the switch to adaptive challenges', 'POST', () => 'mfa/adaptive/toggle', () => ({ enabled: true })],
    ['the list of devices', 'GET', () => 'devices'],
    ['the removal of a device', 'DELETE', () => `devices/${deviceId}`],
  ]
  it.each(REJECTED)('rejects %s', async (_, method, path, body) => {
    const before = await dumpState(service)
    const answer = await service.api(method, `/api/v1/auth/${path()}`, { token, body: body?.() })
    expectError(answer, 403, 'team_sign_in_required')
    expect(await dumpState(service)).toEqual(before)
  })
})
