import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, registerUser } from '../../../../test/factories/factories.js'
import {
  type Directory,
  ENTERPRISE,
  expectScimError,
  GROUP,
  makeDirectory,
  USER,
} from '../../../../test/factories/scim.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let directory: Directory
let teamId: string
beforeAll(async () => {
  service = await startService()
  const owner = await registerUser(service)
  teamId = owner.teamId
  directory = await makeDirectory(service, owner)
})
afterAll(() => service.close())

/** One request of the vendor's sequence: expected status and parts of the response. */
async function step(method: string, path: string, body: unknown, status: number) {
  const answer = await directory.call(method, path, body)
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status)
  return answer.body
}
const OPS = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const patch = (...Operations: unknown[]) => ({ schemas: [OPS], Operations })
const totalOf = async (path: string) => (await directory.call('GET', path)).body.totalResults

describe('Microsoft Entra ID', () => {
  it('tests the connection and provisions, updates, disables, enables and removes a user', async () => {
    const userName = newEmail('entra')
    expect(await totalOf(`/Users?filter=userName eq "${randomUUID()}"`)).toBe(0)
    const made = await step(
      'POST',
      '/Users?aadOptscim062020',
      {
        schemas: [USER, ENTERPRISE],
        externalId: randomUUID(),
        userName,
        active: true,
        displayName: 'Bob',
        emails: [{ primary: true, type: 'work', value: userName }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Bob Brown', familyName: 'Brown', givenName: 'Bob' },
        roles: [],
        [ENTERPRISE]: { department: 'IT' },
      },
      201,
    )
    expect(await directory.find('Users', `externalId eq "${made.externalId}"`)).toEqual([made])
    const changed = await step(
      'PATCH',
      `/Users/${made.id}`,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: userName },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 1' },
        { op: 'Replace', path: 'name.familyName', value: 'Braun' },
        { op: 'Add', path: `${ENTERPRISE}:department`, value: 'HR' },
        { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'manager-id' },
        { op: 'Replace', value: { 'name.givenName': 'Bobby', displayName: 'Bobby' } },
      ),
      200,
    )
    expect(changed).toMatchObject({
      name: { familyName: 'Braun', givenName: 'Bobby' },
      phoneNumbers: [{ type: 'mobile', value: '+49 1' }],
      [ENTERPRISE]: { department: 'HR', manager: { value: 'manager-id' } },
    })
    expect(
      (await step('PATCH', `/Users/${made.id}`, patch({ op: 'Replace', path: 'active', value: 'False' }), 200)).active,
    ).toBe(false)
    expect(
      (await step('PATCH', `/Users/${made.id}`, patch({ op: 'Replace', path: 'active', value: 'True' }), 200)).active,
    ).toBe(true)
    await step('DELETE', `/Users/${made.id}`, undefined, 204)
  })

  it('provisions, fills and empties a group and searches for a member', async () => {
    const person = await directory.makeUser({ userName: newEmail('entra') })
    const externalId = randomUUID()
    const { id } = await step(
      'POST',
      '/Groups',
      { schemas: [GROUP], externalId, displayName: `Entra ${externalId}`, meta: { resourceType: 'Group' } },
      201,
    )
    await step('PATCH', `/Groups/${id}`, patch({ op: 'Add', path: 'members', value: [{ value: person.id }] }), 204)
    expect(await totalOf(`/Groups?excludedAttributes=members&filter=id eq "${id}" and members eq "${person.id}"`)).toBe(
      1,
    )
    const shown = await step('GET', `/Groups/${id}?excludedAttributes=members`, undefined, 200)
    expect(shown).not.toHaveProperty('members')
    await step('PATCH', `/Groups/${id}`, patch({ op: 'Remove', path: 'members', value: [{ value: person.id }] }), 204)
    await step(
      'PATCH',
      `/Groups/${id}`,
      patch({ op: 'Replace', path: 'displayName', value: `Renamed ${externalId}` }),
      204,
    )
    expect((await step('GET', `/Groups/${id}`, undefined, 200)).members).toBeUndefined()
    await step('DELETE', `/Groups/${id}`, undefined, 204)
  })
})

