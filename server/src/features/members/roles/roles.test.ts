import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnce, expectError, joinTeam, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { ROLES } from '../../permissions/index.js'

describe('members of a team', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const path = (memberId: string, teamId: string) => `/api/v1/organizations/${teamId}/members/${memberId}/role`
  const change = (memberId: string, role: string, { token, teamId }: Pick<TestUser, 'token' | 'teamId'> = owner) =>
    service.api('PUT', path(memberId, teamId), { token, body: { role } })
  async function member(role = 'MEMBER', teamId = owner.teamId): Promise<TestUser & { memberId: string }> {
    const user = await registerUser(service)
    await joinTeam(service, user, teamId, { role })
    const [row] = await service.sql<{ id: string }>(
      'SELECT id FROM memberships WHERE user_id = $1 AND organization_id = $2',
      [user.id, teamId],
    )
    return { ...user, teamId, memberId: row?.id ?? '' }
  }

  it('lists members newest first with address, names and status, as the team sees them', async () => {
    const boss = await registerUser(service)
    const members = []
    for (let index = 0; index < 3; index++) {
      await service.clock.advance(1_000)
      members.unshift(await member('VIEWER', boss.teamId))
    }
    await service.sql("UPDATE memberships SET first_name = 'Here' WHERE id = $1", [members[0]?.memberId])
    await service.sql("UPDATE users SET first_name = 'Own', last_name = 'Name' WHERE id = $1", [members[0]?.id])
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE id = $1", [members[1]?.memberId])
    const list = (query = '') =>
      service.api('GET', `/api/v1/organizations/${boss.teamId}/members${query}`, { token: boss.token })
    const { body } = await list()
    expect(body).toMatchObject({ total: 4, page: 1, limit: 50 })
    expect(body.data[0]).toEqual({
      id: members[0]?.memberId,
      userId: members[0]?.id,
      organizationId: boss.teamId,
      role: 'VIEWER',
      status: 'active',
      email: members[0]?.email,
      firstName: 'Here',
      lastName: 'Name',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect(body.data.map(({ userId }: { userId: string }) => userId)).toEqual([...members.map(({ id }) => id), boss.id])
    expect(body.data[1].status).toBe('suspended')
    expect((await list('?limit=1&page=2')).body.data[0].userId).toBe(members[1]?.id)
    expect((await list('?limit=0&page=99')).body).toMatchObject({ data: [], total: 4, page: 99, limit: 1 })
  })

  it.each(ROLES)('assigns the role %s, effective on the next request', async (role) => {
    const user = await member(role === 'VIEWER' ? 'MEMBER' : 'VIEWER')
    const { status, body } = await change(user.memberId, role)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: user.memberId,
      userId: user.id,
      organizationId: owner.teamId,
      role,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const [row] = await service.sql('SELECT role FROM memberships WHERE id = $1', [user.memberId])
    expect(row).toEqual({ role })
    for (let node = 0; node < 2; node++) {
      const { status } = await service.api('GET', '/api/v1/applications', {
        token: user.token,
        headers: { 'x-org-id': owner.teamId },
      })
      expect(status).toBe(
        ['MEMBER', 'GROUP_MEMBERSHIP_ADMIN', 'MOBILE_ADMIN', 'REPORT_ADMIN'].includes(role) ? 403 : 200,
      )
    }
  })

  it('accepts the user ID in place of the membership ID', async () => {
    const user = await member()
    expect((await change(user.id.toUpperCase(), 'VIEWER')).body).toMatchObject({ id: user.memberId, role: 'VIEWER' })
  })

  it('rejects unknown roles and unknown members', async () => {
    const user = await member()
    for (const role of ['ADMIN', 'owner', '', 'ROOT'])
      expectError(await change(user.memberId, role), 400, 'invalid_request')
    const outsider = await registerUser(service)
    for (const id of [outsider.id, 'unknown', '01900000-0000-7000-8000-0000000000ff'])
      expectError(await change(id, 'VIEWER'), 404, 'member_not_found')
  })

  it('rejects changes to or from a role with more permissions than the caller', async () => {
    const admin = await member('ORG_ADMIN')
    const victim = await member('SUPER_ADMIN')
    for (const role of ['OWNER', 'SUPER_ADMIN'])
      expectError(await change(admin.memberId, role, admin), 403, 'role_protected')
    expectError(await change(victim.memberId, 'MEMBER', admin), 403, 'role_protected')
    expect((await change((await member()).memberId, 'ORG_ADMIN', admin)).status).toBe(200)
    expectError(await change(victim.memberId, 'MEMBER', await member('USER_ADMIN')), 403, 'forbidden')
  })

  it('keeps an owner or super-admin when all step down concurrently', async () => {
    const boss = await registerUser(service)
    expectError(await change(boss.id, 'MEMBER', boss), 409, 'last_admin')
    const others = []
    for (let index = 0; index < 9; index++) others.push(await member('SUPER_ADMIN', boss.teamId))
    const all = [boss, ...others]
    const answers = await atOnce(10, (index) => {
      const one = all[index] as TestUser
      return change(one.id, 'MEMBER', { token: one.token, teamId: boss.teamId })
    })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    expectError(answers.find(({ status }) => status !== 200) as (typeof answers)[0], 409, 'last_admin')
    const [left] = await service.sql(
      "SELECT count(*)::int AS admins FROM memberships WHERE organization_id = $1 AND role IN ('OWNER', 'SUPER_ADMIN')",
      [boss.teamId],
    )
    expect(left).toEqual({ admins: 1 })
  })

  it('transfers a team by promoting the next owner before demoting the first', async () => {
    const boss = await registerUser(service)
    const next = await member('MEMBER', boss.teamId)
    expect((await change(next.id, 'OWNER', boss)).status).toBe(200)
    expect((await change(boss.id, 'MEMBER', boss)).status).toBe(200)
    const entries = (
      await service.api('GET', '/api/v1/audit/logs?action=member.role_changed', {
        token: next.token,
        headers: { 'x-org-id': boss.teamId },
      })
    ).body.data
    expect(
      entries.map(({ resource, metadata }: { resource: string; metadata: object }) => [resource, metadata]),
    ).toEqual([
      [`user:${boss.id}`, { from: 'OWNER', to: 'MEMBER' }],
      [`user:${next.id}`, { from: 'MEMBER', to: 'OWNER' }],
    ])
    expect((await change(next.id, 'OWNER', next)).status).toBe(200)
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=member.role_changed', {
      token: next.token,
      headers: { 'x-org-id': boss.teamId },
    })
    expect(body.total).toBe(2)
  })
})
