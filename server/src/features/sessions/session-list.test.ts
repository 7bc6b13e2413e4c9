import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  claimsOf,
  comparable,
  expectError,
  expectSession,
  logIn,
  registerUser,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const DAY = 86_400_000

describe('GET and DELETE /auth/sessions', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const list = async (token: string) => (await service.api('GET', '/api/v1/auth/sessions', { token })).body.data
  const end = (token: string, id = '') => service.api('DELETE', `/api/v1/auth/sessions${id && `/${id}`}`, { token })

  it('lists unrestricted sessions before restricted ones', async () => {
    const user = await registerUser(service)
    const restricted = claimsOf((await logIn(service, user)).token).sid
    await service.sql('UPDATE sessions SET confined_team_id = organization_id WHERE id = $1', [restricted])
    const ids = (await list(user.token)).map(({ id }: { id: string }) => id)
    expect(ids).toEqual([claimsOf(user.token).sid, restricted])
  })

  it('lists device, IP address and times, by last use', async () => {
    const user = await registerUser(service)
    const body = { email: user.email, password: user.password }
    const login = await service.api('POST', '/api/v1/auth/login', { body, headers: { 'user-agent': FIREFOX } })
    const sessions = await list(login.body.accessToken)
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual([
      claimsOf(login.body.accessToken).sid,
      claimsOf(user.token).sid,
    ])
    expect(sessions[0]).toEqual({
      id: expect.any(String),
      current: true,
      method: 'password',
      device: 'Firefox on Linux',
      ipAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      userAgent: FIREFOX,
      team: { id: user.teamId, name: expect.any(String) },
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    expect(sessions[1]).toMatchObject({ current: false, method: 'registration' })
  })

  it('lists no ended or expired sessions, and none of others', async () => {
    const user = await registerUser(service)
    await registerUser(service)
    const ended = await logIn(service, user)
    await service.api('POST', '/api/v1/auth/logout', { token: ended.token })
    expect(await list(user.token)).toHaveLength(1)
    await service.clock.advance(30 * DAY)
    expect(await list((await logIn(service, user)).token)).toHaveLength(1)
  })

  it('ends the given session and no other', async () => {
    const user = await registerUser(service)
    const [second, third] = [await logIn(service, user), await logIn(service, user)]
    expect((await end(user.token, claimsOf(second.token).sid)).status).toBe(200)
    await expectSession(service, second.token, 'revoked')
    await expectSession(service, third.token, 'active')
    expectError(await end(user.token, claimsOf(second.token).sid), 404, 'session_not_found')
  })

  it('ends the current session too', async () => {
    const user = await registerUser(service)
    expect((await end(user.token, claimsOf(user.token).sid.toUpperCase())).status).toBe(200)
    await expectSession(service, user.token, 'revoked')
  })

  it('returns the same error for a session of another user as for an unknown one, and does not end it', async () => {
    const [user, outsider] = [await registerUser(service), await registerUser(service)]
    const foreign = await end(user.token, claimsOf(outsider.token).sid)
    expectError(foreign, 404, 'session_not_found')
    for (const id of [randomUUID(), 'no-id', '%00', '0'.repeat(400)])
      expect(comparable(await end(user.token, id))).toEqual(comparable(foreign))
    await expectSession(service, outsider.token, 'active')
  })

  it('ends all other sessions and returns their number', async () => {
    const user = await registerUser(service)
    const outsider = await registerUser(service)
    const others = [await logIn(service, user), await logIn(service, user)]
    const { status, body } = await end(user.token)
    expect({ status, ended: body.ended }).toEqual({ status: 200, ended: 2 })
    for (const { token } of others) await expectSession(service, token, 'revoked')
    for (const { token } of [user, outsider]) await expectSession(service, token, 'active')
    expect((await end(user.token)).body.ended).toBe(0)
  })

  it('returns a malicious user agent as a plain string', async () => {
    const user = await registerUser(service)
    const body = { email: user.email, password: user.password }
    const headers = { 'user-agent': `<script>alert(1)</script>${'x'.repeat(2_000)}` }
    const { body: session } = await service.api('POST', '/api/v1/auth/login', { body, headers })
    const [first] = await list(session.accessToken)
    expect(first.userAgent).toHaveLength(512)
    expect(first.device).toEqual(expect.any(String))
  })
})
