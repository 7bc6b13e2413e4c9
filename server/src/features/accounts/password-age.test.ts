import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectRefusal,
  joinTeam,
  logIn,
  PASSWORD,
  proveAddress,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories.js'
import { startService, type TestService } from '../../../test/service.js'

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
    expectRefusal(await work(token), 403, 'password_change_required')
    expect((await me(token)).body).toMatchObject({ mustChangePassword: true, passwordPolicy: { maxAgeDays: 30 } })
    // The same once more is as old as before.
    const same = await change(token, PASSWORD)
    expect(same.body.errors).toEqual([{ path: '/newPassword', rule: 'unchanged', message: expect.any(String) }])
    expectRefusal(await work(token), 403, 'password_change_required')
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
      expectRefusal(await work((await logIn(service, user)).token), 403, 'password_change_required')
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
    const switchTo = (token: string, teamId: string) =>
      service.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId } })

    it('asks for another when the session goes over to it', async () => {
      const { strict, token } = await between('password')
      expect((await work(token)).status).toBe(200)
      const { status, body } = await switchTo(token, strict.teamId)
      expect({ status, due: body.mustChangePassword }).toEqual({ status: 200, due: true })
      expectRefusal(await work(body.accessToken), 403, 'password_change_required')
      expect((await change(body.accessToken, NEW)).status).toBe(200)
      expect((await work(body.accessToken)).status).toBe(200)
    })

    it('asks for another when a request names it, and leaves the session’s own team open', async () => {
      const { strict, token } = await between('password')
      const elsewhere = { 'x-org-id': strict.teamId }
      expectRefusal(await work(token, elsewhere), 403, 'password_change_required')
      expectRefusal(
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

    it('asks nothing of a session that was opened by a mailed link', async () => {
      const { strict, token } = await between('link')
      expect((await work(token, { 'x-org-id': strict.teamId })).status).toBe(200)
      const { body } = await switchTo(token, strict.teamId)
      expect(body).not.toHaveProperty('mustChangePassword')
      expect((await work(body.accessToken)).status).toBe(200)
    })
  })
})
