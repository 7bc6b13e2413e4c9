import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  joinMany,
  newEmail,
  patiently,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { type Directory, expectScimError, GROUP, makeDirectory, SEARCH } from '../../../../test/factories/scim.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'

let service: TestService
let owner: TestUser
let directory: Directory
let people: { id: string; userName: string }[]
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  directory = await makeDirectory(service, owner)
  people = []
  for (let n = 0; n < 4; n++) people.push(await directory.makeUser({ userName: newEmail('member') }))
})
afterAll(() => service.close())

const named = (fields: Record<string, unknown> = {}) => ({ displayName: randomUUID(), ...fields })
const membersOf = async (id: string): Promise<string[]> =>
  ((await directory.call('GET', `/Groups/${id}`)).body.members ?? [])
    .map(({ value }: { value: string }) => value)
    .sort()
const idsOf = (some: { id: string }[]) => some.map(({ id }) => id).sort()

describe('POST /Groups', () => {
  it('creates a group with its members, visible in groups and users', async () => {
    const [a, b] = people as [(typeof people)[0], (typeof people)[0]]
    const sent = named({ externalId: 'g-1', members: [{ value: a.id }, { value: b.id }] })
    const answer = await directory.call('POST', '/Groups', { schemas: [GROUP], ...sent })
    expect(answer.status, answer.text).toBe(201)
    const base = `${service.baseUrl}/scim/v2/${owner.teamId}`
    const location = `${base}/Groups/${answer.body.id}`
    expect(answer.headers.get('location')).toBe(location)
    const shown = ({ id, userName }: (typeof people)[0]) => ({
      value: id,
      $ref: `${base}/Users/${id}`,
      display: userName,
      type: 'User',
    })
    expect(answer.body).toEqual({
      schemas: [GROUP],
      id: expect.any(String),
      externalId: 'g-1',
      displayName: sent.displayName,
      members: [a, b].toSorted((x, y) => (x.userName < y.userName ? -1 : 1)).map(shown),
      meta: { resourceType: 'Group', created: expect.any(String), lastModified: expect.any(String), location },
    })
    expect((await directory.call('GET', `/Groups/${answer.body.id}`)).body).toEqual(answer.body)
    expect((await directory.call('GET', `/Users/${a.id}`)).body.groups).toContainEqual({
      value: answer.body.id,
      $ref: location,
      display: sent.displayName,
      type: 'direct',
    })
    const { body } = await service.api('GET', `/api/v1/groups/${answer.body.id}`, { token: owner.token })
    expect(body).toMatchObject({ name: sent.displayName, memberCount: 2 })
  })

  it.each([
    ['a missing name', { displayName: undefined }, 400, 'invalidValue'],
    ['a name that is too long', { displayName: 'x'.repeat(101) }, 400, 'invalidValue'],
    ['a member who is not in the team', { members: [{ value: randomUUID() }] }, 400, 'invalidValue'],
    ['an invalid member ID', { members: [{ value: 'x' }] }, 400, 'invalidValue'],
    ['a nested group', { members: [{ value: randomUUID(), type: 'Group' }] }, 400, 'invalidValue'],
  ])('rejects %s and creates nothing', async (_, fields, status, scimType) => {
    const before = await dumpState(service)
    expectScimError(await directory.call('POST', '/Groups', { schemas: [GROUP], ...named(fields) }), status, scimType)
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects a name that exists in the team', async () => {
    const { displayName, id } = await directory.makeGroup(named())
    expectScimError(await directory.call('POST', '/Groups', { schemas: [GROUP], displayName }), 409, 'uniqueness')
    const other = await directory.makeGroup(named())
    const renamed = await directory.patch(`/Groups/${other.id}`, [
      { op: 'replace', path: 'displayName', value: displayName },
    ])
    expectScimError(renamed, 409, 'uniqueness')
    expect(id).not.toBe(other.id)
  })

  it('treats names that differ by case as different, and finds each by its own', async () => {
    const name = `Team ${randomUUID()}`
    const first = await directory.makeGroup({ displayName: name })
    const body = { name: name.toUpperCase() }
    const { status, body: second } = await service.api('POST', '/api/v1/groups', { token: owner.token, body })
    expect(status).toBe(201)
    expect(idsOf(await directory.find('Groups', `displayName eq "${name}"`))).toEqual([first.id])
    expect(idsOf(await directory.find('Groups', `displayName eq "${body.name}"`))).toEqual([second.id])
    expect(await directory.find('Groups', `displayName eq "${name.toLowerCase()}"`)).toEqual([])
  })

  it('trims the name and finds it as sent', async () => {
    const sent = ` Team ${randomUUID()} `
    const made = await directory.makeGroup({ displayName: sent })
    expect(made.displayName).toBe(sent.trim())
    for (const name of [sent, made.displayName])
      expect(await directory.find('Groups', `displayName eq "${name}"`)).toEqual([made])
  })

  it('rejects the externalId of another group, also concurrently, until it is free again', async () => {
    const externalId = randomUUID()
    const post = () =>
      patiently(() => directory.call('POST', '/Groups', { schemas: [GROUP], ...named({ externalId }) }))
    const answers = await atOnce(8, post)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    for (const answer of answers) if (answer.status === 409) expectScimError(answer, 409, 'uniqueness')
    const [first] = await directory.find('Groups', `externalId eq "${externalId}"`)
    const other = await directory.makeGroup(named())
    const take = () => directory.patch(`/Groups/${other.id}`, [{ op: 'add', path: 'externalId', value: externalId }])
    expectScimError(await take(), 409, 'uniqueness')
    expect((await directory.call('DELETE', `/Groups/${first.id}`)).status).toBe(204)
    expect((await take()).status).toBe(204)
    expect((await take()).status).toBe(204)
  })
})

