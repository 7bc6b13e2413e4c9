import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  atOnce,
  expectError,
  invite,
  logIn,
  mailedToken,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const api = (user: Pick<TestUser, 'token'>, method: string, path: string, body?: object, headers = {}) =>
  service.api(method, `/api/v1${path}`, { token: user.token, body, headers })
const anotherOwner = () => registerUser(service)

describe('POST /users with the address of an unverified account', () => {
  it('denies access to the account that registered the address, in every membership status', async () => {
    owner = await anotherOwner()
    const outsider = await registerUser(service)
    const { id } = await addUser(service, owner, { email: outsider.email, role: 'owner' })
    for (const status of ['pending', 'active']) {
      if (status === 'active') expect((await api(owner, 'PUT', `/users/${id}`, { status })).status).toBe(200)
      const { teamId } = owner
      expectError(await api(outsider, 'POST', '/auth/switch-team', { teamId }), 403, 'not_a_member')
      expectError(await api(outsider, 'GET', '/users', undefined, { 'x-org-id': teamId }), 403, 'not_a_member')
      expectError(await api(outsider, 'GET', `/organizations/${teamId}`), 404, 'organization_not_found')
      const listed = (await api(outsider, 'GET', '/organizations')).body.data
      expect(listed.map((team: { id: string }) => team.id)).toEqual([outsider.teamId])
      const attempt = { email: outsider.email, password: outsider.password, teamId }
      expectError(await service.api('POST', '/api/v1/auth/login', { body: attempt }), 403, 'not_a_member')
    }
    const token = await mailedToken(service, 'welcome', outsider.email)
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(body).toMatchObject({ team: { id: owner.teamId }, cleaned: { passwordRemoved: true } })
    expectError(await api(outsider, 'GET', '/auth/me'), 401, 'invalid_access_token')
  })

  it('reveals nothing about the age of the account by its ID', async () => {
    const { body: registered } = await service.api('POST', '/api/v1/auth/register', {
      body: { email: newEmail('person'), password: PASSWORD },
    })
    const [team, { user }] = [await anotherOwner(), registered]
    const { id } = await addUser(service, team, { email: user.email })
    const { id: created } = await addUser(service, team)
    // The version of a UUID: a random one.
    expect([id, id[14], created[14]]).toEqual([user.id, '4', '4'])
  })

  it('reveals nothing of the own profile, not even through search, until the user confirms the membership', async () => {
    const [home, other] = [await anotherOwner(), await anotherOwner()]
    const email = newEmail('person')
    const own = { firstName: 'Secret', lastName: 'Name', phone: '+43 1', department: 'Lab', title: 'CTO', locale: 'de' }
    await addUser(service, home, { email })
    const { id, managed, ...seen } = await addUser(service, other, { email })
    const nothing = Object.fromEntries(Object.keys(own).map((key) => [key, null]))
    expect([managed, seen]).toEqual([false, expect.objectContaining(nothing)])
    const found = async () => (await api(other, 'GET', '/users?search=secret')).body.total
    const named = async () =>
      (await api(other, 'GET', `/organizations/${other.teamId}/members`)).body.data.find(
        (member: { userId: string }) => member.userId === id,
      ).firstName
    const { body: group } = await api(other, 'POST', '/groups', { name: 'All' })
    await api(other, 'PUT', `/groups/${group.id}/users`, { userIds: [id] })
    const inGroup = async () => (await api(other, 'GET', `/groups/${group.id}/users`)).body.users[0].firstName
    expect([await found(), await named(), await inGroup()]).toEqual([0, null, null])

    const token = await mailedToken(service, 'welcome', email)
    const { body: session } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect((await api({ token: session.accessToken }, 'PATCH', '/auth/me', own)).status).toBe(200)
    expect((await api(other, 'GET', `/users/${id}`)).body).toMatchObject(own)
    expect([await found(), await named(), await inGroup()]).toEqual([1, 'Secret', 'Secret'])
  })

  it('leaves the membership behind when the account changes its email address', async () => {
    owner = await anotherOwner()
    const outsider = await registerUser(service)
    await addUser(service, owner, { email: outsider.email, role: 'admin' })
    const email = newEmail('other')
    expect((await api(outsider, 'POST', '/auth/me/email', { email })).status).toBe(200)
    const token = await mailedToken(service, 'change_email', email)
    expect((await api(outsider, 'POST', '/auth/confirm-email', { token })).status).toBe(200)
    const { body } = await api(owner, 'GET', '/users')
    expect(body.data.map((user: { email: string }) => user.email)).toEqual([owner.email])
    expectError(await api(outsider, 'POST', '/auth/switch-team', { teamId: owner.teamId }), 403, 'not_a_member')
  })
})

