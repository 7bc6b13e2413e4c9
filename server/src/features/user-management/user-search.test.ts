import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, joinTeam, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('GET /users?search=', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service, { email: 'boss@head.test' })
  })
  afterAll(() => service.close())

  const add = (email: string, firstName?: string, lastName?: string) =>
    addUser(service, owner, { email, firstName, lastName })
  const find = async (search: string, { token } = owner): Promise<string[]> => {
    const { status, body } = await service.api('GET', `/api/v1/users?limit=100&search=${encodeURIComponent(search)}`, {
      token,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.total).toBe(body.data.length)
    return body.data.map(({ email }: { email: string }) => email).sort()
  }

  it('finds any part of names and addresses, in any order and case', async () => {
    await add('anna.linde@one.test', 'Anna', 'Linde')
    await add('annika@two.test', 'Annika', 'Lindgren')
    expect(await find('lind')).toEqual(['anna.linde@one.test', 'annika@two.test'])
    expect(await find('LINDGREN annika')).toEqual(['annika@two.test'])
    expect(await find('ndg')).toEqual(['annika@two.test'])
    expect(await find('linde@one')).toEqual(['anna.linde@one.test'])
    expect(await find('one.test')).toEqual(['anna.linde@one.test'])
    expect(await find('  anna   lin ')).toEqual(['anna.linde@one.test'])
    expect(await find('anna.linde@one.test')).toEqual(['anna.linde@one.test'])
    expect(await find('annalinde')).toEqual([])
    // All trigrams of it occur in "Annika Lindgren", but not in sequence.
    expect(await find('annikaannika')).toEqual([])
  })

  it('matches one or two characters only at the beginning of words', async () => {
    await add('zoe@xy.test', 'Zoë', 'Quist')
    expect(await find('z')).toEqual(['zoe@xy.test'])
    expect(await find('zo q')).toEqual(['zoe@xy.test'])
    expect(await find('xy')).toEqual(['zoe@xy.test'])
    expect(await find('ui')).toEqual([])
  })

  it.each([
    ['Zoë', 'zoe'],
    ['ISMAIL', 'İsmail'],
    ['ismail', 'İSMAİL'],
    ['ışık', 'ISIK'],
    ['Straße', 'STRASSE'],
    ['strasse', 'straẞe'],
    ['Γιώργος', 'γιωργοσ'],
    ['ΓΙΏΡΓΟΣ', 'γιώργος'],
    ['Йосиф', 'ЙОСИФ'],
    ['Łukasz', 'lukasz'],
    ['Søren', 'SØREN'],
    ['e\u0301milie', 'Émilie'],
    ['ﬁona', 'FIONA'],
    ['李明', '李明'],
    ['김민수', '김민수'],
    ['🦊fox', '🦊FOX'],
  ])('finds %s with the search %s', async (name, search) => {
    const email = `n${Buffer.from(name).toString('hex')}${Buffer.from(search).length}@names.test`
    await add(email, name, 'Someone')
    expect(await find(search)).toContain(email)
  })

  it.each([
    '%',
    '_',
    '%%%',
    '___',
    'a%a',
    "'; drop table users; --",
    '\\',
    '\\\\\\',
    '{',
    '"',
    '^an',
    '()',
    '.*.',
    ' ',
  ])('treats %j literally', async (search) => {
    const found = await find(search)
    if (search.trim() !== '') expect(found).toEqual([])
  })

  it('finds special characters in names', async () => {
    await add('odd@odd.test', '100%_sure\\', 'O"Neil')
    for (const search of ['100%', '%_sure', 'sure\\', '_su', 'o"n'])
      expect(await find(search)).toEqual(['odd@odd.test'])
  })

  it('finds no user of another team', async () => {
    const other = await registerUser(service)
    await addUser(service, other, { email: 'anna.linde@other.test', firstName: 'Anna', lastName: 'Linde' })
    expect(await find('linde', other)).toEqual(['anna.linde@other.test'])
    expect(await find('linde')).toEqual(['anna.linde@one.test'])
  })

  it("searches the team's values, and the user's own name where the team has none", async () => {
    const user = await add('follow@me.test', 'Before', 'Marriage')
    const put = (body: object) => service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body })
    await put({ lastName: 'Afterwards' })
    expect(await find('marriage')).toEqual([])
    expect(await find('afterwards')).toEqual(['follow@me.test'])
    await put({ lastName: null, firstName: null })
    expect(await find('afterwards')).toEqual([])
    // The own profile and the email address are searched too once the membership is confirmed.
    await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [user.id])
    await service.sql(
      "UPDATE users SET first_name = 'Own', last_name = 'Nameday', email = 'follow@now.test' WHERE id = $1",
      [user.id],
    )
    expect(await find('nameday')).toEqual(['follow@now.test'])
    expect(await find('follow@me')).toEqual([])
    await put({ lastName: 'Teamwork' })
    await service.sql("UPDATE users SET last_name = 'Nameweek' WHERE id = $1", [user.id])
    expect(await find('teamwork')).toEqual(['follow@now.test'])
    expect(await find('nameweek')).toEqual([])
  })

  it('keeps the search consistent under concurrent renames by team and user', async () => {
    const user = await registerUser(service, { email: 'both@once.test' })
    await joinTeam(service, user, owner.teamId)
    for (let turn = 0; turn < 5; turn++) {
      const answers = await Promise.all([
        service.api('PATCH', '/api/v1/auth/me', { token: user.token, body: { firstName: `own${turn}` } }),
        service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { lastName: `team${turn}` } }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await find(`own${turn} team${turn}`)).toEqual(['both@once.test'])
    }
  })

  it('uses its index', async () => {
    for (const first of [1, 501, 1001])
      await service.sql(
        `WITH made AS (INSERT INTO users (id, email, first_name, last_name, status, self_registered, created_at, updated_at)
         SELECT gen_random_uuid(), 'many' || i || '@many.test', 'Many', 'Number' || i, 'active', false, now(), now() FROM generate_series($2::int, $2::int + 499) i RETURNING id)
       INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       SELECT gen_random_uuid(), id, $1, 'MEMBER', 'active', true, now(), now() FROM made`,
        [owner.teamId, first],
      )
    await service.sql('ANALYZE memberships')
    const plan = await service.sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM memberships WHERE organization_id = '${owner.teamId}'
       AND search_keys(organization_id, search) @> ARRAY['${owner.teamId.slice(-6)}r13', '${owner.teamId.slice(-6)}133'] AND strpos(search, 'r133') > 0`,
    )
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('memberships_search_keys')
    expect(await find('number1337')).toEqual(['many1337@many.test'])
  })
})
