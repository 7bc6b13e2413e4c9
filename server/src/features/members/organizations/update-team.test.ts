import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  atOnce,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  newEmail,
  onboardAdmin,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('PUT /organizations/{orgId} and PUT /org', () => {
  let service: TestService
  let admin: TestUser
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    admin = await onboardAdmin(service)
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const put = (body: unknown, { token, teamId } = owner) =>
    service.api('PUT', `/api/v1/organizations/${teamId}`, { token, body })
  const read = async ({ token, teamId } = owner) =>
    (await service.api('GET', `/api/v1/organizations/${teamId}`, { token })).body
  const logs = async ({ token } = owner) =>
    (await service.api('GET', '/api/v1/audit/logs', { token })).body.data as { action: string; metadata: object }[]

  it('updates the given fields and returns the whole team', async () => {
    const before = await read()
    const change = {
      name: '  Renamed ',
      slug: 'renamed-team',
      domain: 'Example.COM',
      logoUrl: 'https://example.com/l.png',
      primaryColor: '#abcdef',
      allowedDomains: ['Example.com', 'example.com', 'b.example'],
      plan: 'PRO',
      maxMembers: 5,
      maxApplications: 6,
      sessionMaxLifetimeDays: 30,
    }
    const { status, body } = await put(change)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...change,
      name: 'Renamed',
      domain: 'example.com',
      allowedDomains: ['example.com', 'b.example'],
      updatedAt: expect.any(String),
    })
    expect((await put({ logoUrl: null, domain: null, sessionMaxLifetimeDays: null })).body).toMatchObject({
      sessionMaxLifetimeDays: null,
      logoUrl: null,
      domain: null,
      slug: 'renamed-team',
    })
    expect((await logs()).slice(0, 2).map(({ action, metadata }) => [action, metadata])).toEqual([
      ['organization.updated', { changed: ['domain', 'logoUrl', 'sessionMaxLifetimeDays'] }],
      ['organization.updated', { changed: Object.keys(change).sort() }],
    ])
    const state = await dumpState(service)
    expect((await put({ slug: 'renamed-team', maxMembers: 5, id: 'x', createdAt: 'x' })).status).toBe(200)
    expect(await dumpState(service)).toEqual(state)
  })

  it.each([
    { name: '' },
    { slug: 'Not A Slug' },
    { plan: 'FREEMIUM' },
    { status: 'CLOSED' },
    { maxMembers: 0 },
    { maxMembers: 1.5 },
    { maxMembers: '7' },
    { maxMembers: 1e12 },
    { maxApplications: -1 },
    { sessionMaxLifetimeDays: 0 },
    { sessionMaxLifetimeDays: 366 },
    { sessionMaxLifetimeDays: 1.5 },
    { sessionMaxLifetimeDays: '7' },
    { allowedDomains: ['*'] },
    { name: null },
  ])('rejects %o', async (body) => {
    const before = await dumpState(service)
    expectError(await put(body), 400, 'invalid_request')
    expect(await dumpState(service)).toEqual(before)
  })

  it('stores a slug exactly once across concurrent requests', async () => {
    const others = await atOnce(10, () => registerUser(service))
    const answers = await atOnce(10, (index) => put({ slug: 'the-one', name: 'Taken' }, others[index]))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 409, 'slug_taken')
    const [row] = await service.sql("SELECT count(*)::int AS teams FROM organizations WHERE name = 'Taken'")
    expect(row).toEqual({ teams: 1 })
  })

  it('keeps all members when the limit falls below their number', async () => {
    const boss = await registerUser(service)
    const member = await registerUser(service)
    await joinTeam(service, member, boss.teamId)
    expect((await put({ maxMembers: 1 }, boss)).status).toBe(200)
    const { status } = await service.api('GET', '/api/v1/org', {
      token: member.token,
      headers: { 'x-org-id': boss.teamId },
    })
    expect(status).toBe(200)
  })

  it('merges settings key by key; null removes a key', async () => {
    const org = (body?: unknown, token = owner.token) =>
      service.api(body ? 'PUT' : 'GET', '/api/v1/org', { token, body })
    expect((await org()).body).toEqual({ ...(await read()), settings: {}, logoStatus: null })
    expect((await org({ settings: { colour: 'blue', größe: '7', constructor: 'x' } })).status).toBe(200)
    const { body } = await org({ name: 'By org', settings: { colour: null, new: '', absent: null } })
    expect(body).toMatchObject({ name: 'By org', settings: { größe: '7', constructor: 'x', new: '' } })
    expect(Object.keys(body.settings).sort()).toEqual(['constructor', 'größe', 'new'])
    expect((await org()).body).toEqual(body)
    expect((await logs())[0]).toMatchObject({
      action: 'organization.updated',
      metadata: { changed: ['name', 'settings.colour', 'settings.new'] },
    })
    const elsewhere = await service.api('POST', '/api/v1/organizations', {
      token: owner.token,
      body: { name: 'Other' },
    })
    const named = await service.api('GET', '/api/v1/org', {
      token: owner.token,
      headers: { 'x-org-id': elsewhere.body.id },
    })
    expect(named.body).toMatchObject({ id: elsewhere.body.id, settings: {} })
  })

  it.each([
    { settings: { a: 1 } },
    { settings: { a: 'x'.repeat(2_001) } },
    { settings: { ['k'.repeat(101)]: 'x' } },
    { settings: { '': 'x' } },
    { settings: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, 'x'])) },
    { settings: [] },
    { settings: null },
    { name: '' },
  ])('rejects invalid settings: %#', async (body) => {
    const before = await dumpState(service)
    expectError(await service.api('PUT', '/api/v1/org', { token: owner.token, body }), 400, 'invalid_request')
    expect(await dumpState(service)).toEqual(before)
  })

  it('loses none of twenty concurrently merged settings, and stores at most a hundred', async () => {
    const boss = await registerUser(service)
    const merge = (settings: object) => service.api('PUT', '/api/v1/org', { token: boss.token, body: { settings } })
    const answers = await atOnce(20, (index) => merge({ [`key-${index}`]: `${index}` }))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { body } = await service.api('GET', '/api/v1/org', { token: boss.token })
    expect(Object.keys(body.settings)).toHaveLength(20)
    const more = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`more-${index}`, '']))
    expectError(await merge(more(81)), 400, 'invalid_request')
    expect((await merge(more(80))).status).toBe(200)
  })

  it('admits only owners and super-admins to a suspended team, who can reactivate it', async () => {
    const boss = await registerUser(service)
    const member = await registerUser(service)
    await joinTeam(service, member, boss.teamId, { role: 'ORG_ADMIN' })
    const { body: inside } = await service.api('POST', '/api/v1/auth/switch-team', {
      token: member.token,
      body: { teamId: boss.teamId },
    })
    const app = await registerApp(service, boss)
    const granted = await tokensFor(service, app, { ...member, token: inside.accessToken })
    const introspect = async () =>
      (await service.api('POST', '/api/v1/oauth/introspect', { body: { token: granted.access_token } })).body.active
    expect(await introspect()).toBe(true)

    expect((await put({ status: 'SUSPENDED' }, boss)).body.status).toBe('SUSPENDED')
    await expectSession(service, inside.accessToken, 'revoked')
    expectError(
      await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: inside.refreshToken } }),
      401,
      'invalid_refresh_token',
    )
    expectError(
      await service.api('POST', '/api/v1/auth/login', {
        body: { email: member.email, password: PASSWORD, teamId: boss.teamId },
      }),
      403,
      'team_suspended',
    )
    expect(await introspect()).toBe(false)
    const userinfo = await service.api('GET', `/api/v1/sso/oidc-idp/${boss.teamId}/${app.id}/userinfo`, {
      token: granted.access_token,
    })
    expect(userinfo.status).toBe(401)
    expect((await logIn(service, member)).teamId).toBe(member.teamId)

    const again = await logIn(service, boss)
    expectError(
      await service.api('POST', `/api/v1/organizations/${boss.teamId}/members/invite`, {
        token: again.token,
        body: { email: newEmail(), role: 'MEMBER' },
      }),
      403,
      'team_suspended',
    )
    expect((await put({ status: 'ACTIVE' }, again)).body.status).toBe('ACTIVE')
    expect(await introspect()).toBe(true)
    expect((await logs(again)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['organization.suspended', 'organization.reactivated']),
    )
  })

  it('reserves plan, status and limits to instance administrators under ORGANIZATION_LIMITS=instance', async () => {
    await service.restart({ ORGANIZATION_LIMITS: 'instance' })
    const boss = await registerUser(service)
    for (const body of [{ plan: 'PRO' }, { status: 'SUSPENDED' }, { maxMembers: 9 }, { maxApplications: 9 }]) {
      const before = await dumpState(service)
      expectError(await put({ name: 'Not kept', ...body }, boss), 403, 'forbidden')
      expect(await dumpState(service)).toEqual(before)
    }
    const { plan, status, maxMembers, maxApplications } = await read(boss)
    expect((await put({ plan, status, maxMembers, maxApplications, name: 'Kept' }, boss)).body.name).toBe('Kept')
    await joinTeam(service, admin, boss.teamId, { role: 'ORG_ADMIN' })
    expect((await put({ plan: 'ENTERPRISE' }, { ...admin, teamId: boss.teamId })).body.plan).toBe('ENTERPRISE')
    await service.restart({ ORGANIZATION_LIMITS: 'team' })
  })
})
