import { afterAll, describe, expect, it } from 'vitest'
import { registerUser } from '../../../../test/factories/factories.js'
import { sealEverything, type WrittenEntry, writeEntries } from '../../../../test/harness/audit-entries.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())

const DAY = 86_400_000
const START = Date.parse('2026-03-01T00:00:00.000Z')
const ACTIONS = ['user.login', 'user.logout', 'group.created', 'access.denied']
const RESULTS = ['SUCCESS', 'FAILURE', 'DENIED']
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T

/** Returns a time within ten days, often at the boundary of a day. */
function someTimestamp(): number {
  const day = START + Math.floor(Math.random() * 10) * DAY
  return pick([day, day - 1, day + 1, day + DAY - 1, day + Math.floor(Math.random() * DAY)])
}

const owner = await registerUser(service)
const other = await registerUser(service)
const users = [owner.id, other.id, null]

const someEntries = (count: number) =>
  Array.from({ length: count }, () => ({
    userId: pick(users),
    action: pick(ACTIONS),
    result: pick(RESULTS),
    riskScore: pick([null, 0, 20, 80]),
    resource: pick([null, 'group:1', 'group:2', 'user:1']),
    createdAt: new Date(someTimestamp()).toISOString(),
  }))

type Query = Record<string, string>

/** Counts entry by entry. */
const matches = (entry: WrittenEntry, query: Query): boolean => {
  const timestamp = Date.parse(entry.createdAt)
  return (
    (!query.userId || entry.userId === query.userId) &&
    (!query.action || entry.action === query.action) &&
    (!query.result || entry.result === query.result) &&
    (!query.resource || (entry.resource ?? '').startsWith(query.resource)) &&
    (!query.minRisk || (entry.riskScore ?? 0) >= Number(query.minRisk)) &&
    timestamp >= Date.parse(query.startDate ?? '2026-01-01') &&
    timestamp <= Date.parse(query.endDate ?? '2026-05-01')
  )
}

function someQuery(): Query {
  const chance = (query: Query) => (Math.random() < 0.4 ? query : {})
  return {
    startDate: '2026-02-01',
    endDate: '2026-04-01T00:00:00Z',
    ...chance({ startDate: new Date(someTimestamp()).toISOString() }),
    ...chance({ endDate: new Date(someTimestamp()).toISOString() }),
    ...chance({ action: pick(ACTIONS) }),
    ...chance({ result: pick(RESULTS) }),
    ...(Math.random() < 0.3 ? pick([{ userId: owner.id }, { resource: 'group:' }, { minRisk: '20' }]) : {}),
  } as Query
}

const newestFirst = (a: WrittenEntry, b: WrittenEntry) =>
  a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1

async function ask(path: string, query: Query) {
  const { status, body } = await service.api('GET', `/api/v1/audit/${path}?${new URLSearchParams(query)}`, {
    token: owner.token,
  })
  expect(status, JSON.stringify([query, body])).toBe(200)
  return body
}

const tally = <T extends string>(entries: WrittenEntry[], of: (entry: WrittenEntry) => T) => {
  const counts = new Map<T, number>()
  for (const entry of entries) counts.set(of(entry), (counts.get(of(entry)) ?? 0) + 1)
  return counts
}