describe('Okta', () => {
  it('finds, creates, replaces, deactivates and finds a user again', async () => {
    const userName = newEmail('okta')
    expect(await totalOf(`/Users?startIndex=1&count=100&filter=userName eq "${userName}"`)).toBe(0)
    const sent = {
      schemas: [USER],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const made = await step('POST', '/Users', sent, 201)
    expect(JSON.stringify(made)).not.toContain('password')
    const read = await step('GET', `/Users/${made.id}`, undefined, 200)
    const put = await step(
      'PUT',
      `/Users/${made.id}`,
      { ...read, name: { givenName: 'Another', familyName: 'User' } },
      200,
    )
    expect(put).toMatchObject({
      id: made.id,
      externalId: sent.externalId,
      name: { givenName: 'Another' },
      active: true,
    })
    const gone = await step('PATCH', `/Users/${made.id}`, patch({ op: 'replace', value: { active: false } }), 200)
    expect(gone.active).toBe(false)
    expect((await step('POST', '/Users', sent, 201)).id).toBe(made.id)
  })

  it('pushes a group: creates, renames, fills and empties it', async () => {
    const [a, b] = [
      await directory.makeUser({ userName: newEmail('okta') }),
      await directory.makeUser({ userName: newEmail('okta') }),
    ]
    const displayName = `Okta ${randomUUID()}`
    const { id } = await step('POST', '/Groups', { schemas: [GROUP], displayName, members: [] }, 201)
    expect(await totalOf(`/Groups?filter=displayName eq "${displayName}"`)).toBe(1)
    await step('PATCH', `/Groups/${id}`, patch({ op: 'replace', value: { id, displayName: `${displayName} 2` } }), 204)
    await step(
      'PATCH',
      `/Groups/${id}`,
      patch(
        { op: 'remove', path: `members[value eq "${a.id}"]` },
        { op: 'add', path: 'members', value: [{ value: b.id, display: b.userName }] },
      ),
      204,
    )
    const put = await step(
      'PUT',
      `/Groups/${id}`,
      { schemas: [GROUP], id, displayName, members: [{ value: a.id, display: a.userName }] },
      200,
    )
    expect(put.members.map(({ value }: { value: string }) => value)).toEqual([a.id])
    await step('DELETE', `/Groups/${id}`, undefined, 204)
  })
})

describe('Google Workspace and OneLogin', () => {
  it('handles Google: find by name, create, patch whole objects, suspend', async () => {
    const userName = newEmail('google')
    expect(await totalOf(`/Users?filter=userName eq "${userName}"&startIndex=1&count=1`)).toBe(0)
    const made = await step(
      'POST',
      '/Users',
      {
        schemas: [USER, ENTERPRISE],
        userName,
        name: { familyName: 'Li', givenName: 'Wei' },
        emails: [{ value: userName, primary: true }],
        active: true,
      },
      201,
    )
    const changed = await step(
      'PATCH',
      `/Users/${made.id}`,
      patch({
        op: 'replace',
        value: { name: { familyName: 'Li', givenName: 'W.' }, [ENTERPRISE]: { costCenter: '9' }, title: 'Engineer' },
      }),
      200,
    )
    expect(changed).toMatchObject({ name: { givenName: 'W.' }, title: 'Engineer', [ENTERPRISE]: { costCenter: '9' } })
    await step('PATCH', `/Users/${made.id}`, patch({ op: 'replace', path: 'active', value: false }), 200)
    expect((await step('GET', `/Users/${made.id}`, undefined, 200)).active).toBe(false)
  })

  it('handles OneLogin: create in one case, read in another, deactivate by PUT', async () => {
    const userName = newEmail('onelogin')
    const made = await step(
      'POST',
      '/Users',
      { schemas: [USER], UserName: userName, Name: { GivenName: 'One' }, Active: 'true' },
      201,
    )
    expect(made).toMatchObject({ userName, name: { givenName: 'One' }, active: true })
    expect(await totalOf(`/Users?filter=USERNAME Eq "${userName.toUpperCase()}"`)).toBe(1)
    const put = await step(
      'PUT',
      `/Users/${made.id}`,
      { schemas: [USER], userName, name: { givenName: 'One' }, active: false },
      200,
    )
    expect(put.active).toBe(false)
  })

  it('treats a filter that resembles SQL as data', async () => {
    const before = await totalOf('/Users')
    for (const value of ["'; DROP TABLE users; --", "' OR 1=1 --", '%', '_', '\\\\', '$1', "a') OR ('1'='1"])
      for (const filter of [
        `userName eq "${value}"`,
        `nickName co "${value}"`,
        `emails.value sw "${value}"`,
        `externalId eq "${value}"`,
      ])
        expect(await directory.find('Users', filter), filter).toEqual([])
    for (const filter of [
      'password eq "x"',
      'users.id eq "x"',
      '1 eq 1',
      'userName eq "x" ; select 1',
      'm.role eq "OWNER"',
    ])
      expectScimError(await directory.call('GET', `/Users?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter')
    expect(await totalOf('/Users')).toBe(before)
  })
})

describe('a client that builds its model from discovery', () => {
  interface Attribute {
    name: string
    type: string
    multiValued: boolean
    required: boolean
    mutability: string
    canonicalValues?: string[]
    referenceTypes?: string[]
    subAttributes?: Attribute[]
  }
  const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
  const ofType = (name: string) => `urn:ietf:params:scim:schemas:core:2.0:${name}`
  const read = async (path: string) => (await directory.call('GET', path)).body
  const schemaOf = async (id: string): Promise<Attribute[]> => (await read(`/Schemas/${id}`)).attributes

  it('finds the schemas and extensions of each resource type in the list of schemas', async () => {
    const [config, types, schemas] = await Promise.all(
      ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'].map(async (path) => {
        const { status, headers, body } = await directory.call('GET', path)
        expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'application/scim+json; charset=utf-8'])
        return body
      }),
    )
    expect(config.schemas).toEqual([ofType('ServiceProviderConfig')])
    for (const [list, name] of [
      [types, 'ResourceType'],
      [schemas, 'Schema'],
    ] as const) {
      expect(list).toMatchObject({ schemas: [LIST], totalResults: 2, startIndex: 1, itemsPerPage: 2 })
      for (const one of list.Resources) {
        expect(one).toMatchObject({ schemas: [ofType(name)], meta: { resourceType: name } })
        expect(one.meta.location).toBe(`${service.baseUrl}/scim/v2/${teamId}/${name}s/${one.id}`)
        expect(await read(`/${name}s/${one.id}`)).toEqual(one)
      }
      expectScimError(await directory.call('GET', `/${name}s/${randomUUID()}`), 404)
    }
    const listed = schemas.Resources.map(({ id }: { id: string }) => id)
    for (const { schema, schemaExtensions = [] } of types.Resources)
      for (const urn of [schema, ...schemaExtensions.map((extension: { schema: string }) => extension.schema)])
        expect(listed).toContain(urn)
    expectScimError(await directory.call('GET', `/${randomUUID()}`), 404)
  })

  /** Returns a value of the type; a string has no meaning beyond that. */
  function simpleValue({ name, type, canonicalValues, referenceTypes }: Attribute, of: string): unknown {
    if (of === 'emails' && name === 'value') return newEmail('listed')
    if (of === '' && name === 'userName') return newEmail('named')
    if (name === 'locale') return 'en-GB'
    if (canonicalValues) return canonicalValues[0]
    if (type === 'boolean') return true
    if (type === 'binary') return Buffer.from(randomUUID()).toString('base64')
    if (type === 'reference') return referenceTypes?.includes('external') ? 'https://example.com/x' : undefined
    return randomUUID()
  }
  function sampleOf(attribute: Attribute, of = ''): unknown {
    if (attribute.mutability === 'readOnly') return undefined
    const parts = attribute.subAttributes?.map((sub) => [sub.name, sampleOf(sub, attribute.name)] as const)
    const value = parts
      ? Object.fromEntries(parts.filter(([, part]) => part !== undefined))
      : simpleValue(attribute, of)
    return attribute.multiValued && value !== undefined ? [value] : value
  }
  /** Expects that a resource has only attributes of the schema. */
  function expectModelled(attributes: Attribute[], value: Record<string, unknown>, path = '') {
    for (const [name, found] of Object.entries(value)) {
      const attribute = attributes.find((one) => one.name === name)
      expect(attribute, `${path}${name} is not in the schema`).toBeDefined()
      expect(Array.isArray(found), `${path}${name}`).toBe(attribute?.multiValued)
      for (const one of [found].flat())
        if (attribute?.subAttributes)
          expectModelled(attribute.subAttributes, one as Record<string, unknown>, `${name}.`)
        else expect(typeof one, `${path}${name}`).toBe(attribute?.type === 'boolean' ? 'boolean' : 'string')
    }
  }

  it('writes, reads, replaces and removes every attribute of the schema of a user, and receives no others', async () => {
    const attributes = await schemaOf(USER)
    const values = attributes.map((attribute) => [attribute, sampleOf(attribute)] as const)
    const writable = values.filter(([, value]) => value !== undefined)
    const sent = Object.fromEntries(writable.map(([{ name }, value]) => [name, value]))
    const expectOwn = ({ schemas, id, externalId, meta, ...own }: Record<string, unknown>) =>
      expectModelled(attributes, own)
    const made = await directory.makeUser(sent)
    expect(made).toMatchObject(sent)
    expectOwn(made)
    for (const [{ name, required }, value] of writable) {
      const path = `${USER}:${name}`
      const to = async (op: string, more: object = {}) => {
        const { status, body, text } = await directory.patch(`/Users/${made.id}`, [{ op, path, ...more }])
        expect(status, `${op} ${path}: ${text}`).toBe(200)
        expect((await directory.call('GET', `/Users/${made.id}`)).body).toEqual(body)
        expectOwn(body)
        return body[name]
      }
      if (!required && name !== 'emails' && name !== 'active') expect(await to('remove'), name).toBeUndefined()
      expect(await to('add', { value }), name).toEqual(value)
      expect(await to('replace', { value }), name).toEqual(value)
    }
    expect((await directory.call('PUT', `/Users/${made.id}`, { schemas: [USER], ...sent })).body).toMatchObject(sent)
  })
})
