import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import {
  expectError,
  joinTeam,
  makeGroup,
  newEmail,
  onboardAdmin,
  registerApplication,
  registerUser,
} from '../../../../test/factories/factories.js'
import { writeEntries } from '../../../../test/harness/audit-entries.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())
const admin = await onboardAdmin(service)
const owner = await registerUser(service)

const logs = async (query: Record<string, string>, { token } = owner) => {
  const answer = await service.api('GET', `/api/v1/audit/logs?${new URLSearchParams(query)}`, { token, node: 0 })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id).sort()

describe('the filters', () => {
  const agentId = randomUUID()
  const sessionId = randomUUID()
  const common = { createdAt: '2026-04-01T00:00:00.000Z', action: 'regex_rule.created' }
  const entries = [
    { agentId, resource: 'group:1', ipAddress: '203.0.113.7', requestId: 'r1', userAgent: 'curl/8.1', riskScore: 10 },
    {
      resource: 'group:12',
      ipAddress: '203.0.113.70',
      requestId: 'r2',
      userAgent: 'Mozilla/5.0',
      riskScore: 90,
    },
    { resource: 'groups:1', ipAddress: '2001:db8::1', userAgent: null, userId: owner.id },
    { resource: null, ipAddress: null, requestId: 'r1', sessionId, riskScore: 0 },
  ]
  const written = writeEntries(
    service,
    owner.teamId,
    entries.map((entry) => ({ ...common, ...entry })),
  )

  it.each([
    [{ agentId }, [0]],
    [{ agentId: agentId.toUpperCase() }, [0]],
    [{ agentId: randomUUID() }, []],
    [{ agentId: 'robot' }, []],
    [{ resource: 'group:1' }, [0]],
    [{ resource: 'group:' }, [0, 1]],
    [{ resource: 'group' }, []],
    [{ resource: '%:' }, []],
    [{ ipAddress: '203.0.113.7' }, [0]],
    [{ ipAddress: '2001:DB8::1' }, [2]],
    [{ requestId: 'r1' }, [0, 3]],
    [{ minRisk: '0' }, [0, 1, 2, 3]],
    [{ minRisk: '10' }, [0, 1]],
    [{ minRisk: '11' }, [1]],
    [{ q: 'GROUP:1' }, [0]],
    [{ q: 'groU' }, [0, 1]],
    [{ q: '203.0.113.7' }, [0]],
    [{ q: '113.7' }, []],
    [{ q: '2001:DB8::1' }, [2]],
    [{ q: 'r1' }, [0, 3]],
    [{ q: agentId }, [0]],
    [{ q: sessionId.toUpperCase() }, [3]],
    [{ q: owner.id }, [2]],
    [{ q: 'REGEX_rule.cre' }, [0, 1, 2, 3]],
    [{ q: owner.email.slice(2).toUpperCase() }, [2]],
    [{ q: admin.email }, []],
    [{ q: '%' }, []],
    [{ q: 'group', minRisk: '10', resource: 'group:', result: 'SUCCESS' }, [0, 1]],
    [{ q: 'group', ipAddress: '203.0.113.7' }, [0]],
    [{ sessionId }, [3]],
    [{ sessionId: 'browser' }, []],
  ])('matches with %o the entries %o', async (query, expected) => {
    const all = await written
    const body = await logs({ ...(query as Record<string, string>), startDate: '2026-04-01', endDate: '2026-04-01' })
    expect(idsOf(body)).toEqual(expected.map((index) => all[index]?.id).sort())
    expect(body.total).toBe(expected.length)
  })

  it.each([{ minRisk: '101' }, { minRisk: '-1' }, { q: 'x'.repeat(201) }, { scope: 'all' }])(
    'rejects %o',
    async (query) => {
      const text = new URLSearchParams(Object.entries(query))
      expectError(
        await service.api('GET', `/api/v1/audit/logs?${text}`, { token: owner.token }),
        400,
        'invalid_request',
      )
    },
  )
})

