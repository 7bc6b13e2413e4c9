import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  comparable,
  expectError,
  joinTeam,
  logIn,
  makePolicy,
  newEmail,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('the team that a sign-in selects', () => {
  let service: TestService
  let user: TestUser
  let other: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const logInTo = (teamId: string, password = user.password) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password, teamId } })
  const signInAs = ({ email, password }: TestUser) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password } })
  const setStatus = (teamId: string, status: string) =>
    service.sql('UPDATE organizations SET status = $2 WHERE id = $1', [teamId, status])

  /** A user who owns a team and is a member of another. */
  async function memberOfTwo(): Promise<void> {
    user = await registerUser(service)
    other = await registerUser(service)
    await joinTeam(service, user, other.teamId)
  }

  it('selects the requested team, with the role there', async () => {
    await memberOfTwo()
    for (const wanted of [other.teamId, other.teamId.toUpperCase()]) {
      const { status, body } = await logInTo(wanted)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        user: { teamId: other.teamId, role: 'MEMBER' },
        team: { id: other.teamId, role: 'MEMBER' },
      })
    }
  })

  it("returns the same error for another user's team as for an unknown team, and only after the right password", async () => {
    await memberOfTwo()
    const outsider = await registerUser(service)
    const foreign = await logInTo(outsider.teamId)
    expectError(foreign, 403, 'not_a_member')
    for (const unknown of [randomUUID(), 'no id'])
      expect(comparable(await logInTo(unknown))).toEqual(comparable(foreign))
    expectError(await logInTo(outsider.teamId, 'wrong'), 401, 'invalid_credentials')
    expectError(await logInTo(other.teamId, 'wrong'), 401, 'invalid_credentials')
    expect(foreign.cookies).toEqual({})
    const sessions = await service.sql('SELECT 1 FROM sessions WHERE user_id = $1', [user.id])
    expect(sessions).toHaveLength(1)
  })

  it('skips a team with a suspended membership', async () => {
    await memberOfTwo()
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      other.teamId,
    ])
    expectError(await logInTo(other.teamId), 403, 'not_a_member')
    expect((await logIn(service, user)).teamId).toBe(user.teamId)
  })

  it('defaults to the confirmed team that was used last, otherwise joined first', async () => {
    await memberOfTwo()
    await logInTo(other.teamId)
    expect((await logIn(service, user)).teamId).toBe(other.teamId)
    await service.sql('UPDATE memberships SET last_unrestricted_use_at = NULL WHERE user_id = $1', [user.id])
    expect((await logIn(service, user)).teamId).toBe(user.teamId)
  })

  it('selects a suspended team only for members who may reactivate it', async () => {
    await memberOfTwo()
    await setStatus(other.teamId, 'SUSPENDED')
    expectError(await logInTo(other.teamId), 403, 'team_suspended')
    await setStatus(user.teamId, 'SUSPENDED')
    expect((await logInTo(user.teamId)).status).toBe(200)
    await service.sql("UPDATE memberships SET role = 'ORG_ADMIN' WHERE user_id = $1", [user.id])
    expectError(await logInTo(user.teamId), 403, 'team_suspended')
    const { email, password } = user
    const withoutWish = await service.api('POST', '/api/v1/auth/login', { body: { email, password } })
    expect([withoutWish.status, withoutWish.body.rejectedTeams]).toMatchObject([
      200,
      [{ reason: 'team_suspended' }, { reason: 'team_suspended' }],
    ])
    expect([user.teamId, other.teamId]).not.toContain(withoutWish.body.team.id)
  })

  it('skips a suspended team by default', async () => {
    await memberOfTwo()
    await logInTo(other.teamId)
    await setStatus(other.teamId, 'SUSPENDED')
    expect((await logIn(service, user)).teamId).toBe(user.teamId)
  })

  it('creates a default team for a user without a team', async () => {
    await memberOfTwo()
    await service.sql('DELETE FROM memberships WHERE user_id = $1', [user.id])
    const { status, body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    })
    expect(status).toBe(200)
    expect(body.team).toMatchObject({ role: 'OWNER', name: `${user.email.split('@')[0]}'s team` })
    expect([user.teamId, other.teamId]).not.toContain(body.team.id)
    expect((await logIn(service, user)).teamId).toBe(body.team.id)
  })

  it('creates an own team for a user whose only membership is suspended, and lists the reason', async () => {
    const suspended = await registerUser(service)
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1", [suspended.id])
    const { status, body } = await signInAs(suspended)
    expect([status, body.rejectedTeams]).toEqual([
      200,
      [{ id: suspended.teamId, name: expect.any(String), reason: 'membership_suspended' }],
    ])
    expect(body.team).toMatchObject({ role: 'OWNER' })
    expect(body.team.id).not.toBe(suspended.teamId)
    // The next sign-in selects the team that this one created.
    expect((await logIn(service, suspended)).teamId).toBe(body.team.id)
  })

  it('selects the next confirmed team if a policy of the default team denies the sign-in', async () => {
    await memberOfTwo()
    await logInTo(other.teamId)
    await makePolicy(service, other, {
      type: 'SIGN_ON',
      resource: 'sign-in',
      actions: ['login'],
      effect: 'DENY',
      conditions: { role: 'MEMBER' },
    })
    const { body } = await signInAs(user)
    expect(body).toMatchObject({
      team: { id: user.teamId },
      rejectedTeams: [{ id: other.teamId, reason: 'sign_in_denied' }],
    })
    const { body: log } = await service.api('GET', '/api/v1/audit/logs', { token: other.token })
    expect(log.data[0]).toMatchObject({
      action: 'user.login',
      result: 'FAILURE',
      metadata: { reason: 'sign_in_denied' },
    })
    // The request that names the team is rejected.
    expectError(await logInTo(other.teamId), 403, 'sign_in_denied')
  })

  it('skips an unconfirmed team after a sign-in by its provider or by name', async () => {
    user = await registerVerifiedUser(service)
    other = await registerUser(service)
    await joinTeam(service, user, other.teamId, { counts: false })
    expect((await logInTo(other.teamId)).status).toBe(200)
    expect((await logIn(service, user)).teamId).toBe(user.teamId)
    const confirmed = async () =>
      (
        await service.sql('SELECT counts FROM memberships WHERE user_id = $1 AND organization_id = $2', [
          user.id,
          other.teamId,
        ])
      )[0]?.counts
    expect(await confirmed()).toBe(false)
    const { token } = await logIn(service, user)
    const { status } = await service.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId: other.teamId } })
    expect([status, await confirmed()]).toEqual([200, true])
    expect((await logIn(service, user)).teamId).toBe(other.teamId)
  })

  it('creates no own team if the home team rejects the user', async () => {
    const home = await registerUser(service)
    const domain = `${newEmail('home').split('@')[0]}.example`
    await service.sql(
      "INSERT INTO team_domains (organization_id, domain, token, verified_at, created_at) VALUES ($1, $2, 'x', now(), now())",
      [home.teamId, domain],
    )
    const employee = await addUser(service, home, { email: `kim@${domain}` })
    const put = { token: home.token, body: { status: 'suspended' } }
    expect((await service.api('PUT', `/api/v1/users/${employee.id}`, put)).status).toBe(200)
    const token = await requestToken(service, 'magic_link', employee.email)
    expectError(await service.api('POST', '/api/v1/auth/verify', { body: { token } }), 403, 'account_suspended')
  })

  it('creates no own team with SELF_SERVICE_TEAMS=off, at a first verification either', async () => {
    const closed = await startService({ env: { SELF_SERVICE_TEAMS: 'off' } })
    // The team has a token, so the first verification sets it aside.
    const planted = await registerUser(closed)
    await closed.api('POST', '/api/v1/directory/scim/token', { token: planted.token, body: {} })
    const token = await requestToken(closed, 'magic_link', planted.email)
    const { body } = await closed.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect([body.cleaned.teamsSetAside, body.team.id]).toEqual([1, planted.teamId])
    const teams = await closed.sql('SELECT 1 FROM memberships WHERE user_id = $1', [planted.id])
    expect(teams).toHaveLength(1)
    const suspended = await registerUser(closed)
    await closed.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1", [suspended.id])
    const { email, password } = suspended
    const login = await closed.api('POST', '/api/v1/auth/login', { body: { email, password } })
    expectError(login, 403, 'account_suspended')
    await closed.close()
  })
})
