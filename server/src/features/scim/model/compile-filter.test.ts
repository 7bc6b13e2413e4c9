import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newEmail, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { type Directory, ENTERPRISE, expectScimError, makeDirectory, SEARCH } from '../../../../test/factories/scim.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { matches, parseFilter, readSearchOfAll, type ScimObject } from '../../../protocols/scim/index.js'
import { groupColumns } from '../groups/group-columns.js'
import { userColumns } from '../users/user-columns.js'
import { compileFilter } from './compile-filter.js'

/** Cases for each property; the long run uses many more. */
const CASES = LONG ? 5_000 : 100

let service: TestService
let owner: TestUser
let directory: Directory
let people: (ScimObject & { id: string })[]
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  directory = await makeDirectory(service, owner)
  const common = [
    { nickName: 'Ann', title: 'a_b', [ENTERPRISE]: { department: 'A%', manager: { value: 'x' } } },
    { nickName: 'ann', displayName: 'Z', active: false, emails: [{ value: 'a@home.example', type: 'home' }] },
    { name: { givenName: 'Ann', familyName: 'B', middleName: 'x' }, phoneNumbers: [{ value: 'x', type: 'WORK' }] },
    { addresses: [{ country: 'DE', primary: true }, { country: 'AT' }], roles: [{ value: 'a', primary: true }] },
    { userType: "o'x", externalId: 'Ext', emails: [{ value: 'x@a.example', type: 'work', primary: true }] },
  ]
  for (const fields of common) await directory.makeUser({ userName: newEmail('x'), ...fields })
  // Attributes that the team writes in other ways are not in the tables of this module.
  await service.sql("UPDATE memberships SET phone = 'y', locale = 'de' WHERE external_id = 'Ext'")
  await service.sql(
    "UPDATE users SET email = 'moved@a.example' WHERE id = (SELECT user_id FROM memberships WHERE external_id = 'Ext')",
  )
  const group = await directory.makeGroup({ displayName: 'Ann', members: [{ value: owner.id }] })
  expect(group.members.length).toBe(1)
  people = (await directory.call('GET', '/Users?count=200')).body.Resources
})
afterAll(() => service.close())

const texts = fc.constantFrom(
  'userName',
  'nickName',
  'displayName',
  'title',
  'userType',
  'name.givenName',
  'name.middleName',
  'locale',
  'externalId',
  'emails.value',
  'emails',
  'emails.type',
  'phoneNumbers.value',
  'phoneNumbers',
  'addresses.country',
  'roles',
  'groups.display',
  `${ENTERPRISE}:department`,
  `${ENTERPRISE}:manager.value`,
  'meta.resourceType',
  'schemas',
)
const values = fc.constantFrom(
  '',
  'a',
  'A',
  'ann',
  'x',
  'X',
  'y',
  'b',
  'z',
  '%',
  '_',
  'a_b',
  "o'x",
  'de',
  'DE',
  'work',
  'ext',
  'Ext',
  'User',
  'A%',
  'moved@a.example',
  'a@home.example',
  'x@a.example',
)
const operators = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le')
const simple = fc.oneof(
  fc.tuple(texts, operators, values).map(([name, op, value]) => `${name} ${op} "${value}"`),
  fc
    .constantFrom('active', 'emails.primary', 'addresses.primary', 'roles.primary')
    .chain((name) => fc.constantFrom('eq true', 'eq false', 'ne true', 'pr').map((rest) => `${name} ${rest}`)),
  fc
    .tuple(
      fc.oneof(texts, fc.constantFrom('name', 'meta', 'groups', 'addresses', 'emails', `${ENTERPRISE}:manager`)),
      fc.constant('pr'),
    )
    .map(([name, op]) => `${name} ${op}`),
  fc.constantFrom('gt', 'le').map((op) => `meta.created ${op} "2020-01-01T00:00:00Z"`),
  fc
    .tuple(
      fc.constantFrom('emails', 'phoneNumbers', 'roles'),
      operators,
      values,
      fc.constantFrom('and', 'or'),
      fc.boolean(),
    )
    .map(([list, op, value, and, is]) => `${list}[value ${op} "${value}" ${and} not (primary eq ${is})]`),
)
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    simple,
    fc.tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter')).map(([a, op, b]) => `(${a}) ${op} (${b})`),
    tie('filter').map((inner) => `not (${inner})`),
  ),
}))

it('finds in the database exactly the users that the filter matches as shown', async () => {
  await fc.assert(
    fc.asyncProperty(filter, async (text) => {
      const wanted = parseFilter('User', text)
      const found = await directory.find('Users', text)
      const expected = people.filter((person) => matches(wanted, person))
      expect(found.map(({ id }) => id).sort(), text).toEqual(expected.map(({ id }) => id).sort())
    }),
    { numRuns: CASES },
  )
})

