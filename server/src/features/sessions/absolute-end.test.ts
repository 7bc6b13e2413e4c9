import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, locationOf, registerApp } from '../../../test/doubles/relying-party.js'
import {
  claimsOf,
  expectError,
  joinTeam,
  logIn,
  onboardAdmin,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { beginStep, completeChallengeWithCode, enrollApp } from '../../../test/factories/factors.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

describe('the absolute end of a session', () => {
  let service: TestService
  let admin: TestUser
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    admin = await onboardAdmin(service)
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const me = (token: string, headers = {}) => service.api('GET', '/api/v1/auth/me', { token, headers })
  const refresh = (refreshToken: string) => service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })
  const switchTo = (token: string, teamId: string) =>
    service.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId } })
  const setInstance = async (sessionMaxLifetimeDays: number) => {
    const link = await requestToken(service, 'magic_link', admin.email)
    const { body: session } = await service.api('POST', '/api/v1/auth/verify', { body: { token: link } })
    const { body } = await service.api('PUT', '/api/v1/config', {
      token: session.accessToken,
      body: { sessionMaxLifetimeDays },
    })
    expect(body.sessionMaxLifetimeDays).toBe(sessionMaxLifetimeDays)
  }
  const setTeam = async (by: TestUser, sessionMaxLifetimeDays: number | null) => {
    const { status, body } = await service.api('PUT', `/api/v1/organizations/${by.teamId}`, {
      token: by.token,
      body: { sessionMaxLifetimeDays },
    })
    expect([status, body.sessionMaxLifetimeDays]).toEqual([200, sessionMaxLifetimeDays])
  }

  it('comes 90 days after the sign-in despite refreshes, and no token or cookie outlives it', async () => {
    const { body: first, cookies } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: owner.email, password: owner.password },
      console: true,
    })
    const app = await registerApp(service, { ...owner, token: first.accessToken })
    const sso = { keyward_sso: cookies.keyward_sso?.value ?? '' }
    let held = cookies
    const next = async (days: number) => {
      await service.clock.advance(days * DAY)
      const answer = await service.api('POST', '/api/v1/auth/refresh', {
        body: {},
        console: true,
        cookies: { keyward_rt: held.keyward_rt?.value ?? '', ...sso },
      })
      if (answer.status === 200) held = answer.cookies
      return answer
    }
    for (let days = 29; days < 90; days += 29) expect((await next(29)).body.expiresIn).toBe(900)
    await service.clock.advance(-200 * SECOND)
    const last = await next(3)
    expect(last.body.expiresIn).toBeGreaterThan(100)
    expect(last.body.expiresIn).toBeLessThanOrEqual(200)
    for (const { attributes } of Object.values(last.cookies)) {
      const seconds = Number(/Max-Age=(\d+)/.exec(attributes)?.[1])
      expect(seconds).toBeGreaterThan(100)
      expect(seconds).toBeLessThanOrEqual(200)
    }
    expect((await me(last.body.accessToken)).status).toBe(200)
    expect(locationOf(await authorize(service, app, {}, sso)).pathname).toBe('/consent')
    await service.clock.advance(200 * SECOND)
    expect((await me(last.body.accessToken)).status).toBe(401)
    expect(locationOf(await authorize(service, app, {}, sso)).pathname).toBe('/login')
    expectError(await next(0), 401, 'invalid_refresh_token')
  })

  it('follows a shorter limit of the instance on the next request', async () => {
    const user = await logIn(service, owner)
    await service.clock.advance(2 * DAY)
    const { body: refreshed } = await refresh(user.refreshToken)
    const list = async () =>
      (await service.api('GET', '/api/v1/auth/sessions', { token: refreshed.accessToken })).body.data
    const [listed] = (await list()).filter(({ current }: { current: boolean }) => current)
    expect(Date.parse(listed.expiresAt)).toBe(Date.parse(listed.lastSeenAt) + 30 * DAY)
    await setInstance(3)
    const [shorter] = (await list()).filter(({ current }: { current: boolean }) => current)
    expect(Date.parse(shorter.expiresAt)).toBe(Date.parse(shorter.createdAt) + 3 * DAY)
    await setInstance(2)
    expect((await me(refreshed.accessToken)).status).toBe(401)
    expectError(await refresh(refreshed.refreshToken), 401, 'invalid_refresh_token')
    await setInstance(90)
    expect((await me(refreshed.accessToken)).status).toBe(200)
  })

  it('comes earlier in a team with a shorter limit, which rejects an older session', async () => {
    const boss = await registerUser(service)
    const user = await registerUser(service)
    await joinTeam(service, user, boss.teamId)
    await setTeam(boss, 1)
    await service.clock.advance(DAY - HOUR)
    const { body: own } = await refresh(user.refreshToken)
    const { body: inTeam } = await switchTo(own.accessToken, boss.teamId)
    await service.clock.advance(HOUR)
    // The limit of the selected team applies to the session.
    expect((await me(inTeam.accessToken)).status).toBe(401)
    expectError(await refresh(inTeam.refreshToken), 401, 'invalid_refresh_token')

    const { body: again } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password, teamId: user.teamId },
    })
    await service.clock.advance(DAY)
    const { body: old } = await refresh(again.refreshToken)
    expect((await me(old.accessToken)).status).toBe(200)
    expectError(await me(old.accessToken, { 'x-org-id': boss.teamId }), 403, 'team_sign_in_required')
    const inPath = await service.api('GET', `/api/v1/organizations/${boss.teamId}`, { token: old.accessToken })
    expectError(inPath, 403, 'team_sign_in_required')
    expectError(await switchTo(old.accessToken, boss.teamId), 403, 'team_sign_in_required')
  })

  it('gives no instance administration to a session that exceeds the limit of the administering team', async () => {
    const colleague = await logIn(service, await registerUser(service))
    await joinTeam(service, colleague, admin.teamId, { role: 'SUPER_ADMIN' })
    const administers = async () =>
      (await service.api('PUT', '/api/v1/config', { token: colleague.token, body: {} })).status
    expect(await administers()).toBe(200)
    await service.sql('UPDATE organizations SET session_max_lifetime_days = 1 WHERE id = $1', [admin.teamId])
    await service.sql("UPDATE sessions SET signed_in_at = signed_in_at - interval '1 day' WHERE user_id = $1", [
      colleague.id,
    ])
    expect(await administers()).toBe(403)
    await service.sql('UPDATE organizations SET session_max_lifetime_days = NULL WHERE id = $1', [admin.teamId])
  })

  it('stays the same for a session that replaces another after a second factor', async () => {
    await beginStep(service)
    const boss = await registerUser(service)
    const user = await registerUser(service)
    await joinTeam(service, user, boss.teamId)
    // A factor that is restricted to the other team.
    const { body: inTeam } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password, teamId: boss.teamId },
    })
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [
      claimsOf(inTeam.accessToken).sid,
      boss.teamId,
    ])
    const factor = await enrollApp(service, { token: inTeam.accessToken })
    await service.clock.advance(20 * DAY)
    const { body: own } = await refresh(user.refreshToken)
    const { body: challenge } = await switchTo(own.accessToken, boss.teamId)
    const setDays = (days: number | null) =>
      service.sql('UPDATE organizations SET session_max_lifetime_days = $2 WHERE id = $1', [boss.teamId, days])
    // If the session exceeds the limit of the team, neither it nor the challenge changes.
    await setDays(1)
    expectError(
      await completeChallengeWithCode(service, challenge.mfaToken, factor.code(1)),
      403,
      'team_sign_in_required',
    )
    expect((await me(own.accessToken)).status).toBe(200)
    await setDays(null)
    const { body: session } = await completeChallengeWithCode(service, challenge.mfaToken, factor.code(1))
    expect(claimsOf(session.accessToken).sid).not.toBe(claimsOf(own.accessToken).sid)
    let { refreshToken } = session
    for (const days of [29, 29, 11.9]) {
      await service.clock.advance(days * DAY)
      refreshToken = (await refresh(refreshToken)).body.refreshToken
    }
    expect(refreshToken).toBeDefined()
    await service.clock.advance(0.2 * DAY)
    expectError(await refresh(refreshToken), 401, 'invalid_refresh_token')
  })
})