describe('counts, pages and statistics', () => {
  it('returns the counts of a naive count for any filter and any bounds, with sealed and pending entries', async () => {
    const entries: WrittenEntry[] = []
    for (const sealed of [true, true, false]) {
      entries.push(...(await writeEntries(service, owner.teamId, someEntries(150))))
      await writeEntries(service, other.teamId, someEntries(50))
      if (sealed) await sealEverything(service)
    }
    entries.sort(newestFirst)
    for (let round = 0; round < 120; round++) {
      const query = someQuery()
      const expected = entries.filter((entry) => matches(entry, query))
      const limit = pick([1, 7, 50, 100])
      const pages = Math.max(1, Math.ceil(expected.length / limit))
      const page = pick([1, pages, Math.ceil(Math.random() * pages), pages + 1])
      const list = await ask('logs', { ...query, page: `${page}`, limit: `${limit}` })
      expect(list, JSON.stringify(query)).toMatchObject({ total: expected.length, page, limit })
      const ids = list.data.map(({ id }: { id: string }) => id)
      expect(ids).toEqual(expected.slice((page - 1) * limit, page * limit).map(({ id }) => id))

      const stats = await ask('stats', query)
      expect(stats.totalEvents).toBe(expected.length)
      const byAction = stats.byAction.map(({ action, count }: { action: string; count: number }) => [action, count])
      expect(new Map(byAction)).toEqual(tally(expected, ({ action }) => action))
      const byResult = stats.byResult.map(({ result, count }: { result: string; count: number }) => [result, count])
      expect(new Map(byResult)).toEqual(tally(expected, ({ result }) => result))
      const days = tally(expected, ({ createdAt, result }) => `${createdAt.slice(0, 10)} ${result.toLowerCase()}`)
      for (const { date, ...counts } of stats.byDay)
        for (const [result, count] of Object.entries(counts)) expect(count).toBe(days.get(`${date} ${result}`) ?? 0)
    }
  })

  it('counts exactly the days of the range', async () => {
    const { byDay } = await ask('stats', { startDate: '2026-02-27T12:00:00Z', endDate: '2026-03-02' })
    const dates = byDay.map(({ date }: { date: string }) => date)
    expect(dates).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
    const today = new Date(service.clock.ms()).toISOString().slice(0, 10)
    const recent = await ask('stats', {})
    expect([recent.byDay.length, recent.byDay.at(-1).date]).toEqual([30, today])
    const unmatched = await ask('stats', { userId: 'no-id', startDate: '2026-03-01', endDate: '2026-03-02' })
    expect(unmatched.byDay).toEqual(
      ['2026-03-01', '2026-03-02'].map((date) => ({ date, success: 0, failure: 0, denied: 0 })),
    )
    expect((await ask('stats', { startDate: '2026-03-02', endDate: '2026-03-01' })).byDay).toEqual([])
    expect((await ask('stats', { days: '1' })).byDay.map(({ date }: { date: string }) => date)).toEqual([today])
  })

  it.each([{ startDate: '2000-01-01', endDate: '2026-01-01' }, { days: '0' }, { days: '3651' }])(
    'rejects %o',
    async (query) => {
      const answer = await service.api('GET', `/api/v1/audit/stats?${new URLSearchParams(Object.entries(query))}`, {
        token: owner.token,
      })
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    },
  )

  it.each([
    { startDate: '0000-01-01', endDate: '9999-12-31' },
    { startDate: '0001-01-01T00:00+14:00' },
    { endDate: '9999-12-31T23:59-14:00' },
  ])('accepts the earliest and the latest date: %o', async (query) => {
    expect((await ask('logs', query as Query)).total).toBeGreaterThan(0)
  })

  it('counts nothing for days before the epoch', async () => {
    expect((await ask('logs', { endDate: '0000-01-01' })).total).toBe(0)
    expect((await ask('logs', { startDate: '2026-03-02', endDate: '2026-03-01' })).total).toBe(0)
  })

  it('counts nothing for the last representable dates', async () => {
    for (const startDate of ['9999-12-31', '9999-12-31T12:00:00Z', '9999-12-31T23:59:59-12:00'])
      for (const route of ['logs', 'stats']) expect((await ask(route, { startDate })).total ?? 0).toBe(0)
  })

  it('deletes the counts with the team', async () => {
    const owner = await registerUser(service)
    await sealEverything(service)
    const count = () => service.sql('SELECT 1 FROM audit_daily WHERE chain = $1', [owner.teamId])
    expect((await count()).length).toBeGreaterThan(0)
    await service.sql('SELECT remove_team_audit($1, gen_random_uuid(), now())', [owner.teamId])
    expect(await count()).toEqual([])
    await sealEverything(service)
    expect(await count()).toEqual([])
  })

  it('keeps the counts exact while every node seals and entries are recorded', async () => {
    const team = await registerUser(service)
    await Promise.all([
      ...Array.from({ length: 20 }, () => writeEntries(service, team.teamId, someEntries(30))),
      ...Array.from({ length: 10 }, async () => {
        await service.clock.advance(6_000)
        await service.settle()
      }),
    ])
    await sealEverything(service)
    const [row] = await service.sql(
      `SELECT (SELECT sum(count)::int FROM audit_daily WHERE chain = $1) AS counted, (SELECT count(*)::int FROM audit_entries WHERE team_id = $1) AS entries`,
      [team.teamId],
    )
    expect(row?.counted).toBe(row?.entries)
    expect(row?.entries).toBeGreaterThan(600)
  })
})
