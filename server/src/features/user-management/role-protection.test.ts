import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  expectError,
  makeGroup,
  newEmail,
  PASSWORD,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('the protection of higher roles', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  /** Creates a colleague with a stored role. */
  async function colleague(role: string): Promise<TestUser> {
    const user = await addColleague(service, owner)
    await service.sql('UPDATE memberships SET role = $2 WHERE user_id = $1', [user.id, role])
    return user
  }
  const call = (by: TestUser, method: string, path: string, body?: unknown) =>
    service.api(method, `/api/v1${path}`, { token: by.token, body })
  const stateAfterJobs = async () => {
    await service.settle()
    return dumpState(service)
  }

  it('prevents granting a higher role with POST and PUT /users', async () => {
    const admin = await colleague('ORG_ADMIN')
    const userAdmin = await colleague('USER_ADMIN')
    const member = await colleague('MEMBER')
    const before = await stateAfterJobs()
    for (const [by, role] of [
      [admin, 'owner'],
      [userAdmin, 'owner'],
      [userAdmin, 'admin'],
    ] as const) {
      expectError(await call(by, 'POST', '/users', { email: newEmail(), role }), 403, 'role_protected')
      expectError(await call(by, 'PUT', `/users/${member.id}`, { role }), 403, 'role_protected')
    }
    expectError(await call(admin, 'PUT', `/users/${admin.id}`, { role: 'owner' }), 403, 'role_protected')
    expect(await stateAfterJobs()).toEqual(before)
    expect((await call(admin, 'PUT', `/users/${member.id}`, { role: 'admin' })).status).toBe(200)
    expect((await call(userAdmin, 'POST', '/users', { email: newEmail(), role: 'viewer' })).status).toBe(201)
  })

  it('prevents changing, suspending, removing or resetting a user with a higher role', async () => {
    const userAdmin = await colleague('USER_ADMIN')
    const admin = await colleague('ORG_ADMIN')
    const before = await stateAfterJobs()
    for (const [by, target] of [
      [userAdmin, admin],
      [userAdmin, owner],
      [admin, owner],
    ] as const) {
      const user = `/users/${target.id}`
      for (const answer of [
        await call(by, 'PUT', user, { firstName: 'X' }),
        await call(by, 'PUT', user, { status: 'suspended' }),
        await call(by, 'PUT', user, { role: 'viewer' }),
        await call(by, 'DELETE', user),
        await call(by, 'DELETE', `${user}/sessions`),
        await call(by, 'POST', `${user}/sessions/revoke`),
        await call(by, 'POST', `${user}/password-reset`, { temporaryPassword: PASSWORD }),
        ...(by === admin ? [await call(by, 'DELETE', `/organizations/${owner.teamId}/members/${target.id}`)] : []),
      ])
        expectError(answer, 403, 'role_protected')
    }
    expect(await stateAfterJobs()).toEqual(before)
  })

  it('requires separate permissions for groups and applications beside users:write', async () => {
    const userAdmin = await colleague('USER_ADMIN')
    const admin = await colleague('ORG_ADMIN')
    const groupIds = [await makeGroup(service, owner.teamId)]
    const applicationIds = [(await registerApplication(service, owner)).id]
    expectError(await call(userAdmin, 'PUT', `/users/${admin.id}`, { applicationIds }), 403, 'forbidden')
    expectError(await call(userAdmin, 'POST', '/users', { email: newEmail(), applicationIds }), 403, 'forbidden')
    expectError(await call(userAdmin, 'PUT', `/users/${admin.id}`, { groupIds, title: 'X' }), 403, 'role_protected')
    expect((await call(userAdmin, 'PUT', `/users/${admin.id}`, { groupIds })).status).toBe(200)
    expect((await call(admin, 'PUT', `/users/${owner.id}`, { applicationIds })).status).toBe(200)
  })

  it('grants no permissions through groups, policies or applications', async () => {
    const callers: TestUser[] = []
    for (const role of ['GROUP_MEMBERSHIP_ADMIN', 'APP_ADMIN', 'ORG_ADMIN', 'MEMBER'])
      callers.push(await colleague(role))
    const [groupAdmin, appAdmin, admin, member] = callers as [TestUser, TestUser, TestUser, TestUser]
    const permissions = async () => {
      const all: string[][] = []
      for (const user of callers) all.push((await call(user, 'GET', '/auth/me')).body.permissions)
      return all
    }
    const before = await permissions()
    expect(before).toEqual(before.map(() => expect.arrayContaining(['org:read'])))
    const group = await makeGroup(service, owner.teamId, 'Owners')
    const ids = callers.map(({ id }) => id)
    const app = await registerApplication(service, appAdmin, { role: 'OWNER', permissions: ['org:delete'] })
    for (const [by, method, path, body] of [
      [groupAdmin, 'PUT', `/groups/${group}/users`, { userIds: [...ids, owner.id], role: 'OWNER' }],
      [appAdmin, 'PUT', `/applications/${app.id}`, { name: 'All', role: 'OWNER', permissions: ['org:delete'] }],
      [admin, 'PUT', `/users/${member.id}/applications`, { applicationIds: [app.id], role: 'owner' }],
      [admin, 'POST', '/policies', { name: 'All', type: 'ACCESS', effect: 'ALLOW', resource: '*', actions: ['*'] }],
    ] as const) {
      const answer = await call(by, method, path, body)
      expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    }
    expect(await permissions()).toEqual(before)
    for (const by of callers)
      expect((await call(by, 'PUT', `/users/${by.id}`, { role: 'owner' })).status, by.email).toBe(403)
    expect((await call(admin, 'DELETE', `/organizations/${owner.teamId}`)).status).toBe(403)
  })

  it('ignores fields that an endpoint does not declare', async () => {
    const email = newEmail()
    const foreign = {
      id: owner.id,
      teamId: 'x',
      emailVerified: true,
      managed: true,
      counts: true,
      createdAt: '2001-02-03T04:05:06.000Z',
      lastLoginAt: '2001-02-03T04:05:06.000Z',
    }
    const made = await addUser(service, owner, { email, ...foreign, status: 'active' })
    expect(made).toMatchObject({ status: 'pending', emailVerified: false, managed: false, lastLoginAt: null })
    expect([made.id, made.createdAt]).not.toContain(owner.id)
    const put = await call(owner, 'PUT', `/users/${made.id}`, {
      ...foreign,
      email: 'other@example.com',
      temporaryPassword: PASSWORD,
    })
    expect(put.body).toEqual(made)
    expect(await service.sql('SELECT 1 FROM passwords WHERE user_id = $1', [made.id])).toEqual([])
  })
})
