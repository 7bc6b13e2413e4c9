import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, logIn, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const DAY = 24 * 60 * 60_000

describe('a slug that a team released', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const rename = ({ token, teamId }: TestUser, slug: string) =>
    service.api('PUT', `/api/v1/organizations/${teamId}`, { token, body: { slug } })
  const create = ({ token }: TestUser, body: object) => service.api('POST', '/api/v1/organizations', { token, body })
  async function teamWithSlug(slug: string): Promise<TestUser> {
    const owner = await registerUser(service)
    expect((await rename(owner, slug)).status).toBe(200)
    return owner
  }

  it('rejects a released slug for another team for twelve months after a rename', async () => {
    const owner = await teamWithSlug('acme-rename')
    let other = await registerUser(service)
    await rename(owner, 'acme-renamed')
    expectError(await create(other, { name: 'Acme', slug: 'acme-rename' }), 409, 'slug_taken')
    expectError(await rename(other, 'acme-rename'), 409, 'slug_taken')
    await service.clock.advance(364 * DAY)
    other = await logIn(service, other)
    expectError(await rename(other, 'acme-rename'), 409, 'slug_taken')
    await service.clock.advance(DAY)
    other = await logIn(service, other)
    expect((await rename(other, 'acme-rename')).status).toBe(200)
  })

  it('rejects the slug of a deleted team', async () => {
    const owner = await teamWithSlug('acme-deleted')
    const other = await registerUser(service)
    const path = `/api/v1/organizations/${owner.teamId}`
    expect((await service.api('DELETE', path, { token: owner.token })).status).toBe(200)
    expectError(await create(other, { name: 'Acme', slug: 'acme-deleted' }), 409, 'slug_taken')
  })

  it('accepts a released slug for the same team', async () => {
    const owner = await teamWithSlug('acme-back')
    await rename(owner, 'acme-away')
    expect((await rename(owner, 'acme-back')).body.slug).toBe('acme-back')
  })

  it("adds a suffix if a new team's name would give a released slug", async () => {
    const owner = await teamWithSlug('acme-suffix')
    await rename(owner, 'acme-elsewhere')
    const { status, body } = await create(await registerUser(service), { name: 'Acme Suffix' })
    expect([status, body.slug]).toEqual([201, expect.stringMatching(/^acme-suffix-[0-9a-f]{8}$/)])
    const { body: teams } = await service.api('GET', '/api/v1/organizations', { token: owner.token })
    expect(teams.data).toHaveLength(1)
  })

  it('rejects a slug for a concurrent request during its release', async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `acme-race-${round}`
      const owner = await teamWithSlug(slug)
      const other = await registerUser(service)
      const [, taken] = await Promise.all([rename(owner, `${slug}-new`), rename(other, slug)])
      expectError(taken, 409, 'slug_taken')
    }
  })
})
