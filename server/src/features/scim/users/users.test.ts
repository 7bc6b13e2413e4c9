import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import {
  type Directory,
  ENTERPRISE,
  expectScimError,
  GROUP,
  makeDirectory,
  SEARCH,
  USER,
} from '../../../../test/factories/scim.js'
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

const person = (fields: Record<string, unknown> = {}) => ({
  userName: newEmail('person'),
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  ...fields,
})

describe('POST /Users', () => {
  it('creates an active member and returns its location', async () => {
    const userName = newEmail('ada')
    const answer = await directory.call('POST', '/Users', {
      schemas: [USER],
      ...person({ userName, externalId: 'ada-1' }),
    })
    expect(answer.status, answer.text).toBe(201)
    const location = `${service.baseUrl}/scim/v2/${owner.teamId}/Users/${answer.body.id}`
    expect(answer.headers.get('location')).toBe(location)
    expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    expect(answer.body).toEqual({
      schemas: [USER],
      id: expect.any(String),
      externalId: 'ada-1',
      userName,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      active: true,
      emails: [{ value: userName, type: 'work', primary: true }],
      meta: { resourceType: 'User', created: expect.any(String), lastModified: expect.any(String), location },
    })
    expect((await directory.call('GET', `/Users/${answer.body.id}`)).body).toEqual(answer.body)
    const { body } = await service.api('GET', `/api/v1/users/${answer.body.id}`, { token: owner.token })
    expect(body).toMatchObject({ email: userName, firstName: 'Ada', status: 'active' })
  })

  it('returns all attributes as written', async () => {
    const sent = {
      ...person({ externalId: randomUUID() }),
      name: { givenName: 'Grace', familyName: 'Hopper', middleName: 'B.', formatted: 'Rear Admiral Grace B. Hopper' },
      displayName: 'Grace',
      nickName: 'Amazing Grace',
      title: 'Rear Admiral',
      userType: 'Employee',
      preferredLanguage: 'en',
      locale: 'en-US',
      timezone: 'America/New_York',
      profileUrl: 'https://example.com/grace',
      emails: [
        { value: 'grace@home.example', type: 'home' },
        { value: 'grace@work.example', type: 'work', primary: true },
      ],
      phoneNumbers: [
        { value: '+1 555 0100', type: 'work' },
        { value: '+1 555 0101', type: 'mobile' },
      ],
      addresses: [{ streetAddress: '1 Navy Yard', locality: 'Arlington', country: 'US', type: 'work' }],
      roles: [{ value: 'admiral' }],
      [ENTERPRISE]: {
        employeeNumber: '7',
        department: 'Research',
        costCenter: '4130',
        manager: { value: 'someone' },
      },
    }
    const made = await directory.makeUser(sent)
    expect(made).toMatchObject({ ...sent, schemas: [USER, ENTERPRISE] })
    expect((await directory.call('GET', `/Users/${made.id}`)).body).toEqual(made)
    expect(await directory.find('Users', `emails.value eq "GRACE@home.example"`)).toEqual([made])
    expect(await directory.find('Users', `${ENTERPRISE}:manager.value eq "someone"`)).toEqual([made])
  })

  it('updates and reactivates the user with a known email address under the same ID', async () => {
    const sent = person()
    const made = await directory.makeUser(sent)
    await directory.call('DELETE', `/Users/${made.id}`)
    const again = await directory.makeUser({ userName: sent.userName.toUpperCase(), name: { familyName: 'King' } })
    expect(again).toMatchObject({ id: made.id, active: true, name: { givenName: 'Ada', familyName: 'King' } })
  })

  it('rejects the externalId of another user, and a different one for a user who has one', async () => {
    const first = await directory.makeUser(person({ externalId: randomUUID() }))
    const post = (body: unknown) => directory.call('POST', '/Users', body)
    expectScimError(await post({ schemas: [USER], ...person({ externalId: first.externalId }) }), 409, 'uniqueness')
    const other = await post({ schemas: [USER], userName: first.userName, externalId: 'other' })
    expectScimError(other, 409, 'uniqueness')
    expect(other.body.detail).toBe('This user already has another external ID')
    expect((await post({ schemas: [USER], userName: first.userName, externalId: first.externalId })).status).toBe(201)
  })

  it('uses the first email address for the account if the userName is not one, and stores the userName', async () => {
    const [userName, email] = [`CORP\\${randomUUID().slice(0, 8)}`, newEmail('corp')]
    const made = await directory.makeUser({ userName, emails: [{ value: email, primary: true, type: 'work' }] })
    expect(made.userName).toBe(userName)
    const found = await directory.find('Users', `userName eq "${userName.toLowerCase().replace('\\', '\\\\')}"`)
    expect(found.map(({ id }) => id)).toEqual([made.id])
    expect(await directory.find('Users', `userName eq "${email}"`)).toEqual([])
    const { body } = await service.api('GET', `/api/v1/users/${made.id}`, { token: owner.token })
    expect(body.email).toBe(email)
    expectScimError(
      await directory.call('POST', '/Users', { schemas: [USER], userName, emails: [{ value: newEmail() }] }),
      409,
      'uniqueness',
    )
  })

  it('trims the userName and finds it as sent', async () => {
    for (const userName of [` ${newEmail()} `, ` corp ${randomUUID().slice(0, 8)} `]) {
      const made = await directory.makeUser({ userName, emails: [{ value: newEmail() }] })
      expect(made.userName).toBe(userName.trim())
      for (const name of [userName, made.userName])
        expect(await directory.find('Users', `userName eq "${name}"`)).toEqual([made])
    }
  })

  it('uses the first email address if the userName is missing or not one, even if another one is primary', async () => {
    const [first, primary] = [newEmail(), newEmail()]
    const emails = [{ value: first }, { value: primary, primary: true }]
    const made = await directory.makeUser({ emails })
    expect(made.userName).toBe(first)
    const named = await directory.makeUser({ userName: `corp-${randomUUID().slice(0, 8)}`, emails })
    expect(named.id).toBe(made.id)
  })

  it.each([
    ['a user without an email address', { userName: 'unknown' }, 'invalidValue'],
    ['a user without a userName', { displayName: 'x' }, 'invalidValue'],
    ['a name that is too long', { name: { givenName: 'x'.repeat(101) } }, 'invalidValue'],
    ['an invalid locale', { locale: 'no language' }, 'invalidValue'],
    ['active that is not a boolean', { active: 'maybe' }, 'invalidValue'],
    ['another schema', { schemas: ['urn:example'] }, 'invalidSyntax'],
  ])('rejects %s and creates nothing', async (_, fields, scimType) => {
    const before = (await directory.call('GET', '/Users?count=0')).body.totalResults
    const sent = 'displayName' in fields ? fields : person(fields)
    expectScimError(await directory.call('POST', '/Users', { schemas: [USER], ...sent }), 400, scimType)
    expect((await directory.call('GET', '/Users?count=0')).body.totalResults).toBe(before)
  })
})

