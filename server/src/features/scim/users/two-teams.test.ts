import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  addColleague,
  addUser,
  atOnce,
  CONCURRENT,
  expectSession,
  joinTeam,
  logIn,
  newEmail,
  newName,
  PASSWORD,
  patiently,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { type Directory, expectScimError, makeDirectory, USER } from '../../../../test/factories/scim.js'
import { entriesOf } from '../../../../test/harness/audit-entries.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let directory: Directory
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  directory = await makeDirectory(service, owner)
})
afterAll(() => service.close())

const get = async (id: string) => (await directory.call('GET', `/Users/${id}`)).body
const active = (id: string, value: boolean) =>
  directory.patch(`/Users/${id}`, [{ op: 'replace', value: { active: value } }])

describe('deactivation', () => {
  it('revokes sessions, refresh tokens, API tokens and application grants on every node on the next request', async () => {
    const user = await addColleague(service, owner, 'admin')
    const app = await registerApp(service, owner)
    const given = await tokensFor(service, app, user)
    const { body: api } = await service.api('POST', '/api/v1/api-tokens', {
      token: user.token,
      body: { name: 'Script', scopes: ['org:read'] },
    })
    await expectSession(service, user.token, 'active')
    expect((await active(user.id, false)).body).toMatchObject({ id: user.id, active: false })
    await expectSession(service, user.token, 'revoked')
    for (const node of service.urls.keys()) {
      const asks = [
        service.api('GET', '/api/v1/settings', { token: api.token, node }),
        service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken }, node }),
        service.api('GET', `${app.idp}/userinfo`, { token: given.access_token, node }),
      ]
      for (const { status } of await Promise.all(asks)) expect(status).toBe(401)
      const body = { email: user.email, password: PASSWORD }
      expect((await service.api('POST', '/api/v1/auth/login', { body, node })).status).toBe(403)
    }
    expect((await active(user.id, true)).body.active).toBe(true)
    await expectSession(service, user.token, 'revoked')
    await logIn(service, user)
  })

  it('records the deactivation in the audit log with the token', async () => {
    const made = await directory.makeUser({ userName: newEmail() })
    await active(made.id, false)
    const entries = await entriesOf<{ action: string; metadata: object; user_id: null }>(
      service,
      'SELECT action, metadata, user_id FROM audit_entries WHERE resource = $1 ORDER BY id',
      [`user:${made.id}`],
    )
    expect(entries.map(({ action }) => action)).toEqual(['user.created', 'member.added', 'user.suspended'])
    for (const entry of entries)
      expect(entry).toMatchObject({ user_id: null, metadata: { method: 'scim', token: directory.tokenId } })
  })
})

