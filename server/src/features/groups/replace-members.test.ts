import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  comparable,
  expectError,
  joinMany,
  joinTeam,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { LONG } from '../../../test/harness/some-of.js'
import { SERVER_URL } from '../../../test/harness/test-database.js'

/** The maximum number of members, in the long test runs. */
const MANY = SERVER_URL || LONG ? 10_000 : 1_000

let service: TestService
let owner: TestUser
let members: TestUser[]
let ids: string[]
let group: string
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  members = await atOnce(3, () => registerUser(service))
  for (const member of members) await joinTeam(service, member, owner.teamId)
  ids = [owner, ...members].map(({ id }) => id)
})
afterAll(() => service.close())
beforeEach(async () => {
  const { body } = await service.api('POST', '/api/v1/groups', { token: owner.token, body: { name: randomUUID() } })
  group = body.id
})

const put = (userIds: unknown, headers: Record<string, string> = {}) =>
  service.api('PUT', `/api/v1/groups/${group}/users`, { token: owner.token, body: { userIds }, headers })
const get = () => service.api('GET', `/api/v1/groups/${group}/users`, { token: owner.token })
const idsIn = ({ body }: { body: { users: { id: string }[] } }) => body.users.map(({ id }) => id).sort()
const tag = async () => (await get()).headers.get('etag') ?? ''

