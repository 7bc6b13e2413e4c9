import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  comparable,
  expectError,
  joinMany,
  joinTeam,
  makeGroup,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'

const APPS = '/api/v1/applications'
/** The maximum number of assignments, in the long test runs. */
const MANY = LONG ? 10_000 : 1_000

describe.each([
  { kind: 'users', field: 'userIds', code: 'user_not_found', action: 'application.users_assigned' },
  { kind: 'groups', field: 'groupIds', code: 'group_not_found', action: 'application.groups_assigned' },
])('PUT and GET /applications/{appId}/$kind', ({ kind, field, code, action }) => {
  let service: TestService
  let owner: TestUser
  let outsider: TestUser
  let app: string
  /** Four of the team, in ascending order; `foreign` belongs to another team. */
  let known: string[]
  let foreign: string

  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
    outsider = await registerUser(service)
    if (kind === 'users') {
      const members = [await registerUser(service), await registerUser(service), await registerUser(service)]
      for (const member of members) await joinTeam(service, member, owner.teamId)
      known = [owner, ...members].map(({ id }) => id).sort()
      foreign = outsider.id
    } else {
      known = (await atOnce(4, () => makeGroup(service, owner.teamId))).sort()
      foreign = await makeGroup(service, outsider.teamId)
    }
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    app = (await registerApplication(service, owner)).id
  })

  const put = (ids: unknown, headers: Record<string, string> = {}) =>
    service.api('PUT', `${APPS}/${app}/${kind}`, { token: owner.token, body: { [field]: ids }, headers })
  const get = () => service.api('GET', `${APPS}/${app}/${kind}`, { token: owner.token })
  const assigned = async () => (await get()).body[field]
  const tag = async () => (await get()).headers.get('etag') ?? ''
  const application = async () => (await service.api('GET', `${APPS}/${app}`, { token: owner.token })).body
  const open = () => service.api('PUT', `${APPS}/${app}`, { token: owner.token, body: { assignmentRequired: false } })

  it('returns an empty set at first', async () => {
    const { status, body } = await get()
    expect([status, body]).toEqual([200, { applicationId: app, [field]: [] }])
  })

  it('replaces the whole set', async () => {
    const [a, b, c, d] = known as [string, string, string, string]
    for (const ids of [[a], [b, c], [d, a], known, [], [c]]) {
      const { status, body } = await put(ids)
      expect([status, body]).toEqual([200, { applicationId: app, [field]: ids }])
      expect(await assigned()).toEqual([...ids].sort())
    }
  })

  it('stores each ID once, in any case', async () => {
    const [a, b] = known as [string, string]
    const { body } = await put([b, a, b, a.toUpperCase(), b])
    expect(body[field]).toEqual([b, a])
    expect(await assigned()).toEqual([a, b])
  })

  it('returns the same 404 for an unknown ID, one of another team and a malformed one, and changes nothing', async () => {
    await put(known.slice(0, 2))
    const before = await dumpState(service)
    const unknown = await put([known[2], randomUUID()])
    expectError(unknown, 404, code)
    for (const odd of [
      foreign,
      foreign.toUpperCase(),
      owner.teamId,
      app,
      '',
      'x',
      '%00',
      `${known[3]} `,
      'x'.repeat(5_000),
    ])
      expect(comparable(await put([known[2], odd])), odd.slice(0, 50)).toEqual(comparable(unknown))
    expect(await dumpState(service)).toEqual(before)
  })

  it.each([undefined, null, 'x', {}, [7], [null], [['x']]])('rejects %j', async (ids) => {
    const { status, body } = await put(ids)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.errors[0].path).toMatch(new RegExp(`^/${field}`))
  })

  const addToTeam = (ids: string[]) =>
    kind === 'users'
      ? joinMany(service, ids, owner.teamId, 'suspended')
      : service.sql(
          'INSERT INTO groups (id, organization_id, name, created_at, updated_at) SELECT id, $2, id::text, now(), now() FROM unnest($1::uuid[]) id',
          [ids, owner.teamId],
        )

  it('accepts ten thousand IDs and no more', async () => {
    const ids = Array.from({ length: MANY }, () => randomUUID())
    await addToTeam(ids)
    await service.sql('ANALYZE')
    expect((await put(ids)).status).toBe(200)
    expect(await assigned()).toEqual(ids.toSorted())
    const unknown = Array.from({ length: 10_000 - MANY }, () => randomUUID())
    if (unknown.length > 0) expectError(await put([...ids, ...unknown]), 404, code)
    expect((await put([...ids, ...unknown, randomUUID()])).status).toBe(400)
    expect(await assigned()).toEqual(ids.toSorted())
    expect((await put([])).status).toBe(200)
    const [entry] = await entries()
    expect(entry.metadata).toMatchObject({ added: 0, removed: MANY })
    expect(entry.metadata.removedIds).toHaveLength(100)
  })

  it('closes the application to others with the first assignment only', async () => {
    expect((await application()).assignmentRequired).toBe(false)
    await put([])
    expect((await application()).assignmentRequired).toBe(false)
    await put([known[0]])
    expect((await application()).assignmentRequired).toBe(true)
    await open()
    await put([known[0], known[1]])
    expect((await application()).assignmentRequired).toBe(false)
  })

  it('keeps the application closed when the set is emptied', async () => {
    await put([known[0]])
    await put([])
    expect((await application()).assignmentRequired).toBe(true)
  })

  it('keeps assignmentRequired unchanged if the other kind is already assigned', async () => {
    const other = kind === 'users' ? 'groups' : 'users'
    const id = kind === 'users' ? await makeGroup(service, owner.teamId) : owner.id
    await service.api('PUT', `${APPS}/${app}/${other}`, {
      token: owner.token,
      body: { [`${other.slice(0, -1)}Ids`]: [id] },
    })
    await open()
    await put([known[0]])
    expect((await application()).assignmentRequired).toBe(false)
  })

  it('increments the version of the application', async () => {
    const version = async () => (await service.sql('SELECT version FROM applications WHERE id = $1', [app]))[0]?.version
    const before = Number(await version())
    await put([known[0]])
    expect(await version()).toBe(before + 1)
  })

  const entries = async () => {
    const { body } = await service.api('GET', `/api/v1/audit/logs?action=${action}&limit=100`, { token: owner.token })
    return body.data.filter(({ resource }: { resource: string }) => resource === `application:${app}`)
  }

  it('records the added and removed IDs', async () => {
    const [a, b, c] = known as [string, string, string]
    await put([a, b])
    await put([b, c])
    await put([b, c])
    expect((await entries()).map(({ metadata }: { metadata: object }) => metadata)).toEqual([
      { added: 0, removed: 0, addedIds: [], removedIds: [], assignmentRequired: true },
      { added: 1, removed: 1, addedIds: [c], removedIds: [a], assignmentRequired: true },
      { added: 2, removed: 0, addedIds: expect.arrayContaining([a, b]), removedIds: [], assignmentRequired: true },
    ])
  })

  it('ends with one of the concurrently given sets', async () => {
    const sets = known.map((id, index) => [id, known[(index + 1) % known.length] as string].sort())
    const answers = await atOnce(20, (index) => put(sets[index % sets.length]))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(sets).toContainEqual(await assigned())
    expect(await entries()).toHaveLength(20)
  })

  describe('If-Match', () => {
    it('returns the same tag for the same set in any order, and another for another set', async () => {
      const [a, b] = known as [string, string]
      const empty = await tag()
      expect(empty).toMatch(/^"[0-9a-f]+"$/)
      const first = await put([a, b])
      expect(first.headers.get('etag')).toBe(await tag())
      expect((await put([b, a])).headers.get('etag')).toBe(first.headers.get('etag'))
      const second = (await put([a])).headers.get('etag')
      expect(new Set([empty, first.headers.get('etag'), second]).size).toBe(3)
      await put([])
      expect(await tag()).toBe(empty)
    })

    it('replaces the set if it is the one that was read', async () => {
      const given = await put([known[0]], { 'if-match': await tag() })
      expect(given.status).toBe(200)
      const next = await put([known[1]], { 'if-match': `"other", W/${given.headers.get('etag')}` })
      expect(next.status).toBe(200)
      expect((await put([known[2]], { 'if-match': '*' })).status).toBe(200)
    })

    it('rejects the request if the set has changed', async () => {
      const old = await tag()
      await put([known[0]])
      const before = await dumpState(service)
      for (const stale of [old, '"nonsense"', 'nonsense', '""', '', old.replaceAll('"', '')])
        expectError(await put([known[1]], { 'if-match': stale }), 412, 'stale_version')
      // A stale tag is reported before any other error.
      expectError(await put([randomUUID()], { 'if-match': old }), 412, 'stale_version')
      expect(await dumpState(service)).toEqual(before)
    })

    it('replaces once across concurrent requests with the same tag', async () => {
      const read = await tag()
      const answers = await atOnce(10, (index) => put([known[index % 4]], { 'if-match': read }))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
      const won = answers.findIndex(({ status }) => status === 200)
      expect(await assigned()).toEqual([known[won % 4]])
    })
  })

  it('returns no assignees that have left the team', async () => {
    const id = kind === 'users' ? (await registerUser(service)).id : await makeGroup(service, owner.teamId)
    if (kind === 'users') await joinTeam(service, { id }, owner.teamId)
    await put([known[0], id])
    const before = await tag()
    const gone =
      kind === 'users'
        ? 'memberships WHERE user_id = $1 AND organization_id = $2'
        : 'groups WHERE id = $1 AND organization_id = $2'
    await service.sql(`DELETE FROM ${gone}`, [id, owner.teamId])
    expect(await assigned()).toEqual([known[0]])
    expect(await tag()).not.toBe(before)
    expectError(await put([id]), 404, code)
  })
})
