import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  claimsOf,
  comparable,
  expectError,
  expectSession,
  invite,
  joinTeam,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const DAY = 24 * 60 * 60_000

describe('POST /invitations/accept', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const look = (token: string) => service.api('GET', `/api/v1/invitations/${token}`)
  const accept = (body: Record<string, unknown>, token?: string) =>
    service.api('POST', '/api/v1/invitations/accept', { body, token })
  const me = async (token: string) => (await service.api('GET', '/api/v1/auth/me', { token })).body
  const statusOf = async (id: string) => {
    const [row] = await service.sql<{ status: string }>('SELECT status FROM invitations WHERE id = $1', [id])
    return row?.status
  }
  const actionsAbout = async (teamId: string) =>
    (
      await service.sql<{ action: string }>('SELECT action FROM audit_entries WHERE team_id = $1 ORDER BY id', [teamId])
    ).map(({ action }) => action)

  it('shows the same invitation for an email address with and without an account', async () => {
    const known = await registerUser(service)
    const [first, second] = [
      await invite(service, owner, newEmail(), 'APP_ADMIN'),
      await invite(service, owner, known.email, 'APP_ADMIN'),
    ]
    const [fresh, ofKnown] = [await look(first.token), await look(second.token)]
    expect(fresh.body).toEqual({
      team: { id: owner.teamId, name: expect.any(String), slug: expect.any(String), logoUrl: null, primaryColor: null },
      email: expect.stringMatching(/@example\.com$/),
      role: 'APP_ADMIN',
      inviter: { name: null, email: null },
      expiresAt: expect.stringMatching(/Z$/),
      status: 'PENDING',
      passwordPolicy: expect.objectContaining({ minLength: 8, requireSymbols: false }),
    })
    const same = (answer: typeof fresh) => comparable({ ...answer, body: { ...answer.body, email: '', expiresAt: '' } })
    const length = (answer: typeof fresh) => ({ ...same(answer).headers, 'content-length': '' })
    expect(same(fresh).body).toEqual(same(ofKnown).body)
    expect(length(fresh)).toEqual(length(ofKnown))
  })

  it('shows the password policy that the acceptance applies', async () => {
    const team = await registerUser(service)
    const { token } = await invite(service, team, newEmail())
    const rules = { minLength: 14, requireNumbers: true, requireSymbols: true, historyCount: 3 }
    await service.api('PUT', '/api/v1/policies/password', { token: team.token, body: rules })
    const { passwordPolicy } = (await look(token)).body
    expect(passwordPolicy).toEqual({
      ...rules,
      requireUppercase: false,
      requireLowercase: false,
      maxAgeDays: 0,
    })
    const answer = await accept({ token, password: 'abcdefgh' })
    expectError(answer, 400, 'password_policy')
    expect(answer.body.errors.map(({ rule }: { rule: string }) => rule)).toEqual(['min_length', 'number', 'symbol'])
    expect((await accept({ token, password: 'abcdefgh 1234!' })).status).toBe(200)
  })

  it('creates an account with a verified email address, signs it in to the team and records each step', async () => {
    const email = newEmail()
    const team = await registerUser(service)
    const { id, token } = await invite(service, team, email, 'HELP_DESK_ADMIN')
    const { status, body } = await accept({ token, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      teamId: team.teamId,
      role: 'ADMIN',
    })
    expect(body.cleaned).toBeUndefined()
    expect(await me(body.accessToken)).toMatchObject({
      emailVerified: true,
      hasPassword: true,
      session: { method: 'invitation' },
    })
    expect(await statusOf(id)).toBe('ACCEPTED')
    expect((await actionsAbout(team.teamId)).slice(-5)).toEqual(
      expect.arrayContaining(['member.invited', 'user.created', 'invitation.accepted', 'member.added', 'user.login']),
    )
    const [row] = await service.sql(
      'SELECT m.role, m.status, m.counts, u.self_registered, u.made_by_team_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1',
      [email],
    )
    expect(row).toEqual({
      role: 'HELP_DESK_ADMIN',
      status: 'active',
      counts: true,
      self_registered: false,
      made_by_team_id: null,
    })
    expect((await logIn(service, { email, password: PASSWORD })).teamId).toBe(team.teamId)
  })

  it('accepts a link once, and returns the same error for a used, replaced, revoked, unknown and expired link', async () => {
    const used = await invite(service, owner, newEmail())
    expect((await accept({ token: used.token, password: PASSWORD })).status).toBe(200)
    const email = newEmail()
    const replaced = await invite(service, owner, email)
    const revoked = await invite(service, owner, email)
    await service.api('DELETE', `/api/v1/organizations/${owner.teamId}/invitations/${revoked.id}`, {
      token: owner.token,
    })
    const tokens = [used.token, replaced.token, revoked.token, 'unknown']
    const before = await dumpState(service)
    for (const token of tokens) {
      expectError(await look(token), 400, 'invalid_token')
      expectError(await accept({ token, password: PASSWORD }), 400, 'invalid_token')
    }
    expect(await dumpState(service)).toEqual(before)
    const old = await invite(service, owner, newEmail())
    await service.clock.advance(7 * DAY)
    expectError(await look(old.token), 400, 'invalid_token')
    expectError(await accept({ token: old.token, password: PASSWORD }), 400, 'invalid_token')
    owner = await logIn(service, owner)
  })

  it('requires a password that meets the policy for a new account, and leaves the link unused otherwise', async () => {
    const { id, token } = await invite(service, owner, newEmail())
    const before = await dumpState(service)
    const missing = await accept({ token })
    expectError(missing, 400, 'invalid_request')
    expect(missing.body.errors).toEqual([{ path: '/password', message: 'is required' }])
    expectError(await accept({ token, password: 'short' }), 400, 'password_policy')
    expect(await dumpState(service)).toEqual(before)
    expect(await statusOf(id)).toBe('PENDING')
  })

  it('creates one account, membership and session across many concurrent requests', async () => {
    const email = newEmail()
    const { token } = await invite(service, owner, email)
    const answers = await atOnce(CONCURRENT, () => accept({ token, password: PASSWORD }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 400, 'invalid_token')
    const [row] = await service.sql(
      `SELECT (SELECT count(*)::int FROM memberships m WHERE m.user_id = u.id) AS memberships,
         (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id) AS sessions FROM users u WHERE email = $1`,
      [email],
    )
    expect(row).toEqual({ memberships: 1, sessions: 1 })
  })

  it('succeeds once across many concurrent requests of a signed-in user', async () => {
    const user = await registerUser(service)
    const { token } = await invite(service, owner, user.email)
    const answers = await atOnce(CONCURRENT, () => accept({ token }, user.token))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 400, 'invalid_token')
  })

  it('returns account_exists for a verified account until its user is signed in', async () => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    const { id, token } = await invite(service, owner, user.email, 'REPORT_ADMIN')
    const before = await dumpState(service)
    expectError(await accept({ token, password: PASSWORD }), 409, 'account_exists')
    expectError(await accept({ token }, (await logIn(service, owner)).token), 403, 'wrong_account')
    expect({
      ...(await dumpState(service)),
      sessions: [],
      refresh_tokens: [],
      sign_in_places: [],
      audit_entries: [],
      memberships: [],
    }).toEqual({
      ...before,
      sessions: [],
      refresh_tokens: [],
      sign_in_places: [],
      audit_entries: [],
      memberships: [],
    })
    expect(await statusOf(id)).toBe('PENDING')

    const { status, body } = await accept({ token }, user.token)
    expect(status).toBe(200)
    expect(body.team).toMatchObject({ id: owner.teamId, role: 'ADMIN' })
    // The existing session switches to the team. No other is started, and its method stays the same.
    expect(claimsOf(body.accessToken).sid).toBe(claimsOf(user.token).sid)
    expect((await me(body.accessToken)).session.method).toBe('registration')
    expect(await statusOf(id)).toBe('ACCEPTED')
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: body.refreshToken } })
    expect(refreshed.body.team.id).toBe(owner.teamId)
  })

  it('takes an unverified account over from the user who registered it', async () => {
    const intruder = await registerUser(service)
    const { token } = await invite(service, owner, intruder.email)
    const { status, body } = await accept({ token, password: 'the password of the owner', firstName: 'Real' })
    expect(status).toBe(200)
    expect(body.cleaned).toMatchObject({ passwordRemoved: true, sessionsEnded: 1 })
    expect(body.user).toMatchObject({ id: intruder.id, firstName: 'Real', teamId: owner.teamId })
    await expectSession(service, intruder.token, 'revoked')
    const { status: old } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: intruder.email, password: PASSWORD },
    })
    expect(old).toBe(401)
    await logIn(service, { email: intruder.email, password: 'the password of the owner' })
    const { status: disowned } = await service.api('POST', '/api/v1/auth/disown', {
      body: { token: body.cleaned.disownToken },
    })
    expect(disowned).toBe(200)
  })

  it('verifies the email address and removes nothing if the unverified account itself accepts', async () => {
    const user = await registerUser(service)
    const { token } = await invite(service, owner, user.email)
    const { status, body } = await accept({ token }, user.token)
    expect(status).toBe(200)
    expect(body.cleaned).toBeUndefined()
    expect(await me(body.accessToken)).toMatchObject({ emailVerified: true, hasPassword: true })
  })

  it('rejects a restricted session', async () => {
    const user = await registerUser(service)
    const { token } = await invite(service, owner, user.email)
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [
      claimsOf(user.token).sid,
      user.teamId,
    ])
    expectError(await accept({ token }, user.token), 403, 'team_sign_in_required')
    expect((await look(token)).status).toBe(200)
  })

  it('confirms an unconfirmed membership, activates a waiting one, and preserves the role', async () => {
    const user = await registerUser(service)
    const { token } = await invite(service, owner, user.email, 'ORG_ADMIN')
    await joinTeam(service, user, owner.teamId, { role: 'VIEWER', counts: false })
    await service.sql("UPDATE memberships SET status = 'pending' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      owner.teamId,
    ])
    const { body } = await accept({ token }, user.token)
    expect(body.team.role).toBe('VIEWER')
    const [row] = await service.sql(
      'SELECT status, counts FROM memberships WHERE user_id = $1 AND organization_id = $2',
      [user.id, owner.teamId],
    )
    expect(row).toEqual({ status: 'active', counts: true })
  })

  it('rejects a user whom the team has suspended', async () => {
    const user = await registerUser(service)
    const { id, token } = await invite(service, owner, user.email)
    await joinTeam(service, user, owner.teamId)
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      owner.teamId,
    ])
    expectError(await accept({ token }, user.token), 403, 'account_suspended')
    expect(await statusOf(id)).toBe('PENDING')
  })

  it('leaves the invitation pending without a free seat, and never exceeds the seats across twenty concurrent requests', async () => {
    const boss = await registerUser(service)
    await service.sql('UPDATE organizations SET max_members = 3 WHERE id = $1', [boss.teamId])
    const links: { token: string }[] = []
    for (let index = 0; index < 20; index++) links.push(await invite(service, boss, newEmail()))
    const answers = await atOnce(20, (index) => accept({ token: links[index]?.token, password: PASSWORD }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 409, 'limit_reached')
    const [left] = await service.sql(
      `SELECT (SELECT count(*)::int FROM invitations WHERE organization_id = $1 AND status = 'PENDING') AS waiting,
         (SELECT count(*)::int FROM memberships WHERE organization_id = $1) AS members,
         (SELECT count(*)::int FROM users WHERE email IN (SELECT email FROM invitations WHERE organization_id = $1)) AS accounts`,
      [boss.teamId],
    )
    expect(left).toEqual({ waiting: 18, members: 3, accounts: 2 })
    await service.sql('UPDATE organizations SET max_members = 30 WHERE id = $1', [boss.teamId])
    const late = links[answers.findIndex(({ status }) => status !== 200)]
    expect((await accept({ token: late?.token, password: PASSWORD })).status).toBe(200)
  })

  it.each([
    ['has left the team', 'DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2'],
    ['was suspended', "UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2"],
    [
      'may no longer invite',
      "UPDATE memberships SET role = 'READ_ONLY_ADMIN' WHERE user_id = $1 AND organization_id = $2",
    ],
    [
      'may no longer grant that role',
      "UPDATE memberships SET role = 'ORG_ADMIN' WHERE user_id = $1 AND organization_id = $2",
    ],
  ])('grants no role if the inviter %s, until another member sends the invitation again', async (_, change) => {
    const boss = await registerUser(service)
    const inviter = await registerUser(service)
    await joinTeam(service, inviter, boss.teamId, { role: 'SUPER_ADMIN' })
    const email = newEmail()
    const { id, token } = await invite(service, { token: inviter.token, teamId: boss.teamId }, email, 'SUPER_ADMIN')
    await service.sql(change, [inviter.id, boss.teamId])
    expectError(await look(token), 409, 'invitation_withdrawn')
    expectError(await accept({ token, password: PASSWORD }), 409, 'invitation_withdrawn')
    expect(await service.sql('SELECT id FROM users WHERE email = $1', [email])).toEqual([])
    const { status } = await service.api('POST', `/api/v1/organizations/${boss.teamId}/invitations/${id}/resend`, {
      token: boss.token,
    })
    expect(status).toBe(200)
    const mail = (await service.mails(email)).at(-1)
    const fresh = mail?.link.split('/').at(-1)
    expect((await accept({ token: fresh, password: PASSWORD })).body.team).toMatchObject({
      id: boss.teamId,
      role: 'SUPER_ADMIN',
    })
  })

  it('rejects the invitation while the team is suspended', async () => {
    const boss = await registerUser(service)
    const { token } = await invite(service, boss, newEmail())
    await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [boss.teamId])
    expectError(await look(token), 403, 'team_suspended')
    expectError(await accept({ token, password: PASSWORD }), 403, 'team_suspended')
  })

  it('limits a source that guesses links', async () => {
    await service.restart({ LIMIT_SOURCE_FAILURES: '5' })
    const answers = []
    for (let index = 0; index < 8; index++) answers.push(await look(`no-such-link-${index}`))
    expect(answers.map(({ status }) => status)).toContain(429)
    expectError(await accept({ token: 'no', password: PASSWORD }), 429, 'rate_limited')
    await service.restart({ LIMIT_SOURCE_FAILURES: '600' })
  })

  it('stores no link in the database or the audit log', async () => {
    const { token } = await invite(service, await registerUser(service), newEmail())
    await look(token)
    expect(JSON.stringify(await dumpState(service))).not.toContain(token)
    expect(service.logLines.join()).not.toContain(token)
  })
})
