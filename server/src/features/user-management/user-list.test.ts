import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  expectError,
  joinTeam,
  logIn,
  makeGroup,
  newEmail,
  registerApplication,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../test/factories/factories.js'
import { enrollApp, enrollPasskey } from '../../../test/factories/factors.js'
import { makeDirectory } from '../../../test/factories/scim.js'
import { startService, type TestService } from '../../../test/harness/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const list = async (query: string, { token }: Pick<TestUser, 'token'>) => {
  const { status, body } = await service.api('GET', `/api/v1/users?${query}`, { token })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.total).toBe(body.data.length)
  return body.data
}
const emails = async (query: string, by: Pick<TestUser, 'token'>): Promise<string[]> =>
  (await list(query, by)).map(({ email }: { email: string }) => email)
const setRole = (id: string, role: string) =>
  service.sql('UPDATE memberships SET role = $2 WHERE user_id = $1', [id, role])
const inGroup = (owner: TestUser, groupId: string, userId: string) =>
  service.api('PUT', `/api/v1/groups/${groupId}/users`, { token: owner.token, body: { userIds: [userId] } })

describe('GET /users?sort=', () => {
  let owner: TestUser
  beforeAll(async () => {
    owner = await registerUser(service)
    for (const [firstName, email] of [
      ['Zoë', 'b'],
      ['anton', 'c'],
      ['Émile', 'a'],
    ] as const) {
      await service.clock.advance(1_000)
      await addUser(service, owner, { email: `${email}-${owner.email}`, firstName })
    }
  })
  const order = async (sort: string) =>
    (await emails(`sort=${sort}`, owner)).filter((email) => email !== owner.email).map((email) => email[0])

  it.each([
    ['name', 'cab'],
    ['-name', 'bac'],
    ['email', 'abc'],
    ['-email', 'cba'],
    ['createdAt', 'bca'],
    ['-createdAt', 'acb'],
  ])('sorts by %s', async (sort, expected) => expect((await order(sort)).join('')).toBe(expected))

  it('sorts by the last sign-in to the team, first the users without one', async () => {
    expect((await emails('sort=lastSignInAt', owner)).at(-1)).toBe(owner.email)
    expect((await emails('sort=-lastSignInAt', owner))[0]).toBe(owner.email)
  })

  it.each(['id', 'lastLoginAt', '+name', 'name,email'])('rejects the order %s', async (sort) => {
    const { status, body } = await service.api('GET', `/api/v1/users?sort=${encodeURIComponent(sort)}`, owner)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })

  it('returns each user once on consecutive pages', async () => {
    for (const sort of ['name', '-email', 'lastSignInAt', 'createdAt']) {
      const pages = await Promise.all(
        [1, 2, 3, 4].map(async (page) => {
          const { body } = await service.api('GET', `/api/v1/users?limit=1&page=${page}&sort=${sort}`, owner)
          return body.data[0].id
        }),
      )
      expect(new Set(pages).size).toBe(4)
    }
  })
})

