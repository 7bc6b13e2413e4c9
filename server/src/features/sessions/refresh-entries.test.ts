import { afterAll, describe, expect, it } from 'vitest'
import { joinTeam, PASSWORD, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService } from '../../../test/harness/service.js'

const service = await startService({ env: { TRUST_PROXY: '1' } })
afterAll(() => service.close())

const HOUR = 3_600_000
const AT_HOME = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Browser' }
const BESIDE = { ...AT_HOME, 'x-forwarded-for': '203.0.113.77' }
const AT_WORK = { ...AT_HOME, 'x-forwarded-for': '198.51.100.3' }
const OTHER_CLIENT = { ...AT_HOME, 'user-agent': 'Another browser' }

type Headers = Record<string, string>

/** Signs in at home and returns the refresh token. */
async function signIn({ email }: TestUser): Promise<string> {
  const { status, body } = await service.api('POST', '/api/v1/auth/login', {
    headers: AT_HOME,
    body: { email, password: PASSWORD },
  })
  expect(status).toBe(200)
  return body.refreshToken
}

/** Signs in and returns functions that refresh the session, switch its team, and return the `refreshes` of its entries. */
async function session(user: TestUser) {
  let token = await signIn(user)
  let access = ''
  return {
    refresh: async (from: Headers = AT_HOME, times = 1) => {
      for (let done = 0; done < times; done++) {
        const { status, body, text } = await service.api('POST', '/api/v1/auth/refresh', {
          headers: from,
          body: { refreshToken: token },
        })
        expect(status, text).toBe(200)
        token = body.refreshToken
        access = body.accessToken
      }
    },
    switchTo: async (teamId: string) => {
      const { status, body } = await service.api('POST', '/api/v1/auth/switch-team', {
        headers: AT_HOME,
        token: access,
        body: { teamId },
      })
      expect(status).toBe(200)
      token = body.refreshToken
    },
    entries: async (teamId: string) =>
      (
        await service.sql<{ refreshes: number }>(
          `SELECT (metadata ->> 'refreshes')::int AS refreshes FROM audit_entries
           WHERE action = 'session.refreshed' AND user_id = $1 AND team_id = $2 ORDER BY id`,
          [user.id, teamId],
        )
      ).map(({ refreshes }) => refreshes),
  }
}

describe('the entries of refreshes', () => {
  it('records no refresh within 24 hours of the sign-in, and then one with the number of refreshes', async () => {
    const user = await registerUser(service)
    const { refresh, entries } = await session(user)
    await refresh(AT_HOME, 3)
    await service.clock.advance(23 * HOUR)
    await refresh(BESIDE)
    expect(await entries(user.teamId)).toEqual([])
    await service.clock.advance(HOUR)
    await refresh(AT_HOME, 2)
    expect(await entries(user.teamId)).toEqual([5])
    await service.clock.advance(23.9 * HOUR)
    await refresh()
    expect(await entries(user.teamId)).toEqual([5])
    await service.clock.advance(0.1 * HOUR)
    await refresh()
    expect(await entries(user.teamId)).toEqual([5, 8])
  })

  it('records a refresh from another network or client at once with its origin, each of eight once in 24 hours', async () => {
    const user = await registerUser(service)
    const { refresh, entries } = await session(user)
    await refresh(AT_WORK)
    expect(await entries(user.teamId)).toEqual([1])
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=session.refreshed', { token: user.token })
    expect(body.data).toMatchObject([
      { ipAddress: '198.51.100.3', userAgent: 'Browser', userId: user.id, metadata: { refreshes: 1 } },
    ])
    expect(body.data[0].resource).toBe(`session:${body.data[0].sessionId}`)
    await refresh(OTHER_CLIENT)
    for (const from of [AT_HOME, AT_WORK, OTHER_CLIENT, BESIDE]) await refresh(from)
    expect(await entries(user.teamId)).toEqual([1, 2])
    for (let other = 0; other < 8; other++) await refresh({ ...AT_HOME, 'user-agent': `Client ${other}` })
    expect(await entries(user.teamId)).toHaveLength(10)
    await refresh(AT_HOME)
    expect(await entries(user.teamId)).toEqual([1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    await service.clock.advance(24 * HOUR)
    for (const from of [AT_HOME, AT_WORK, AT_HOME, AT_WORK]) await refresh(from)
    expect(await entries(user.teamId)).toEqual([1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
  })

  it('begins a new count with a team switch, so that no team sees the number of another one', async () => {
    const user = await registerUser(service)
    const other = await registerUser(service)
    await joinTeam(service, user, other.teamId)
    const { refresh, switchTo, entries } = await session(user)
    await refresh(AT_HOME, 5)
    await switchTo(other.teamId)
    await refresh(AT_HOME, 2)
    expect(await entries(other.teamId)).toEqual([])
    await service.clock.advance(24 * HOUR)
    await refresh()
    expect([await entries(user.teamId), await entries(other.teamId)]).toEqual([[], [3]])
  })

  it('counts a repeated refresh once, and records it only from another network or client', async () => {
    const user = await registerUser(service)
    const refreshToken = await signIn(user)
    for (const headers of [AT_HOME, AT_HOME, AT_WORK, AT_WORK]) {
      const body = { refreshToken }
      expect((await service.api('POST', '/api/v1/auth/refresh', { headers, body })).status).toBe(200)
    }
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=session.refreshed', { token: user.token })
    expect(body.data).toMatchObject([{ ipAddress: AT_WORK['x-forwarded-for'], metadata: { refreshes: 1 } }])
    const { body: sessions } = await service.api('GET', '/api/v1/auth/sessions', { token: user.token })
    expect(sessions.data).toContainEqual(expect.objectContaining({ ipAddress: AT_WORK['x-forwarded-for'] }))
  })
})
