import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  atOnce,
  CONCURRENT,
  comparable,
  expectError,
  expectSession,
  logIn,
  mailedToken,
  makeGroup,
  newEmail,
  PASSWORD,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const USERS = '/api/v1/users'
const DAY = 86_400_000

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())

const post = (body: unknown, token = owner.token) => service.api('POST', USERS, { token, body })
const put = (id: string, body: unknown, token = owner.token) => service.api('PUT', `${USERS}/${id}`, { token, body })
const get = (id: string, token = owner.token) => service.api('GET', `${USERS}/${id}`, { token })
/** Returns the state once queued mails are sent. */
const stateAfterJobs = async () => {
  await service.settle()
  return dumpState(service)
}
const entriesOf = async (id: string) =>
  (await service.api('GET', '/api/v1/audit/logs?limit=100', { token: owner.token })).body.data
    .filter(({ resource }: { resource: string }) => resource === `user:${id}`)
    .map(({ action }: { action: string }) => action)
const verify = (token: string) => service.api('POST', '/api/v1/auth/verify', { body: { token } })

describe('POST /users', () => {
  it('returns the user, pending, with the given profile', async () => {
    const email = newEmail()
    const { status, body } = await post({
      email: ` ${email.toUpperCase()} `,
      firstName: 'Ada',
      lastName: 'Lovelace',
      role: 'viewer',
      department: 'Engines',
      title: 'Countess',
      phone: '+44 20 7946 0000',
      locale: 'en-GB',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      role: 'viewer',
      status: 'pending',
      department: 'Engines',
      title: 'Countess',
      phone: '+44 20 7946 0000',
      locale: 'en-GB',
      emailVerified: false,
      managed: false,
      lastLoginAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      // Extensions
      roleExact: 'VIEWER',
      source: 'local',
      factors: [],
      groups: [],
      groupCount: 0,
      leaveAt: null,
      lastSignInAt: null,
    })
    expect((await get(body.id)).body).toEqual(body)
    expect(await entriesOf(body.id)).toEqual(['member.added', 'user.created'])
  })

  it('creates a member without names from an email address', async () => {
    const user = await addUser(service, owner)
    expect(user).toMatchObject({ firstName: null, lastName: null, role: 'member', status: 'pending' })
  })

  it('mails a link valid for seven days that signs in to this team, activates the user and verifies the address', async () => {
    const user = await addUser(service, owner)
    await service.clock.advance(7 * DAY - 60_000)
    const { status, body } = await verify(await mailedToken(service, 'welcome', user.email))
    expect([status, body.team?.id]).toEqual([200, owner.teamId])
    owner = await logIn(service, owner)
    const { body: now } = await get(user.id)
    expect(now).toMatchObject({ status: 'active', emailVerified: true, lastLoginAt: expect.any(String) })
  })

  it('mails a link that works once and expires after seven days', async () => {
    const user = await addUser(service, owner)
    const token = await mailedToken(service, 'welcome', user.email)
    expect((await verify(token)).status).toBe(200)
    expectError(await verify(token), 400, 'invalid_token')
    const late = await addUser(service, owner)
    const lateToken = await mailedToken(service, 'welcome', late.email)
    await service.clock.advance(7 * DAY + 1_000)
    expectError(await verify(lateToken), 400, 'invalid_token')
    owner = await logIn(service, owner)
  })

  it('sends no mail for a temporary password, which is restricted to this team until it is changed', async () => {
    const email = newEmail()
    const { status, body: made } = await post({ email, onboardingMethod: 'password', temporaryPassword: PASSWORD })
    expect([status, made.status]).toEqual([201, 'pending'])
    expect(await service.mails(email)).toEqual([])
    const login = await service.api('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } })
    expect(login.body).toMatchObject({
      mustChangePassword: true,
      team: { id: owner.teamId },
      accessToken: expect.any(String),
    })
    const me = await service.api('GET', '/api/v1/auth/me', { token: login.body.accessToken })
    expect(me.body.session).toMatchObject({ confined: true })
    expect((await get(made.id)).body.status).toBe('active')
    const changed = await service.api('POST', '/api/v1/auth/change-password', {
      token: login.body.accessToken,
      body: { currentPassword: PASSWORD, newPassword: 'a password of my own' },
    })
    expect(changed.status).toBe(200)
    const again = await service.api('POST', '/api/v1/auth/login', { body: { email, password: 'a password of my own' } })
    expect(again.body.mustChangePassword).toBeUndefined()
  })

  it('rejects a temporary password after seven days', async () => {
    const email = newEmail()
    await post({ email, temporaryPassword: PASSWORD })
    await service.clock.advance(7 * DAY + 1_000)
    const login = await service.api('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } })
    expectError(login, 401, 'invalid_credentials')
    owner = await logIn(service, owner)
  })

  it.each([
    [{ onboardingMethod: 'password' }, '/temporaryPassword'],
    [{ onboardingMethod: 'magic_link', temporaryPassword: PASSWORD }, '/temporaryPassword'],
    [{ onboardingMethod: 'none' }, '/onboardingMethod'],
    [{ onboardingMethod: '' }, '/onboardingMethod'],
    [{ role: 'OWNER' }, '/role'],
    [{ role: 'super_admin' }, '/role'],
    [{ firstName: ' ' }, '/firstName'],
    [{ lastName: 'x'.repeat(101) }, '/lastName'],
    [{ firstName: 'two\nlines' }, '/firstName'],
    [{ locale: 'en_GB' }, '/locale'],
    [{ email: 'unknown' }, '/email'],
    [{ groupIds: 'all' }, '/groupIds'],
  ])('rejects %j with the path of the field and changes nothing', async (fields, path) => {
    const before = await stateAfterJobs()
    const rejected = await post({ email: newEmail(), ...fields })
    expectError(rejected, 400, 'invalid_request')
    expect(rejected.body.errors[0].path).toBe(path)
    expect(await stateAfterJobs()).toEqual(before)
  })

  it('rejects a temporary password that violates the policy', async () => {
    const rejected = await post({ email: newEmail(), temporaryPassword: 'short' })
    expectError(rejected, 400, 'password_policy')
    expect(rejected.body.errors[0]).toMatchObject({ path: '/temporaryPassword', rule: 'min_length' })
  })

  it('returns 409 for an address in the team, in every membership status', async () => {
    const user = await addUser(service, owner)
    await put(user.id, { status: 'suspended' })
    const before = await stateAfterJobs()
    expectError(await post({ email: user.email.toUpperCase() }), 409, 'already_a_member')
    expectError(await post({ email: user.email, temporaryPassword: PASSWORD }), 409, 'already_a_member')
    expect(await stateAfterJobs()).toEqual(before)
  })

  it('returns 409 beyond the member limit, with the number and the limit', async () => {
    const small = await registerUser(service)
    await service.sql('UPDATE organizations SET max_members = 2 WHERE id = $1', [small.teamId])
    const before = await atOnce(5, () => post({ email: newEmail() }, small.token))
    expect(before.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const rejected = await post({ email: newEmail() }, small.token)
    expectError(rejected, 409, 'limit_reached')
    expect(rejected.body.detail).toMatch(/2 members.*limit is 2/)
  })

  it('creates one account across many concurrent requests with the same address', async () => {
    const email = newEmail()
    const answers = await atOnce(CONCURRENT, () => post({ email }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 409, 'already_a_member')
    const [row] = await service.sql(
      'SELECT (SELECT count(*)::int FROM users WHERE email = $1) AS users, (SELECT count(*)::int FROM memberships m JOIN users u ON u.id = m.user_id WHERE email = $1) AS members',
      [email],
    )
    expect(row).toEqual({ users: 1, members: 1 })
    expect((await service.mails(email)).filter(({ kind }) => kind === 'welcome')).toHaveLength(1)
  })

  it('adds groups and applications; the first assignment sets assignmentRequired', async () => {
    const groups = await atOnce(2, () => makeGroup(service, owner.teamId))
    const app = await registerApplication(service, owner)
    const user = await addUser(service, owner, { groupIds: groups, applicationIds: [app.id, app.id.toUpperCase()] })
    const rows = await service.sql<{ id: string }>(
      'SELECT group_id AS id FROM group_members WHERE user_id = $1 ORDER BY 1',
      [user.id],
    )
    expect(rows.map(({ id }) => id)).toEqual(groups.toSorted())
    const { body } = await service.api('GET', `/api/v1/applications/${app.id}/users`, { token: owner.token })
    expect(body.userIds).toEqual([user.id])
    const closed = await service.api('GET', `/api/v1/applications/${app.id}`, { token: owner.token })
    expect(closed.body.assignmentRequired).toBe(true)
  })

  it('creates no user if a group or application is not in the team', async () => {
    const outsider = await registerUser(service)
    const foreignGroup = await makeGroup(service, outsider.teamId)
    const foreignApp = (await registerApplication(service, outsider)).id
    const group = await makeGroup(service, owner.teamId)
    const before = await stateAfterJobs()
    for (const id of [foreignGroup, randomUUID(), '', 'x', owner.teamId])
      expectError(await post({ email: newEmail(), groupIds: [group, id] }), 404, 'group_not_found')
    for (const id of [foreignApp, randomUUID(), '', 'x'])
      expectError(await post({ email: newEmail(), applicationIds: [id] }), 404, 'application_not_found')
    expect(await stateAfterJobs()).toEqual(before)
  })
})

describe('every endpoint of a user', () => {
  it('returns the same 404 for an unknown user, one of another team and a malformed ID, and changes nothing', async () => {
    const outsider = await registerUser(service)
    const before = await stateAfterJobs()
    const acts: [string, string, unknown?][] = [
      ['GET', ''],
      ['PUT', '', { firstName: 'X' }],
      ['DELETE', ''],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
      ['POST', '/sessions/revoke'],
      ['POST', '/invite/resend'],
      ['POST', '/password-reset', {}],
      ['POST', '/password-reset', { temporaryPassword: PASSWORD }],
    ]
    for (const [method, path, body] of acts) {
      const request = (id: string) => service.api(method, `${USERS}/${id}${path}`, { token: owner.token, body })
      const unknown = await request(randomUUID())
      expectError(unknown, 404, 'user_not_found')
      for (const id of [outsider.id, outsider.id.toUpperCase(), outsider.teamId, owner.teamId, 'x', '%F0%9F%A6%8A'])
        expect(comparable(await request(id)), `${method} ${path} ${id}`).toEqual(comparable(unknown))
    }
    expect(await stateAfterJobs()).toEqual(before)
  })
})

describe('PUT /users/{id}', () => {
  it('updates the given fields only', async () => {
    const user = await addUser(service, owner, { firstName: 'Ada', lastName: 'Byron', title: 'Miss' })
    await service.clock.advance(1_000)
    const { status, body } = await put(user.id, { lastName: 'Lovelace', title: null, id: randomUUID(), email: 'x@y.z' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...user, lastName: 'Lovelace', title: null, updatedAt: expect.any(String) })
    expect(body.updatedAt > user.updatedAt).toBe(true)
    expect((await get(user.id)).body).toEqual(body)
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=user.updated', { token: owner.token })
    expect(log.data[0].metadata).toEqual({ changed: ['lastName', 'title'] })
  })

  it('records nothing if nothing changes', async () => {
    const user = await addUser(service, owner, { firstName: 'Ada', role: 'admin' })
    const before = await stateAfterJobs()
    for (const same of [{}, { firstName: 'Ada' }, { role: 'admin' }])
      expect((await put(user.id, same)).body).toEqual(user)
    expect(await stateAfterJobs()).toEqual(before)
  })

  it('stores the mapped role, and keeps a stored role that is already shown as the requested one', async () => {
    const user = await addUser(service, owner)
    const stored = async () =>
      (await service.sql('SELECT role FROM memberships WHERE user_id = $1', [user.id]))[0]?.role
    for (const [shown, expected] of [
      ['owner', 'OWNER'],
      ['admin', 'ORG_ADMIN'],
      ['viewer', 'VIEWER'],
      ['member', 'MEMBER'],
    ]) {
      expect((await put(user.id, { role: shown })).body.role).toBe(shown)
      expect(await stored()).toBe(expected)
    }
    await service.sql("UPDATE memberships SET role = 'HELP_DESK_ADMIN' WHERE user_id = $1", [user.id])
    await put(user.id, { role: 'admin' })
    expect(await stored()).toBe('HELP_DESK_ADMIN')
  })

  it('activates a pending user, and rejects the status pending', async () => {
    const user = await addUser(service, owner)
    expectError(await put(user.id, { status: 'pending' }), 400, 'invalid_request')
    expect((await put(user.id, { status: 'active' })).body.status).toBe('active')
    expectError(await put(user.id, { status: 'pending' }), 400, 'invalid_request')
    expect(await entriesOf(user.id)).toEqual(['user.activated', 'user.updated', 'member.added', 'user.created'])
  })

  it('ends all access when it suspends, until the user signs in again after reactivation', async () => {
    const colleague = await addColleague(service, owner)
    await expectSession(service, colleague.token, 'active')
    expect((await put(colleague.id, { status: 'suspended' })).body.status).toBe('suspended')
    await expectSession(service, colleague.token, 'revoked')
    const refresh = { body: { refreshToken: colleague.refreshToken } }
    expectError(await service.api('POST', '/api/v1/auth/refresh', refresh), 401, 'invalid_refresh_token')
    const login = await service.api('POST', '/api/v1/auth/login', { body: colleague })
    expect(login.status).toBe(403)
    await put(colleague.id, { status: 'active' })
    // Revoked credentials stay revoked.
    await expectSession(service, colleague.token, 'revoked')
    expectError(await service.api('POST', '/api/v1/auth/refresh', refresh), 401, 'invalid_refresh_token')
    await expectSession(service, (await logIn(service, colleague)).token, 'active')
  })

  it('revokes the welcome link when it suspends', async () => {
    const user = await addUser(service, owner)
    const token = await mailedToken(service, 'welcome', user.email)
    await put(user.id, { status: 'suspended' })
    await put(user.id, { status: 'active' })
    expectError(await verify(token), 400, 'invalid_token')
  })

  it('replaces the sets of groups and applications', async () => {
    const [a, b, c] = (await atOnce(3, () => makeGroup(service, owner.teamId))) as [string, string, string]
    const apps = [(await registerApplication(service, owner)).id, (await registerApplication(service, owner)).id]
    const user = await addUser(service, owner, { groupIds: [a, b], applicationIds: [apps[0]] })
    expect((await put(user.id, { groupIds: [b, c], applicationIds: [apps[1]] })).status).toBe(200)
    const rows = await service.sql<{ id: string }>(
      'SELECT group_id AS id FROM group_members WHERE user_id = $1 UNION ALL SELECT application_id FROM application_users WHERE user_id = $1',
      [user.id],
    )
    expect(rows.map(({ id }) => id).sort()).toEqual([b, c, apps[1]].sort())
    const before = await stateAfterJobs()
    expectError(await put(user.id, { firstName: 'New', groupIds: [randomUUID()] }), 404, 'group_not_found')
    expect(await stateAfterJobs()).toEqual(before)
    await put(user.id, { groupIds: [], applicationIds: [] })
    expect(
      await service.sql(
        'SELECT 1 FROM group_members WHERE user_id = $1 UNION ALL SELECT 1 FROM application_users WHERE user_id = $1',
        [user.id],
      ),
    ).toEqual([])
  })
})

describe('GET /users', () => {
  it('lists users newest first, one page at a time, with the effective limit', async () => {
    const { token } = await registerUser(service)
    const emails: string[] = []
    for (let turn = 0; turn < 5; turn++) {
      await service.clock.advance(1_000)
      emails.unshift((await addUser(service, { token })).email)
    }
    const list = async (query: string) => (await service.api('GET', `${USERS}?${query}`, { token })).body
    const first = await list('limit=2')
    expect(first).toMatchObject({ total: 6, page: 1, limit: 2 })
    expect(first.data.map(({ email }: { email: string }) => email)).toEqual(emails.slice(0, 2))
    expect((await list('limit=2&page=3')).data).toHaveLength(2)
    expect(await list('limit=2&page=4')).toEqual({ data: [], total: 6, page: 4, limit: 2 })
    expect(await list('limit=1000&page=0')).toMatchObject({ total: 6, page: 1, limit: 100 })
    expect(await list('page=99999999999')).toMatchObject({ data: [], total: 6 })
    expect(await list('search=example&limit=2&page=4')).toEqual({ data: [], total: 6, page: 4, limit: 2 })
  })

  it('filters by role and by status', async () => {
    const { token, id } = await registerUser(service)
    const admin = await addUser(service, { token }, { role: 'admin' })
    const viewer = await addUser(service, { token }, { role: 'viewer' })
    await put(viewer.id, { status: 'suspended' }, token)
    const ids = async (query: string) =>
      (await service.api('GET', `${USERS}?${query}`, { token })).body.data.map((user: { id: string }) => user.id)
    expect(await ids('role=owner')).toEqual([id])
    expect(await ids('role=admin')).toEqual([admin.id])
    expect(await ids('role=member')).toEqual([])
    expect(await ids('status=pending')).toEqual([admin.id])
    expect(await ids('status=suspended&role=viewer')).toEqual([viewer.id])
    expect(await ids('status=active&search=example')).toEqual([id])
    for (const query of ['role=OWNER', 'status=gone', `search=${'x'.repeat(201)}`, 'search=%00', 'page=x'])
      expectError(await service.api('GET', `${USERS}?${query}`, { token }), 400, 'invalid_request')
  })
})