describe('PATCH /Groups', () => {
  it('adds, removes and replaces members and returns 204, or the group if attributes are requested', async () => {
    const [a, b, c, d] = idsOf(people) as [string, string, string, string]
    const { id } = await directory.makeGroup(named({ members: [{ value: a }] }))
    const patch = async (...operations: unknown[]) => {
      const { status, text } = await directory.patch(`/Groups/${id}`, operations)
      expect([status, text]).toEqual([204, ''])
      return membersOf(id)
    }
    expect(await patch({ op: 'add', path: 'members', value: [{ value: b }, { value: a }] })).toEqual([a, b])
    expect(await patch({ op: 'Remove', path: 'members', value: [{ value: a }] })).toEqual([b])
    expect(await patch({ op: 'remove', path: `members[value eq "${b}"]` })).toEqual([])
    expect(await patch({ op: 'replace', path: 'members', value: [{ value: c }, { value: d }] })).toEqual([c, d])
    expect(await patch({ op: 'replace', value: { id, displayName: `renamed ${id}` } })).toEqual([c, d])
    expect(await patch({ op: 'remove', path: 'members' })).toEqual([])
    const answer = await directory.call('PATCH', `/Groups/${id}?excludedAttributes=members`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'add', path: 'externalId', value: 'x-1' }],
    })
    expect([answer.status, answer.body.externalId, answer.body.displayName]).toEqual([200, 'x-1', `renamed ${id}`])
    expect(idsOf(await directory.find('Groups', 'externalId eq "x-1"'))).toEqual([id])
  })

  it('applies all operations or none', async () => {
    const { id, displayName } = await directory.makeGroup(named())
    const before = await dumpState(service)
    const answer = await directory.patch(`/Groups/${id}`, [
      { op: 'replace', path: 'displayName', value: 'Other' },
      { op: 'add', path: 'members', value: [{ value: randomUUID() }] },
    ])
    expectScimError(answer, 400, 'invalidValue')
    expect(await dumpState(service)).toEqual(before)
    expect((await directory.call('GET', `/Groups/${id}`)).body.displayName).toBe(displayName)
  })

  it('loses no member in many concurrent requests', async () => {
    const ids = Array.from({ length: CONCURRENT }, () => randomUUID())
    await joinMany(service, ids, owner.teamId)
    const { id } = await directory.makeGroup(named())
    const answers = await atOnce(CONCURRENT, (n) =>
      patiently(() => directory.patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: [{ value: ids[n] }] }])),
    )
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 204))
    expect(await membersOf(id)).toEqual(ids.toSorted())
  })

  it('accepts thousands of members, and adds another without reading them', async () => {
    const ids = Array.from({ length: LONG ? 10_000 : 2_000 }, () => randomUUID())
    await joinMany(service, ids, owner.teamId)
    const { id } = await directory.makeGroup(named({ members: ids.map((value) => ({ value })) }))
    expect(await membersOf(id)).toEqual(ids.toSorted())
    const [one] = people as [(typeof people)[0]]
    expect(
      (await directory.patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: [{ value: one.id }] }])).status,
    ).toBe(204)
    const { body } = await directory.call(
      'GET',
      `/Groups?filter=id eq "${id}" and members eq "${one.id}"&excludedAttributes=members`,
    )
    expect(body.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })])
    expect((await directory.patch(`/Groups/${id}`, [{ op: 'replace', path: 'members', value: [] }])).status).toBe(204)
    expect(await membersOf(id)).toEqual([])
  })
})