describe('PATCH /Users', () => {
  it('changes only the given attributes', async () => {
    const made = await directory.makeUser(
      person({ nickName: 'Ada', phoneNumbers: [{ value: '+44 1', type: 'work' }], [ENTERPRISE]: { department: 'A' } }),
    )
    const answer = await directory.patch(`/Users/${made.id}`, [
      { op: 'replace', path: 'name.familyName', value: 'King' },
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'B' },
      { op: 'remove', path: 'nickName' },
    ])
    expect(answer.status, answer.text).toBe(200)
    const { nickName, ...others } = made
    expect(answer.body).toEqual({
      ...others,
      name: { givenName: 'Ada', familyName: 'King' },
      [ENTERPRISE]: { department: 'B' },
      meta: { ...made.meta, lastModified: expect.any(String) },
    })
    expect((await directory.call('GET', `/Users/${made.id}`)).body).toEqual(answer.body)
  })

  it('applies all operations or none', async () => {
    const made = await directory.makeUser(person())
    const answer = await directory.patch(`/Users/${made.id}`, [
      { op: 'replace', path: 'title', value: 'Countess' },
      { op: 'replace', path: 'emails[type eq "nowhere"].value', value: 'x@example.com' },
    ])
    expectScimError(answer, 400, 'noTarget')
    expect((await directory.call('GET', `/Users/${made.id}`)).body).toEqual(made)
  })

  it('validates changed attributes only', async () => {
    const made = await directory.makeUser(person())
    await service.sql("UPDATE memberships SET locale = 'no language', title = repeat('x', 200) WHERE user_id = $1", [
      made.id,
    ])
    const patch = (path: string, value: string) =>
      directory.patch(`/Users/${made.id}`, [{ op: 'replace', path, value }])
    expect((await patch('nickName', 'A')).body).toMatchObject({ nickName: 'A', locale: 'no language' })
    expectScimError(await patch('title', 'y'.repeat(101)), 400, 'invalidValue')
    expect((await patch('title', 'Countess')).body.title).toBe('Countess')
  })

  it('changes the email address of a user who belongs to this team only', async () => {
    const made = await directory.makeUser(person())
    const userName = newEmail('moved')
    const answer = await directory.patch(`/Users/${made.id}`, [{ op: 'replace', value: { userName } }])
    expect(answer.body).toMatchObject({ id: made.id, userName, emails: [{ value: userName }] })
    const other = await directory.makeUser(person())
    const taken = await directory.patch(`/Users/${made.id}`, [
      { op: 'replace', path: 'userName', value: other.userName },
    ])
    expectScimError(taken, 409, 'uniqueness')
  })

  it('rejects read-only attributes as paths and ignores them in objects', async () => {
    const made = await directory.makeUser(person())
    const patch = (operation: unknown) => directory.patch(`/Users/${made.id}`, [operation])
    for (const path of ['id', 'meta', 'groups'])
      expectScimError(await patch({ op: 'replace', path, value: 'x' }), 400, 'mutability')
    const answer = await patch({ op: 'replace', value: { id: 'x', meta: {}, groups: [{ value: 'x' }], title: 'New' } })
    expect(answer.body).toEqual({ ...made, title: 'New', meta: { ...made.meta, lastModified: expect.any(String) } })
  })
})

