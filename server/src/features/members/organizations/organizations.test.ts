import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  newEmail,
  PASSWORD,
  patiently,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { systemClock } from '../../../platform/clock.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { addMember } from '../index.js'

describe('POST /organizations', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService({ env: { MAX_MEMBERS: '2', MAX_APPLICATIONS: '3' } })
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  const create = (body: unknown, token = user.token) => service.api('POST', '/api/v1/organizations', { token, body })

  it('creates a team with the specified fields and defaults', async () => {
    const { status, body } = await create({ name: '  Äpfel & Birnen GmbH ' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Äpfel & Birnen GmbH',
      slug: 'apfel-birnen-gmbh',
      domain: null,
      plan: 'FREE',
      status: 'ACTIVE',
      logoUrl: null,
      primaryColor: null,
      allowedDomains: [],
      maxMembers: 2,
      sessionMaxLifetimeDays: null,
      maxApplications: 3,
      role: 'SUPER_ADMIN',
      roleExact: 'SUPER_ADMIN',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
    })
  })

  it('stores the given fields', async () => {
    const given = {
      slug: 'given-slug',
      domain: 'example.com',
      logoUrl: 'https://example.com/l.png',
      primaryColor: '#112233',
    }
    const { body } = await create({ name: 'Given', ...given, allowedDomains: ['Example.com', 'example.com'] })
    expect(body).toMatchObject({ ...given, allowedDomains: ['example.com'] })
  })

  it('grants its creator access immediately, by path, by x-org-id and by switching', async () => {
    const { body: team } = await create({ name: 'At once' })
    for (let node = 0; node < 2; node++) {
      expect((await service.api('GET', `/api/v1/organizations/${team.id}`, { token: user.token })).body).toEqual(team)
      const { body } = await service.api('GET', '/api/v1/auth/me', {
        token: user.token,
        headers: { 'x-org-id': team.id },
      })
      expect(body.team).toEqual({
        id: team.id,
        name: 'At once',
        slug: 'at-once',
        role: 'SUPER_ADMIN',
        roleExact: 'SUPER_ADMIN',
      })
      expect(
        (await service.api('GET', '/api/v1/audit/logs', { token: user.token, headers: { 'x-org-id': team.id } }))
          .status,
      ).toBe(200)
    }
    const { body } = await service.api('POST', '/api/v1/auth/switch-team', {
      token: user.token,
      body: { teamId: team.id },
    })
    expect(body.team.id).toBe(team.id)
  })

  it('lists teams for their members only, with each role', async () => {
    const fresh = await registerUser(service)
    const { body: own } = await create({ name: 'A team' }, fresh.token)
    const { body } = await service.api('GET', '/api/v1/organizations', { token: fresh.token })
    expect(body.data.map(({ id, role }: { id: string; role: string }) => [id, role]).sort()).toEqual(
      [
        [own.id, 'SUPER_ADMIN'],
        [fresh.teamId, 'OWNER'],
      ].sort(),
    )
    const { status, body: rejected } = await service.api('GET', `/api/v1/organizations/${own.id}`, {
      token: user.token,
    })
    expect([status, rejected.code]).toEqual([404, 'organization_not_found'])
  })

  it("records the team and its first member in the team's own log", async () => {
    const { body: team } = await create({ name: 'Logged' })
    const { body } = await service.api('GET', '/api/v1/audit/logs', {
      token: user.token,
      headers: { 'x-org-id': team.id },
    })
    expect(body.data.map(({ action }: { action: string }) => action).sort()).toEqual([
      'member.added',
      'organization.created',
    ])
  })

  it.each([
    ['日本語', /^team(-[0-9a-f]{8})?$/],
    ['--- ---', /^team(-[0-9a-f]{8})?$/],
    ['Straße №5', /^stra-e-no5$/],
    ['a'.repeat(100), /^a{48}$/],
    [`${'b'.repeat(47)} c`, /^b{47}$/],
    ["Robert'); DROP TABLE users;--", /^robert-drop-table-users$/],
  ])('derives a URL-safe slug from the name %s', async (name, slug) => {
    expect((await create({ name })).body.slug).toMatch(slug)
  })

  it.each([
    { name: '' },
    { name: ' \t' },
    { name: 'x'.repeat(101) },
    { slug: 'no-name' },
    { name: 'x', slug: 'Upper' },
    { name: 'x', slug: '-a' },
    { name: 'x', slug: 'a-' },
    { name: 'x', slug: '' },
    { name: 'x', slug: 'a'.repeat(64) },
    { name: 'x', slug: 'a/b' },
    { name: 'x', domain: 'nope' },
    { name: 'x', logoUrl: 'javascript:1' },
    { name: 'x', primaryColor: 'blue' },
    { name: 'x', allowedDomains: ['*'] },
  ])('rejects %o', async (body) => {
    const { status, body: problem } = await create(body)
    expect([status, problem.code]).toEqual([400, 'invalid_request'])
  })

  it('creates distinct slugs across many concurrent requests with the same name', async () => {
    const answers = await atOnce(CONCURRENT, () => patiently(() => create({ name: 'Same name' })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const slugs = answers.map(({ body }) => body.slug)
    expect(new Set(slugs).size).toBe(CONCURRENT)
    expect(slugs).toContain('same-name')
    for (const slug of slugs) expect(slug).toMatch(/^same-name(-[0-9a-f]{8})?$/)
  })

  it('creates an explicit slug exactly once across many concurrent requests', async () => {
    const owner = await registerUser(service)
    const answers = await atOnce(CONCURRENT, () => create({ name: 'Wanted', slug: 'wanted' }, owner.token))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'slug_taken')).toHaveLength(
      CONCURRENT - 1,
    )
    const { body } = await service.api('GET', '/api/v1/organizations', { token: owner.token })
    expect(body.data).toHaveLength(2)
    const [left] = await service.sql("SELECT count(*)::int AS teams FROM organizations WHERE name = 'Wanted'")
    expect(left).toEqual({ teams: 1 })
  })

  it('creates distinct slugs across many concurrent registrations with the same local part', async () => {
    const answers = await atOnce(CONCURRENT, (index) =>
      patiently(() =>
        service.api('POST', '/api/v1/auth/register', {
          body: { email: `same@${newEmail().slice(0, 8).replace(/\W/g, '')}${index}.example`, password: PASSWORD },
        }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.team.slug)).size).toBe(CONCURRENT)
  })

  // No endpoint adds a second member yet, so the shared function is called directly.
  it('enforces the member limit under concurrent joins', async () => {
    const { body: team } = await create({ name: 'Two seats' })
    const joining = await atOnce(10, () => registerUser(service))
    const outcomes = await Promise.allSettled(
      joining.map(({ id }) =>
        service.db.transaction((tx) =>
          addMember(tx, systemClock, { userId: id as UserId, teamId: team.id as TeamId, role: 'MEMBER' }),
        ),
      ),
    )
    const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(rejected).toHaveLength(9)
    for (const error of rejected)
      expect(error).toMatchObject({
        code: 'limit_reached',
        status: 409,
        detail: expect.stringMatching(/2 members.*limit is 2/),
      })
  })
})