describe('a user of two teams', () => {
  it('shows the profile that each team writes, unchanged by the other', async () => {
    const user = await registerUser(service)
    const before = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    const made = await directory.makeUser({
      userName: user.email,
      name: { givenName: 'Theirs', familyName: 'Here' },
      externalId: 'shared-1',
    })
    expect(made).toMatchObject({ id: user.id, active: true, name: { givenName: 'Theirs' } })
    await directory.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'title', value: 'Guest' }])
    const put = { schemas: [USER], userName: user.email, name: { givenName: 'Put' } }
    expect((await directory.call('PUT', `/Users/${user.id}`, put)).status).toBe(200)
    expectScimError(
      await directory.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: newEmail() }]),
      400,
      'mutability',
    )
    expect((await directory.call('DELETE', `/Users/${user.id}`)).status).toBe(204)
    expect((await get(user.id)).active).toBe(false)
    await expectSession(service, user.token, 'active')
    const after = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    expect(after.body).toEqual(before.body)
    await logIn(service, user)
    const own = await service.api('GET', `/api/v1/users/${user.id}`, { token: user.token })
    expect(own.body).toMatchObject({ email: user.email, firstName: null, status: 'active' })
  })

  it('shows groups only to their own team, in every representation', async () => {
    const other = await makeDirectory(service, await registerUser(service))
    const userName = newEmail()
    const { id } = await directory.makeUser({ userName })
    await other.makeUser({ userName })
    const names = { displayName: newName('group'), members: [{ value: id }] }
    const group = await directory.makeGroup(names)
    const shown = [{ value: group.id, $ref: group.meta.location, display: group.displayName, type: 'direct' }]
    for (const [by, groups] of [
      [directory, shown],
      [other, undefined],
    ] as const) {
      expect((await by.call('GET', `/Users/${id}`)).body.groups).toEqual(groups)
      expect((await by.find('Users', `id eq "${id}"`)).map((one) => one.groups)).toEqual([groups])
      expect((await by.call('GET', `/Users/${id}?attributes=groups`)).body.groups).toEqual(groups)
      expect(await by.find('Users', `id eq "${id}" and groups pr`)).toHaveLength(groups ? 1 : 0)
      expect(await by.find('Users', `groups.display eq "${group.displayName}"`)).toHaveLength(groups ? 1 : 0)
    }
  })

  it('shows the own profile to a team only after the user joins it', async () => {
    const user = await registerUser(service)
    await service.sql("UPDATE users SET first_name = 'Own' WHERE id = $1", [user.id])
    const added = await directory.makeUser({ userName: user.email })
    expect(added).not.toHaveProperty('name')
    expect(await directory.find('Users', `id eq "${user.id}" and name.givenName pr`)).toEqual([])
    await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [user.id])
    expect((await get(user.id)).name).toEqual({ givenName: 'Own' })
  })
})

describe('a SCIM token', () => {
  it('rejects changes of users with more permissions than the creator of the token', async () => {
    const weak = await makeDirectory(service, await addColleague(service, owner, 'admin'))
    const top = await addUser(service, owner)
    await service.sql("UPDATE memberships SET role = 'SUPER_ADMIN' WHERE user_id = $1", [top.id])
    const before = await dumpState(service)
    const rejected = [
      await weak.patch(`/Users/${top.id}`, [{ op: 'replace', path: 'active', value: 'False' }]),
      await weak.call('PUT', `/Users/${top.id}`, { schemas: [USER], userName: top.email, displayName: 'x' }),
      await weak.call('DELETE', `/Users/${top.id}`),
      await weak.call('POST', '/Users', { schemas: [USER], userName: top.email, externalId: 'x' }),
      await weak.patch(`/Users/${owner.id}`, [{ op: 'replace', path: 'userName', value: newEmail() }]),
    ]
    for (const answer of rejected) expectScimError(answer, 403)
    expect(await dumpState(service)).toEqual(before)
    const [entry] = await service.sql(
      "SELECT result, metadata FROM audit_entries WHERE team_id = $1 AND action = 'access.denied' ORDER BY id DESC LIMIT 1",
      [owner.teamId],
    )
    expect(entry).toEqual({
      result: 'DENIED',
      metadata: { code: 'role_protected', method: 'scim', token: weak.tokenId },
    })
    const member = await weak.makeUser({ userName: newEmail() })
    expect((await weak.call('DELETE', `/Users/${member.id}`)).status).toBe(204)
  })

  it('rejects the removal of the last administrator of the team', async () => {
    const alone = await registerUser(service)
    const own = await makeDirectory(service, alone)
    const before = await dumpState(service)
    expectScimError(await own.call('DELETE', `/Users/${alone.id}`), 409)
    expectScimError(await own.patch(`/Users/${alone.id}`, [{ op: 'replace', value: { active: false } }]), 409)
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects users above the seat limit of the team', async () => {
    const user = await registerUser(service)
    const own = await makeDirectory(service, user)
    await service.sql('UPDATE organizations SET max_members = 3 WHERE id = $1', [user.teamId])
    const answers = await atOnce(8, () =>
      patiently(() => own.call('POST', '/Users', { schemas: [USER], userName: newEmail() })),
    )
    expect(answers.filter(({ status }) => status === 201).length).toBe(2)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectScimError(answer, 409)
    expect((await own.call('GET', '/Users?count=0')).body.totalResults).toBe(3)
  })
})