describe('PUT /Users', () => {
  it('clears missing attributes and keeps the user active', async () => {
    const made = await directory.makeUser(person({ title: 'Countess', nickName: 'A', externalId: randomUUID() }))
    const answer = await directory.call('PUT', `/Users/${made.id}`, {
      schemas: [USER],
      userName: made.userName,
      name: { givenName: 'Augusta' },
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ id: made.id, active: true, name: { givenName: 'Augusta' } })
    for (const gone of ['title', 'nickName', 'externalId']) expect(answer.body).not.toHaveProperty(gone)
    expect(answer.body.name).not.toHaveProperty('familyName')
  })
})

describe('a response with a resource', () => {
  it('contains the requested attributes for every method', async () => {
    const body = { schemas: [USER], ...person({ title: 'Countess' }) }
    const made = await directory.call('POST', '/Users?attributes=title', body)
    const { id } = made.body
    expect(made.body).toEqual({ schemas: [USER], id, title: 'Countess' })
    expect(made.headers.get('location')).toMatch(new RegExp(`/Users/${id}$`))
    const path = `/Users/${id}?excludedAttributes=name,emails,meta`
    const put = await directory.call('PUT', path, body)
    expect(put.body).toEqual({ schemas: [USER], id, userName: body.userName, title: 'Countess', active: true })
    const patched = await directory.patch(path, [{ op: 'remove', path: 'title' }])
    expect(patched.body).toEqual({ schemas: [USER], id, userName: body.userName, active: true })

    const named = { schemas: [GROUP], displayName: randomUUID(), members: [{ value: id }] }
    const group = await directory.call('POST', '/Groups?excludedAttributes=members,meta', named)
    expect(group.body).toEqual({ schemas: [GROUP], id: group.body.id, displayName: named.displayName })
    expect(group.headers.get('location')).toMatch(new RegExp(`/Groups/${group.body.id}$`))
    const replaced = await directory.call('PUT', `/Groups/${group.body.id}?attributes=members.value`, named)
    expect(replaced.body).toEqual({ schemas: [GROUP], id: group.body.id, members: [{ value: id }] })
  })

  it.each([
    ['application/json', 'application/json'],
    ['application/json, application/scim+json;q=0.5', 'application/json'],
    ['application/scim+json, application/json', 'application/scim+json'],
    ['application/json, */*', 'application/scim+json'],
    ['*/*', 'application/scim+json'],
    ['text/html', 'application/scim+json'],
  ])('returns the media type that Accept requests: %s', async (accept, type) => {
    for (const path of ['/Users?count=1', '/Users/unknown']) {
      const { headers } = await directory.call('GET', path, undefined, { headers: { accept } })
      expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    }
  })
})

