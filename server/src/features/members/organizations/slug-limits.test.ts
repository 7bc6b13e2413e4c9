import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, logIn, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { documentedRoutes } from '../../../../test/harness/openapi.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const HOUR = 3_600_000

let service: TestService
let addresses = 0
let slugs = 0
beforeAll(async () => {
  service = await startService({ env: { TRUST_PROXY: '1', LIMIT_TEAMS: '3', LIMIT_TEAMS_OF_SOURCE: '5' } })
})
afterAll(() => service.close())

const newSource = () => `198.51.100.${++addresses}`
const newSlug = () => `slug-${++slugs}`
const create = ({ token }: TestUser, source = newSource(), body: object = {}) =>
  service.api('POST', '/api/v1/organizations', {
    token,
    headers: { 'x-forwarded-for': source },
    body: { name: 'Acme', slug: newSlug(), ...body },
  })
const rename = ({ token, teamId }: TestUser, body: object, source = newSource()) =>
  service.api('PUT', `/api/v1/organizations/${teamId}`, { token, headers: { 'x-forwarded-for': source }, body })

function expectLimited(answer: ApiResponse): void {
  expectError(answer, 429, 'rate_limited')
  expect([answer.headers.get('retry-after'), answer.body.retryAfter]).toEqual(['3600', 3600])
}

describe('the limit of slugs per account', () => {
  it('limits new teams and slug changes together, per hour', async () => {
    const user = await registerUser(service)
    expect((await create(user)).status).toBe(201)
    expect((await rename(user, { slug: newSlug() })).status).toBe(200)
    expect((await create(user)).status).toBe(201)
    expectLimited(await create(user))
    expectLimited(await rename(user, { slug: newSlug() }))
    const [row] = await service.sql('SELECT count(*)::int AS teams FROM memberships WHERE user_id = $1', [user.id])
    expect(row).toEqual({ teams: 3 })
    expect((await create(await registerUser(service))).status).toBe(201)
    await service.clock.advance(HOUR + 1_000)
    expect((await create(await logIn(service, user))).status).toBe(201)
  })

  it('counts requests that fail because the slug is taken', async () => {
    const user = await registerUser(service)
    const slug = newSlug()
    expect((await create(user, newSource(), { slug })).status).toBe(201)
    for (let count = 0; count < 2; count++) expectError(await create(user, newSource(), { slug }), 409, 'slug_taken')
    expectLimited(await create(user, newSource(), { slug }))
  })

  it('ignores updates that keep the slug', async () => {
    const user = await registerUser(service)
    const { body } = await rename(user, { slug: newSlug() })
    for (let count = 0; count < 5; count++)
      expect((await rename(user, { slug: body.slug, name: `Acme ${count}` })).status).toBe(200)
  })

  it('limits all accounts of one source together, per hour', async () => {
    const source = newSource()
    const users = [await registerUser(service), await registerUser(service), await registerUser(service)]
    const [first, second, third] = users as [TestUser, TestUser, TestUser]
    for (const user of [first, first, second, second]) expect((await create(user, source)).status).toBe(201)
    expect((await rename(third, { slug: newSlug() }, source)).status).toBe(200)
    expectLimited(await rename(third, { slug: newSlug() }, source))
    expect((await create(third)).status).toBe(201)
  })
})

describe('a reserved slug', () => {
  /** Reads the paths of pages as the router and the server name them. */
  const pageRoutes = () => {
    const source = readFileSync(join(import.meta.dirname, '../../pages/page-routes.ts'), 'utf8')
    return [...source.matchAll(/^ {2}'\/([a-z-]+)/gm)].map(([, segment]) => segment as string)
  }

  it('rejects a reserved slug for a new team', async () => {
    const paths = (await documentedRoutes(service)).map(({ path }) => path.split('/').filter(Boolean))
    const inPaths = paths.flatMap(([first, , third]) => (first === 'api' ? [first, third] : [first]))
    const words = new Set([...inPaths, ...pageRoutes(), 'admin', 'keyward', 'support', 'www'])
    expect(words.size).toBeGreaterThan(40)
    const given: string[] = []
    for (const slug of words) {
      if (!slug || !/^[a-z0-9-]+$/.test(slug)) continue
      const { status, body } = await create(await registerUser(service), newSource(), { slug })
      if (status !== 409 || body.code !== 'slug_reserved') given.push(slug)
    }
    expect(given).toEqual([])
  })

  it('rejects a reserved slug on update, and adds a suffix for a team with that name', async () => {
    const user = await registerUser(service)
    expectError(await rename(user, { slug: 'login' }), 409, 'slug_reserved')
    const { body } = await create(user, newSource(), { name: 'Support', slug: undefined })
    expect(body.slug).toMatch(/^support-[0-9a-f]{8}$/)
  })

  it('keeps a reserved slug that a team has from an earlier release', async () => {
    const user = await registerUser(service)
    await service.sql("UPDATE organizations SET slug = 'status' WHERE id = $1", [user.teamId])
    expect((await rename(user, { slug: 'status', name: 'Renamed' })).body).toMatchObject({ slug: 'status' })
  })
})