it('finds across resource types exactly the users and groups that the filter matches as shown', async () => {
  const groups = await directory.find('Groups', 'id pr')
  const onlyOfGroups = fc.constantFrom(
    'members.value pr',
    'members pr',
    `members[value eq "${owner.id}" and type eq "User"]`,
    `members.display ne "${owner.email}"`,
    'members eq null',
    'meta.resourceType eq "Group"',
    'urn:ietf:params:scim:schemas:core:2.0:Group:displayName eq "Ann"',
    'urn:ietf:params:scim:schemas:core:2.0:User:displayName ne "Ann"',
  )
  const mixed = fc.oneof(
    filter,
    onlyOfGroups,
    fc.tuple(filter, fc.constantFrom('and', 'or'), onlyOfGroups).map(([a, op, b]) => `not ((${a}) ${op} ${b})`),
  )
  await fc.assert(
    fc.asyncProperty(mixed, async (text) => {
      const request = { schemas: [SEARCH], filter: text, count: 200 }
      const { User, Group } = readSearchOfAll(request)
      const { status, body } = await directory.call('POST', '/.search', request)
      expect(status, `${text}: ${JSON.stringify(body)}`).toBe(200)
      const expected = [
        ...people.filter((person) => User.filter && matches(User.filter, person)),
        ...groups.filter((group) => Group.filter && matches(Group.filter, group)),
      ]
      const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort()
      expect(ids(body.Resources), text).toEqual(ids(expected))
    }),
    { numRuns: LONG ? CASES / 5 : 30 },
  )
})

it('uses indexes for lookups, regardless of the size of the team', async () => {
  // Without triggers, because those maintain the search index, which costs most of the time and is not searched here.
  await service.sql(
    `SET session_replication_role = replica;
     WITH made AS (INSERT INTO users (id, email, status, self_registered, created_at, updated_at)
       SELECT gen_random_uuid(), 'many-' || n || '@example.com', 'active', false, now(), now()
       FROM generate_series(1, 5000) n RETURNING id)
     INSERT INTO memberships (id, user_id, organization_id, role, status, counts, external_id, created_at, updated_at)
       SELECT gen_random_uuid(), id, '${owner.teamId}', 'MEMBER', 'active', true, id::text, now(), now() FROM made;
     RESET session_replication_role`,
  )
  await service.sql('ANALYZE')
  await service.sql(
    `INSERT INTO scim_users (membership_id, organization_id, data)
       SELECT id, organization_id, jsonb_build_object('displayName', 'Many ' || id, 'emails', jsonb_build_array(jsonb_build_object('value', id || '@Home.example', 'type', 'home')))
       FROM memberships WHERE organization_id = $1 AND external_id IS NOT NULL AND id NOT IN (SELECT membership_id FROM scim_users)`,
    [owner.teamId],
  )
  await service.sql(
    `INSERT INTO groups (id, organization_id, name, created_at, updated_at) SELECT gen_random_uuid(), $1, 'Many ' || n, now(), now() FROM generate_series(1, 2000) n`,
    [owner.teamId],
  )
  await service.sql('ANALYZE')
  const [person] = await directory.find('Users', 'userName eq "many-7@example.com"')
  const [group] = await directory.find('Groups', 'displayName eq "Many 7"')
  const explained = {
    User: sql`SELECT m.id FROM memberships m JOIN users u ON u.id = m.user_id LEFT JOIN scim_users s ON s.membership_id = m.id WHERE m.organization_id = ${owner.teamId}`,
    Group: sql`SELECT g.id FROM groups g LEFT JOIN scim_groups x ON x.group_id = g.id WHERE g.organization_id = ${owner.teamId}`,
  }
  const asked: [kind: 'User' | 'Group', filter: string, found?: string][] = [
    ['User', 'userName eq "many-7@example.com"', person.id],
    ['User', 'userName eq "corp\\\\x"'],
    ['User', `externalId eq "${person.externalId}"`, person.id],
    ['User', `id eq "${person.id}"`, person.id],
    ['User', `emails.value eq "${person.emails[0].value.toUpperCase()}"`, person.id],
    ['User', `emails[type eq "home" and value eq "${person.emails[0].value}"]`, person.id],
    ['User', `emails eq "${person.emails[0].value}" and active eq true`, person.id],
    ['User', `displayName eq "${person.displayName.toUpperCase()}"`, person.id],
    ['User', `displayName sw "${person.displayName.slice(0, -2)}"`, person.id],
    ['Group', 'displayName eq "Many 7"', group.id],
    ['Group', 'displayName sw "Many 7" and displayName ew "y 7"', group.id],
    ['Group', `id eq "${group.id}"`, group.id],
    ['Group', `members.value eq "${owner.id}"`],
    ['Group', `members[value eq "${owner.id}"]`],
  ]
  for (const [kind, text, found] of asked) {
    const condition = compileFilter(parseFilter(kind, text), kind === 'User' ? userColumns('x') : groupColumns('x'))
    const { rows } = await service.db.transaction((tx) => tx.execute(sql`EXPLAIN ${explained[kind]} AND ${condition}`))
    const plan = rows.map((line) => line['QUERY PLAN']).join('\n')
    expect(plan, `${text}\n${plan}`).not.toMatch(/Seq Scan on (users|memberships|scim_users|groups)|_newest/)
    if (found) expect((await directory.find(`${kind}s`, text)).map(({ id }) => id)).toEqual([found])
  }
})

