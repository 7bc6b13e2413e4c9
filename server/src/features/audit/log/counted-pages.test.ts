import { afterAll, expect, it } from 'vitest'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { writeEntries } from '../../../../test/harness/audit-entries.js'
import { startService } from '../../../../test/harness/service.js'
import { MOST_COUNTED } from '../schema.js'

const service = await startService({ env: { TRUST_PROXY: '1' } })
afterAll(() => service.close())

const pageOf = async ({ token }: TestUser, query: Record<string, string>) => {
  const { status, body } = await service.api('GET', `/api/v1/audit/logs?${new URLSearchParams(query)}`, { token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const secondOf = (second: number): string => new Date(Date.UTC(2026, 3, 1) + second * 1_000).toISOString()

it('counts the entries of a filter up to a maximum, and returns the pages after it', async () => {
  const owner = await registerUser(service)
  const ipAddress = '203.0.113.9'
  const entries = Array.from({ length: MOST_COUNTED + 3 }, (_, second) => ({ createdAt: secondOf(second), ipAddress }))
  const written = await writeEntries(service, owner.teamId, entries)
  expect(await pageOf(owner, { ipAddress })).toMatchObject({ total: MOST_COUNTED, totalIsExact: false })
  // A filter with stored counts is exact, and so is one with as many entries as the maximum.
  expect(await pageOf(owner, { action: 'user.login', endDate: '2026-04-30' })).toMatchObject({
    total: MOST_COUNTED + 3,
    totalIsExact: true,
  })
  expect(await pageOf(owner, { ipAddress, startDate: secondOf(3) })).toMatchObject({
    total: MOST_COUNTED,
    totalIsExact: true,
  })
  const beyond = await pageOf(owner, { ipAddress, limit: '50', page: `${MOST_COUNTED / 50 + 1}` })
  expect(beyond.data.map(({ id }: { id: string }) => id)).toEqual([2, 1, 0].map((second) => written[second]?.id))
  expect((await pageOf(owner, { ipAddress, limit: '50', page: `${MOST_COUNTED / 50 + 2}` })).data).toEqual([])
})

it('returns the pages of a minimum risk in the order of time, across the scores', async () => {
  const owner = await registerUser(service)
  const scores = [40, 100, 39, 70, 40, 99, 41, 0, 100]
  const written = await writeEntries(
    service,
    owner.teamId,
    scores.map((riskScore, second) => ({ createdAt: secondOf(second), riskScore })),
  )
  const expected = written.filter(({ riskScore }) => (riskScore ?? 0) >= 40).reverse()
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) => pageOf(owner, { minRisk: '40', endDate: '2026-04-30', limit: '3', page: `${page}` })),
  )
  expect(pages.flatMap(({ data }) => data.map(({ id }: { id: string }) => id))).toEqual(expected.map(({ id }) => id))
  expect(pages.map(({ total, totalIsExact }) => [total, totalIsExact])).toEqual(Array(4).fill([expected.length, true]))
})

it('finds entries by resource, in the order of time, and no resource whose kind only begins like the requested one', async () => {
  const owner = await registerUser(service)
  const resources = ['policy:1', 'policy:2', 'policyholder:1', 'policy:', 'policy', 'policy:1:x', 'policy:1']
  const written = await writeEntries(
    service,
    owner.teamId,
    resources.map((resource, second) => ({ createdAt: secondOf(second), resource })),
  )
  const found = async (resource: string) =>
    (await pageOf(owner, { resource })).data.map(({ id }: { id: string }) => written.findIndex((one) => one.id === id))
  expect(await found('policy:')).toEqual([6, 5, 4, 3, 1, 0])
  expect(await found('policy:1')).toEqual([6, 0])
  expect(await found('policy:1:x')).toEqual([5])
})

it('records the IPv6 address of a proxy without its zone, which can have any length', async () => {
  const owner = await registerUser(service)
  const { status } = await service.api('DELETE', '/api/v1/auth/sessions', {
    token: owner.token,
    headers: { 'x-forwarded-for': `fe80::1%${'0123456789abcdef'.repeat(300)}` },
  })
  expect(status).toBe(200)
  const { data } = await pageOf(owner, { action: 'session.others_ended' })
  expect(data[0]?.ipAddress).toBe('fe80::1')
})
