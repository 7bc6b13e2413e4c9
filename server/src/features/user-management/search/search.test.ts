import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  expectError,
  makeGroup,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('GET /search', () => {
  let service: TestService
  let owner: TestUser
  let userId: string
  let groupId: string
  let app: { id: string; clientId: string }
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
    userId = (await addUser(service, owner, { email: 'ada@lovelace.test', firstName: 'Zäzilie' })).id
    groupId = await makeGroup(service, owner.teamId, 'Zäzilien-Verein')
    app = await registerApplication(service, owner, { name: 'My Zazilie' })
    const other = await registerUser(service)
    await addUser(service, other, { email: 'zazilie@other.test' })
    await makeGroup(service, other.teamId, 'Zazilie')
    await registerApplication(service, other, { name: 'Zazilie' })
  })
  afterAll(() => service.close())

  const search = async (q: string, { token }: Pick<TestUser, 'token'> = owner) => {
    const { status, body } = await service.api('GET', `/api/v1/search?q=${encodeURIComponent(q)}`, { token })
    expect(status, JSON.stringify(body)).toBe(200)
    return Object.fromEntries(
      Object.entries(body as Record<string, { id: string }[]>).map(([kind, found]) => [
        kind,
        found.map(({ id }) => id),
      ]),
    )
  }

  it('finds users, groups and applications of the team by a part of the name, without case and accents', async () => {
    const all = { users: [userId], groups: [groupId], applications: [app.id] }
    for (const q of ['zazilie', 'ZÄZI', ' azil ']) expect(await search(q), q).toEqual(all)
    expect(await search('zazilie other.test')).toEqual({ users: [], groups: [], applications: [] })
  })

  it('finds by a part of the email address and of the client ID', async () => {
    expect(await search('lovelace')).toMatchObject({ users: [userId] })
    expect(await search(app.clientId.slice(3, 20).toUpperCase())).toMatchObject({ users: [], applications: [app.id] })
  })

  it('resolves an ID of each kind, and that of a membership', async () => {
    expect(await search(userId.toUpperCase())).toEqual({ users: [userId], groups: [], applications: [] })
    expect(await search(groupId)).toEqual({ users: [], groups: [groupId], applications: [] })
    expect(await search(app.id)).toEqual({ users: [], groups: [], applications: [app.id] })
    const [row] = await service.sql<{ id: string }>('SELECT id FROM memberships WHERE user_id = $1', [userId])
    expect(await search(row?.id ?? '')).toMatchObject({ users: [userId] })
    const outsider = await registerUser(service)
    expect(await search(outsider.id)).toEqual({ users: [], groups: [], applications: [] })
  })

  it('returns five of each kind, first those that begin with the query', async () => {
    const busy = await registerUser(service)
    for (const name of ['the sales', 'Sales C', 'sales b', 'sales a', 'our sales', 'sales d', 'x-sales'])
      await makeGroup(service, busy.teamId, name)
    const { body } = await service.api('GET', '/api/v1/search?q=sales', busy)
    expect(body.groups.map(({ name }: { name: string }) => name)).toEqual([
      'sales a',
      'sales b',
      'Sales C',
      'sales d',
      'our sales',
    ])
  })

  it('returns each kind only with its permission', async () => {
    for (const [role, kinds] of [
      ['MEMBER', []],
      ['API_ACCESS_MANAGEMENT_ADMIN', ['applications']],
      ['MOBILE_ADMIN', ['users']],
      ['GROUP_MEMBERSHIP_ADMIN', ['users', 'groups']],
      ['VIEWER', ['users', 'groups', 'applications']],
    ] as const) {
      const caller = await addColleague(service, owner)
      await service.sql('UPDATE memberships SET role = $2 WHERE user_id = $1', [caller.id, role])
      expect(Object.keys(await search('zazilie', caller)), role).toEqual(kinds)
    }
  })

  it.each(['', '?q=', `?q=${'x'.repeat(201)}`])('rejects %s', async (query) =>
    expectError(await service.api('GET', `/api/v1/search${query}`, owner), 400, 'invalid_request'),
  )

  it('takes wildcards and blanks literally', async () => {
    for (const q of ['%', '_', ' ', '%zazilie%']) {
      const { users, groups, applications } = await search(q)
      expect([users, groups, applications], q).toEqual([[], [], []])
    }
  })
})
