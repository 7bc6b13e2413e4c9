import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectError,
  joinTeam,
  logIn,
  PASSWORD,
  proveAddress,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories.js'
import { answerByCode, enrolApp } from '../../../../test/factors.js'
import { authorize, registerApp, type TestApp, uidOf } from '../../../../test/relying-party.js'
import { startService, type TestService } from '../../../../test/service.js'

const DAY = 86_400_000
const NEW = 'a new correct horse'

describe('a password that is older than its team lets it be', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  /** A team that lets passwords be this many days old, and somebody in it alone. */
  async function memberUnder(maxAgeDays: number): Promise<TestUser> {
    const user = await registerUser(service)
    await proveAddress(service, user)
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

  it('opens a session that can change it and little else, and the change frees the session', async () => {
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
    // The same once more is as old as before.
    const same = await change(token, PASSWORD)
    expect(same.body.errors).toEqual([{ path: '/newPassword', rule: 'unchanged', message: expect.any(String) }])
    expectError(await work(token), 403, 'password_change_required')
    expect((await change(token, NEW)).status).toBe(200)
    expect((await work(token)).status).toBe(200)
    expect((await me(token)).body.mustChangePassword).toBe(false)
    expect((await work((await logIn(service, { ...user, password: NEW })).token)).status).toBe(200)
  })

  it('stops neither a sign-in by mailed link nor a session that runs', async () => {
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

  it('is judged by the policy of the moment: a shorter age holds at the next sign-in', async () => {
    const user = await memberUnder(0)
    await service.clock.advance(3 * DAY)
    const { token } = await logIn(service, user)
    expect((await work(token)).status).toBe(200)
    await service.api('PUT', '/api/v1/policies/password', { token, body: { maxAgeDays: 2 } })
    for (let node = 0; node < service.urls.length; node++)
      expectError(await work((await logIn(service, user)).token), 403, 'password_change_required')
  })

  describe('of two teams the stricter', () => {
    /** Signed in to a team that does not mind, and a member of one that does; by password, or by a mailed link. */
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
    /** An application of the team, of which the user signs in anew. */
    async function appOf({ email, teamId }: TestUser): Promise<TestApp> {
      const { body } = await service.api('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD, teamId } })
      return registerApp(service, { token: body.accessToken, teamId })
    }
    const switchTo = (token: string, teamId: string) =>
      service.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId } })

    it('asks for another when the session goes over to it', async () => {
      const { strict, token } = await between('password')
      expect((await work(token)).status).toBe(200)
      const { status, body } = await switchTo(token, strict.teamId)
      expect({ status, due: body.mustChangePassword }).toEqual({ status: 200, due: true })
      expectError(await work(body.accessToken), 403, 'password_change_required')
      expect((await change(body.accessToken, NEW)).status).toBe(200)
      expect((await work(body.accessToken)).status).toBe(200)
    })

    it('asks for another when a request names it, and leaves the session’s own team open', async () => {
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

    it('asks for another after the challenge that the switch to the team requires', async () => {
      const { user, strict, token } = await between('password')
      const temporaryPassword = 'handed over by the help desk'
      const path = `/api/v1/users/${user.id}/password-reset`
      const link = { token: await requestToken(service, 'magic_link', strict.email) }
      const { accessToken: owner } = (await service.api('POST', '/api/v1/auth/verify', { body: link })).body
      const given = await service.api('POST', path, { token: owner, body: { temporaryPassword } })
      expect(given.status, given.text).toBe(200)
      const body = { email: user.email, password: temporaryPassword, teamId: strict.teamId }
      const { body: restricted } = await service.api('POST', '/api/v1/auth/login', { body })
      const app = await enrolApp(service, { token: restricted.accessToken })
      await service.clock.advance(61_000)
      const { body: challenge } = await switchTo(token, strict.teamId)
      const { body: moved } = await answerByCode(service, challenge.mfaToken, app.code())
      expect(moved.mustChangePassword).toBe(true)
      expectError(await work(moved.accessToken), 403, 'password_change_required')
    })

    it('is due until the password is changed, whichever team the session has selected, and in its team alone', async () => {
      const { user, strict, token } = await between('password')
      const there = await switchTo(token, strict.teamId)
      expect((await work(there.body.accessToken, { 'x-org-id': user.teamId })).status).toBe(200)
      const { body: back } = await switchTo(there.body.accessToken, user.teamId)
      expect(back).not.toHaveProperty('mustChangePassword')
      expect((await work(back.accessToken)).status).toBe(200)
      const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: back.refreshToken } })
      expect(refreshed.body).not.toHaveProperty('mustChangePassword')
      // Not even by a longer age: only a new password clears it.
      await service.sql('UPDATE password_policies SET max_age_days = 0 WHERE organization_id = $1', [strict.teamId])
      const elsewhere = { 'x-org-id': strict.teamId }
      expectError(await work(back.accessToken, elsewhere), 403, 'password_change_required')
      expect((await change(back.accessToken, PASSWORD)).body.errors[0].rule).toBe('unchanged')
      expect((await change(back.accessToken, NEW)).status).toBe(200)
      expect((await work(back.accessToken, elsewhere)).status).toBe(200)
    })

    it('is due at a sign-in to an application of the team, and at that of no other', async () => {
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

    it('asks nothing of a session that was opened by a mailed link', async () => {
      const { strict, token } = await between('link')
      expect((await work(token, { 'x-org-id': strict.teamId })).status).toBe(200)
      const { body } = await switchTo(token, strict.teamId)
      expect(body).not.toHaveProperty('mustChangePassword')
      expect((await work(body.accessToken)).status).toBe(200)
    })
  })
})