describe('concurrent requests', () => {
  it('creates one account and one member from many concurrent POSTs of the same user', async () => {
    const userName = newEmail('crowd')
    const answers = await atOnce(CONCURRENT, (n) =>
      patiently(() =>
        directory.call('POST', '/Users', { schemas: [USER], userName, externalId: userName, title: `T${n}` }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const [row] = await service.sql<{ count: number }>('SELECT count(*)::int AS count FROM users WHERE email = $1', [
      userName,
    ])
    expect(row?.count).toBe(1)
  })

  it('assigns one of many concurrent external IDs to the same user', async () => {
    const userName = newEmail('claims')
    const answers = await atOnce(CONCURRENT, (n) =>
      patiently(() =>
        directory.call('POST', '/Users', { schemas: [USER], userName, externalId: `claim-${n}-${userName}` }),
      ),
    )
    const won = answers.filter(({ status }) => status === 201)
    expect(won.length).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectScimError(answer, 409, 'uniqueness')
    expect((await get(won[0]?.body.id)).externalId).toBe(won[0]?.body.externalId)
  })

  it('keeps all of many concurrent changes to different fields of one user', async () => {
    const made = await directory.makeUser({ userName: newEmail() })
    const fields = ['title', 'nickName', 'displayName', 'userType', 'timezone']
    const answers = await atOnce(CONCURRENT, (n) =>
      patiently(() => directory.patch(`/Users/${made.id}`, [{ op: 'replace', path: fields[n % 5], value: 'set' }])),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await get(made.id)).toMatchObject(Object.fromEntries(fields.map((field) => [field, 'set'])))
  })
})

describe('a team', () => {
  it('hides the resources of another team in every request', async () => {
    const outsider = await registerUser(service)
    const other = await makeDirectory(service, outsider)
    const made = await directory.makeUser({ userName: newEmail(), externalId: 'only-here', nickName: 'only-here' })
    const group = await directory.makeGroup({ displayName: newName('group'), externalId: 'only-here' })
    for (const filter of [
      `id eq "${made.id}"`,
      `userName eq "${made.userName}"`,
      'externalId eq "only-here"',
      'nickName eq "only-here" or externalId eq "only-here"',
      `not (userName eq "${outsider.email}")`,
    ])
      expect(await other.find('Users', filter), filter).toEqual([])
    expect(await other.find('Groups', `id eq "${group.id}" or displayName pr`)).toEqual([])
    const before = await dumpState(service)
    for (const path of [`/Users/${made.id}`, `/Groups/${group.id}`])
      for (const method of ['GET', 'DELETE']) expectScimError(await other.call(method, path), 404)
    expectScimError(await other.patch(`/Users/${made.id}`, [{ op: 'replace', path: 'title', value: 'x' }]), 404)
    expectScimError(await other.patch(`/Groups/${group.id}`, [{ op: 'replace', path: 'displayName', value: 'x' }]), 404)
    const members = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'x',
      members: [{ value: made.id }],
    }
    expectScimError(await other.call('POST', '/Groups', members), 400, 'invalidValue')
    expect(await dumpState(service)).toEqual(before)
  })

  it('deletes the stored attributes of a member who is removed', async () => {
    const made = await directory.makeUser({ userName: newEmail(), nickName: 'gone' })
    await service.api('DELETE', `/api/v1/users/${made.id}`, { token: owner.token })
    expectScimError(await directory.call('GET', `/Users/${made.id}`), 404)
    expect((await directory.makeUser({ userName: made.userName })).nickName).toBeUndefined()
    await joinTeam(service, await registerUser(service), owner.teamId)
  })
})
