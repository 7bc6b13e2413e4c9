import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizePath, registerApp } from '../../../../test/doubles/relying-party.js'
import { expectError, onboardAdmin, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { beginLogIn, completeChallengeWithCode, enrollApp, enrollPasskey } from '../../../../test/factories/factors.js'
import type { ApiRequest } from '../../../../test/harness/api.js'
import { openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { DAY, MINUTE } from '../../../platform/clock.js'

describe('an instance that requires a second factor', () => {
  let service: TestService
  let admin: TestUser
  let early: TestUser
  let switchedOn: number
  beforeAll(async () => {
    service = await startService()
    admin = await onboardAdmin(service)
    early = await registerUser(service)
    await service.clock.advance(DAY)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: admin.refreshToken } })
    switchedOn = service.clock.ms()
    await configure(body.accessToken, { mfaRequired: true, mfaGracePeriodDays: 3 })
  })
  afterAll(() => service.close())

  const configure = async (token: string, settings: Record<string, unknown>) =>
    expect((await service.api('PUT', '/api/v1/config', { token, body: settings })).status).toBe(200)
  const logIn = async (user: TestUser) => {
    const { status, body, text } = await service.api('POST', '/api/v1/auth/login', { body: user })
    expect(status, text).toBe(200)
    return body
  }
  const graceOf = ({ mfa }: { mfa: { graceEndsAt: string } }) => Date.parse(mfa.graceEndsAt)

  it('shows the end of the grace period in the session and in GET /auth/me', async () => {
    const session = await logIn(early)
    expect(session.mfa).toMatchObject({ enabled: false, required: true, enrollmentRequired: false })
    expect(Math.abs(graceOf(session) - (switchedOn + 3 * DAY))).toBeLessThan(MINUTE)
    const me = await service.api('GET', '/api/v1/auth/me', { token: session.accessToken })
    expect(me.body.mfa).toEqual(session.mfa)
  })

  it('starts the grace period of a later account at its creation', async () => {
    await service.clock.advance(DAY)
    const before = service.clock.ms()
    const late = await registerUser(service)
    const session = await logIn(late)
    expect(graceOf(session)).toBeGreaterThanOrEqual(before + 3 * DAY - MINUTE)
    expect(session.mfa.enrollmentRequired).toBe(false)
  })

  it('accepts an existing session after the grace period, and limits the next one to enrollment', async () => {
    const running = await logIn(early)
    await service.clock.advance(2 * DAY + MINUTE)
    const { body: refreshed } = await service.api('POST', '/api/v1/auth/refresh', {
      body: { refreshToken: running.refreshToken },
    })
    expect(refreshed.mfa.enrollmentRequired).toBe(false)
    expect((await service.api('GET', '/api/v1/auth/sessions', { token: refreshed.accessToken })).status).toBe(200)

    const session = await logIn(early)
    expect(session).toMatchObject({ accessToken: expect.any(String), mfa: { enrollmentRequired: true } })
    const token: string = session.accessToken
    for (const [method, path, body] of [
      ['GET', '/api/v1/auth/sessions'],
      ['GET', '/api/v1/organizations'],
      ['GET', '/api/v1/users'],
      ['POST', '/api/v1/auth/change-password', { currentPassword: early.password, newPassword: 'something else' }],
      ['PATCH', '/api/v1/auth/me', { firstName: 'Eve' }],
      ['POST', '/api/v1/auth/switch-team', { teamId: early.teamId }],
      ['POST', '/api/v1/auth/mfa/disable', { password: early.password }],
      ['GET', '/api/v1/auth/devices'],
    ] as const)
      expectError(await service.api(method, path, { token, body }), 403, 'mfa_enrollment_required')
    const me = await service.api('GET', '/api/v1/auth/me', { token })
    expect(me.body.mfa).toMatchObject({ enrollmentRequired: true })
    for (const path of ['/api/v1/auth/mfa/status', '/api/v1/auth/mfa/passkey/options'])
      expect((await service.api('GET', path, { token })).status).toBe(200)
  })

  it('keeps the limit after a refresh, and lifts it after the enrollment on the next request', async () => {
    const session = await logIn(early)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: session.refreshToken } })
    expect(body.mfa.enrollmentRequired).toBe(true)
    const user = { ...early, token: body.accessToken }
    const app = await enrollApp(service, user)
    expect((await service.api('GET', '/api/v1/auth/sessions', { token: user.token })).status).toBe(200)
    const { mfaToken } = await beginLogIn(service, early)
    const done = await completeChallengeWithCode(service, mfaToken, app.code())
    expect(done.body.mfa).toMatchObject({ enabled: true, enrollmentRequired: false })
  })

  it('accepts a passkey', async () => {
    const user = await registerUser(service)
    await service.clock.advance(3 * DAY + MINUTE)
    const session = await logIn(user)
    expect(session.mfa.enrollmentRequired).toBe(true)
    const { backupCodes } = await enrollPasskey(service, { token: session.accessToken })
    expect(backupCodes).toHaveLength(10)
    expect((await service.api('GET', '/api/v1/auth/sessions', { token: session.accessToken })).status).toBe(200)
  })

  it('rejects the removal of the last factor, and challenges each sign-in despite adaptive challenges', async () => {
    const user = await registerUser(service)
    const app = await enrollApp(service, user)
    const toggle = await service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', {
      token: user.token,
      body: { enabled: true },
    })
    expect(toggle.body).toEqual({ enabled: true })
    const remove = (id: string) => service.api('DELETE', `/api/v1/auth/mfa/methods/${id}`, { token: user.token })
    expectError(await remove(app.methodId), 409, 'mfa_required_here')
    const disable = await service.api('POST', '/api/v1/auth/mfa/disable', {
      token: user.token,
      body: { password: user.password },
    })
    expectError(disable, 409, 'mfa_required_here')
    const second = await enrollApp(service, user)
    expect((await remove(app.methodId)).status).toBe(200)

    const begun = await service.api('POST', '/api/v1/auth/login', { console: true, body: user })
    const done = await completeChallengeWithCode(service, begun.body.mfaToken, second.code(1), { console: true })
    const cookies = { keyward_device: done.cookies.keyward_device?.value ?? '' }
    const again = await service.api('POST', '/api/v1/auth/login', { console: true, cookies, body: user })
    expect(again.body.mfaRequired).toBe(true)
  })

  it('issues no authorization code while an enrollment is due', async () => {
    const user = await registerUser(service)
    const app = await registerApp(service, user)
    await service.clock.advance(3 * DAY + MINUTE)
    const browser = openBrowser(service, user)
    await browser.signIn()
    const redirect = new URL((await browser.visit(authorizePath(app))).headers.get('location') ?? '')
    expect(redirect.pathname).toBe('/login')
    const interaction = `${redirect.searchParams.get('idp')?.slice(service.baseUrl.length)}/interaction/${redirect.searchParams.get('uid')}`
    expectError(await browser.call('POST', `${interaction}/confirm`, { consent: true }), 403, 'mfa_enrollment_required')
    const ofBrowser = (method: string, path: string, request?: ApiRequest) => browser.call(method, path, request?.body)
    await enrollApp({ ...service, api: ofBrowser }, user)
    const { redirectTo } = (await browser.call('POST', `${interaction}/confirm`, { consent: true })).body
    expect(new URL(redirectTo).searchParams.get('code')).not.toBeNull()
  })

  it('requires no factor after the requirement is turned off', async () => {
    const session = await logIn(await registerUser(service))
    expect(session.mfa.required).toBe(true)
    const link = await service.api('POST', '/api/v1/auth/magic-link', { body: { email: admin.email } })
    expect(link.status).toBe(200)
    const mail = (await service.mails(admin.email)).findLast(({ kind }) => kind === 'magic_link')
    const token = new URL(mail?.link ?? '').searchParams.get('token')
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    // The grace period of the administrator has ended too, so they enroll first.
    expect(body.mfa.enrollmentRequired).toBe(true)
    await enrollApp(service, { token: body.accessToken })
    await configure(body.accessToken, { mfaRequired: false })
    expect((await logIn(await registerUser(service))).mfa).toEqual({
      enabled: false,
      required: false,
      graceEndsAt: null,
      enrollmentRequired: false,
    })
  })
})
