import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  comparable,
  expectError,
  joinTeam,
  makeGroup,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let outsider: TestUser
let user: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  outsider = await registerUser(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  user = await registerUser(service)
  await joinTeam(service, user, owner.teamId)
  await service.settle()
})

const makeApplication = async (by: TestUser) => (await registerApplication(service, by)).id as string
const application = async (id: string) =>
  (await service.api('GET', `/api/v1/applications/${id}`, { token: owner.token })).body

describe.each([
  { kind: 'groups', field: 'groupIds', code: 'group_not_found', action: 'user.groups_replaced' },
  {
    kind: 'applications',
    field: 'applicationIds',
    code: 'application_not_found',
    action: 'user.applications_replaced',
  },
])('PUT and GET /users/{id}/$kind', ({ kind, field, code, action }) => {
  /** Three of the team. */
  let known: string[]
  let foreign: string
  beforeAll(async () => {
    const make = (by: TestUser) => (kind === 'groups' ? makeGroup(service, by.teamId) : makeApplication(by))
    known = await atOnce(3, () => make(owner))
    foreign = await make(outsider)
  })

  const path = () => `/api/v1/users/${user.id}/${kind}`
  const put = (ids: unknown, headers: Record<string, string> = {}) =>
    service.api('PUT', path(), { token: owner.token, body: { [field]: ids }, headers })
  const get = () => service.api('GET', path(), { token: owner.token })
  const idsIn = ({ body }: { body: Record<string, { id: string }[]> }) => body[kind]?.map(({ id }) => id).sort()

  it('replaces the whole set, with each entry once', async () => {
    const [a, b, c] = known as [string, string, string]
    for (const wanted of [[a], [b, c.toUpperCase(), c], known, []]) {
      const answer = await put(wanted)
      expect(answer.status, answer.text).toBe(200)
      expect(idsIn(answer)).toEqual([...new Set(wanted.map((id) => id.toLowerCase()))].sort())
      expect((await get()).body).toEqual(answer.body)
      expect((await get()).headers.get('etag')).toBe(answer.headers.get('etag'))
    }
    const { body } = await put([a])
    expect(body).toMatchObject({ id: user.id, [kind]: [{ id: a, name: expect.any(String) }] })
  })

  it('returns the same 404 for an unknown ID, one of another team and a malformed one, and changes nothing', async () => {
    await put(known.slice(0, 1))
    await service.settle()
    const before = await dumpState(service)
    const unknown = await put([known[1], randomUUID()])
    expectError(unknown, 404, code)
    for (const odd of [foreign, owner.teamId, user.id, '', 'x', 'x'.repeat(5_000)])
      expect(comparable(await put([known[1], odd])), odd.slice(0, 50)).toEqual(comparable(unknown))
    expect(await dumpState(service)).toEqual(before)
  })

  it("leaves the user's set in another team unchanged", async () => {
    await joinTeam(service, user, outsider.teamId)
    const theirs = await service.api('PUT', path(), {
      token: outsider.token,
      body: { [field]: [foreign] },
    })
    expect(theirs.status).toBe(200)
    await put(known)
    await put([])
    const { body } = await service.api('GET', path(), { token: outsider.token })
    expect(idsIn({ body })).toEqual([foreign])
  })

  it('rejects users who are not members of the team', async () => {
    await service.settle()
    const before = await dumpState(service)
    for (const id of [outsider.id, randomUUID(), 'x', known[0]])
      for (const method of ['GET', 'PUT']) {
        const answer = await service.api(method, `/api/v1/users/${id}/${kind}`, {
          token: owner.token,
          ...(method === 'PUT' && { body: { [field]: [] } }),
        })
        expectError(answer, 404, 'user_not_found')
      }
    expect(await dumpState(service)).toEqual(before)
  })

  it('accepts an If-Match tag once across ten concurrent requests', async () => {
    const read = (await get()).headers.get('etag') ?? ''
    const answers = await atOnce(10, (index) => put([known[index % 3]], { 'if-match': read }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
    expectError(await put([randomUUID()], { 'if-match': read }), 412, 'stale_version')
  })

  it('records the added and removed IDs', async () => {
    const [a, b, c] = known as [string, string, string]
    await put([a, b])
    await put([b, c])
    const { body } = await service.api('GET', `/api/v1/audit/logs?action=${action}&limit=1`, { token: owner.token })
    expect(body.data[0]).toMatchObject({
      resource: `user:${user.id}`,
      userId: owner.id,
      metadata: { added: 1, removed: 1, addedIds: [c], removedIds: [a] },
    })
  })

  it('records all counts, but at most a hundred IDs', async () => {
    const [{ made = [] } = {}] = await service.sql<{ made: string[] }>(
      `WITH made AS (INSERT INTO ${kind} (SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || number, 'client_id', gen_random_uuid()))).*
         FROM ${kind} one, generate_series(1, 150) number WHERE one.id = $1) RETURNING id) SELECT array_agg(id) AS made FROM made`,
      [known[0]],
    )
    expect((await put(made)).status).toBe(200)
    expect((await put([])).status).toBe(200)
    const { body } = await service.api('GET', `/api/v1/audit/logs?action=${action}&limit=2`, { token: owner.token })
    const [removal, addition] = body.data.map(({ metadata }: { metadata: object }) => metadata)
    expect([addition.added, addition.addedIds.length, addition.removed]).toEqual([150, 100, 0])
    expect([removal.added, removal.removed, removal.removedIds.length]).toEqual([0, 150, 100])
  })

  it('causes no deadlock under concurrent replacements from both sides', async () => {
    const users = await atOnce(5, () => registerUser(service))
    for (const one of users) await joinTeam(service, one, owner.teamId)
    // As many as two nodes have connections. More would wait longer than a statement may on a slow machine.
    const answers = await atOnce(16, (index) => {
      const someone = users[index % 5] as TestUser
      const ids = index % 2 ? known : known.toReversed().slice(index % 3)
      if (index % 5 === 4)
        return service.api('PUT', `/api/v1/${kind}/${known[index % 3]}/users`, {
          token: owner.token,
          body: { userIds: users.map(({ id }) => id).slice(index % 4) },
        })
      return service.api('PUT', `/api/v1/users/${someone.id}/${kind}`, { token: owner.token, body: { [field]: ids } })
    })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('clears the set when the user leaves the team', async () => {
    await put(known)
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, owner.teamId])
    expectError(await get(), 404, 'user_not_found')
    await joinTeam(service, user, owner.teamId)
    expect(idsIn(await get())).toEqual([])
  })
})

describe('the first assignment of an application', () => {
  const assign = (userId: string, applicationIds: string[]) =>
    service.api('PUT', `/api/v1/users/${userId}/applications`, { token: owner.token, body: { applicationIds } })
  const version = async (id: string) =>
    Number((await service.sql('SELECT version FROM applications WHERE id = $1', [id]))[0]?.version)

  it('sets assignmentRequired once and increments the version', async () => {
    const [app, other] = [await makeApplication(owner), await makeApplication(owner)]
    const before = await version(app)
    expect((await application(app)).assignmentRequired).toBe(false)
    await assign(user.id, [app, other])
    expect((await application(app)).assignmentRequired).toBe(true)
    expect(await version(app)).toBe(before + 1)
    await assign(user.id, [app, other])
    expect(await version(app)).toBe(before + 1)
    await service.api('PUT', `/api/v1/applications/${app}`, { token: owner.token, body: { assignmentRequired: false } })
    await assign(owner.id, [app])
    expect((await application(app)).assignmentRequired).toBe(false)
    await assign(user.id, [])
    expect((await application(other)).assignmentRequired).toBe(true)
  })

  it('sets assignmentRequired exactly once across many concurrent assignments', async () => {
    const app = await makeApplication(owner)
    const users = await atOnce(CONCURRENT, () => registerUser(service))
    for (const one of users) await joinTeam(service, one, owner.teamId)
    const before = await version(app)
    const answers = await atOnce(CONCURRENT, (index) => assign((users[index] as TestUser).id, [app]))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await application(app)).assignmentRequired).toBe(true)
    expect(await version(app)).toBe(before + CONCURRENT)
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=user.applications_replaced&limit=50', {
      token: owner.token,
    })
    const closing = body.data.filter(({ metadata }: { metadata: { closedIds: string[] } }) =>
      metadata.closedIds.includes(app),
    )
    expect(closing).toHaveLength(1)
  })
})

