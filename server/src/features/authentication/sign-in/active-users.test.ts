import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, joinTeam, logIn, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const HOUR = 3_600_000

describe('GET /stats/active-sessions', () => {
  let service: TestService
  let owner: TestUser
  let member: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
    member = await registerUser(service)
    await joinTeam(service, member, owner.teamId)
  })
  afterAll(() => service.close())

  const count = async (token: string, headers: Record<string, string> = {}) =>
    (await service.api('GET', '/api/v1/stats/active-sessions', { token, headers })).body
  const logInTo = async ({ email, password }: TestUser, teamId: string) =>
    (await service.api('POST', '/api/v1/auth/login', { body: { email, password, teamId } })).body.accessToken as string

  it('counts each user of the team once for any number of sessions, including ended ones', async () => {
    expect(await count(owner.token)).toEqual({ activeSessions: 1, periodHours: 24 })
    for (let sign = 0; sign < 3; sign++) await logInTo(member, owner.teamId)
    const { token } = await logIn(service, owner)
    await service.api('POST', '/api/v1/auth/logout', { token })
    expect(await count(owner.token)).toEqual({ activeSessions: 2, periodHours: 24 })
  })

  it('returns the count of the requested team only to its members', async () => {
    expect((await count(member.token)).activeSessions).toBe(1)
    expect((await count(member.token, { 'x-org-id': owner.teamId })).activeSessions).toBe(2)
    const outsider = await registerUser(service)
    const headers = { 'x-org-id': owner.teamId }
    const rejected = await service.api('GET', '/api/v1/stats/active-sessions', { token: outsider.token, headers })
    expectError(rejected, 403, 'not_a_member')
    expectError(await service.api('GET', '/api/v1/stats/active-sessions'), 401, 'unauthorized')
  })

  it('counts the last 24 hours', async () => {
    const hours = async (passed: number) => {
      await service.clock.advance(passed * HOUR - 30_000)
      return (await count((await logIn(service, owner)).token)).activeSessions
    }
    expect(await hours(23)).toBe(2)
    expect(await hours(2)).toBe(1)
  })

  it('counts no refresh', async () => {
    const session = await service.api('POST', '/api/v1/auth/login', {
      body: { email: member.email, password: member.password, teamId: owner.teamId },
    })
    await service.clock.advance(25 * HOUR)
    const { token } = await logIn(service, owner)
    await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: session.body.refreshToken } })
    expect((await count(token)).activeSessions).toBe(1)
  })

  it('counts a user who switched teams in both', async () => {
    const first = await registerUser(service)
    const second = await registerUser(service)
    await joinTeam(service, first, second.teamId)
    const body = { teamId: second.teamId }
    expect((await service.api('POST', '/api/v1/auth/switch-team', { token: first.token, body })).status).toBe(200)
    expect((await count(first.token, { 'x-org-id': first.teamId })).activeSessions).toBe(1)
    expect((await count(second.token)).activeSessions).toBe(2)
  })
})
