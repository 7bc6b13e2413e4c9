import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addColleague,
  atOnce,
  expectError,
  joinTeam,
  logIn,
  newEmail,
  newName,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import {
  type Directory,
  directoryWith,
  expectScimError,
  GROUP,
  makeDirectory,
  PATCH,
  SEARCH,
  USER,
} from '../../../../test/factories/scim.js'
import { dumpDatabase, dumpState } from '../../../../test/harness/dump.js'
import { openConnection } from '../../../../test/harness/raw-http.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())
// Renews access tokens, which expire when the test advances the clock.
beforeEach(async () => {
  owner = await logIn(service, owner)
})

const make = (user: Pick<TestUser, 'token'>, body?: object) =>
  service.api('POST', '/api/v1/directory/scim/token', { token: user.token, ...(body && { body }) })
const list = async (user: Pick<TestUser, 'token'>) =>
  (await service.api('GET', '/api/v1/directory/scim/tokens', { token: user.token })).body.data

/** Asserts on every node whether the token is valid. */
async function expectToken({ call }: Directory, state: 'active' | 'revoked') {
  for (const answer of await atOnce(service.urls.length, (node) =>
    call('GET', '/ServiceProviderConfig', undefined, { node }),
  ))
    if (state === 'active') expect(answer.status, answer.text).toBe(200)
    else expectScimError(answer, 401)
}