describe('an entry', () => {
  it('names the actor while they are a member, and the target while it exists', async () => {
    const [member, outsider] = [await registerUser(service), await registerUser(service)]
    await joinTeam(service, member, owner.teamId)
    const application = await registerApplication(service, owner, { name: 'Payroll' })
    const group = await makeGroup(service, owner.teamId, 'Finance')
    const foreign = await registerApplication(service, outsider, { name: 'Secret' })
    const [of] = [
      await writeEntries(service, owner.teamId, [
        { userId: member.id, resource: `application:${application.id}`, createdAt: '2026-05-01T00:00:01.000Z' },
        { userId: outsider.id, resource: `application:${foreign.id}`, createdAt: '2026-05-01T00:00:02.000Z' },
        { resource: `group:${group}`, createdAt: '2026-05-01T00:00:03.000Z' },
        { resource: `user:${member.id}`, createdAt: '2026-05-01T00:00:04.000Z' },
        { resource: `user:${outsider.id}`, createdAt: '2026-05-01T00:00:05.000Z' },
        { resource: `organization:${owner.teamId}`, createdAt: '2026-05-01T00:00:06.000Z' },
        { resource: `organization:${outsider.teamId}`, createdAt: '2026-05-01T00:00:07.000Z' },
        { resource: 'route:GET /x', createdAt: '2026-05-01T00:00:08.000Z' },
        { resource: '__proto__:x', createdAt: '2026-05-01T00:00:09.000Z' },
        { resource: 'plain', createdAt: '2026-05-01T00:00:10.000Z' },
      ]),
    ]
    const { data } = await logs({ startDate: '2026-05-01', endDate: '2026-05-01' })
    const shown = data.reverse().map(({ actor, target }: Record<string, unknown>) => ({ actor, target }))
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: owner.token })
    const target = (kind: string, id: string, label: string | null) => ({ actor: null, target: { kind, id, label } })
    expect(shown).toEqual([
      {
        actor: { id: member.id, email: member.email },
        target: { kind: 'application', id: application.id, label: 'Payroll' },
      },
      { actor: { id: outsider.id, email: null }, target: { kind: 'application', id: foreign.id, label: null } },
      target('group', group, 'Finance'),
      target('user', member.id, member.email),
      target('user', outsider.id, null),
      target('organization', owner.teamId, me.team.name),
      target('organization', outsider.teamId, null),
      target('route', 'GET /x', null),
      target('__proto__', 'x', null),
      { actor: null, target: null },
    ])
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [member.id, owner.teamId])
    const { body } = await service.api('GET', `/api/v1/audit/logs/${of[0]?.id}`, { token: owner.token })
    expect(body).toEqual({ ...data[0], actor: { id: member.id, email: null } })
  })

  it('returns the same 404 for another team, for the instance, and for an unknown or malformed ID', async () => {
    const other = await registerUser(service)
    const [theirs] = await service.sql<{ id: string }>('SELECT id FROM audit_entries WHERE team_id = $1', [
      other.teamId,
    ])
    const [instance] = await service.sql<{ id: string }>('SELECT id FROM audit_entries WHERE team_id IS NULL')
    for (const id of [theirs?.id, instance?.id, randomUUID(), 'x'])
      expectError(
        await service.api('GET', `/api/v1/audit/logs/${id}`, { token: owner.token }),
        404,
        'audit_entry_not_found',
      )
    const path = `/api/v1/audit/logs/${instance?.id}?scope=instance`
    expect((await service.api('GET', path, { token: admin.token })).body.id).toBe(instance?.id)
  })

  it('requires no separate statement: a page of fifty takes a handful', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => registerUser(service)))
    const fifty = Array.from({ length: 50 }, (_, index) => ({
      userId: people[index % 5]?.id ?? null,
      resource: `${['user', 'application', 'group', 'organization'][index % 4]}:${randomUUID()}`,
      createdAt: '2026-06-01T00:00:00.000Z',
    }))
    await writeEntries(service, owner.teamId, fifty)
    // The startup work of the service, such as purges, has completed by then.
    await service.settle()
    let statements = 0
    const counted = new WeakSet()
    service.db.pool.on('acquire', (client) => {
      if (counted.has(client)) return
      counted.add(client)
      const query = client.query.bind(client) as (...values: unknown[]) => unknown
      client.query = ((...values: unknown[]) => {
        statements++
        return query(...values)
      }) as typeof client.query
    })
    const { data } = await logs({ startDate: '2026-06-01', endDate: '2026-06-01' })
    expect(data).toHaveLength(50)
    // BEGIN, the session, the counts, the page, four kinds of names, COMMIT; jobs can run concurrently.
    expect(statements).toBeGreaterThan(7)
    expect(statements).toBeLessThan(25)
  })
})