it('has no pending list in the index of addresses, which every search would read', async () => {
  const [index] = await service.sql("SELECT reloptions FROM pg_class WHERE relname = 'scim_users_emails'")
  expect(index).toEqual({ reloptions: ['fastupdate=off'] })
})

it('finds names and addresses of any length and with LIKE wildcards', async () => {
  const odd = `100%_\\ ${'ä'.repeat(300)}`
  const made = await directory.makeUser({
    userName: newEmail(),
    displayName: `${odd}x`,
    emails: [{ value: newEmail(), type: 'x'.repeat(4_000) }],
  })
  await directory.makeUser({ userName: newEmail(), displayName: `${odd}y` })
  const find = async (filter: string) => (await directory.find('Users', filter)).map(({ id }) => id)
  expect(await find(`displayName eq ${JSON.stringify(`${odd}X`)}`)).toEqual([made.id])
  expect(await find(`displayName sw ${JSON.stringify(`${odd}x`)}`)).toEqual([made.id])
  expect(await find(`displayName sw ${JSON.stringify('100%_\\')}`)).toHaveLength(2)
  expect(await find('displayName sw "100_"')).toEqual([])
  expect(await find(`emails.value eq ${JSON.stringify(made.emails[0].value)}`)).toEqual([made.id])
})

it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T24:00:00Z', '9999-12-31T23:59:59-23:59'])(
  'rejects a timestamp outside of the range of the database: %s',
  async (instant) => {
    for (const kind of ['Users', 'Groups'])
      for (const attribute of ['meta.created', 'meta.lastModified']) {
        const filter = encodeURIComponent(`${attribute} gt "${instant}"`)
        expectScimError(await directory.call('GET', `/${kind}?filter=${filter}`), 400, 'invalidFilter')
      }
  },
)

it('finds all users and groups between the first and the last timestamp', async () => {
  for (const kind of ['Users', 'Groups'] as const) {
    const all = await directory.find(kind, 'id pr')
    const between = 'meta.created ge "0001-01-01T00:00:00Z" and meta.lastModified le "9999-12-31T23:59:59.999Z"'
    expect(await directory.find(kind, between)).toEqual(all)
  }
})

it.each(['ΟΔΟΣ', 'İZMİR', 'Straße'])(
  'matches a string by itself despite special lower-case mappings: %s',
  async (text) => {
    const names = {
      userName: `${text} ${newEmail().replace('@', ' ')}`,
      displayName: text,
      title: text,
      nickName: text,
    }
    const emails = [{ value: newEmail(), type: text }]
    const { id } = await directory.makeUser({
      ...names,
      name: { familyName: text },
      emails,
      [ENTERPRISE]: { department: text },
    })
    const found = [expect.objectContaining({ id })]
    for (const attribute of [
      'displayName',
      'title',
      'nickName',
      'name.familyName',
      'emails.type',
      `${ENTERPRISE}:department`,
    ]) {
      // One request for all operators: a comparison that does not match makes the result empty.
      const matching = ['eq', 'co', 'sw', 'ew', 'ge', 'le'].map((op) => `${attribute} ${op} "${text}"`).join(' and ')
      const filter = `${matching} and id eq "${id}"`
      expect(await directory.find('Users', filter), filter).toEqual(found)
    }
    expect(await directory.find('Users', `userName sw "${text}"`)).toEqual(found)
    expect(await directory.find('Users', `emails[type eq "${text}"]`)).toEqual(found)
    const group = await directory.makeGroup({ displayName: text })
    expect(await directory.find('Groups', `displayName sw "${text}"`)).toEqual([group])
  },
)
