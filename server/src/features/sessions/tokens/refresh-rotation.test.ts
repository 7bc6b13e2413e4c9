import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  claimsOf,
  expectError,
  expectSession,
  registerUser,
} from '../../../../test/factories/factories.js'
import { dumpDatabase } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const SECOND = 1_000
const DAY = 86_400_000

describe('POST /auth/refresh', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const refresh = (refreshToken: string) => service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })
  const auditOf = (sessionId: string) =>
    service.sql<{ action: string; result: string }>(
      'SELECT action, result FROM audit_entries WHERE resource = $1 ORDER BY id',
      [`session:${sessionId}`],
    )

  it('exchanges a token for its successor and an access token of the same session', async () => {
    const user = await registerUser(service)
    const { status, body } = await refresh(user.refreshToken)
    expect(status).toBe(200)
    expect(body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresIn: 900,
      tokenType: 'Bearer',
      mfa: { enabled: false, required: false, enrollmentRequired: false, graceEndsAt: null },
      user: { id: user.id, email: user.email, firstName: null, lastName: null, teamId: user.teamId, role: 'OWNER' },
      team: { id: user.teamId, name: expect.any(String), slug: expect.any(String), role: 'OWNER' },
    })
    expect(body.refreshToken).not.toBe(user.refreshToken)
    expect(claimsOf(body.accessToken).sid).toBe(claimsOf(user.token).sid)
    await expectSession(service, body.accessToken, 'active')
  })

  it('issues tokens of 256 bits and stores only their SHA-256', async () => {
    const user = await registerUser(service)
    const { body } = await refresh(user.refreshToken)
    const dump = JSON.stringify(await dumpDatabase(service))
    for (const token of [user.refreshToken, body.refreshToken]) {
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(dump).not.toContain(token)
      expect(dump).toContain(createHash('sha256').update(token).digest('hex'))
    }
  })

  it('issues one successor across many concurrent requests', async () => {
    const user = await registerUser(service)
    const answers = await atOnce(CONCURRENT, () => refresh(user.refreshToken))
    expect(answers.map(({ status }) => status)).toEqual(Array(CONCURRENT).fill(200))
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1)
    const tokens = await service.sql('SELECT 1 FROM refresh_tokens WHERE session_id = $1', [claimsOf(user.token).sid])
    expect(tokens).toHaveLength(2)
    expect((await refresh(answers[0]?.body.refreshToken)).status).toBe(200)
  })

  it('returns the same successor for 30 seconds, so that a lost response can be requested again', async () => {
    const user = await registerUser(service)
    const first = await refresh(user.refreshToken)
    await service.clock.advance(25 * SECOND)
    const again = await refresh(user.refreshToken)
    expect(again.body.refreshToken).toBe(first.body.refreshToken)
    await expectSession(service, again.body.accessToken, 'active')
  })

  it('ends and records the session on reuse after 30 seconds', async () => {
    const user = await registerUser(service)
    const { sid } = claimsOf(user.token)
    const second = await refresh(user.refreshToken)
    const third = await refresh(second.body.refreshToken)
    await service.clock.advance(31 * SECOND)
    expectError(await refresh(user.refreshToken), 401, 'invalid_refresh_token')
    for (const token of [user.refreshToken, second.body.refreshToken, third.body.refreshToken])
      expectError(await refresh(token), 401, 'invalid_refresh_token')
    for (const token of [user.token, third.body.accessToken]) await expectSession(service, token, 'revoked')
    const reuse = (await auditOf(sid)).filter(({ action }) => action === 'session.refresh_reused')
    expect(reuse).toEqual([{ action: 'session.refresh_reused', result: 'FAILURE' }])
  })

  it('ends the session once across many concurrent reuses, and no other session of the user', async () => {
    const user = await registerUser(service)
    const other = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    })
    await refresh(user.refreshToken)
    await service.clock.advance(31 * SECOND)
    const answers = await atOnce(CONCURRENT, () => refresh(user.refreshToken))
    for (const answer of answers) expectError(answer, 401, 'invalid_refresh_token')
    const reuse = (await auditOf(claimsOf(user.token).sid)).filter(({ action }) => action === 'session.refresh_reused')
    expect(reuse).toHaveLength(1)
    await expectSession(service, other.body.accessToken, 'active')
  })

  it('rejects a token after 30 days without use', async () => {
    const user = await registerUser(service)
    await service.clock.advance(30 * DAY - 60 * SECOND)
    const second = await refresh(user.refreshToken)
    expect(second.status).toBe(200)
    await service.clock.advance(30 * DAY - 60 * SECOND)
    const third = await refresh(second.body.refreshToken)
    expect(third.status).toBe(200)
    await service.clock.advance(30 * DAY)
    expectError(await refresh(third.body.refreshToken), 401, 'invalid_refresh_token')
    await expectSession(service, third.body.accessToken, 'revoked')
  })

  it('rejects an unknown and a missing token', async () => {
    for (const token of ['', 'x', 'A'.repeat(43), 'é'.repeat(43), '\ufffd'])
      expectError(await refresh(token), 401, 'invalid_refresh_token')
    expectError(await service.api('POST', '/api/v1/auth/refresh', { body: {} }), 401, 'invalid_refresh_token')
    expectError(await service.api('POST', '/api/v1/auth/refresh'), 401, 'invalid_refresh_token')
  })

  it('returns the selected team of the session', async () => {
    const user = await registerUser(service)
    const { body: team } = await service.api('POST', '/api/v1/organizations', {
      token: user.token,
      body: { name: 'Second' },
    })
    const switched = await service.api('POST', '/api/v1/auth/switch-team', {
      token: user.token,
      body: { teamId: team.id },
    })
    const { body } = await refresh(switched.body.refreshToken)
    expect(body.team).toMatchObject({ id: team.id, role: 'SUPER_ADMIN' })
  })

  it('returns the new token for one from before a team switch for 30 seconds, and ends the session afterwards', async () => {
    const user = await registerUser(service)
    const { token } = user
    const { body: team } = await service.api('POST', '/api/v1/organizations', { token, body: { name: 'Second' } })
    const { body: switched } = await service.api('POST', '/api/v1/auth/switch-team', {
      token,
      body: { teamId: team.id },
    })
    const again = await atOnce(10, () => refresh(user.refreshToken))
    expect(new Set(again.map(({ body }) => body.refreshToken))).toEqual(new Set([switched.refreshToken]))
    expect(again[0]?.body.team.id).toBe(team.id)
    expect((await refresh(switched.refreshToken)).status).toBe(200)

    await service.clock.advance(31 * SECOND)
    expectError(await refresh(user.refreshToken), 401, 'invalid_refresh_token')
    expectError(await refresh(switched.refreshToken), 401, 'invalid_refresh_token')
    expectError(await service.api('GET', '/api/v1/auth/me', { token }), 401, 'invalid_access_token')
  })
})
