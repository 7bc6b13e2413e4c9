import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, registerApp, type TestApp, uidOf } from '../../../../test/doubles/relying-party.js'
import {
  expectError,
  joinTeam,
  logIn,
  PASSWORD,
  registerVerifiedUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { completeChallengeWithCode, enrollApp } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const DAY = 86_400_000
const NEW = 'a new correct horse'

describe('a password that is older than its team allows', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  /** A team with this maximum password age in days, and a user whose only team it is. */
  async function memberUnder(maxAgeDays: number): Promise<TestUser> {
    const user = await registerVerifiedUser(service)
    const body = { maxAgeDays }
    await service.api('PUT', '/api/v1/policies/password', { token: user.token, body })
    return user
  }
  const me = (token: string, headers = {}) => service.api('GET', '/api/v1/auth/me', { token, headers })
  const work = (token: string, headers = {}) => service.api('GET', '/api/v1/settings', { token, headers })
  const change = (token: string, newPassword: string, headers = {}) =>
    service.api('POST', '/api/v1/auth/change-password', {
      token,
      body: { currentPassword: PASSWORD, newPassword },
      headers,
    })

  it('limits the session to its change, which lifts the limit', async () => {
    const user = await memberUnder(30)
    await service.clock.advance(30 * DAY - 60_000)
    expect((await work((await logIn(service, user)).token)).status).toBe(200)
    await service.clock.advance(120_000)
    const { status, body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: PASSWORD },
    })
    expect({ status, due: body.mustChangePassword }).toEqual({ status: 200, due: true })
    const token = body.accessToken
    expectError(await work(token), 403, 'password_change_required')
    expect((await me(token)).body).toMatchObject({ mustChangePassword: true, passwordPolicy: { maxAgeDays: 30 } })
    // The same password is not accepted as the new one.
    const same = await change(token, PASSWORD)
    expect(same.body.errors).toEqual([{ path: '/newPassword', rule: 'unchanged', message: expect.any(String) }])
    expectError(await work(token), 403, 'password_change_required')
    expect((await change(token, NEW)).status).toBe(200)
    expect((await work(token)).status).toBe(200)
    expect((await me(token)).body.mustChangePassword).toBe(false)
    expect((await work((await logIn(service, { ...user, password: NEW })).token)).status).toBe(200)
  })

  it('limits neither a sign-in by mailed link nor an existing session', async () => {
    const user = await memberUnder(1)
    const token = await requestToken(service, 'magic_link', user.email)
    await service.clock.advance(60_000)
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    await service.clock.advance(2 * DAY)
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: body.refreshToken } })
    expect((await work(refreshed.body.accessToken)).status).toBe(200)
    const later = await service.api('POST', '/api/v1/auth/verify', {
      body: { token: await requestToken(service, 'magic_link', user.email) },
    })
    expect(later.body).not.toHaveProperty('mustChangePassword')
    expect((await work(later.body.accessToken)).status).toBe(200)
  })

  it('expires by the current policy: a shorter age applies at the next sign-in', async () => {
    const user = await memberUnder(0)
    await service.clock.advance(3 * DAY)
    const { token } = await logIn(service, user)
    expect((await work(token)).status).toBe(200)
    await service.api('PUT', '/api/v1/policies/password', { token, body: { maxAgeDays: 2 } })
    for (let node = 0; node < service.urls.length; node++)
      expectError(await work((await logIn(service, user)).token), 403, 'password_change_required')
  })

  describe('in the stricter of two teams', () => {
    /** Signed in to a team without a maximum age, and a member of one with it; by password, or by a mailed link. */
    async function between(by: 'password' | 'link') {
      const [user, strict] = [await memberUnder(0), await memberUnder(7)]
      await joinTeam(service, user, strict.teamId)
      await service.clock.advance(8 * DAY)
      if (by === 'password') {
        const { body } = await service.api('POST', '/api/v1/auth/login', {
          body: { email: user.email, password: PASSWORD, teamId: user.teamId },
        })
        return { user, strict, token: body.accessToken as string }
      }
      const token = await requestToken(service, 'magic_link', user.email)
      const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
      return { user, strict, token: body.accessToken as string }
    }
    /** An application of the team to which the user signs in. */
    async function appOf({ email, teamId }: TestUser): Promise<TestApp> {
      const { body } = await service.api('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD, teamId } })
      return registerApp(service, { token: body.accessToken, teamId })
    }
    const switchTo = (token: string, teamId: string) =>
      service.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId } })

    it('requires a change when the session switches to the team', async () => {
      const { strict, token } = await between('password')
      expect((await work(token)).status).toBe(200)
      const { status, body } = await switchTo(token, strict.teamId)
      expect({ status, due: body.mustChangePassword }).toEqual({ status: 200, due: true })
      expectError(await work(body.accessToken), 403, 'password_change_required')
      expect((await change(body.accessToken, NEW)).status).toBe(200)
      expect((await work(body.accessToken)).status).toBe(200)
    })

    it('requires a change when a request names the team, and not in the team of the session', async () => {
      const { strict, token } = await between('password')
      const elsewhere = { 'x-org-id': strict.teamId }
      expectError(await work(token, elsewhere), 403, 'password_change_required')
      expectError(
        await service.api('GET', `/api/v1/organizations/${strict.teamId}`, { token }),
        403,
        'password_change_required',
      )
      expect((await me(token, elsewhere)).body.mustChangePassword).toBe(true)
      expect((await work(token)).status).toBe(200)
      expect((await me(token)).body.mustChangePassword).toBe(false)
      expect((await change(token, NEW, elsewhere)).status).toBe(200)
      expect((await work(token, elsewhere)).status).toBe(200)
    })

    it('requires a change after the challenge of the switch to the team', async () => {
      const { user, strict, token } = await between('password')
      const temporaryPassword = 'handed over by the help desk'
      const path = `/api/v1/users/${user.id}/password-reset`
      const link = { token: await requestToken(service, 'magic_link', strict.email) }
      const { accessToken: owner } = (await service.api('POST', '/api/v1/auth/verify', { body: link })).body
      const given = await service.api('POST', path, { token: owner, body: { temporaryPassword } })
      expect(given.status, given.text).toBe(200)
      const body = { email: user.email, password: temporaryPassword, teamId: strict.teamId }
      const { body: restricted } = await service.api('POST', '/api/v1/auth/login', { body })
      const app = await enrollApp(service, { token: restricted.accessToken })
      await service.clock.advance(61_000)
      const { body: challenge } = await switchTo(token, strict.teamId)
      const { body: moved } = await completeChallengeWithCode(service, challenge.mfaToken, app.code())
      expect(moved.mustChangePassword).toBe(true)
      expectError(await work(moved.accessToken), 403, 'password_change_required')
    })

    it('requires a password change only in that team, regardless of the selected team', async () => {
      const { user, strict, token } = await between('password')
      const there = await switchTo(token, strict.teamId)
      expect((await work(there.body.accessToken, { 'x-org-id': user.teamId })).status).toBe(200)
      const { body: back } = await switchTo(there.body.accessToken, user.teamId)
      expect(back).not.toHaveProperty('mustChangePassword')
      expect((await work(back.accessToken)).status).toBe(200)
      const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: back.refreshToken } })
      expect(refreshed.body).not.toHaveProperty('mustChangePassword')
      // Only a new password clears it, and not a longer maximum age.
      await service.sql('UPDATE password_policies SET max_age_days = 0 WHERE organization_id = $1', [strict.teamId])
      const elsewhere = { 'x-org-id': strict.teamId }
      expectError(await work(back.accessToken, elsewhere), 403, 'password_change_required')
      expect((await change(back.accessToken, PASSWORD)).body.errors[0].rule).toBe('unchanged')
      expect((await change(back.accessToken, NEW)).status).toBe(200)
      expect((await work(back.accessToken, elsewhere)).status).toBe(200)
    })

    it('requires a change at a sign-in to an application of the team, and at that of no other', async () => {
      const { user, strict, token } = await between('password')
      const allow = (days: number) =>
        service.sql('UPDATE password_policies SET max_age_days = $2 WHERE organization_id = $1', [strict.teamId, days])
      await allow(0)
      const apps = [await appOf(strict), await appOf(user)]
      await allow(7)
      const look = async (by: string) =>
        Promise.all(
          apps.map(async (app) => {
            const uid = uidOf(await authorize(service, app))
            const { status, body } = await service.api('GET', `${app.idp}/interaction/${uid}`, { token: by })
            return status === 200 ? status : body.code
          }),
        )
      expect(await look(token)).toEqual(['password_change_required', 200])
      const { body } = await switchTo(token, strict.teamId)
      expect(await look(body.accessToken)).toEqual(['password_change_required', 200])
      expect((await change(body.accessToken, NEW)).status).toBe(200)
      expect(await look(body.accessToken)).toEqual([200, 200])
    })

    it('requires no change in a session by a mailed link', async () => {
      const { strict, token } = await between('link')
      expect((await work(token, { 'x-org-id': strict.teamId })).status).toBe(200)
      const { body } = await switchTo(token, strict.teamId)
      expect(body).not.toHaveProperty('mustChangePassword')
      expect((await work(body.accessToken)).status).toBe(200)
    })
  })
})