describe('the recent requests of users', () => {
  it('omits values of filters and paths', async () => {
    // A separate team, so its log contains nothing of other tests.
    const ours = await registerUser(service)
    const quiet = await makeDirectory(service, ours)
    for (const filter of [
      'userName eq bob@secret.test',
      'userName = bob@secret.test',
      'bob@secret.test',
      'userName eq "bob@secret.test',
      'active eq true and userName eq "bob@secret.test"',
    ])
      await quiet.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    const made = await quiet.makeUser(person())
    const path = 'emails[value eq "bob@secret.test"].display'
    const rejected = await quiet.patch(`/Users/${made.id}`, [{ op: 'replace', path, value: 'x' }])
    expectScimError(rejected, 400, 'noTarget')
    expect(rejected.body.detail).toContain(path)
    const list = () => service.api('GET', '/api/v1/directory/scim/requests', { token: ours.token })
    // Requests to another node appear with a delay.
    await expect.poll(async () => (await list()).body.data, { timeout: 10_000 }).toHaveLength(7)
    const { text } = await list()
    expect(text).not.toMatch(/bob|secret/)
    expect(text).toContain('active eq true and userName eq')
  })
})

describe('the own profile of a user', () => {
  it('keeps the own profile unchanged and shows it only while the membership is confirmed', async () => {
    for (const empty of [
      (id: string, userName: string) => directory.call('PUT', `/Users/${id}`, { schemas: [USER], userName }),
      (id: string) => directory.patch(`/Users/${id}`, [{ op: 'remove', path: 'title' }]),
    ]) {
      const made = await directory.makeUser(person({ title: 'Countess' }))
      await service.sql("UPDATE users SET title = 'Own' WHERE id = $1", [made.id])
      expect((await directory.call('GET', `/Users/${made.id}`)).body.title).toBe('Countess')
      const answer = await empty(made.id, made.userName)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body).not.toHaveProperty('title')
      expect(await directory.find('Users', `id eq "${made.id}" and title pr`)).toEqual([])
      await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [made.id])
      expect((await directory.call('GET', `/Users/${made.id}`)).body.title).toBe('Own')
    }
  })

  it('shows the own profile in a second team where that team has no value', async () => {
    const other = await registerUser(service)
    const body = { title: 'Own' }
    expect((await service.api('PATCH', '/api/v1/auth/me', { token: other.token, body })).status).toBe(200)
    const made = await directory.makeUser({ userName: other.email, title: 'Here' })
    const answer = await directory.patch(`/Users/${made.id}`, [{ op: 'remove', path: 'title' }])
    expect(answer.status).toBe(200)
    const me = await service.api('GET', '/api/v1/auth/me', { token: other.token })
    expect(JSON.stringify(me.body)).toContain('"title":"Own"')
  })
})

describe('DELETE /Users', () => {
  it('suspends the user, idempotently, who remains readable', async () => {
    const made = await directory.makeUser(person())
    for (const _ of [1, 2]) {
      const answer = await directory.call('DELETE', `/Users/${made.id}`)
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await directory.call('GET', `/Users/${made.id}`)).body.active).toBe(false)
    }
    expectScimError(await directory.call('DELETE', `/Users/${randomUUID()}`), 404)
  })

  it('accepts application/scim+json without a body, which some clients send with every request', async () => {
    const { id } = await directory.makeUser(person())
    const headers = { 'content-type': 'application/scim+json' }
    const answer = await directory.call('DELETE', `/Users/${id}`, undefined, { headers })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await directory.call('GET', `/Users/${id}`, undefined, { headers })).body.active).toBe(false)
    const empty = await directory.call('PATCH', `/Users/${id}`, undefined, {
      headers: { 'content-type': 'text/plain' },
    })
    expectScimError(empty, 400, 'invalidSyntax')
  })
})

