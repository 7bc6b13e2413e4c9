import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addUser,
  expectError,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('teams that wait for the user', () => {
  let service: TestService
  let user: TestUser
  let team: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerUser(service)
    team = await registerUser(service)
    await verifyEmailAddress(service, user)
    await addUser(service, team, { email: user.email })
  })

  const call = (method: string, path: string, { token }: Pick<TestUser, 'token'> = user, body?: object) =>
    service.api(method, `/api/v1${path}`, { token, body })
  const waiting = async (query = '', by: Pick<TestUser, 'token'> = user): Promise<{ id: string }[]> => {
    const { status, body, text } = await call('GET', `/organizations/waiting${query}`, by)
    expect(status, text).toBe(200)
    return body.data
  }
  const mailsOf = async (kind: string) => (await service.mails(user.email)).filter((mail) => mail.kind === kind)

  it('lists the teams that added the user until they join, verified domains first, at most ten and without logos', async () => {
    const domain = `${newEmail('verified').split('@')[0]}.example`
    await verifyDomain(service, team.teamId, domain)
    await service.sql(
      `WITH o AS (INSERT INTO organizations (id, name, slug, plan, status, allowed_domains, max_members, max_applications, settings, created_at, updated_at)
         SELECT gen_random_uuid(), 'Team', gen_random_uuid(), 'FREE', 'ACTIVE', '{}', 9, 9, '{}', now(), now() FROM generate_series(1, 12) RETURNING id)
       INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       SELECT gen_random_uuid(), $1, id, 'MEMBER', 'pending', false, now() + interval '1 day', now() FROM o`,
      [user.id],
    )
    const teams = await waiting()
    expect(teams).toHaveLength(10)
    expect(teams[0]).toEqual({
      id: team.teamId,
      name: expect.any(String),
      slug: expect.any(String),
      role: 'MEMBER',
      verifiedDomain: domain,
    })
    expect((await call('POST', `/organizations/${team.teamId}/confirm`)).status).toBe(200)
    expect((await waiting()).map(({ id }) => id)).not.toContain(team.teamId)
    expect((await call('GET', `/users/${user.id}`, team)).body).toMatchObject({ emailVerified: true, status: 'active' })
  })

  it('returns waiting teams in unrestricted sign-ins and switches, but not in a restricted sign-in', async () => {
    const expected = [expect.objectContaining({ id: team.teamId, verifiedDomain: null })]
    const { email, password } = user
    expect((await call('POST', '/auth/login', user, { email, password })).body.waitingTeams).toEqual(expected)
    const token = await requestToken(service, 'magic_link', email)
    expect((await service.api('POST', '/api/v1/auth/verify', { body: { token } })).body.waitingTeams).toEqual(expected)
    const temporary = 'handed over by the help desk'
    await addUser(service, await registerUser(service), { email, temporaryPassword: temporary })
    const restricted = await service.api('POST', '/api/v1/auth/login', { body: { email, password: temporary } })
    expect(restricted.body).not.toHaveProperty('waitingTeams')
    const switched = await call('POST', '/auth/switch-team', user, { teamId: team.teamId })
    expect(switched.body.waitingTeams).toHaveLength(1)
  })

  it('drops the mails of a team that the user has blocked, and the team does not notice it', async () => {
    const { id } = user
    const welcomes = await mailsOf('welcome')
    expect((await call('POST', `/organizations/${team.teamId}/block`)).status).toBe(200)
    expect(await waiting()).toEqual([])
    expect((await waiting('?blocked=true')).map((each) => each.id)).toEqual([team.teamId])
    await service.sql("UPDATE memberships SET status = 'active' WHERE user_id = $1", [id])
    const listed = await call('GET', '/organizations')
    expect(listed.body.data.map((each: { id: string }) => each.id)).toEqual([user.teamId])
    await service.sql("UPDATE memberships SET status = 'pending' WHERE user_id = $1 AND organization_id = $2", [
      id,
      team.teamId,
    ])
    expect((await logIn(service, user)).teamId).toBe(user.teamId)
    // The daily limit counts dropped mails too.
    for (let sent = welcomes.length; sent < 5; sent++)
      expect((await call('POST', `/users/${id}/invite/resend`, team)).status).toBe(200)
    expectError(await call('POST', `/users/${id}/invite/resend`, team), 429, 'rate_limited')
    // Removing and inviting the user does not end the block.
    expect((await call('DELETE', `/organizations/${team.teamId}/members/${id}`, team)).status).toBe(200)
    const invited = await call('POST', `/organizations/${team.teamId}/members/invite`, team, {
      email: user.email,
      role: 'MEMBER',
    })
    expect(invited.status).toBe(201)
    await service.settle()
    expect(await mailsOf('welcome')).toHaveLength(welcomes.length)
    expect(await mailsOf('invitation')).toEqual([])
    const entries = await service.sql<{ team_id: string | null }>(
      "SELECT team_id FROM audit_entries WHERE action = 'user.team_blocked' AND user_id = $1",
      [id],
    )
    expect(entries).toEqual([{ team_id: null }])
    expect((await call('DELETE', `/organizations/${team.teamId}/block`)).status).toBe(200)
    expectError(await call('DELETE', `/organizations/${team.teamId}/block`), 404, 'organization_not_found')
  })

  it('lets only the added user join or block a team, in an unrestricted session with a verified email address', async () => {
    const outsider = await registerUser(service)
    const path = `/organizations/${team.teamId}`
    for (const [method, act] of [
      ['POST', 'confirm'],
      ['POST', 'block'],
      ['DELETE', 'block'],
    ] as const)
      expectError(await call(method, `${path}/${act}`, outsider), 404, 'organization_not_found')
    const temporary = 'handed over by the help desk'
    const email = newEmail()
    await addUser(service, team, { email, temporaryPassword: temporary })
    const { body } = await service.api('POST', '/api/v1/auth/login', { body: { email, password: temporary } })
    const restricted = { token: body.accessToken }
    for (const act of ['confirm', 'block'])
      expectError(await call('POST', `${path}/${act}`, restricted), 403, 'team_sign_in_required')
    expectError(await call('GET', '/organizations/waiting', restricted), 403, 'team_sign_in_required')
    expectError(await call('POST', `/organizations/${user.teamId}/block`), 409, 'membership_confirmed')
    const unverified = await registerUser(service)
    await addUser(service, team, { email: unverified.email })
    expect(await waiting('', unverified)).toEqual([])
    expectError(await call('POST', `${path}/confirm`, unverified), 404, 'organization_not_found')
  })

  it('ends the block of a team when the user switches to it', async () => {
    expect((await call('POST', `/organizations/${team.teamId}/block`)).status).toBe(200)
    expect((await call('POST', '/auth/switch-team', user, { teamId: team.teamId })).status).toBe(200)
    expect(await waiting('?blocked=true')).toEqual([])
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: PASSWORD },
    })
    expect(body).not.toHaveProperty('waitingTeams')
  })
})
