import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import {
  type App,
  beginLogIn,
  completeChallengeWithCode,
  enrollApp,
  registerWithApp,
} from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

describe('a backup code', () => {
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

  const answer = async (code: string, said: { isBackupCode?: boolean } = { isBackupCode: true }) => {
    const { mfaToken } = await beginLogIn(service, user)
    return completeChallengeWithCode(service, mfaToken, code, said)
  }
  const left = async () =>
    (await service.api('GET', '/api/v1/auth/mfa/status', { token: user.token })).body.backupCodesLeft
  const regenerate = (by = user) => service.api('POST', '/api/v1/auth/mfa/backup-codes/regenerate', { token: by.token })

  it('completes a challenge once, and the status counts the unused ones', async () => {
    for (const [index, code] of app.backupCodes.entries()) {
      expect((await answer(code)).status).toBe(200)
      expect(await left()).toBe(9 - index)
      if (index < 2) expectError(await answer(code), 401, 'mfa_invalid')
    }
    expect((await beginLogIn(service, user)).mfaMethods).toEqual(['TOTP'])
  })

  it('matches with lower case, spaces and hyphens', async () => {
    const [one = '', two = ''] = app.backupCodes
    expect((await answer(one.toLowerCase())).status).toBe(200)
    expect((await answer(` ${two.slice(0, 4)}-${two.slice(4)} `)).status).toBe(200)
  })

  it('requires the flag `isBackupCode` in the request', async () => {
    const code = app.backupCodes[0] ?? ''
    expectError(await answer(code, {}), 400, 'invalid_request')
    expectError(await answer(app.code()), 401, 'mfa_invalid')
    expect((await answer(code)).status).toBe(200)
  })

  it('fails for another account like an unknown one', async () => {
    const other = await enrollApp(service, await registerUser(service))
    for (const code of [other.backupCodes[0] ?? '', 'AAAAAAAA', 'AAAAAA'])
      expectError(await answer(code), 401, 'mfa_invalid')
    expect(await left()).toBe(10)
  })

  it('becomes invalid when new ones are created, which are returned once', async () => {
    await answer(app.backupCodes[0] ?? '')
    const { status, body } = await regenerate()
    expect(status).toBe(200)
    expect(body.backupCodes).toHaveLength(10)
    expect(await left()).toBe(10)
    for (const code of app.backupCodes.slice(0, 3)) expectError(await answer(code), 401, 'mfa_invalid')
    expect((await answer(body.backupCodes[9])).status).toBe(200)
    const { methods } = (await service.api('GET', '/api/v1/auth/mfa/status', { token: user.token })).body
    expect(methods.filter(({ type }: { type: string }) => type === 'BACKUP_CODE')).toHaveLength(1)
    expect(JSON.stringify(methods)).not.toContain(body.backupCodes[0])
    const mails = await service.mails(user.email)
    expect(mails.map(({ subject }) => subject)).toContain('New backup codes were created at Keyward')
  })

  it('requires a factor and a recent sign-in to be created', async () => {
    expectError(await regenerate(await registerUser(service)), 409, 'mfa_not_enabled')
    await service.clock.advance(16 * MINUTE)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
    expectError(await regenerate({ ...user, token: body.accessToken }), 403, 'reauthentication_required')
  })
})
