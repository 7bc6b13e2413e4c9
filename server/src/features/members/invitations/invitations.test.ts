import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  invitationToken,
  invite,
  joinTeam,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const DAY = 24 * 60 * 60_000

describe('invitations of a team', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const of = (teamId: string) => `/api/v1/organizations/${teamId}`
  const send = (email: string, role = 'MEMBER', { token, teamId } = owner) =>
    service.api('POST', `${of(teamId)}/members/invite`, { token, body: { email, role } })
  const list = async (query = '', { token, teamId } = owner) =>
    (await service.api('GET', `${of(teamId)}/invitations${query}`, { token })).body
  const resend = (id: string, { token, teamId } = owner) =>
    service.api('POST', `${of(teamId)}/invitations/${id}/resend`, { token })
  const revoke = (id: string, { token, teamId } = owner) =>
    service.api('DELETE', `${of(teamId)}/invitations/${id}`, { token })
  const look = (token: string) => service.api('GET', `/api/v1/invitations/${token}`)
  /** Adds a member to the owner's team with this role. */
  async function colleague(role: string) {
    const user = await registerUser(service)
    await joinTeam(service, user, owner.teamId, { role })
    return { ...user, teamId: owner.teamId }
  }

  it('returns the invitation and mails the team, the role name, the inviter and the link', async () => {
    const team = await registerUser(service)
    await verifyEmailAddress(service, team)
    await service.api('PUT', of(team.teamId), { token: team.token, body: { name: 'Acme & <Sons>' } })
    const email = newEmail()
    const { status, body } = await send(`  ${email.toUpperCase()} `, 'GROUP_MEMBERSHIP_ADMIN', team)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      role: 'GROUP_MEMBERSHIP_ADMIN',
      status: 'PENDING',
      organizationId: team.teamId,
      invitedBy: team.id,
      expiresAt: new Date(Date.parse(body.createdAt) + 7 * DAY).toISOString(),
      createdAt: expect.stringMatching(/Z$/),
    })
    const [mail] = await service.mails(email)
    expect(mail?.subject).toBe('You are invited to a team on Keyward')
    expect(mail?.text).toContain(`${team.email} invites you to the team “Acme & <Sons>” (not verified) on Keyward.`)
    expect(mail?.text).toContain('group admin')
    expect(mail?.html).toContain('Acme &#38; &#60;Sons&#62;')
    expect(mail?.link).toMatch(/^http:\/\/localhost:3000\/invitations\/[\w-]{43}$/)
    expect(JSON.stringify(body)).not.toContain(mail?.link.split('/').at(-1))
  })

  it('lists invitations newest first, by page and by status', async () => {
    const team = await registerUser(service)
    const ids: string[] = []
    for (let index = 0; index < 4; index++) {
      ids.unshift((await invite(service, team, newEmail())).id)
      await service.clock.advance(1_000)
    }
    const [third, second, first] = ids.slice(1)
    await revoke(second as string, team)
    await service.sql("UPDATE invitations SET status = 'ACCEPTED' WHERE id = $1", [first])
    await service.sql('UPDATE invitations SET expires_at = $2 WHERE id = $1', [third, service.clock.now()])
    const states = (page: { data: { id: string; status: string }[] }) => page.data.map(({ id, status }) => [id, status])
    expect(states(await list('', team))).toEqual([
      [ids[0], 'PENDING'],
      [third, 'EXPIRED'],
      [second, 'REVOKED'],
      [first, 'ACCEPTED'],
    ])
    expect(await list('?limit=3&page=2', team)).toMatchObject({ total: 4, page: 2, limit: 3, data: [{ id: first }] })
    for (const [id, status] of [
      [ids[0], 'PENDING'],
      [third, 'EXPIRED'],
      [second, 'REVOKED'],
      [first, 'ACCEPTED'],
    ])
      expect(states(await list(`?status=${status}`, team))).toEqual([[id, status]])
    expect((await list('?limit=1000&page=0', team)).limit).toBe(100)
    expectError(
      await service.api('GET', `${of(team.teamId)}/invitations?status=SOME`, { token: team.token }),
      400,
      'invalid_request',
    )
  })

  it('replaces a pending invitation of the same address, also under concurrent requests', async () => {
    const email = newEmail()
    const first = await invite(service, owner, email)
    const second = await invite(service, owner, email, 'VIEWER')
    expectError(await look(first.token), 400, 'invalid_token')
    expect((await look(second.token)).body.role).toBe('VIEWER')
    expectError(await resend(first.id), 404, 'invitation_not_found')

    const other = newEmail()
    const answers = await atOnce(25, () => send(other))
    const made = answers.filter(({ status }) => status === 201)
    // The daily limit of one team for one address.
    expect(made).toHaveLength(5)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 429, 'rate_limited')
    const [row] = await service.sql('SELECT count(*)::int AS waiting FROM invitations WHERE email = $1', [other])
    expect(row).toEqual({ waiting: 1 })
  })

  it('rejects a sixth invitation of an address within a day and keeps the link of the fifth valid', async () => {
    const email = newEmail()
    for (let index = 0; index < 5; index++) expect((await send(email)).status).toBe(201)
    const token = await invitationToken(service, email)
    const before = await dumpState(service)
    const rejected = await send(email, 'VIEWER')
    expectError(rejected, 429, 'rate_limited')
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600)
    const { data } = await list('?status=PENDING&limit=1')
    expectError(await resend(data[0].id), 429, 'rate_limited')
    expect(await dumpState(service)).toEqual(before)
    expect((await look(token)).status).toBe(200)
    // Another team has a separate limit.
    expect((await send(email, 'MEMBER', await registerUser(service))).status).toBe(201)
    await service.clock.advance(DAY + 1)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: owner.refreshToken } })
    owner = { ...owner, token: body.accessToken, refreshToken: body.refreshToken }
    expect((await send(email, 'VIEWER')).status).toBe(201)
  })

  it('rejects members of any status and malformed addresses', async () => {
    for (const status of ['active', 'pending', 'suspended']) {
      const user = await registerUser(service)
      await joinTeam(service, user, owner.teamId)
      await service.sql('UPDATE memberships SET status = $2 WHERE user_id = $1', [user.id, status])
      expectError(await send(user.email.toUpperCase()), 409, 'already_a_member')
      expect(await service.mails(user.email)).toEqual([])
    }
    for (const email of ['unknown', '@', 'a b@example.com', '']) expectError(await send(email), 400, 'invalid_request')
    expectError(await send(newEmail(), 'ROOT'), 400, 'invalid_request')
    expectError(await send(newEmail(), 'ADMIN'), 400, 'invalid_request')
  })

  it('rejects an invitation at the member limit', async () => {
    const team = await registerUser(service)
    await service.api('PUT', of(team.teamId), { token: team.token, body: { maxMembers: 1 } })
    const rejected = await send(newEmail(), 'MEMBER', team)
    expectError(rejected, 409, 'limit_reached')
    expect(rejected.body.detail).toMatch(/1 members.*limit is 1/)
  })

  it('rejects a role with more permissions than the caller, on sending and resending', async () => {
    const admin = await colleague('ORG_ADMIN')
    const before = (await list()).total
    for (const role of ['OWNER', 'SUPER_ADMIN']) expectError(await send(newEmail(), role, admin), 403, 'role_protected')
    expect((await list()).total).toBe(before)
    for (const role of [
      'ORG_ADMIN',
      'APP_ADMIN',
      'USER_ADMIN',
      'GROUP_MEMBERSHIP_ADMIN',
      'HELP_DESK_ADMIN',
      'MOBILE_ADMIN',
      'READ_ONLY_ADMIN',
      'REPORT_ADMIN',
      'API_ACCESS_MANAGEMENT_ADMIN',
      'MEMBER',
      'VIEWER',
    ])
      expect((await send(newEmail(), role, admin)).status).toBe(201)
    const { id } = await invite(service, owner, newEmail(), 'SUPER_ADMIN')
    expectError(await resend(id, admin), 403, 'role_protected')
  })

  it('keeps the earlier link of an invitation valid after a resend, which adds seven days', async () => {
    const email = newEmail()
    const { id, token } = await invite(service, owner, email)
    await service.clock.advance(10_000)
    const { status, body } = await resend(id)
    expect(status).toBe(200)
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBeGreaterThan(7 * DAY)
    const second = await invitationToken(service, email)
    expect(second).not.toBe(token)
    for (const link of [token, second]) expect((await look(link)).status).toBe(200)
    const accept = (link: string) =>
      service.api('POST', '/api/v1/invitations/accept', { body: { token: link, password: PASSWORD } })
    expect((await accept(token)).status).toBe(200)
    expectError(await accept(second), 400, 'invalid_token')
  })

  it('accepts an invitation once when many requests use five different links of it', async () => {
    const email = newEmail()
    const { id, token } = await invite(service, owner, email)
    const links = [token]
    while (links.length < 5) {
      await resend(id)
      links.push(await invitationToken(service, email))
    }
    expect(new Set(links).size).toBe(5)
    const answers = await atOnce(CONCURRENT, (index) =>
      service.api('POST', '/api/v1/invitations/accept', { body: { token: links[index % 5], password: PASSWORD } }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('ends the oldest of five links of an invitation when a sixth is sent', async () => {
    const email = newEmail()
    const { id, token: first } = await invite(service, owner, email)
    for (let index = 0; index < 4; index++) await resend(id)
    const fifth = await invitationToken(service, email)
    await service.sql("UPDATE mails SET created_at = created_at - interval '1 day' WHERE recipient = $1", [email])
    expect((await resend(id)).status).toBe(200)
    expectError(await look(first), 400, 'invalid_token')
    for (const link of [fifth, await invitationToken(service, email)]) expect((await look(link)).status).toBe(200)
  })

  it('keeps links of an expired invitation invalid when it is resent', async () => {
    const email = newEmail()
    const { id, token } = await invite(service, owner, email)
    await service.sql('UPDATE invitations SET expires_at = $2 WHERE id = $1', [id, service.clock.now()])
    expect((await resend(id)).status).toBe(200)
    expectError(await look(token), 400, 'invalid_token')
    expect((await look(await invitationToken(service, email))).status).toBe(200)
  })

  it('revokes an invitation and its links, and rejects any further action on it', async () => {
    const { id, token } = await invite(service, owner, newEmail())
    expect((await revoke(id)).status).toBe(200)
    expectError(await look(token), 400, 'invalid_token')
    expectError(await revoke(id), 409, 'invitation_closed')
    expectError(await resend(id), 409, 'invitation_closed')
    const accepted = await invite(service, owner, newEmail())
    await service.api('POST', '/api/v1/invitations/accept', { body: { token: accepted.token, password: PASSWORD } })
    expectError(await revoke(accepted.id), 409, 'invitation_closed')
  })

  it('accepts or revokes an invitation, and not both, under concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, token } = await invite(service, owner, newEmail())
      const [accepted, revoked] = await Promise.all([
        service.api('POST', '/api/v1/invitations/accept', { body: { token, password: PASSWORD } }),
        revoke(id),
      ])
      expect([accepted.status, revoked.status].sort()).toEqual(accepted.status === 200 ? [200, 409] : [200, 400])
    }
  })

  it('records sending, replacing, resending and revoking', async () => {
    const team = await registerUser(service)
    const email = newEmail()
    const first = await invite(service, team, email)
    const { id } = await invite(service, team, email)
    await resend(id, team)
    await revoke(id, team)
    const { body } = await service.api('GET', '/api/v1/audit/logs', { token: team.token })
    expect(body.data.slice(0, 4).map(({ action }: { action: string }) => action)).toEqual([
      'invitation.revoked',
      'invitation.resent',
      'member.invited',
      'member.invited',
    ])
    expect(body.data[2]).toMatchObject({ userId: team.id, metadata: { email, role: 'MEMBER', replaced: first.id } })
  })
})