describe('GET and PUT /groups/{id}/users', () => {
  it('replaces the whole set, with each user once', async () => {
    const [a, b, c, d] = ids as [string, string, string, string]
    for (const wanted of [[a], [b, c], [d, a, d.toUpperCase()], ids, [], [c]]) {
      const answer = await put(wanted)
      expect(answer.status).toBe(200)
      const expected = [...new Set(wanted.map((id) => id.toLowerCase()))].sort()
      expect(idsIn(answer)).toEqual(expected)
      expect(idsIn(await get())).toEqual(expected)
      expect(answer.headers.get('etag')).toBe(await tag())
    }
  })

  it('shows the names that the team stores, with the own profile as fallback', async () => {
    const [, a, b] = ids as [string, string, string]
    await service.sql("UPDATE users SET first_name = 'Own', last_name = 'Name' WHERE id = ANY($1)", [[a, b]])
    await service.sql("UPDATE memberships SET first_name = 'Team' WHERE user_id = $1 AND organization_id = $2", [
      a,
      owner.teamId,
    ])
    const { body } = await put([a, b])
    expect(body.id).toBe(group)
    const shown = Object.fromEntries(body.users.map((user: { id: string }) => [user.id, user]))
    expect(shown[a]).toEqual({ id: a, email: members[0]?.email, firstName: 'Team', lastName: 'Name' })
    expect(shown[b]).toEqual({ id: b, email: members[1]?.email, firstName: 'Own', lastName: 'Name' })
  })

  it('returns the same 404 for an unknown ID, one of another team and a malformed one, and changes nothing', async () => {
    await put(ids.slice(0, 2))
    const outsider = await registerUser(service)
    await service.settle()
    const before = await dumpState(service)
    const unknown = await put([ids[2], randomUUID()])
    expectError(unknown, 404, 'user_not_found')
    for (const odd of [outsider.id, owner.teamId, group, '', 'x', '%00', `${ids[3]} `, 'x'.repeat(5_000)])
      expect(comparable(await put([ids[2], odd])), odd.slice(0, 50)).toEqual(comparable(unknown))
    expect(await dumpState(service)).toEqual(before)
  })

  it.each([undefined, null, 'x', {}, [7], [null]])('rejects %j', async (wanted) => {
    expectError(await put(wanted), 400, 'invalid_request')
  })

  it('records the added and removed IDs', async () => {
    const [a, b, c] = ids as [string, string, string]
    await put([a, b])
    await put([b, c])
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=group.members_replaced', {
      token: owner.token,
    })
    expect(body.data[0]).toMatchObject({
      resource: `group:${group}`,
      metadata: { added: 1, removed: 1, addedIds: [c], removedIds: [a] },
    })
  })

  it('ends with one of the concurrently given sets', async () => {
    const sets = ids.map((id, index) => [id, ids[(index + 1) % ids.length] as string].sort())
    const answers = await atOnce(20, (index) => put(sets[index % sets.length]))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(sets).toContainEqual(idsIn(await get()))
  })

  it("keeps whole sets whole under concurrent changes from the users' side", async () => {
    const sets = ids.map((id, index) => [id, ids[(index + 1) % ids.length] as string].sort())
    const answers = await atOnce(20, (index) =>
      index % 2
        ? put(sets[index % sets.length])
        : service.api('PUT', `/api/v1/users/${ids[index % ids.length]}/groups`, {
            token: owner.token,
            body: { groupIds: index % 4 ? [group] : [] },
          }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // One of the sets, possibly with single users added or removed after it.
    const left = idsIn(await get())
    expect(ids.toSorted()).toEqual(expect.arrayContaining(left))
    expect(new Set(left).size).toBe(left.length)
    const shown = await put(sets[0])
    expect(idsIn(shown)).toEqual(sets[0])
  })

  it('replaces the set with If-Match only if it is the one that was read', async () => {
    const read = await tag()
    expect(read).toMatch(/^"[0-9a-f]+"$/)
    expect((await put([ids[0]], { 'if-match': read })).status).toBe(200)
    await service.settle()
    const before = await dumpState(service)
    for (const stale of [read, '"nonsense"', '']) {
      expectError(await put([ids[1]], { 'if-match': stale }), 412, 'stale_version')
      expectError(await put([randomUUID()], { 'if-match': stale }), 412, 'stale_version')
    }
    expect(await dumpState(service)).toEqual(before)
    expect((await put([ids[1]], { 'if-match': '*' })).status).toBe(200)
  })

  it('replaces once across concurrent requests with the same ETag', async () => {
    const read = await tag()
    const answers = await atOnce(10, (index) => put([ids[index % 4]], { 'if-match': read }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  })

  it('excludes users who left the team, whose accounts stay', async () => {
    const leaver = await registerUser(service)
    await joinTeam(service, leaver, owner.teamId)
    await put([owner.id, leaver.id])
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [leaver.id, owner.teamId])
    expect(idsIn(await get())).toEqual([owner.id])
    const { body } = await service.api('GET', `/api/v1/groups/${group}`, { token: owner.token })
    expect(body.memberCount).toBe(1)
    expectError(await put([leaver.id]), 404, 'user_not_found')
    expect((await service.api('GET', '/api/v1/auth/me', { token: leaver.token })).status).toBe(200)
  })

  it('excludes users who leave the team concurrently', async () => {
    const leavers = await atOnce(10, () => registerUser(service))
    for (const leaver of leavers) await joinTeam(service, leaver, owner.teamId)
    const all = leavers.map(({ id }) => id)
    const [answers] = await Promise.all([
      atOnce(10, () => put(all)),
      atOnce(10, (index) =>
        service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [all[index], owner.teamId]),
      ),
    ])
    for (const { status } of answers) expect([200, 404]).toContain(status)
    expect(idsIn(await get())).toEqual([])
  })

  it('accepts at most ten thousand members', async () => {
    const many = Array.from({ length: MANY }, () => randomUUID())
    await joinMany(service, many, owner.teamId)
    const answer = await put(many)
    expect(answer.status).toBe(200)
    expect(idsIn(answer)).toEqual(many.toSorted())
    const outsiders = Array.from({ length: 10_000 - MANY }, () => randomUUID())
    if (outsiders.length > 0) expectError(await put([...many, ...outsiders]), 404, 'user_not_found')
    expectError(await put([...many, ...outsiders, randomUUID()]), 400, 'invalid_request')
    expect(idsIn(await get())).toEqual(many.toSorted())
    const half = await put([...many.slice(MANY / 2), owner.id])
    expect(half.body.users).toHaveLength(MANY / 2 + 1)
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=group.members_replaced&limit=1', {
      token: owner.token,
    })
    expect(body.data[0].metadata).toMatchObject({ added: 1, removed: MANY / 2, addedIds: [owner.id] })
    expect(body.data[0].metadata.removedIds).toHaveLength(100)
  })
})