describe('PUT and DELETE /Groups', () => {
  it('replaces and deletes a group', async () => {
    const [a, b] = idsOf(people) as [string, string]
    const made = await directory.makeGroup(named({ externalId: 'gone', members: [{ value: a }] }))
    const displayName = randomUUID()
    const answer = await directory.call('PUT', `/Groups/${made.id}`, {
      schemas: [GROUP],
      displayName,
      members: [{ value: b }],
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ id: made.id, displayName, members: [{ value: b }] })
    expect(answer.body).not.toHaveProperty('externalId')
    expect((await directory.call('DELETE', `/Groups/${made.id}`)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expectScimError(await directory.call(method, `/Groups/${made.id}`), 404)
    expect((await directory.call('GET', `/Users/${b}`)).status).toBe(200)
  })
})

describe('GET /Groups', () => {
  it('finds groups by name, ID and member, and reads members only on request', async () => {
    const [one] = people as [(typeof people)[0]]
    const made = await directory.makeGroup({ displayName: `Engineers ${randomUUID()}`, members: [{ value: one.id }] })
    for (const filter of [
      `displayName eq "${made.displayName}"`,
      `id eq "${made.id}"`,
      `displayName sw "Engineers" and members.value eq "${one.id}"`,
      `members[display eq "${one.userName}"] and displayName pr and displayName co "gineers"`,
    ])
      expect(await directory.find('Groups', filter), filter).toEqual([made])
    const behind = await directory.call('GET', `/Groups?startIndex=2&filter=id eq "${made.id}"`)
    expect(behind.body).toMatchObject({ totalResults: 1, startIndex: 2, itemsPerPage: 0, Resources: [] })
    const { body } = await directory.call('GET', '/Groups?excludedAttributes=members&sortBy=displayName')
    expect(body.Resources.length).toBe(body.totalResults)
    for (const group of body.Resources) expect(group).not.toHaveProperty('members')
  })
})

describe('POST /.search', () => {
  const search = (request: Record<string, unknown>) =>
    directory.call('POST', '/.search', { schemas: [SEARCH], ...request })
  const names = async (request: Record<string, unknown>): Promise<string[]> => {
    const { status, body, text } = await search(request)
    expect(status, text).toBe(200)
    return body.Resources.map(({ displayName }: { displayName: string }) => displayName)
  }

  it('returns each user and group once across pages in any order, with the total', async () => {
    const mark = randomUUID()
    for (const [index, letter] of ['b', 'D', 'f'].entries()) {
      await directory.makeUser({ userName: newEmail(letter), displayName: `${letter} ${mark}`, active: index > 0 })
      await directory.makeGroup({ displayName: `${'aCe'[index]} ${mark}` })
    }
    const filter = `displayName co "${mark}"`
    const orders: [sort: Record<string, unknown>, letters: string][] = [
      [{}, 'baDCfe'],
      [{ sortBy: 'displayName' }, 'abCDef'],
      [{ sortBy: 'displayName', sortOrder: 'descending' }, 'feDCba'],
      [{ sortBy: 'meta.created', sortOrder: 'descending' }, 'efCDab'],
      // Resources without a value are last, or first in descending order.
      [{ sortBy: 'userName' }, 'bDfaCe'],
      [{ sortBy: 'userName', sortOrder: 'descending' }, 'aCefDb'],
      [{ sortBy: 'active' }, 'bDfaCe'],
    ]
    for (const [sort, letters] of orders) {
      const expected = [...letters].map((letter) => `${letter} ${mark}`)
      expect(await names({ filter, ...sort }), JSON.stringify(sort)).toEqual(expected)
      const pages: string[] = []
      for (let startIndex = 1; startIndex <= 6; startIndex += 4) {
        const { body } = await search({ filter, ...sort, startIndex, count: 4 })
        expect(body).toMatchObject({ totalResults: 6, startIndex, itemsPerPage: body.Resources.length })
        pages.push(...body.Resources.map(({ displayName }: { displayName: string }) => displayName))
      }
      expect(pages, JSON.stringify(sort)).toEqual(expected)
    }
    expect((await search({ filter, count: 0 })).body).toMatchObject({ totalResults: 6, Resources: [] })
    expect((await search({ filter, startIndex: 7 })).body).toMatchObject({ totalResults: 6, Resources: [] })
  })

  it('returns resources as their own endpoints do, with the requested attributes', async () => {
    const user = await directory.makeUser({ userName: newEmail(), nickName: randomUUID() })
    const group = await directory.makeGroup({ ...named(), members: [{ value: user.id }] })
    const read = async (path: string) => (await directory.call('GET', path)).body
    const filter = `id eq "${user.id}" or id eq "${group.id}"`
    const { body } = await search({ filter })
    expect(body.Resources).toEqual([await read(`/Users/${user.id}`), await read(`/Groups/${group.id}`)])
    const attributes = ['nickName', 'members.value']
    expect((await search({ filter, attributes })).body.Resources).toEqual([
      { schemas: user.schemas, id: user.id, nickName: user.nickName },
      { schemas: group.schemas, id: group.id, members: [{ value: user.id }] },
    ])
    expect((await search({ filter: `nickName eq "${user.nickName}"` })).body.totalResults).toBe(1)
    expect((await search({ filter: `members eq "${user.id}"` })).body.totalResults).toBe(1)
  })

  it('rejects attributes that no resource type has', async () => {
    expectScimError(await search({ filter: 'nothing eq "x"' }), 400, 'invalidFilter')
    expectScimError(await search({ filter: 'members.nothing eq "x"' }), 400, 'invalidFilter')
    expectScimError(await search({ filter: 'active eq "x"' }), 400, 'invalidFilter')
    expectScimError(await search({ sortBy: 'nothing' }), 400, 'invalidPath')
    expectScimError(await directory.call('POST', '/.search', { filter: 'id pr' }), 400, 'invalidSyntax')
  })
})

describe('the service descriptions', () => {
  it('returns the service provider configuration, schemas and resource types of the specification', async () => {
    const at = async (path: string) => (await directory.call('GET', path)).body
    expect(await at('/ServiceProviderConfig')).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken', primary: true }],
    })
    const schemas = await at('/Schemas')
    expect(schemas).toMatchObject({ totalResults: 2, itemsPerPage: 2 })
    expect(schemas.Resources.map(({ name }: { name: string }) => name)).toEqual(['User', 'Group'])
    for (const { id } of schemas.Resources) expect((await at(`/Schemas/${id}`)).attributes.length).toBeGreaterThan(1)
    expect((await at('/Schemas/urn:ietf:params:scim:schemas:extension:enterprise:2.0:User')).name).toBe(
      'EnterpriseUser',
    )
    const types = await at('/ResourceTypes')
    expect(types.Resources.map(({ id, endpoint }: Record<string, string>) => [id, endpoint])).toEqual([
      ['User', '/Users'],
      ['Group', '/Groups'],
    ])
    expect((await at('/ResourceTypes/Group')).endpoint).toBe('/Groups')
    for (const path of ['/Schemas/x', '/ResourceTypes/x', '/Nothing'])
      expectScimError(await directory.call('GET', path), 404)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      for (const body of [undefined, { schemas: [GROUP] }])
        if (method !== 'GET' || !body) expectScimError(await directory.call(method, '/Me', body), 501)
  })
})

describe('a request body', () => {
  const post = (raw: string, type: string) =>
    directory.call('POST', '/Groups', undefined, { raw, headers: { 'content-type': type } })

  it('accepts application/scim+json and application/json in UTF-8', async () => {
    for (const type of [
      'application/scim+json',
      'application/scim+json; charset=utf-8',
      'application/json',
      'Application/SCIM+JSON;charset=UTF-8',
    ])
      expect((await post(JSON.stringify({ schemas: [GROUP], ...named() }), type)).status, type).toBe(201)
  })

  it('rejects other formats with a SCIM error', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/scim+json; charset=latin1'])
      expectScimError(await post('{}', type), 415)
    expectScimError(await post('{', 'application/scim+json'), 400, 'invalidSyntax')
    expectScimError(await post('{"__proto__":{}}', 'application/scim+json'), 400, 'invalidSyntax')
    expectScimError(await post(`"${'x'.repeat(1_100_000)}"`, 'application/scim+json'), 413)
    expectScimError(await directory.call('PATCH', '/Nothing', {}), 404)
    expectScimError(await service.api('DELETE', '/scim/v2'), 404)
  })
})