describe('GET /users with filters', () => {
  it('filters by several roles and statuses, and by the exact role', async () => {
    const owner = await registerUser(service)
    const [helper, viewer, pending] = [
      await addColleague(service, owner),
      await addColleague(service, owner, 'viewer'),
      await addUser(service, owner),
    ]
    await setRole(helper.id, 'HELP_DESK_ADMIN')
    expect((await emails('role=admin,viewer', owner)).sort()).toEqual([helper.email, viewer.email].sort())
    expect(await emails('roleExact=HELP_DESK_ADMIN,USER_ADMIN', owner)).toEqual([helper.email])
    expect(await emails('role=viewer&roleExact=HELP_DESK_ADMIN', owner)).toEqual([])
    expect(await emails('status=pending,suspended', owner)).toEqual([pending.email])
    for (const query of [
      'role=boss',
      'role=admin,',
      'status=gone',
      'mfa=sms',
      'source=ldap;scim',
      'lastLoginBefore=now',
      'lastLoginBefore=0000-01-01',
      'lastLoginBefore=0001-01-01T00:00:00%2B14:00',
    ])
      expect((await service.api('GET', `/api/v1/users?${query}`, owner)).status, query).toBe(400)
  })

  it('filters by group, and requires groups:read', async () => {
    const owner = await registerUser(service)
    const user = await addUser(service, owner)
    const groupId = await makeGroup(service, owner.teamId, 'Sales')
    await inGroup(owner, groupId, user.id)
    expect(await emails(`group=${groupId}`, owner)).toEqual([user.email])
    expectError(await service.api('GET', '/api/v1/users?group=unknown', owner), 404, 'group_not_found')
    const device = await addColleague(service, owner)
    await setRole(device.id, 'MOBILE_ADMIN')
    expectError(await service.api('GET', `/api/v1/users?group=${groupId}`, device), 403, 'forbidden')
    const [shown] = await list(`search=${user.email}`, device)
    expect(shown).not.toHaveProperty('groups')
    expect(shown).not.toHaveProperty('groupCount')
  })

  it('returns the first three groups by name and their number', async () => {
    const owner = await registerUser(service)
    const user = await addUser(service, owner)
    const ids: Record<string, string> = {}
    for (const name of ['D', 'B', 'A', 'C']) {
      ids[name] = await makeGroup(service, owner.teamId, name)
      await inGroup(owner, ids[name], user.id)
    }
    const [shown] = await list(`search=${user.email}`, owner)
    expect(shown.groups).toEqual(['A', 'B', 'C'].map((name) => ({ id: ids[name], name })))
    expect(shown.groupCount).toBe(4)
  })

  it('filters by the users who may open an application: assigned directly or by group, everyone while it is open', async () => {
    const owner = await registerUser(service)
    const [direct, byGroup, none] = [
      await addUser(service, owner),
      await addUser(service, owner),
      await addUser(service, owner),
    ]
    const { id } = await registerApplication(service, owner)
    const filter = `application=${id}&status=pending,suspended`
    expect((await emails(filter, owner)).sort()).toEqual([direct.email, byGroup.email, none.email].sort())
    const put = (path: string, body: unknown) =>
      service.api('PUT', `/api/v1/applications/${id}/${path}`, { token: owner.token, body })
    await put('users', { userIds: [direct.id] })
    const groupId = await makeGroup(service, owner.teamId)
    await inGroup(owner, groupId, byGroup.id)
    await put('groups', { groupIds: [groupId] })
    expect((await emails(filter, owner)).sort()).toEqual([direct.email, byGroup.email].sort())
    await service.api('PUT', `/api/v1/users/${direct.id}`, { token: owner.token, body: { status: 'suspended' } })
    expect(await emails(filter, owner)).toEqual([byGroup.email])
    const withSuspended = `${filter}&includeSuspended=true`
    expect((await emails(withSuspended, owner)).sort()).toEqual([direct.email, byGroup.email].sort())
    await service.api('PUT', `/api/v1/users/${none.id}`, { token: owner.token, body: { status: 'suspended' } })
    expect((await emails(withSuspended, owner)).sort(), 'without the one to whom it is not assigned').toEqual(
      [direct.email, byGroup.email].sort(),
    )
    await service.api('PUT', `/api/v1/applications/${id}`, { token: owner.token, body: { assignmentRequired: false } })
    expect((await emails(withSuspended, owner)).sort(), 'while it is open').toEqual(
      [direct.email, byGroup.email].sort(),
    )
    const foreign = await registerApplication(service, await registerUser(service))
    expectError(
      await service.api('GET', `/api/v1/users?application=${foreign.id}`, owner),
      404,
      'application_not_found',
    )
  })

  it('filters by the last sign-in; a user without one counts from the time they were added', async () => {
    let owner = await registerUser(service)
    const old = await addUser(service, owner)
    await service.clock.advance(10 * 86_400_000)
    owner = await logIn(service, owner)
    const boundary = service.clock.now().toISOString()
    await service.clock.advance(1_000)
    await addUser(service, owner)
    owner = await logIn(service, owner)
    expect(await emails(`lastLoginBefore=${boundary}`, owner)).toEqual([old.email])
  })

  it('returns and filters by the source of the membership', async () => {
    const owner = await registerUser(service)
    const added = await addUser(service, owner)
    const directory = await makeDirectory(service, owner)
    const { userName } = await directory.makeUser({ userName: newEmail('scim') })
    const imported = newEmail('csv')
    await service.api('POST', '/api/v1/users/import', { token: owner.token, body: { csv: `email\n${imported}` } })
    await service.settle()
    expect(await emails('source=scim', owner)).toEqual([userName])
    expect((await emails('source=import,scim', owner)).sort()).toEqual([imported, userName].sort())
    expect((await emails('source=local', owner)).sort()).toEqual([added.email, owner.email].sort())
    // Rows of the previous release have no source.
    await service.sql('UPDATE memberships SET source = NULL WHERE user_id = $1', [added.id])
    expect((await list(`search=${added.email}`, owner))[0].source).toBe('local')
  })
})

