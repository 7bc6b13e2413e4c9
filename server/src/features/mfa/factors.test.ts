import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../test/factories/authenticator.js'
import {
  atOnce,
  expectError,
  expectSession,
  logIn,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import {
  type App,
  beginLogIn,
  completeChallengeWithCode,
  enrollApp,
  enrollPasskey,
  registerWithApp,
  startApp,
} from '../../../test/factories/factors.js'
import { entriesOf } from '../../../test/harness/audit-entries.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { MINUTE } from '../../platform/clock.js'

const BITWARDEN = 'd548826e-79b4-db40-a3d8-11116f7e8349'
const NO_IDS = ['00000000-0000-7000-8000-000000000000', 'no-id', '%00', "'"]

describe('a second factor of an account', () => {
  let service: TestService
  let user: TestUser
  let app: App
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    ;({ user, app } = await registerWithApp(service))
    await service.sql("UPDATE factors SET name = 'Phone' WHERE id = $1", [app.methodId])
  })

  type By = Pick<TestUser, 'token'>
  const call = (method: string, path: string, body?: unknown, by: By = user) =>
    service.api(method, `/api/v1/auth/mfa/${path}`, { token: by.token, body })
  const status = async (by: By = user) => (await call('GET', 'status', undefined, by)).body
  const remove = (id: string, by: By = user) => call('DELETE', `methods/${id}`, undefined, by)
  const rename = (id: string, name: unknown, by: By = user) => call('PATCH', `methods/${id}`, { name }, by)
  const regenerate = (by: By = user) => call('POST', 'backup-codes/regenerate', undefined, by)
  const toggle = (enabled: unknown, by: By = user) => call('POST', 'adaptive/toggle', { enabled }, by)
  const mailsOf = async (subject: string) =>
    (await service.mails(user.email)).filter((mail) => mail.subject === `${subject} at Keyward`)
  const entries = (action: string) =>
    entriesOf(
      service,
      'SELECT result, resource, metadata FROM audit_entries WHERE user_id = $1 AND action = $2 ORDER BY id',
      [user.id, action],
    )
  const backupCodesOf = async () =>
    (await status()).methods.find(({ type }: { type: string }) => type === 'BACKUP_CODE')
  async function require(required: boolean): Promise<void> {
    await service.sql('UPDATE instance_settings SET mfa_required = $1, mfa_required_since = $2', [
      required,
      required ? service.clock.now() : null,
    ])
  }

  describe('GET /auth/mfa/status', () => {
    it('lists apps, passkeys, backup codes and pending enrollments', async () => {
      const authenticator = createAuthenticator({ aaguid: BITWARDEN, backedUp: true, counter: 'zero' })
      const passkey = await enrollPasskey(service, user, authenticator)
      const waiting = await startApp(service, user, { name: 'Tablet' })
      const common = { verified: true, enabled: true, createdAt: expect.stringMatching(/Z$/), lastUsedAt: null }
      expect(await status()).toEqual({
        enabled: true,
        adaptive: false,
        backupCodesLeft: 10,
        methods: [
          { ...common, id: app.methodId, type: 'TOTP', name: 'Phone' },
          { ...common, id: expect.any(String), type: 'BACKUP_CODE', name: 'Backup codes' },
          {
            ...common,
            id: passkey.methodId,
            type: 'PASSKEY',
            name: 'Bitwarden',
            aaguid: BITWARDEN,
            provider: 'Bitwarden',
            backedUp: true,
            signsIn: true,
            credentialId: expect.any(String),
          },
          { ...common, id: waiting.methodId, type: 'TOTP', name: 'Tablet', verified: false, enabled: false },
        ],
      })
    })

    it('lists last uses and the number of unused backup codes', async () => {
      const { mfaToken } = await beginLogIn(service, user)
      expect((await completeChallengeWithCode(service, mfaToken, app.code())).status).toBe(200)
      await service.clock.advance(MINUTE)
      const again = await beginLogIn(service, user)
      const code = app.backupCodes[4] ?? ''
      expect((await completeChallengeWithCode(service, again.mfaToken, code, { isBackupCode: true })).status).toBe(200)
      const { backupCodesLeft, methods } = await status()
      expect(backupCodesLeft).toBe(9)
      const [phone, codes] = methods.map(({ lastUsedAt }: { lastUsedAt: string }) => Date.parse(lastUsedAt))
      expect(codes - phone).toBeGreaterThanOrEqual(MINUTE)
    })

    it('rejects other users and API tokens', async () => {
      const other = await registerUser(service)
      expect(await status(other)).toEqual({ enabled: false, adaptive: false, backupCodesLeft: 0, methods: [] })
      const wanted = { name: 'Script', scopes: ['org:read'] }
      const { body } = await service.api('POST', '/api/v1/api-tokens', { token: user.token, body: wanted })
      expectError(await call('GET', 'status', undefined, body), 403, 'session_required')
      expectError(await service.api('GET', '/api/v1/auth/mfa/status'), 401, 'unauthorized')
    })
  })

  describe('PATCH /auth/mfa/methods/{id}', () => {
    it('renames every type of factor and records both names', async () => {
      const passkey = await enrollPasskey(service, user)
      const waiting = await startApp(service, user)
      for (const { id, type, name } of (await status()).methods) {
        const answer = await rename(id, `My ${type} ünd 名`)
        expect([answer.status, answer.body]).toMatchObject([200, { id, type, name: `My ${type} ünd 名` }])
        expect((await entries('factor.renamed')).at(-1)).toEqual({
          result: 'SUCCESS',
          resource: `factor:${id}`,
          metadata: { type, from: name, to: `My ${type} ünd 名` },
        })
      }
      const { methods } = await status()
      expect(methods).toHaveLength(4)
      for (const { name } of methods) expect(name).toMatch(/^My /)
      expect(methods.map(({ id }: { id: string }) => id)).toEqual(
        expect.arrayContaining([app.methodId, passkey.methodId, waiting.methodId]),
      )
    })

    it('rejects an empty, overlong or deceptive name', async () => {
      const before = await dumpState(service)
      for (const name of ['', '  ', 'x'.repeat(300), 7, null, undefined, '\u0000', 'a\u202eb'])
        expectError(await rename(app.methodId, name), 400, 'invalid_request')
      expect(await dumpState(service)).toEqual(before)
    })
  })

  describe('DELETE /auth/mfa/methods/{id}', () => {
    it('removes one, and the others and the backup codes stay valid', async () => {
      const passkey = await enrollPasskey(service, user)
      const answer = await remove(app.methodId)
      expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }])
      expect(await status()).toMatchObject({ enabled: true, backupCodesLeft: 10 })
      const { mfaToken, mfaMethods } = await beginLogIn(service, user)
      expect(mfaMethods.toSorted()).toEqual(['BACKUP_CODE', 'PASSKEY'])
      expectError(await completeChallengeWithCode(service, mfaToken, app.code()), 401, 'mfa_invalid')
      expect((await remove(passkey.methodId)).status).toBe(200)
      expect((await logIn(service, user)).id).toBe(user.id)
    })

    it('removes backup codes, pending enrollments and adaptive challenges with the last one', async () => {
      await startApp(service, user)
      expect((await toggle(true)).status).toBe(200)
      expect((await remove(app.methodId)).status).toBe(200)
      expect(await status()).toEqual({ enabled: false, adaptive: false, backupCodesLeft: 0, methods: [] })
      expect((await service.api('GET', '/api/v1/auth/me', { token: user.token })).body.mfa.enabled).toBe(false)
      await expectSession(service, (await logIn(service, user)).token, 'active')
      const next = await enrollApp(service, user)
      expect(next.backupCodes).toHaveLength(10)
      expect(next.backupCodes).not.toEqual(app.backupCodes)
      const { mfaToken } = await beginLogIn(service, user)
      const old = await completeChallengeWithCode(service, mfaToken, app.backupCodes[0] ?? '', { isBackupCode: true })
      expectError(old, 401, 'mfa_invalid')
    })

    it('notifies the owner by mail, except about a pending enrollment', async () => {
      const waiting = await startApp(service, user, { name: 'Tablet' })
      expect((await remove(waiting.methodId)).status).toBe(200)
      expect(await status()).toMatchObject({ enabled: true, backupCodesLeft: 10 })
      expect((await remove(app.methodId)).status).toBe(200)
      const mails = await mailsOf('A second factor was removed')
      expect(mails).toHaveLength(1)
      expect(mails[0]?.text).toContain('"Phone" no longer works')
      expect(await entries('factor.removed')).toEqual([
        { result: 'SUCCESS', resource: `factor:${waiting.methodId}`, metadata: { type: 'TOTP', name: 'Tablet' } },
        { result: 'SUCCESS', resource: `factor:${app.methodId}`, metadata: { type: 'TOTP', name: 'Phone' } },
      ])
    })

    it('removes backup codes, and the factor stays and new codes can be created', async () => {
      const { id } = await backupCodesOf()
      expect((await remove(id)).status).toBe(200)
      expect(await status()).toMatchObject({ enabled: true, backupCodesLeft: 0, methods: [{ id: app.methodId }] })
      const { mfaToken, mfaMethods } = await beginLogIn(service, user)
      expect(mfaMethods).toEqual(['TOTP'])
      const old = await completeChallengeWithCode(service, mfaToken, app.backupCodes[0] ?? '', { isBackupCode: true })
      expectError(old, 401, 'mfa_invalid')
      expect((await regenerate()).body.backupCodes).toHaveLength(10)
    })

    it('rejects the removal of the last one if the instance requires one', async () => {
      const waiting = await startApp(service, user)
      const passkey = await enrollPasskey(service, user)
      await require(true)
      try {
        expect((await remove(app.methodId)).status).toBe(200)
        const before = await dumpState(service)
        expectError(await remove(passkey.methodId), 409, 'mfa_required_here')
        expect(await dumpState(service)).toEqual(before)
        expect((await remove(waiting.methodId)).status).toBe(200)
        expect((await remove((await backupCodesOf()).id)).status).toBe(200)
        const other = await enrollApp(service, user)
        expect((await remove(passkey.methodId)).status).toBe(200)
        expectError(await remove(other.methodId), 409, 'mfa_required_here')
      } finally {
        await require(false)
      }
    })

    it('leaves one of two after concurrent removals if the instance requires one', async () => {
      const passkey = await enrollPasskey(service, user)
      await require(true)
      try {
        const answers = await Promise.all([remove(app.methodId), remove(passkey.methodId)])
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
        expect((await status()).enabled).toBe(true)
      } finally {
        await require(false)
      }
    })

    it('removes once across concurrent requests', async () => {
      const passkey = await enrollPasskey(service, user)
      const answers = await atOnce(10, () => remove(passkey.methodId))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
      expect(await mailsOf('A second factor was removed')).toHaveLength(1)
    })
  })

  describe('POST /auth/mfa/backup-codes/regenerate', () => {
    it('creates ten codes, revokes earlier ones and notifies the owner', async () => {
      const { mfaToken } = await beginLogIn(service, user)
      const { status: code, body } = await regenerate()
      expect([code, body]).toEqual([200, { backupCodes: expect.any(Array) }])
      expect(new Set([...body.backupCodes, ...app.backupCodes]).size).toBe(20)
      for (const old of app.backupCodes.slice(0, 3))
        expectError(await completeChallengeWithCode(service, mfaToken, old, { isBackupCode: true }), 401, 'mfa_invalid')
      expect(
        (await completeChallengeWithCode(service, mfaToken, body.backupCodes[9], { isBackupCode: true })).status,
      ).toBe(200)
      expect((await status()).backupCodesLeft).toBe(9)
      expect(await mailsOf('New backup codes were created')).toHaveLength(1)
      expect(await entries('factor.backup_codes_renewed')).toEqual([
        { result: 'SUCCESS', resource: `user:${user.id}`, metadata: {} },
      ])
    })

    it('leaves the codes of one response valid across concurrent requests', async () => {
      const answers = await atOnce(5, () => regenerate())
      const works = []
      for (const { body } of answers) {
        const { mfaToken } = await beginLogIn(service, user)
        works.push(
          (await completeChallengeWithCode(service, mfaToken, body.backupCodes[0], { isBackupCode: true })).status,
        )
      }
      expect(works.sort()).toEqual([200, 401, 401, 401, 401])
    })

    it('requires another factor', async () => {
      const plain = await registerUser(service)
      expectError(await regenerate(plain), 409, 'mfa_not_enabled')
      await startApp(service, plain)
      expectError(await regenerate(plain), 409, 'mfa_not_enabled')
      expect((await status(plain)).backupCodesLeft).toBe(0)
    })
  })

  it('turns adaptive challenges on and off, and sends mail and records an audit entry only for changes', async () => {
    for (const enabled of [true, true, false, false]) {
      const answer = await toggle(enabled)
      expect([answer.status, answer.body]).toEqual([200, { enabled }])
      expect((await status()).adaptive).toBe(enabled)
    }
    expect(await mailsOf('Your second factor is required less often')).toHaveLength(1)
    expect(await mailsOf('Your second factor is required at every sign-in')).toHaveLength(1)
    expect((await entries('user.adaptive_mfa_changed')).map(({ metadata }) => metadata)).toEqual([
      { enabled: true },
      { enabled: false },
    ])
    for (const enabled of ['true', 1, null, undefined]) expectError(await toggle(enabled), 400, 'invalid_request')
    const answers = await atOnce(10, () => toggle(true))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await entries('user.adaptive_mfa_changed')).toHaveLength(3)
  })

  type Change = [what: string, act: (by: By, id: string) => ReturnType<typeof call>]
  const CHANGES: Change[] = [
    ['renamed', (by, id) => rename(id, 'New', by)],
    ['removed', (by, id) => remove(id, by)],
    ['given new backup codes', (by) => regenerate(by)],
    ['switched to adaptive challenges', (by) => toggle(true, by)],
  ]
  it.each(CHANGES)('requires a recent sign-in to be %s', async (_, act) => {
    await service.clock.advance(16 * MINUTE)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
    const by = { token: body.accessToken }
    const before = await dumpState(service)
    expectError(await act(by, app.methodId), 403, 'reauthentication_required')
    expect(await dumpState(service)).toEqual(before)
    expect((await status(by)).enabled).toBe(true)
    await service.api('POST', '/api/v1/auth/reauthenticate', { token: by.token, body: { code: app.code() } })
    expect((await act(by, app.methodId)).status).toBe(200)
  })

  it.each(CHANGES.slice(0, 2))('returns the error of an unknown one to be %s by another user', async (_, act) => {
    const outsider = await registerUser(service)
    await enrollApp(service, outsider)
    const waiting = await startApp(service, user)
    const { id } = await backupCodesOf()
    const before = await dumpState(service)
    for (const foreign of [app.methodId, waiting.methodId, id, ...NO_IDS])
      expectError(await act(outsider, foreign), 404, 'factor_not_found')
    expect(await dumpState(service)).toEqual(before)
  })
})