describe('an export', () => {
  const text = async (query: Record<string, string>) => {
    const answer = await service.api('GET', `/api/v1/audit/logs/export?${new URLSearchParams(query)}`, {
      token: owner.token,
    })
    expect(answer.status).toBe(200)
    return answer
  }

  it('contains every matching entry in the format and order of the list, and is recorded with its filter', async () => {
    const at = Date.parse('2026-07-01T00:00:00Z')
    const entries = Array.from({ length: 1_203 }, (_, index) => ({
      createdAt: new Date(at + Math.floor(index / 3) * 1_000).toISOString(),
      action: index % 2 ? 'user.login' : 'user.logout',
    }))
    await writeEntries(service, owner.teamId, entries)
    const filter = { startDate: '2026-07-01', endDate: '2026-07-01', action: 'user.login' }
    const answer = await text(filter)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.ndjson"$/)
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const listed = []
    for (let page = 1; listed.length < 601; page++)
      listed.push(...(await logs({ ...filter, page: `${page}`, limit: '100' })).data)
    expect(lines).toEqual(listed)
    const { data } = await logs({ action: 'audit.exported' })
    expect(data[0]).toMatchObject({ userId: owner.id, metadata: { format: 'ndjson', filter } })
  })

  it('preserves every cell of CSV and neutralizes formulas', async () => {
    const agents = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '＝1', 'a "b", c', 'line\r\nbreak', 'plain']
    const at = (index: number) => new Date(Date.parse('2026-08-01T00:00:00Z') - index).toISOString()
    await writeEntries(
      service,
      owner.teamId,
      agents.map((userAgent, index) => ({ userAgent, createdAt: at(index) })),
    )
    const query = { format: 'csv', startDate: '2026-07-31T23:59:59Z', endDate: '2026-08-01' }
    const answer = await text(query)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, ...rows] = parseCsv(answer.text)
    const cells = rows.map((row) => row[head?.indexOf('userAgent') ?? -1])
    expect(cells).toEqual(agents.map((agent, index) => (index < 6 ? `'${agent}` : agent)))
    for (const row of rows) expect(row).toHaveLength(head?.length ?? 0)
  })

  it('records the known filters and no other parameters', async () => {
    // No other test exports this action: the order of two nodes' entries within a millisecond is arbitrary.
    await text({ action: 'user.logout', password: 'not-for-the-log' })
    const rows = await service.sql(
      "SELECT metadata FROM audit_entries WHERE team_id = $1 AND metadata->'filter'->>'action' = 'user.logout'",
      [owner.teamId],
    )
    expect(rows.map(({ metadata }) => metadata)).toEqual([{ format: 'ndjson', filter: { action: 'user.logout' } }])
  })

  it('records no value of a filter that can describe a person', async () => {
    await text({ action: newEmail(), resource: 'x'.repeat(1_000), requestId: 'a b', startDate: '2026-08-02' })
    const rows = await service.sql(
      "SELECT metadata -> 'filter' AS filter FROM audit_entries WHERE team_id = $1 AND metadata -> 'filter' ->> 'startDate' = '2026-08-02'",
      [owner.teamId],
    )
    expect(rows).toEqual([{ filter: { action: true, resource: true, requestId: true, startDate: '2026-08-02' } }])
  })

  it('exports an empty file without matches, and rejects an invalid filter', async () => {
    expect((await text({ userId: 'unknown' })).text).toBe('')
    expect((await text({ userId: 'unknown', format: 'csv' })).text.trimEnd().split('\r\n')).toHaveLength(1)
    for (const query of ['startDate=x', 'format=xml'])
      expectError(
        await service.api('GET', `/api/v1/audit/logs/export?${query}`, { token: owner.token }),
        400,
        'invalid_request',
      )
  })
})

/** Parses CSV strictly (RFC 4180). */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.slice(0, -1)
}