describe('GET /users/{id}/applications', () => {
  it('lists inherited applications with their groups, separate from assigned ones', async () => {
    const [a, b] = [await makeGroup(service, owner.teamId, 'A side'), await makeGroup(service, owner.teamId, 'B side')]
    const app = await makeApplication(owner)
    for (const id of [a, b])
      await service.api('PUT', `/api/v1/groups/${id}/applications`, {
        token: owner.token,
        body: { applicationIds: [app] },
      })
    const before = await service.api('GET', `/api/v1/users/${user.id}/applications`, { token: owner.token })
    const { body } = await service.api('PUT', `/api/v1/users/${user.id}/groups`, {
      token: owner.token,
      body: { groupIds: [b, a] },
    })
    expect(body.groups.map(({ name }: { name: string }) => name)).toEqual(['A side', 'B side'])
    const after = await service.api('GET', `/api/v1/users/${user.id}/applications`, { token: owner.token })
    expect(after.body).toEqual({
      id: user.id,
      applications: [],
      inherited: [
        {
          id: app,
          name: 'App',
          via: [
            { id: a, name: 'A side' },
            { id: b, name: 'B side' },
          ],
        },
      ],
    })
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
  })
})

describe('GET of assigned groups and applications', () => {
  const read = (path: string, token: string) =>
    service.api('GET', `/api/v1${path}`, { token, headers: { 'x-org-id': owner.teamId } })
  const withRole = async (role: string) => {
    const member = await registerUser(service)
    await joinTeam(service, member, owner.teamId, { role })
    return member.token
  }

  it('requires the permission for what it lists, also of a role with users:read', async () => {
    const groupId = await makeGroup(service, owner.teamId)
    const device = await withRole('MOBILE_ADMIN')
    for (const kind of ['groups', 'applications'])
      expectError(await read(`/users/${user.id}/${kind}`, device), 403, 'forbidden')
    const membership = await withRole('GROUP_MEMBERSHIP_ADMIN')
    expect((await read(`/users/${user.id}/groups`, membership)).status).toBe(200)
    for (const path of [`/users/${user.id}/applications`, `/groups/${groupId}/applications`])
      expectError(await read(path, membership), 403, 'forbidden')
  })

  it('omits the groups that give access for a caller without groups:read', async () => {
    const groupId = await makeGroup(service, owner.teamId, 'Secret project')
    const applicationId = await makeApplication(owner)
    await service.api('PUT', `/api/v1/users/${user.id}/groups`, { token: owner.token, body: { groupIds: [groupId] } })
    await service.api('PUT', `/api/v1/groups/${groupId}/applications`, {
      token: owner.token,
      body: { applicationIds: [applicationId] },
    })
    const inherited = async (scopes: string[]) => {
      const body = { name: 'Reader', scopes }
      const { body: created } = await service.api('POST', '/api/v1/api-tokens', { token: owner.token, body })
      const { status, body: found } = await read(`/users/${user.id}/applications`, created.token)
      expect(status).toBe(200)
      return found.inherited
    }
    expect(await inherited(['users:read', 'applications:read', 'groups:read'])).toMatchObject([
      { id: applicationId, via: [{ name: 'Secret project' }] },
    ])
    expect(await inherited(['users:read', 'applications:read'])).toMatchObject([{ id: applicationId, via: [] }])
    const { body: writer } = await service.api('POST', '/api/v1/api-tokens', {
      token: owner.token,
      body: { name: 'Writer', scopes: ['applications:write'] },
    })
    const replaced = await service.api('PUT', `/api/v1/users/${user.id}/applications`, {
      token: writer.token,
      body: { applicationIds: [] },
    })
    expect([replaced.status, replaced.body.inherited]).toEqual([200, []])
  })
})