describe('the second factors in GET /users', () => {
  it('shows kinds of factors of a confirmed membership, and filters by them', async () => {
    const owner = await registerUser(service)
    await verifyEmailAddress(service, owner)
    await enrollApp(service, owner)
    const keyed = await registerUser(service)
    await verifyEmailAddress(service, keyed)
    await joinTeam(service, keyed, owner.teamId)
    await enrollPasskey(service, keyed)
    const without = await addUser(service, owner)
    const factors = Object.fromEntries(
      (await list('', owner)).map((user: { email: string; factors: string[] }) => [user.email, user.factors]),
    )
    expect(factors).toEqual({ [owner.email]: ['TOTP'], [keyed.email]: ['PASSKEY'], [without.email]: [] })
    expect(await emails('mfa=totp', owner)).toEqual([owner.email])
    expect(await emails('mfa=passkey', owner)).toEqual([keyed.email])
    expect(await emails('mfa=none', owner)).toEqual([without.email])
    expect((await emails('mfa=none,passkey', owner)).sort()).toEqual([keyed.email, without.email].sort())
  })

  it('shows no own factor to a team that merely added the user, and none of another team', async () => {
    const [owner, other] = [await registerUser(service), await registerUser(service)]
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await enrollApp(service, user)
    await addUser(service, owner, { email: user.email })
    const shown = async () => (await list(`search=${user.email}`, owner))[0].factors
    expect(await shown()).toEqual([])
    expect(await emails('mfa=none', owner)).toContain(user.email)
    expect(await emails('mfa=totp', owner)).not.toContain(user.email)
    // A factor that is restricted to another team is none here.
    await joinTeam(service, user, other.teamId)
    await service.sql('UPDATE factors SET restricted_to_team_id = $2 WHERE user_id = $1', [user.id, other.teamId])
    await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [user.id])
    expect(await shown()).toEqual([])
  })
})

describe('the exact role', () => {
  it('appears in /users, /auth/me and /organizations beside the specified role', async () => {
    const owner = await registerUser(service)
    const helper = await addColleague(service, owner)
    await setRole(helper.id, 'HELP_DESK_ADMIN')
    const [shown] = await list(`search=${helper.email}`, owner)
    expect([shown.role, shown.roleExact]).toEqual(['admin', 'HELP_DESK_ADMIN'])
    const { body: me } = await service.api('GET', '/api/v1/auth/me', helper)
    expect(me.user).toMatchObject({ role: 'ADMIN', roleExact: 'HELP_DESK_ADMIN' })
    expect(me.team).toMatchObject({ role: 'ADMIN', roleExact: 'HELP_DESK_ADMIN' })
    const { body: teams } = await service.api('GET', '/api/v1/organizations', helper)
    expect(teams.data).toEqual([expect.objectContaining({ role: 'ADMIN', roleExact: 'HELP_DESK_ADMIN' })])
  })
})
