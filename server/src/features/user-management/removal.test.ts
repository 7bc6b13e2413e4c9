import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  atOnce,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  mailedToken,
  makeGroup,
  PASSWORD,
  registerApplication,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('the removal of a member', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const api = (by: Pick<TestUser, 'token'>, method: string, path: string) =>
    service.api(method, path, { token: by.token })
  const deleteUser = (id: string, by = owner) => api(by, 'DELETE', `/api/v1/users/${id}`)
  const removeMember = (id: string, by = owner) =>
    api(by, 'DELETE', `/api/v1/organizations/${owner.teamId}/members/${id}`)
  const leave = (by: TestUser, teamId = by.teamId) => api(by, 'POST', `/api/v1/organizations/${teamId}/leave`)
  const accountExists = async (id: string) =>
    (await service.sql('SELECT 1 FROM users WHERE id = $1', [id])).length === 1
  const login = (user: Pick<TestUser, 'email' | 'password'>) =>
    service.api('POST', '/api/v1/auth/login', { body: user })
  const stateAfterJobs = async () => {
    await service.settle()
    return dumpState(service)
  }

  it('deletes an account that the team created, with DELETE /users/{id}, and frees its address', async () => {
    const user = await addColleague(service, owner)
    expect((await deleteUser(user.id)).body).toEqual({ message: expect.any(String) })
    expect(await accountExists(user.id)).toBe(false)
    await expectSession(service, user.token, 'revoked')
    expectError(await login(user), 401, 'invalid_credentials')
    expectError(await deleteUser(user.id), 404, 'user_not_found')
    const again = await addUser(service, owner, { email: user.email })
    expect(again.id).not.toBe(user.id)
  })

  it('keeps the account, with DELETE members/{memberId}, and creates an own team at its next sign-in', async () => {
    const user = await addColleague(service, owner)
    const token = await requestToken(service, 'password_reset', user.email)
    await service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword: 'one of my own' } })
    expect((await removeMember(user.id)).status).toBe(200)
    expect(await accountExists(user.id)).toBe(true)
    const { body } = await login({ email: user.email, password: 'one of my own' })
    expect(body.team).toMatchObject({ role: 'OWNER' })
    expect(body.team.id).not.toBe(owner.teamId)
  })

  it('accepts the membership ID and the user ID, and no other', async () => {
    const users = await atOnce(2, () => addUser(service, owner))
    const [row] = await service.sql<{ id: string }>('SELECT id FROM memberships WHERE user_id = $1', [users[0].id])
    const outsider = await registerUser(service)
    const [foreign] = await service.sql<{ id: string }>('SELECT id FROM memberships WHERE user_id = $1', [outsider.id])
    const before = await stateAfterJobs()
    for (const id of [outsider.id, foreign?.id ?? '', owner.teamId, 'x', '%00'])
      expectError(await removeMember(id), 404, 'user_not_found')
    expect(await stateAfterJobs()).toEqual(before)
    expect((await removeMember(row?.id ?? '')).status).toBe(200)
    expect((await removeMember(users[1].id.toUpperCase())).status).toBe(200)
    for (const { id } of users) expectError(await removeMember(id), 404, 'user_not_found')
  })

  it('ends sessions, refresh tokens and links of the team, and removes its groups and applications', async () => {
    const user = await addColleague(service, owner)
    const pending = await addUser(service, owner)
    const welcome = await mailedToken(service, 'welcome', pending.email)
    const group = await makeGroup(service, owner.teamId)
    const app = await registerApplication(service, owner)
    await service.api('PUT', `/api/v1/users/${user.id}`, {
      token: owner.token,
      body: { groupIds: [group], applicationIds: [app.id] },
    })
    await removeMember(user.id)
    await removeMember(pending.id)
    await expectSession(service, user.token, 'revoked')
    const refresh = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
    expectError(refresh, 401, 'invalid_refresh_token')
    const verify = await service.api('POST', '/api/v1/auth/verify', { body: { token: welcome } })
    expectError(verify, 400, 'invalid_token')
    const left = await service.sql(
      'SELECT 1 FROM group_members WHERE user_id = $1 UNION ALL SELECT 1 FROM application_users WHERE user_id = $1',
      [user.id],
    )
    expect(left).toEqual([])
    const { body } = await api(owner, 'GET', '/api/v1/audit/logs?action=member.removed')
    expect(body.data[1]).toMatchObject({
      resource: `user:${user.id}`,
      userId: owner.id,
      metadata: { email: user.email, role: 'MEMBER', sessionsEnded: 1 },
    })
  })

  it('keeps an account that another team created or that is confirmed elsewhere', async () => {
    const registered = await registerUser(service)
    await joinTeam(service, registered, owner.teamId)
    await deleteUser(registered.id)
    await expectSession(service, registered.token, 'active')

    const made = await addUser(service, owner)
    const other = await registerUser(service)
    await addUser(service, other, { email: made.email })
    const token = await mailedToken(service, 'welcome', made.email)
    expect((await service.api('POST', '/api/v1/auth/verify', { body: { token } })).body.team.id).toBe(other.teamId)
    await deleteUser(made.id)
    expect(await accountExists(made.id)).toBe(true)
  })

  it('keeps an account that another team has added, even if the user has not confirmed it', async () => {
    const made = await addUser(service, owner)
    const other = await registerUser(service)
    await addUser(service, other, { email: made.email })
    await deleteUser(made.id)
    expect(await accountExists(made.id)).toBe(true)
  })

  it('requires no permission to leave, and keeps the account and all other teams', async () => {
    const user = await addColleague(service, owner, 'member')
    expect((await leave(user)).status).toBe(200)
    await expectSession(service, user.token, 'revoked')
    expect(await accountExists(user.id)).toBe(true)
    const leaver = await registerUser(service)
    await joinTeam(service, leaver, owner.teamId)
    expect((await leave(leaver, owner.teamId)).status).toBe(200)
    await expectSession(service, leaver.token, 'active')
    expectError(await leave(leaver, owner.teamId), 404, 'organization_not_found')
    expectError(await leave(leaver), 409, 'last_admin')
  })

  it('rejects removal, suspension and demotion of the last owner', async () => {
    const before = await stateAfterJobs()
    for (const rejected of [
      await deleteUser(owner.id),
      await removeMember(owner.id),
      await leave(owner),
      await service.api('PUT', `/api/v1/users/${owner.id}`, { token: owner.token, body: { status: 'suspended' } }),
      await service.api('PUT', `/api/v1/users/${owner.id}`, { token: owner.token, body: { role: 'member' } }),
    ])
      expectError(rejected, 409, 'last_admin')
    expect(await stateAfterJobs()).toEqual(before)
    // A pending or suspended owner does not count.
    const second = await addUser(service, owner, { role: 'owner' })
    expectError(await leave(owner), 409, 'last_admin')
    await deleteUser(second.id)
  })

  it('leaves one of two last owners who remove each other concurrently', async () => {
    for (const act of ['delete', 'remove', 'demote', 'suspend', 'leave'] as const) {
      const one = await registerUser(service)
      const two = await addColleague(service, one, 'owner')
      const against = (by: TestUser, target: TestUser) => {
        if (act === 'delete') return deleteUser(target.id, by)
        if (act === 'leave') return leave(by)
        if (act === 'remove') return api(by, 'DELETE', `/api/v1/organizations/${one.teamId}/members/${target.id}`)
        const body = act === 'demote' ? { role: 'viewer' } : { status: 'suspended' }
        return service.api('PUT', `/api/v1/users/${target.id}`, { token: by.token, body })
      }
      const answers = await Promise.all([against(one, two), against(two, one)])
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses[0], act).toBe(200)
      // The second request meets the rule, or its caller has lost access.
      expect([401, 403, 404, 409], act).toContain(statuses[1])
      const [left] = await service.sql(
        "SELECT count(*)::int AS owners FROM memberships WHERE organization_id = $1 AND role = 'OWNER' AND status = 'active'",
        [one.teamId],
      )
      expect(left, act).toEqual({ owners: 1 })
    }
  })

  it('fails no concurrent sign-in, refresh or update of the user', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await addColleague(service, owner, 'admin')
      const token = await requestToken(service, 'magic_link', user.email)
      const acts = [
        () => login(user),
        () => service.api('POST', '/api/v1/auth/verify', { body: { token } }),
        () => service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } }),
        () => api(user, 'GET', '/api/v1/auth/me'),
        () => service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { status: 'suspended' } }),
        () => service.api('POST', `/api/v1/users/${user.id}/password-reset`, { token: owner.token, body: {} }),
        () => api(owner, 'DELETE', `/api/v1/users/${user.id}/sessions`),
        () => deleteUser(user.id),
        () => removeMember(user.id),
        () => leave(user),
        () => addUserAgain(user.email),
      ]
      const answers = await atOnce(22, (index) => (acts[(index + round) % acts.length] as (typeof acts)[0])())
      for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
      const rest = await service.sql(
        'SELECT 1 FROM sessions s WHERE ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = s.user_id AND m.organization_id = s.organization_id)',
      )
      expect(rest).toEqual([])
    }
  })
  const addUserAgain = (email: string) =>
    service.api('POST', '/api/v1/users', { token: owner.token, body: { email, temporaryPassword: PASSWORD } })

  it('revokes a pending invitation for the address', async () => {
    const user = await addUser(service, owner)
    await service.sql(
      `INSERT INTO invitations (id, organization_id, email, role, status, token_hash, expires_at, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, $2, 'READ_ONLY_ADMIN', 'PENDING', '\\x00', $3, $3, $3)`,
      [owner.teamId, user.email, service.clock.now()],
    )
    await deleteUser(user.id)
    const rows = await service.sql('SELECT status FROM invitations WHERE email = $1', [user.email])
    expect(rows).toEqual([{ status: 'REVOKED' }])
    await logIn(service, owner)
  })
})