describe('GET /Users', () => {
  it('returns each user once across pages in any order', async () => {
    for (let n = 0; n < 5; n++) await directory.makeUser(person({ title: `T${n % 2}` }))
    for (const sort of ['', '&sortBy=title', '&sortBy=emails.value&sortOrder=descending', '&sortBy=name.familyName']) {
      const seen: string[] = []
      for (let startIndex = 1; ; startIndex += 3) {
        const { body } = await directory.call('GET', `/Users?count=3&startIndex=${startIndex}${sort}`)
        expect(body.itemsPerPage).toBe(body.Resources.length)
        seen.push(...body.Resources.map(({ id }: { id: string }) => id))
        if (seen.length >= body.totalResults) break
      }
      expect(new Set(seen).size).toBe(seen.length)
    }
  })

  it('returns 100 by default and 200 at most, and counts without listing', async () => {
    const { body } = await directory.call('GET', '/Users?count=0')
    expect(body).toMatchObject({ itemsPerPage: 0, Resources: [], startIndex: 1 })
    expect(body.totalResults).toBeGreaterThan(1)
    expect((await directory.call('GET', '/Users?count=-5&startIndex=-1')).body).toMatchObject({ itemsPerPage: 0 })
    expectScimError(await directory.call('GET', '/Users?count=many'), 400, 'invalidValue')
    expectScimError(await directory.call('GET', '/Users?sortBy=nothing'), 400, 'invalidPath')
    expectScimError(await directory.call('GET', '/Users?filter=userName'), 400, 'invalidFilter')
  })

  it('counts all matches of a filter on every page', async () => {
    const title = randomUUID()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await directory.makeUser(person({ title }))).id)
    const pages: [asked: object, place: number, listed: string[]][] = [
      [{ count: 2 }, 1, ids.slice(0, 2)],
      [{ count: 2, startIndex: 3 }, 3, ids.slice(2)],
      [{ startIndex: 4 }, 4, []],
      [{ startIndex: 1_000 }, 1_000, []],
      [{ count: 0 }, 1, []],
    ]
    for (const [asked, startIndex, listed] of pages) {
      const said = { filter: `title eq "${title}"`, ...asked }
      const query = new URLSearchParams(
        Object.entries(said).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const { body } = await directory.call('GET', `/Users?${query}`)
      expect(body).toMatchObject({ totalResults: 3, startIndex, itemsPerPage: listed.length })
      expect(body.Resources.map(({ id }: { id: string }) => id)).toEqual(listed)
      const searched = await directory.call('POST', '/Users/.search', { schemas: [SEARCH], ...said })
      expect(searched.body).toEqual(body)
    }
    const behind = await directory.call('GET', `/Users?startIndex=2&filter=id eq "${ids[0]}"`)
    expect(behind.body).toMatchObject({ totalResults: 1, itemsPerPage: 0, Resources: [] })
  })

  it('sorts without case in both directions, with missing values last in ascending order', async () => {
    const title = randomUUID()
    for (const nickName of ['b', 'C', 'A', undefined]) await directory.makeUser(person({ title, nickName }))
    const sorted = async (more: string) => {
      const { body } = await directory.call('GET', `/Users?filter=title eq "${title}"&sortBy=nickName${more}`)
      return body.Resources.map(({ nickName }: { nickName?: string }) => nickName)
    }
    expect(await sorted('')).toEqual(['A', 'b', 'C', undefined])
    expect(await sorted('&sortOrder=descending')).toEqual([undefined, 'C', 'b', 'A'])
  })

  it('sorts by the primary value of a list, else the first', async () => {
    const title = randomUUID()
    const roles = [
      [
        { value: 'a', primary: false },
        { value: 'z', primary: true },
      ],
      [{ value: 'm' }, { value: 'b' }],
    ]
    for (const some of roles) await directory.makeUser(person({ title, roles: some }))
    const { body } = await directory.call('GET', `/Users?filter=title eq "${title}"&sortBy=roles`)
    expect(body.Resources.map((one: { roles: unknown }) => one.roles)).toEqual(roles.toReversed())
  })

  it('returns the status of the membership in this team', async () => {
    const made = await directory.makeUser(person())
    await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [made.id])
    expect((await directory.call('GET', `/Users/${made.id}`)).body.active).toBe(true)
    await directory.patch(`/Users/${made.id}`, [{ op: 'replace', path: 'active', value: false }])
    expect((await directory.call('GET', `/Users/${made.id}`)).body.active).toBe(false)
    expect(await directory.find('Users', `id eq "${made.id}" and active eq true`)).toEqual([])
  })

  it('returns only the requested attributes', async () => {
    const made = await directory.makeUser(person({ title: 'Countess' }))
    const at = `/Users/${made.id}`
    expect((await directory.call('GET', `${at}?attributes=title,name.givenName`)).body).toEqual({
      schemas: [USER],
      id: made.id,
      title: 'Countess',
      name: { givenName: 'Ada' },
    })
    const { title, meta, ...rest } = made
    expect((await directory.call('GET', `${at}?excludedAttributes=title,meta`)).body).toEqual(rest)
  })
})
