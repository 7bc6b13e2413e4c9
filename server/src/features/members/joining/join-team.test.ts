import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  claimsOf,
  expectError,
  invite,
  joinTeam,
  registerUser,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('joining a team by email domain', () => {
  let service: TestService
  let count = 0
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  async function openTeam({ verified = true } = {}) {
    const boss = await registerUser(service)
    const domain = `d${++count}.example`
    await service.api('PUT', `/api/v1/organizations/${boss.teamId}`, {
      token: boss.token,
      body: { allowedDomains: [domain.toUpperCase()] },
    })
    if (verified) await verifyDomain(service, boss.teamId, domain)
    return { boss, domain }
  }
  async function userOf(domain: string): Promise<TestUser> {
    const user = await registerUser(service, { email: `p${++count}@${domain}` })
    await verifyEmailAddress(service, user)
    return user
  }
  const joinable = async ({ token }: TestUser, query = '') =>
    (await service.api('GET', `/api/v1/organizations/joinable${query}`, { token })).body
  const join = ({ token }: TestUser, teamId: string) =>
    service.api('POST', `/api/v1/organizations/${teamId}/join`, { token })

  it('lists the team for a verified address, adds the member immediately and records it', async () => {
    const { boss, domain } = await openTeam()
    const user = await userOf(domain)
    expect(await joinable(user)).toEqual({
      data: [
        { id: boss.teamId, name: expect.any(String), slug: expect.any(String), logoUrl: null, primaryColor: null },
      ],
      total: 1,
      page: 1,
      limit: 50,
    })
    const { status, body } = await join(user, boss.teamId.toUpperCase())
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: boss.teamId, role: 'MEMBER' })
    const { body: me } = await service.api('GET', '/api/v1/auth/me', {
      token: user.token,
      headers: { 'x-org-id': boss.teamId },
    })
    expect(me.team).toMatchObject({ id: boss.teamId, role: 'MEMBER' })
    const switched = await service.api('POST', '/api/v1/auth/switch-team', {
      token: user.token,
      body: { teamId: boss.teamId },
    })
    expect(switched.body.team.id).toBe(boss.teamId)
    expect((await joinable({ ...user, token: switched.body.accessToken })).data).toEqual([])
    const [row] = await service.sql(
      'SELECT role, status, counts FROM memberships WHERE user_id = $1 AND organization_id = $2',
      [user.id, boss.teamId],
    )
    expect(row).toEqual({ role: 'MEMBER', status: 'active', counts: true })
    const { body: logs } = await service.api('GET', '/api/v1/audit/logs?action=member.joined', { token: boss.token })
    expect(logs.data).toMatchObject([{ userId: user.id, metadata: { role: 'MEMBER' } }])
  })

  it('joins by ID, but does not list the team, while the domain has no verified DNS record', async () => {
    const { boss, domain } = await openTeam({ verified: false })
    const user = await userOf(domain)
    expect(await joinable(user)).toMatchObject({ data: [], total: 0 })
    const owner = await registerUser(service)
    await verifyDomain(service, owner.teamId, domain)
    // That team has verified the domain, but does not admit it.
    expect(await joinable(user)).toMatchObject({ data: [], total: 0 })
    expect((await join(user, boss.teamId)).status).toBe(200)
  })

  it('revokes a pending invitation of the address and records it', async () => {
    const { boss, domain } = await openTeam()
    const user = await userOf(domain)
    const invitation = await invite(service, boss, user.email, 'ORG_ADMIN')
    expect((await join(user, boss.teamId)).body).toMatchObject({ role: 'MEMBER' })
    const { body: waiting } = await service.api('GET', `/api/v1/organizations/${boss.teamId}/invitations`, {
      token: boss.token,
    })
    expect(waiting.data).toMatchObject([{ id: invitation.id, status: 'REVOKED' }])
    const entries = await service.sql(
      "SELECT resource FROM audit_entries WHERE team_id = $1 AND action = 'invitation.revoked'",
      [boss.teamId],
    )
    expect(entries).toEqual([{ resource: `invitation:${invitation.id}` }])
  })

  it('rejects an unverified address, another domain and a subdomain', async () => {
    const { boss, domain } = await openTeam()
    const unverified = await registerUser(service, { email: `p${++count}@${domain}` })
    const others = [unverified, await userOf('elsewhere.example'), await userOf(`sub.${domain}`)]
    const before = await dumpState(service)
    for (const user of others) {
      expect((await joinable(user)).data).toEqual([])
      expectError(await join(user, boss.teamId), 404, 'organization_not_found')
    }
    expectError(await join(unverified, 'no-team'), 404, 'organization_not_found')
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects a suspended member, and any user of a suspended team', async () => {
    const { boss, domain } = await openTeam()
    const user = await userOf(domain)
    await joinTeam(service, user, boss.teamId)
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      boss.teamId,
    ])
    expect((await joinable(user)).data).toEqual([])
    expectError(await join(user, boss.teamId), 404, 'organization_not_found')
    const other = await userOf(domain)
    await service.api('PUT', `/api/v1/organizations/${boss.teamId}`, {
      token: boss.token,
      body: { status: 'SUSPENDED' },
    })
    expect((await joinable(other)).data).toEqual([])
    expectError(await join(other, boss.teamId), 404, 'organization_not_found')
  })

  it('rejects a session that is restricted to one team', async () => {
    const { boss, domain } = await openTeam()
    const user = await userOf(domain)
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [
      claimsOf(user.token).sid,
      user.teamId,
    ])
    expectError(
      await service.api('GET', '/api/v1/organizations/joinable', { token: user.token }),
      403,
      'team_sign_in_required',
    )
    expectError(await join(user, boss.teamId), 403, 'team_sign_in_required')
  })

  it('respects the member limit across concurrent requests, and adds each user once', async () => {
    const { boss, domain } = await openTeam()
    await service.api('PUT', `/api/v1/organizations/${boss.teamId}`, { token: boss.token, body: { maxMembers: 4 } })
    const users: TestUser[] = []
    for (let index = 0; index < 10; index++) users.push(await userOf(domain))
    const answers = await atOnce(20, (index) => join(users[index % 10] as TestUser, boss.teamId))
    const [row] = await service.sql('SELECT count(*)::int AS members FROM memberships WHERE organization_id = $1', [
      boss.teamId,
    ])
    expect(row).toEqual({ members: 4 })
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 409, 'limit_reached')
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=member.joined', { token: boss.token })
    expect(body.total).toBe(3)
  })

  it('confirms an existing membership and keeps its role', async () => {
    const { boss, domain } = await openTeam()
    const user = await userOf(domain)
    await joinTeam(service, user, boss.teamId, { role: 'VIEWER', counts: false })
    expect((await join(user, boss.teamId)).body.role).toBe('VIEWER')
    const [row] = await service.sql('SELECT counts FROM memberships WHERE user_id = $1 AND organization_id = $2', [
      user.id,
      boss.teamId,
    ])
    expect(row).toEqual({ counts: true })
  })
})
