import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  expectError,
  joinTeam,
  mailedToken,
  newEmail,
  onboardAdmin,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('a team whose owner disowns the account', () => {
  let service: TestService
  let admin: TestUser
  beforeAll(async () => {
    service = await startService()
    admin = await onboardAdmin(service)
  })
  afterAll(() => service.close())

  const post = (path: string, body: object, token?: string) => service.api('POST', `/api/v1/${path}`, { body, token })
  const join = async (teamId: string, options: Parameters<typeof joinTeam>[3] = {}): Promise<TestUser> => {
    const user = await registerUser(service, { overHttp: true })
    await joinTeam(service, user, teamId, options)
    await service.clock.advance(1_000)
    return user
  }
  async function disown({ email }: TestUser, way = 'the mail'): Promise<void> {
    let token = way === 'the mail' ? await mailedToken(service, 'verify_email', email) : ''
    if (!token) {
      const link = await requestToken(service, 'magic_link', email)
      token = (await post('auth/verify', { token: link })).body.cleaned.disownToken
    }
    const { status, text } = await post('auth/disown', { token })
    expect(status, text).toBe(200)
  }
  const rolesIn = async (teamId: string) =>
    Object.fromEntries(
      (
        await service.sql<{ email: string; role: string }>(
          'SELECT u.email, m.role FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1',
          [teamId],
        )
      ).map(({ email, role }) => [email, role]),
    )
  const logged = (action: string, teamId: string) =>
    service.sql<{ team: string | null; metadata: object }>(
      `SELECT team_id AS team, metadata FROM audit_entries WHERE action = $1 AND (team_id = $2 OR resource = $3) ORDER BY id`,
      [action, teamId, `organization:${teamId}`],
    )

  it.each(['the mail', 'the first verification'])(
    'passes to its longest-standing administrator, by the token of %s',
    async (way) => {
      const owner = await registerUser(service, { overHttp: true })
      const { teamId } = owner
      const member = await join(teamId)
      await join(teamId, { role: 'ORG_ADMIN', counts: false })
      const successor = await join(teamId, { role: 'ORG_ADMIN' })
      const later = await join(teamId, { role: 'ORG_ADMIN' })
      await disown(owner, way)
      const roles = await rolesIn(teamId)
      expect([roles[successor.email], roles[later.email], roles[member.email]]).toEqual([
        'OWNER',
        'ORG_ADMIN',
        'MEMBER',
      ])
      expect(roles).not.toHaveProperty([owner.email])
      const entries = await logged('member.role_changed', teamId)
      expect(entries).toEqual([{ team: teamId, metadata: { from: 'ORG_ADMIN', to: 'OWNER' } }])
      const body = { role: 'MEMBER' }
      const demote = { token: successor.token, body, headers: { 'x-org-id': teamId } }
      const path = `/api/v1/organizations/${teamId}/members/${successor.id}/role`
      expectError(await service.api('PUT', path, demote), 409, 'last_admin')
    },
  )

  it('ends what depends on a temporary password that a member with fewer permissions set for the new owner', async () => {
    const owner = await registerUser(service, { overHttp: true })
    const successor = await join(owner.teamId, { role: 'ORG_ADMIN' })
    const helper = await join(owner.teamId, { role: 'ORG_ADMIN' })
    await service.sql(
      `INSERT INTO team_passwords (user_id, organization_id, hash, is_temporary, temporary_set_by, epoch, set_at)
       SELECT id, $2, 'x', true, $3, epoch, now() FROM users WHERE id = $1`,
      [successor.id, owner.teamId, helper.id],
    )
    await disown(owner)
    expect((await rolesIn(owner.teamId))[successor.email]).toBe('OWNER')
    expect(await service.sql('SELECT 1 FROM team_passwords WHERE user_id = $1', [successor.id])).toEqual([])
  })

  it('gives no permission to members who do not administer it, and notifies the log of the instance', async () => {
    const owner = await registerUser(service, { overHttp: true })
    const { teamId } = owner
    const others = [await join(teamId), await join(teamId, { role: 'USER_ADMIN' })]
    const suspended = await join(teamId, { role: 'ORG_ADMIN' })
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      suspended.id,
      teamId,
    ])
    await disown(owner)
    const roles = await rolesIn(teamId)
    expect(others.map(({ email }) => roles[email])).toEqual(['MEMBER', 'USER_ADMIN'])
    expect(roles[suspended.email]).toBe('ORG_ADMIN')
    expect(await logged('organization.owner_missing', teamId)).toEqual([{ team: null, metadata: {} }])
  })

  it('gets an owner that an instance administrator appoints from its active members', async () => {
    const owner = await registerUser(service, { overHttp: true })
    const { teamId } = owner
    const member = await join(teamId)
    const suspended = await join(teamId)
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      suspended.id,
      teamId,
    ])
    const appoint = (body: object, token = admin.token) => post('config/team-owners', { teamId, ...body }, token)
    // While it has an owner, instance administrators cannot appoint another.
    expectError(await appoint({ email: member.email }), 404, 'organization_not_found')
    await disown(owner)
    expectError(await appoint({ email: member.email }, member.token), 403, 'forbidden')
    for (const email of [suspended.email, newEmail(), admin.email])
      expectError(await appoint({ email }), 404, 'member_not_found')
    for (const unknown of ['x', admin.id])
      expectError(await appoint({ email: member.email, teamId: unknown }), 404, 'organization_not_found')
    expect((await appoint({ email: member.email.toUpperCase() })).status).toBe(200)
    expect((await rolesIn(teamId))[member.email]).toBe('OWNER')
    expect(await logged('organization.owner_appointed', teamId)).toEqual([
      { team: null, metadata: { user: member.id } },
    ])
    expect(await logged('member.role_changed', teamId)).toHaveLength(1)
    expectError(await appoint({ email: member.email }), 404, 'organization_not_found')
    expect((await service.api('GET', `/api/v1/organizations/${teamId}`, { token: member.token })).body.id).toBe(teamId)
  })

  it('deletes the team with its audit entries if it has no other members', async () => {
    const owner = await registerUser(service, { overHttp: true })
    await addUser(service, owner, {}).then(({ id }) =>
      service.api('DELETE', `/api/v1/users/${id}`, { token: owner.token }),
    )
    await disown(owner)
    expect(await service.sql('SELECT 1 FROM organizations WHERE id = $1', [owner.teamId])).toEqual([])
    expect(await service.sql('SELECT 1 FROM audit_entries WHERE team_id = $1', [owner.teamId])).toEqual([])
    const [entry] = await logged('organization.deleted', owner.teamId)
    // The erasure of the owner has destroyed the key of the name and the slug, which can contain the email address.
    expect(entry).toEqual({ team: null, metadata: {} })
  })
})