describe('a password chosen in a session of a temporary password', () => {
  it('restricts the password to the team until the owner sets one by a mailed link', async () => {
    owner = await anotherOwner()
    const other = await anotherOwner()
    const email = newEmail()
    await addUser(service, owner, { email, temporaryPassword: PASSWORD })
    const first = await logIn(service, { email, password: PASSWORD })
    const next = `${PASSWORD} of the team`
    const change = { currentPassword: PASSWORD, newPassword: next }
    expect((await api(first, 'POST', '/auth/change-password', change)).status).toBe(200)
    await addUser(service, other, { email, role: 'admin' })
    const again = await logIn(service, { email, password: next })
    expect((await api(again, 'GET', '/auth/me')).body.session.confined).toBe(true)
    const signInToOther = { email, password: next, teamId: other.teamId }
    expectError(await service.api('POST', '/api/v1/auth/login', { body: signInToOther }), 401, 'invalid_credentials')
    for (const answer of [
      await api(again, 'POST', '/auth/switch-team', { teamId: other.teamId }),
      await api(again, 'GET', '/users', undefined, { 'x-org-id': other.teamId }),
    ])
      expect(answer.status).toBe(403)
    // The first verification of the email address, by the other team's link, revokes it.
    const token = await mailedToken(service, 'welcome', email)
    expect((await service.api('POST', '/api/v1/auth/verify', { body: { token } })).body.team.id).toBe(other.teamId)
    expectError(await api(again, 'GET', '/auth/me'), 401, 'invalid_access_token')
    expectError(
      await service.api('POST', '/api/v1/auth/login', { body: { email, password: next } }),
      401,
      'invalid_credentials',
    )

    await service.api('POST', '/api/v1/auth/forgot-password', { body: { email } })
    const reset = { token: await mailedToken(service, 'password_reset', email), newPassword: `${PASSWORD} of mine` }
    expect((await service.api('POST', '/api/v1/auth/reset-password', { body: reset })).status).toBe(200)
    const own = await logIn(service, { email, password: reset.newPassword })
    expect((await api(own, 'POST', '/auth/switch-team', { teamId: other.teamId })).status).toBe(200)
  })

  it('rejects the password after seven days, even in a running session', async () => {
    owner = await anotherOwner()
    const email = newEmail()
    await addUser(service, owner, { email, temporaryPassword: PASSWORD })
    const user = await logIn(service, { email, password: PASSWORD })
    await service.sql("UPDATE team_passwords SET set_at = set_at - interval '8 days' WHERE user_id = $1", [user.id])
    const change = { currentPassword: PASSWORD, newPassword: `${PASSWORD} again` }
    expectError(await api(user, 'POST', '/auth/change-password', change), 403, 'wrong_password')
  })
})

describe('a member who leaves a team', () => {
  it('rejects an earlier invitation of a member who left', async () => {
    owner = await anotherOwner()
    const email = newEmail()
    const { token } = await invite(service, owner, email, 'SUPER_ADMIN')
    const { id } = await addUser(service, owner, { email, role: 'viewer' })
    expect((await api(owner, 'DELETE', `/users/${id}`)).status).toBe(200)
    const accept = { body: { token, password: PASSWORD } }
    expectError(await service.api('POST', '/api/v1/invitations/accept', accept), 400, 'invalid_token')
  })

  it("revokes the member's API tokens, also after suspension and reactivation", async () => {
    owner = await anotherOwner()
    const email = newEmail()
    const { id } = await addUser(service, owner, { email, role: 'admin', temporaryPassword: PASSWORD })
    const admin = await logIn(service, { email, password: PASSWORD })
    const { body: made } = await api(admin, 'POST', '/api-tokens', { name: 'Script', scopes: ['org:read'] })
    expect((await api(made, 'GET', '/org')).status).toBe(200)
    for (const status of ['suspended', 'active']) {
      expect((await api(owner, 'PUT', `/users/${id}`, { status })).status).toBe(200)
      expectError(await api(made, 'GET', '/org'), 401, 'invalid_access_token')
    }
  })
})

it('keeps an administrator in the team under concurrent promotion, demotion and suspension', async () => {
  await atOnce(4, async () => {
    const first = await anotherOwner()
    const { id } = await addUser(service, first, { temporaryPassword: PASSWORD })
    await api(first, 'PUT', `/users/${id}`, { status: 'active' })
    const role = (user: string, wanted: string) =>
      api(first, 'PUT', `/organizations/${first.teamId}/members/${user}/role`, { role: wanted })
    await Promise.all([
      api(first, 'PUT', `/users/${id}`, { status: 'suspended' }),
      role(id, 'SUPER_ADMIN').then(() => role(first.id, 'MEMBER')),
    ])
    const [row] = await service.sql(
      "SELECT count(*)::int AS count FROM memberships WHERE organization_id = $1 AND role IN ('OWNER', 'SUPER_ADMIN') AND status = 'active'",
      [first.teamId],
    )
    expect(row?.count).toBeGreaterThan(0)
  })
})