describe('a SCIM token', () => {
  it('returns the token once, without requiring a body, and stores its SHA-256', async () => {
    const { status, body } = await make(owner)
    expect(status).toBe(201)
    const { token, ...shown } = body
    expect(token).toMatch(/^kwscim_[\w-]{43}$/)
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'SCIM token',
      prefix: token.slice(0, 14),
      createdBy: { id: owner.id, email: owner.email },
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
      status: 'active',
    })
    expect((await list(owner))[0]).toEqual(shown)
    expect(JSON.stringify(await dumpDatabase(service))).not.toContain(token.slice(14))
    const [row] = await service.sql("SELECT encode(hash, 'hex') AS hash FROM scim_tokens WHERE id = $1", [body.id])
    expect(row?.hash).toBe(createHash('sha256').update(token).digest('hex'))
  })

  it('creates several tokens for a team, with a name and an expiry', async () => {
    const expiresAt = new Date(service.clock.ms() + 3_600_000).toISOString()
    const { body } = await make(owner, { name: 'Okta', expiresAt })
    expect(body).toMatchObject({ name: 'Okta', expiresAt })
    const okta = directoryWith(service, body.token, body.id, owner.teamId)
    const other = await makeDirectory(service, owner)
    await expectToken(okta, 'active')
    await expectToken(other, 'active')
    const [entry] = await service.sql(
      "SELECT metadata FROM audit_entries WHERE action = 'scim_token.created' AND resource = $1",
      [`scim_token:${body.id}`],
    )
    expect(entry?.metadata).toEqual({ name: 'Okta', prefix: body.prefix, expiresAt })
    await service.clock.advance(3_600_000)
    await expectToken(okta, 'revoked')
    owner = await logIn(service, owner)
    expect((await list(owner)).find(({ id }: { id: string }) => id === body.id).status).toBe('expired')
    await expectToken(other, 'active')
  })

  it('rejects a revoked token on every node on the next request and keeps it in the list', async () => {
    const directory = await makeDirectory(service, owner)
    await expectToken(directory, 'active')
    const revoke = () =>
      service.api('DELETE', `/api/v1/directory/scim/tokens/${directory.tokenId}`, { token: owner.token })
    expect((await revoke()).body.status).toBe('revoked')
    await expectToken(directory, 'revoked')
    const before = await dumpState(service)
    expect((await revoke()).status).toBe(200)
    expectScimError(await directory.call('POST', '/Users', { schemas: [USER], userName: newEmail() }), 401)
    expect(await dumpState(service)).toEqual(before)
    expect((await list(owner)).find(({ id }: { id: string }) => id === directory.tokenId).status).toBe('revoked')
  })

  it('rejects a revoked token even while concurrent requests with it are being authenticated', async () => {
    for (let round = 0; round < 10; round++) {
      const directory = await makeDirectory(service, owner)
      const ask = () => directory.call('GET', '/ServiceProviderConfig')
      let isRevoked = false
      const late: Promise<{ status: number }>[] = []
      const crowd = atOnce(8, async () => {
        while (late.length < 50) {
          const asked = ask()
          if (isRevoked) late.push(asked)
          await asked
        }
      })
      await service.api('DELETE', `/api/v1/directory/scim/tokens/${directory.tokenId}`, { token: owner.token })
      isRevoked = true
      await crowd
      expect(new Set((await Promise.all(late)).map(({ status }) => status))).toEqual(new Set([401]))
    }
  })

  it('authenticates concurrent tokens of several teams, each for its own team', async () => {
    const outsider = await registerUser(service)
    const [ours, theirs] = [await makeDirectory(service, owner), await makeDirectory(service, outsider)]
    const invalid = directoryWith(service, `${ours.token.slice(0, -1)}_`, ours.tokenId, owner.teamId)
    const path = `/Users?filter=id eq "${owner.id}"`
    const answers = await atOnce(30, (n) => ([ours, theirs, invalid][n % 3] ?? ours).call('GET', path))
    for (const [n, answer] of answers.entries())
      if (n % 3 === 2) expectScimError(answer, 401)
      else expect([n, answer.status, answer.body.totalResults]).toEqual([n, 200, n % 3 === 0 ? 1 : 0])
  })

  it('requires authentication within fifteen minutes and rejects API tokens', async () => {
    const user = await registerUser(service)
    await service.clock.advance(14 * 60_000)
    expect((await make(user)).status).toBe(201)
    const body = { name: 'All', scopes: ['scim:token'] }
    const { body: api } = await service.api('POST', '/api/v1/api-tokens', { token: user.token, body })
    expectError(await make({ token: api.token }), 403, 'session_required')
    await service.clock.advance(61_000)
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
    expectError(await make({ token: refreshed.body.accessToken }), 403, 'reauthentication_required')
  })

  it('grants access to SCIM of its team by ID, slug and legacy name only', async () => {
    const { body: team } = await service.api('GET', `/api/v1/organizations/${owner.teamId}`, { token: owner.token })
    const { token, tokenId } = await makeDirectory(service, owner)
    const outsider = await registerUser(service)
    const at = (orgRef: string) => directoryWith(service, token, tokenId, orgRef).call('GET', '/Users?count=1')
    for (const orgRef of [team.id, team.id.toUpperCase(), team.slug, `org_${team.id}`]) {
      const { status, body } = await at(orgRef)
      expect([orgRef, status]).toEqual([orgRef, 200])
      expect(body.Resources[0].meta.location).toBe(`${service.baseUrl}/scim/v2/${orgRef}/Users/${owner.id}`)
    }
    for (const orgRef of [outsider.teamId, `org_${outsider.teamId}`, randomUUID(), 'unknown', `${team.slug}x`])
      expectScimError(await at(orgRef), 404)
    for (const path of ['/api/v1/auth/me', '/api/v1/users', '/api/v1/directory/scim/tokens'])
      expectError(await service.api('GET', path, { token }), 401, 'invalid_access_token')
    for (const foreign of [owner.token, `kw_${token.slice(7)}`, 'nonsense'])
      expectScimError(await directoryWith(service, foreign, tokenId, team.id).call('GET', '/Users'), 401)
    expectScimError(await service.api('GET', `/scim/v2/${team.id}/Users`), 401)
    expectScimError(await service.api('GET', `/scim/v2/${team.id}/Users`, { headers: { 'x-api-token': token } }), 401)
  })

  it('rejects a token while its creator may not create one or the team is suspended, and permanently once they leave or are suspended', async () => {
    const creator = await addColleague(service, owner, 'admin')
    const directory = await makeDirectory(service, creator)
    const role = (value: string) =>
      service.sql('UPDATE memberships SET role = $2 WHERE user_id = $1', [creator.id, value])
    await expectToken(directory, 'active')
    await role('USER_ADMIN')
    await expectToken(directory, 'revoked')
    expect((await list(owner)).find(({ id }: { id: string }) => id === directory.tokenId).status).toBe('orphaned')
    await role('API_ACCESS_MANAGEMENT_ADMIN')
    await expectToken(directory, 'active')
    const team = (status: string) =>
      service.api('PUT', `/api/v1/organizations/${owner.teamId}`, { token: owner.token, body: { status } })
    expect((await team('SUSPENDED')).status).toBe(200)
    await expectToken(directory, 'revoked')
    await team('ACTIVE')
    const put = (status: string) =>
      service.api('PUT', `/api/v1/users/${creator.id}`, { token: owner.token, body: { status } })
    expect((await put('suspended')).status).toBe(200)
    await expectToken(directory, 'revoked')
    await put('active')
    await expectToken(directory, 'revoked')
    expect((await list(owner)).find(({ id }: { id: string }) => id === directory.tokenId).status).toBe('revoked')
    const leaver = await addColleague(service, owner, 'admin')
    const left = await makeDirectory(service, leaver)
    await expectToken(left, 'active')
    await service.sql('DELETE FROM memberships WHERE user_id = $1', [leaver.id])
    await service.clock.advance(10)
    await joinTeam(service, leaver, owner.teamId, { role: 'ORG_ADMIN' })
    await expectToken(left, 'revoked')
  })

  it('grants the permissions of its creator at each endpoint and no others', async () => {
    const creator = await addColleague(service, owner, 'admin')
    const { call, makeUser, makeGroup } = await makeDirectory(service, creator)
    const person = await makeUser({ userName: newEmail() })
    const group = await makeGroup({ displayName: newName('Group') })
    await service.sql("UPDATE memberships SET role = 'API_ACCESS_MANAGEMENT_ADMIN' WHERE user_id = $1", [creator.id])
    const off = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] }
    const user = { schemas: [USER], userName: newEmail() }
    const team = { schemas: [GROUP], displayName: 'Mine', members: [{ value: creator.id }] }
    const asked: [method: string, path: string, body?: object][] = [
      ['GET', '/Users?count=0'],
      ['POST', '/.search', { schemas: [SEARCH] }],
      ['POST', '/Users/.search', { schemas: [SEARCH] }],
      ['GET', `/Users/${person.id}`],
      ['POST', '/Users', user],
      ['PUT', `/Users/${person.id}`, { ...user, userName: newEmail('attacker') }],
      ['PATCH', `/Users/${person.id}`, off],
      ['DELETE', `/Users/${person.id}`],
      ['GET', '/Groups'],
      ['POST', '/Groups/.search', { schemas: [SEARCH] }],
      ['GET', `/Groups/${group.id}`],
      ['POST', '/Groups', team],
      ['PUT', `/Groups/${group.id}`, team],
      ['PATCH', `/Groups/${group.id}`, { ...off, Operations: [{ op: 'add', path: 'members', value: team.members }] }],
      ['DELETE', `/Groups/${group.id}`],
    ]
    const before = await dumpState(service)
    for (const [method, path, body] of asked) {
      const answer = await call(method, path, body)
      expectScimError(answer, 403)
      expect(answer.body.detail, `${method} ${path}`).toMatch(/permission (users|groups):/)
    }
    expect(await dumpState(service)).toEqual(before)
    expect((await call('GET', '/ServiceProviderConfig')).status).toBe(200)
  })

  it.each([
    [
      'demoted',
      403,
      (id: string) =>
        service.sql("UPDATE memberships SET role = 'API_ACCESS_MANAGEMENT_ADMIN' WHERE user_id = $1", [id]),
    ],
    [
      'suspended',
      401,
      (id: string) => service.api('PUT', `/api/v1/users/${id}`, { token: owner.token, body: { status: 'suspended' } }),
    ],
    ['removed', 401, (id: string) => service.api('DELETE', `/api/v1/users/${id}`, { token: owner.token })],
  ])('writes nothing once its creator was %s, even if the request began earlier', async (_, status, shutOut) => {
    const creator = await addColleague(service, owner, 'admin')
    const { token, tokenId } = await makeDirectory(service, creator)
    const userName = newEmail()
    const body = JSON.stringify({ schemas: [USER], userName })
    const { socket, answer } = openConnection(service.urls[0] ?? '')
    socket.write(
      [
        `POST /scim/v2/${owner.teamId}/Users HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/scim+json',
        `Content-Length: ${body.length}`,
        'Connection: close',
        '',
        body.slice(0, -1),
      ].join('\r\n'),
    )
    // The token was authenticated, and the rest of the body is still pending.
    const lastUse = async () => (await list(owner)).find(({ id }: { id: string }) => id === tokenId)?.lastUsedAt
    await expect.poll(lastUse, { timeout: 10_000 }).not.toBeNull()
    await shutOut(creator.id)
    socket.write(body.slice(-1))
    expect((await answer).status).toBe(status)
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [userName])).toEqual([])
  })

  it('shows its last use, to the minute', async () => {
    const directory = await makeDirectory(service, owner)
    await expectToken(directory, 'active')
    const seen = async () => (await list(owner)).find(({ id }: { id: string }) => id === directory.tokenId).lastUsedAt
    const first = await seen()
    expect(first).not.toBeNull()
    await service.clock.advance(30_000)
    await expectToken(directory, 'active')
    expect(await seen()).toBe(first)
    await service.clock.advance(31_000)
    await expectToken(directory, 'active')
    expect(Date.parse(await seen())).toBeGreaterThan(Date.parse(first))
  })
})

describe('the list of tokens', () => {
  it('counts the users and groups that SCIM clients created or changed in the own team', async () => {
    const user = await registerUser(service)
    const directory = await makeDirectory(service, user)
    const written = async (who: TestUser) =>
      (await service.api('GET', '/api/v1/directory/scim/tokens', { token: who.token })).body.written
    const colleague = await addColleague(service, user, 'member')
    const post = (path: string, body: object) => service.api('POST', `/api/v1/${path}`, { token: user.token, body })
    const { body: ours } = await post('groups', { name: 'Ours' })
    expect(await written(user)).toEqual({ users: 0, suspended: 0, groups: 0 })

    const plain = await directory.makeUser({ userName: newEmail() })
    const { id } = await directory.makeUser({ userName: newEmail(), displayName: 'Ann', externalId: randomUUID() })
    await directory.makeGroup({ displayName: 'Plain' })
    await directory.makeGroup({ displayName: 'Named', externalId: randomUUID() })
    expect(await written(user)).toEqual({ users: 2, suspended: 0, groups: 2 })

    // Existing members are counted from their first write by a SCIM client.
    await directory.patch(`/Users/${colleague.id}`, [{ op: 'replace', path: 'active', value: true }])
    await directory.patch(`/Groups/${ours.id}`, [{ op: 'add', path: 'members', value: [{ value: id }] }])
    expect(await written(user)).toEqual({ users: 3, suspended: 0, groups: 3 })

    await directory.call('DELETE', `/Users/${id}`)
    await directory.call('DELETE', `/Groups/${ours.id}`)
    expect(await written(user)).toEqual({ users: 3, suspended: 1, groups: 2 })
    await service.api('DELETE', `/api/v1/users/${plain.id}`, { token: user.token })
    expect(await written(user)).toEqual({ users: 2, suspended: 1, groups: 2 })
    expect(await written(await registerUser(service))).toEqual({ users: 0, suspended: 0, groups: 0 })
  })
})

describe('the recent requests', () => {
  it('lists requests and results, newest first, without filter values, for the own team only', async () => {
    const user = await registerUser(service)
    const directory = await makeDirectory(service, user)
    const node = 0
    await directory.call('GET', '/Users?filter=userName eq "secret@example.com"&count=1', undefined, { node })
    await directory.call('POST', '/Users', { schemas: [USER], userName: 'none' }, { node })
    await directory.call('GET', `/Users/${randomUUID()}`, undefined, { node })
    const read = (who: TestUser) => service.api('GET', '/api/v1/directory/scim/requests', { token: who.token, node })
    const { status, body } = await read(user)
    expect(status).toBe(200)
    const token = { id: directory.tokenId, name: 'SCIM token' }
    expect(body.data).toEqual([
      expect.objectContaining({ method: 'GET', status: 404, scimType: null, token }),
      expect.objectContaining({ method: 'POST', path: '/Users', status: 400, scimType: 'invalidValue', token }),
      expect.objectContaining({ path: '/Users?filter=userName eq "…"&count=1', status: 200, detail: null, token }),
    ])
    expect((await read(await registerUser(service))).body.data).toEqual([])
  })

  it('orders requests by completion across nodes', async () => {
    const user = await registerUser(service)
    const directory = await makeDirectory(service, user)
    const asked = Array.from({ length: 8 }, (_, index) => `/Users?count=${index}`)
    for (const [index, path] of asked.entries())
      await directory.call('GET', path, undefined, { node: index % service.urls.length })
    const paths = async () => {
      const { body } = await service.api('GET', '/api/v1/directory/scim/requests', { token: user.token })
      return body.data.map(({ path }: { path: string }) => path)
    }
    await expect.poll(paths, { timeout: 10_000 }).toEqual(asked.toReversed())
  })

  it('lists at most 100 requests and stores only a few more', async () => {
    const user = await registerUser(service)
    const directory = await makeDirectory(service, user)
    for (let round = 0; round < 26; round++)
      await atOnce(10, () => directory.call('GET', '/ResourceTypes', undefined, { node: 0 }))
    const read = { token: user.token, node: 0 }
    const { body } = await service.api('GET', '/api/v1/directory/scim/requests', read)
    expect(body.data.length).toBe(100)
    const [row] = await service.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM scim_requests WHERE organization_id = $1',
      [user.teamId],
    )
    expect(row?.count).toBeLessThan(250)
  })
})
