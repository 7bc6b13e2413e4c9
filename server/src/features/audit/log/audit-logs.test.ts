import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, onboardAdmin, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('the audit log', () => {
  let service: TestService
  let user: TestUser
  let other: TestUser
  beforeAll(async () => {
    service = await startService()
    await onboardAdmin(service)
    user = await registerUser(service)
    other = await registerUser(service)
  })
  afterAll(() => service.close())

  const logs = async (query: Record<string, string> = {}, token = user.token) =>
    service.api('GET', `/api/v1/audit/logs?${new URLSearchParams(query)}`, { token })

  /** Inserts twelve entries of a separate team, an hour apart. */
  async function teamWithEntries(): Promise<{ token: string; teamId: string; at: (hour: number) => string }> {
    const owner = await registerUser(service)
    const { body: team } = await service.api('POST', '/api/v1/organizations', {
      token: owner.token,
      body: { name: 'Twelve' },
    })
    const start = Date.parse('2026-03-01T00:00:00Z')
    const at = (hour: number) => new Date(start + hour * 3_600_000).toISOString()
    for (let hour = 0; hour < 12; hour++)
      await service.sql(
        `WITH entry AS (INSERT INTO audit_entries (id, team_id, user_id, action, result, metadata, created_at) VALUES (gen_random_uuid(), $1, $2, $3, $4, '{}', $5) RETURNING id)
         INSERT INTO audit_pending SELECT id, $1 FROM entry`,
        [
          team.id,
          hour % 2 ? owner.id : null,
          `test.${hour % 3}`,
          (['SUCCESS', 'FAILURE', 'DENIED'] as const)[hour % 3],
          at(hour),
        ],
      )
    const { body } = await service.api('POST', '/api/v1/auth/switch-team', {
      token: owner.token,
      body: { teamId: team.id },
    })
    return { token: body.accessToken, teamId: team.id, at }
  }

  it('returns the specified fields and the origin', async () => {
    await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: 'wrong' },
      headers: { 'user-agent': 'Netscape/1.0', 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    })
    const { body } = await logs({ action: 'user.login', result: 'FAILURE' })
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      teamId: user.teamId,
      userId: user.id,
      actor: { id: user.id, email: user.email },
      agentId: null,
      sessionId: null,
      action: 'user.login',
      resource: null,
      target: null,
      result: 'FAILURE',
      metadata: expect.any(Object),
      riskScore: 0,
      country: null,
      personalDataErased: false,
      ipAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      userAgent: 'Netscape/1.0',
      requestId: expect.any(String),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('returns entries newest first, in pages of 50 by default', async () => {
    const { body } = await logs()
    expect(body).toMatchObject({ page: 1, limit: 50, total: body.data.length })
    const times = body.data.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
  })

  it.each([
    [
      { page: '0', limit: '0' },
      { page: 1, limit: 1 },
    ],
    [
      { page: '-3', limit: '-1' },
      { page: 1, limit: 1 },
    ],
    [{ limit: '101' }, { page: 1, limit: 100 }],
    [{ limit: '99999999' }, { page: 1, limit: 100 }],
    [{ page: '9'.repeat(15) }, { limit: 50, data: [] }],
  ])('clamps %o and returns the effective values', async (query, expected) => {
    expect((await logs(query as Record<string, string>)).body).toMatchObject(expected)
  })

  it.each([
    [{ page: 'x' }],
    [{ limit: '1.5' }],
    [{ result: 'success' }],
    [{ startDate: 'yesterday' }],
    [{ endDate: '2026-13-01' }],
    [{ startDate: '2026-01-01T25:00' }],
    [{ endDate: '20260101' }],
  ])('rejects %o', async (query) => {
    const { status, body } = await logs(query as Record<string, string>)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })

  it('pages through every entry once', async () => {
    const { token } = await teamWithEntries()
    const { body: all } = await logs({ limit: '100' }, token)
    const ids: string[] = []
    for (let page = 1; ids.length < all.total; page++) {
      const { body } = await logs({ limit: '5', page: `${page}` }, token)
      expect(body.total).toBe(all.total)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
    }
    expect(ids).toEqual(all.data.map(({ id }: { id: string }) => id))
  })

  it('filters by user, action, result and both dates, inclusive', async () => {
    const { token, at } = await teamWithEntries()
    const hours = async (query: Record<string, string>) => {
      const { body } = await logs({ ...query, endDate: query.endDate ?? '2026-03-02' }, token)
      expect(body.total).toBe(body.data.length)
      return body.data.map(
        ({ createdAt }: { createdAt: string }) => (Date.parse(createdAt) - Date.parse(at(0))) / 3_600_000,
      )
    }
    expect(await hours({ startDate: at(3), endDate: at(5) })).toEqual([5, 4, 3])
    expect(await hours({ startDate: '2026-03-01T05:00+02:00', endDate: '2026-03-01T07:00:00+02:00' })).toEqual([
      5, 4, 3,
    ])
    expect(await hours({ startDate: '2026-03-01T05:00 02:00', endDate: '2026-03-01T05:00:00Z' })).toEqual([5, 4, 3])
    expect(await hours({ startDate: '2026-03-01', endDate: '2026-03-01' })).toHaveLength(12)
    expect(await hours({ startDate: '2026-03-01T11:00:00.001Z' })).toEqual([])
    expect(await hours({ endDate: '2026-02-28' })).toEqual([])
    expect(await hours({ action: 'test.2' })).toEqual([11, 8, 5, 2])
    expect(await hours({ action: 'test' })).toEqual([])
    expect(await hours({ result: 'DENIED' })).toEqual([11, 8, 5, 2])
    const { body } = await logs({}, token)
    expect(await hours({ userId: body.data[0].userId, result: 'DENIED' })).toEqual([11, 5])
    for (const userId of ['unknown', "' OR true --", '01900000-0000-7000-8000-000000000000'])
      expect(await hours({ userId })).toEqual([])
  })

  it('returns no entry of another team or of the instance', async () => {
    // A failure without an account, and therefore without a team.
    await service.api('POST', '/api/v1/auth/login', { body: { email: newEmail(), password: 'wrong' } })
    await service.api('POST', '/api/v1/auth/verify', { body: { token: 'wrong' } })
    const instance = await service.sql('SELECT id FROM audit_entries WHERE team_id IS NULL')
    expect(instance.length).toBeGreaterThan(1)
    for (const { token, teamId } of [user, other]) {
      const { body } = await logs({ limit: '100' }, token)
      expect(new Set(body.data.map((entry: { teamId: string }) => entry.teamId))).toEqual(new Set([teamId]))
      const { body: stats } = await service.api('GET', '/api/v1/audit/stats', { token })
      expect(stats.totalEvents).toBe(body.total)
    }
    expect((await logs({ userId: other.id })).body.total).toBe(0)
  })

  it('counts entries by action and by result over the requested days, most frequent first', async () => {
    const { token, at } = await teamWithEntries()
    const stats = async (days?: string) =>
      (await service.api('GET', `/api/v1/audit/stats${days ? `?days=${days}` : ''}`, { token })).body
    const days = Math.ceil((service.clock.ms() - Date.parse(at(0))) / 86_400_000)
    const all = await stats(`${days}`)
    const recent = await stats('1')
    expect(all.totalEvents).toBe(recent.totalEvents + 12)
    expect(all.byAction.filter(({ action }: { action: string }) => action.startsWith('test.'))).toEqual(
      [0, 1, 2].map((kind) => ({ action: `test.${kind}`, count: 4 })),
    )
    expect(all.byResult.find(({ result }: { result: string }) => result === 'DENIED')).toEqual({
      result: 'DENIED',
      count: 4,
    })
    const counts = all.byAction.map(({ count }: { count: number }) => count)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    expect(await stats()).toEqual(await stats('30'))
    for (const wrong of ['0', '-1', 'x', '1.5', '100000']) {
      const { status } = await service.api('GET', `/api/v1/audit/stats?days=${wrong}`, { token })
      expect(status).toBe(400)
    }
  })
})
