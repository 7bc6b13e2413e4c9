import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpState } from '../../../test/dump.js'
import {
  atOnce,
  claimsOf,
  expectError,
  invite,
  joinTeam,
  proveAddress,
  registerUser,
  type TestUser,
  verifyDomain,
} from '../../../test/factories.js'
import { startService, type TestService } from '../../../test/service.js'

describe('joining a team by the domain of an address', () => {
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
  async function personOf(domain: string): Promise<TestUser> {
    const user = await registerUser(service, { email: `p${++count}@${domain}` })
    await proveAddress(service, user)
    return user
  }
  const joinable = async ({ token }: TestUser, query = '') =>
    (await service.api('GET', `/api/v1/organizations/joinable${query}`, { token })).body
  const join = ({ token }: TestUser, teamId: string) =>
    service.api('POST', `/api/v1/organizations/${teamId}/join`, { token })

  it('is offered to a proven address, works at once, and is recorded', async () => {
    const { boss, domain } = await openTeam()
    const user = await personOf(domain)
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

  it('is possible by ID, but not listed, while the team has not verified the domain by DNS', async () => {
    const { boss, domain } = await openTeam({ verified: false })
    const user = await personOf(domain)
    expect(await joinable(user)).toMatchObject({ data: [], total: 0 })
    const owner = await registerUser(service)
    await verifyDomain(service, owner.teamId, domain)
    // That team has verified the domain, and does not let it in.
    expect(await joinable(user)).toMatchObject({ data: [], total: 0 })
    expect((await join(user, boss.teamId)).status).toBe(200)
  })

  it('takes back an invitation that waits for the address, and the log says so', async () => {
    const { boss, domain } = await openTeam()
    const user = await personOf(domain)
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

  it('is neither offered nor given to an unproven address, another domain, or below the domain', async () => {
    const { boss, domain } = await openTeam()
    const unproven = await registerUser(service, { email: `p${++count}@${domain}` })
    const others = [unproven, await personOf('elsewhere.example'), await personOf(`sub.${domain}`)]
    const before = await dumpState(service)
    for (const user of others) {
      expect((await joinable(user)).data).toEqual([])
      expectError(await join(user, boss.teamId), 404, 'organization_not_found')
    }
    expectError(await join(unproven, 'no-team'), 404, 'organization_not_found')
    expect(await dumpState(service)).toEqual(before)
  })

  it('does not bring back whom the team suspended, nor lead into a suspended team', async () => {
    const { boss, domain } = await openTeam()
    const user = await personOf(domain)
    await joinTeam(service, user, boss.teamId)
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      boss.teamId,
    ])
    expect((await joinable(user)).data).toEqual([])
    expectError(await join(user, boss.teamId), 404, 'organization_not_found')
    const other = await personOf(domain)
    await service.api('PUT', `/api/v1/organizations/${boss.teamId}`, {
      token: boss.token,
      body: { status: 'SUSPENDED' },
    })
    expect((await joinable(other)).data).toEqual([])
    expectError(await join(other, boss.teamId), 404, 'organization_not_found')
  })

  it('is refused in a session that one team controls', async () => {
    const { boss, domain } = await openTeam()
    const user = await personOf(domain)
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

  it('takes seats: of ten who join at once the last ones find none, and each who is in is in once', async () => {
    const { boss, domain } = await openTeam()
    await service.api('PUT', `/api/v1/organizations/${boss.teamId}`, { token: boss.token, body: { maxMembers: 4 } })
    const people: TestUser[] = []
    for (let index = 0; index < 10; index++) people.push(await personOf(domain))
    const answers = await atOnce(20, (index) => join(people[index % 10] as TestUser, boss.teamId))
    const [row] = await service.sql('SELECT count(*)::int AS members FROM memberships WHERE organization_id = $1', [
      boss.teamId,
    ])
    expect(row).toEqual({ members: 4 })
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 409, 'limit_reached')
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=member.joined', { token: boss.token })
    expect(body.total).toBe(3)
  })

  it('makes a membership that was merely added count, with the role that it has', async () => {
    const { boss, domain } = await openTeam()
    const user = await personOf(domain)
    await joinTeam(service, user, boss.teamId, { role: 'VIEWER', counts: false })
    expect((await join(user, boss.teamId)).body.role).toBe('VIEWER')
    const [row] = await service.sql('SELECT counts FROM memberships WHERE user_id = $1 AND organization_id = $2', [
      user.id,
      boss.teamId,
    ])
    expect(row).toEqual({ counts: true })
  })
})
