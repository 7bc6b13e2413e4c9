import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registerApp, type TestApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  atOnce,
  CONCURRENT,
  comparable,
  expectError,
  logIn,
  makeGroup,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let group: string
let known: string[]
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  group = await makeGroup(service, owner.teamId)
  known = await atOnce(3, async () => (await registerApplication(service, owner)).id)
})

const put = (applicationIds: unknown, headers: Record<string, string> = {}, id = group) =>
  service.api('PUT', `/api/v1/groups/${id}/applications`, { token: owner.token, body: { applicationIds }, headers })
const get = () => service.api('GET', `/api/v1/groups/${group}/applications`, { token: owner.token })
const idsIn = ({ body }: { body: { applications: { id: string }[] } }) => body.applications.map(({ id }) => id).sort()
const closed = async (id: string | undefined): Promise<boolean> =>
  (await service.api('GET', `/api/v1/applications/${id}`, { token: owner.token })).body.assignmentRequired

describe('PUT /groups/{id}/applications', () => {
  it('replaces the whole set, visible in each application', async () => {
    const [a, b, c] = known as [string, string, string]
    for (const wanted of [[a], [b, c, c], known, [], [b]]) {
      const answer = await put(wanted)
      expect(answer.status, answer.text).toBe(200)
      expect(idsIn(answer)).toEqual([...new Set(wanted)].sort())
      expect((await get()).body).toEqual(answer.body)
      expect((await get()).headers.get('etag')).toBe(answer.headers.get('etag'))
    }
    const { body } = await service.api('GET', `/api/v1/applications/${b}/groups`, { token: owner.token })
    expect(body.groupIds).toEqual([group])
  })

  it('returns the same 404 for an unknown ID, one of another team and a malformed one, and changes nothing', async () => {
    await put(known.slice(0, 1))
    const foreign = (await registerApplication(service, await registerUser(service))).id
    await service.settle()
    const before = await dumpState(service)
    const unknown = await put([known[1], randomUUID()])
    expectError(unknown, 404, 'application_not_found')
    for (const odd of [foreign, group, owner.id, '', 'x'])
      expect(comparable(await put([known[1], odd])), odd).toEqual(comparable(unknown))
    expect(await dumpState(service)).toEqual(before)
  })

  it('closes applications with their first assignment only', async () => {
    const [a, b] = known
    await put([])
    expect([await closed(a), await closed(b)]).toEqual([false, false])
    await put([a])
    expect([await closed(a), await closed(b)]).toEqual([true, false])
    await service.api('PUT', `/api/v1/applications/${a}`, { token: owner.token, body: { assignmentRequired: false } })
    await put([a, b], {}, await makeGroup(service, owner.teamId))
    expect([await closed(a), await closed(b)]).toEqual([false, true])
  })

  it('closes an application once across many concurrent first assignments to groups and users', async () => {
    const [a] = known
    const groups = await atOnce(25, () => makeGroup(service, owner.teamId))
    const answers = await atOnce(CONCURRENT, (index) =>
      index % 2
        ? put([a], {}, groups[(index - 1) / 2])
        : service.api('PUT', `/api/v1/applications/${a}/users`, { token: owner.token, body: { userIds: [owner.id] } }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await closed(a)).toBe(true)
  })

  it('accepts an If-Match tag once across concurrent requests', async () => {
    const read = (await get()).headers.get('etag') ?? ''
    const answers = await atOnce(10, (index) => put([known[index % 3]], { 'if-match': read }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
    expectError(await put([randomUUID()], { 'if-match': read }), 412, 'stale_version')
  })

  it('records added, removed and closed applications', async () => {
    const [a, b] = known
    await put([a])
    await put([b])
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=group.applications_replaced&limit=2', {
      token: owner.token,
    })
    expect(body.data.map(({ metadata }: { metadata: object }) => metadata)).toMatchObject([
      { added: 1, removed: 1, closed: 1, addedIds: [b], removedIds: [a], closedIds: [b] },
      { added: 1, removed: 0, closed: 1, addedIds: [a], removedIds: [], closedIds: [a] },
    ])
  })

  it('changes nothing if the group or an application is deleted concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const doomed = await makeGroup(service, owner.teamId)
      const app = (await registerApplication(service, owner)).id
      const answers = await atOnce(12, (index) => {
        if (index === 5) return service.api('DELETE', `/api/v1/groups/${doomed}`, { token: owner.token })
        if (index === 8) return service.api('DELETE', `/api/v1/applications/${app}`, { token: owner.token })
        return index % 2
          ? put([app, known[0]], {}, doomed)
          : service.api('PUT', `/api/v1/applications/${app}/groups`, {
              token: owner.token,
              body: { groupIds: [doomed] },
            })
      })
      for (const { status } of answers) expect([200, 404]).toContain(status)
    }
  })
})

describe('an application that is assigned to a group only', () => {
  let member: TestUser
  let app: TestApp
  beforeEach(async () => {
    member = await registerUser(service)
    await service.sql('UPDATE memberships SET organization_id = $2, role = $3 WHERE user_id = $1', [
      member.id,
      owner.teamId,
      'MEMBER',
    ])
    member = await logIn(service, member)
    app = await registerApp(service, owner)
    await setMembers([member.id])
    await put([app.id])
  })

  const setMembers = (userIds: string[]) =>
    service.api('PUT', `/api/v1/groups/${group}/users`, { token: owner.token, body: { userIds } })
  const answers = async (accessToken: string | undefined) =>
    Promise.all(
      service.urls.map(async (_, node) => {
        const { status } = await service.api('GET', `${app.idp}/userinfo`, { token: accessToken, node })
        return status
      }),
    )
  const allOk = () => service.urls.map(() => 200)
  const allRejected = () => service.urls.map(() => 401)

  const WAYS: [string, () => Promise<unknown>][] = [
    ['are removed from the group', () => setMembers([owner.id])],
    [
      'change groups',
      () => service.api('PUT', `/api/v1/users/${member.id}/groups`, { token: owner.token, body: { groupIds: [] } }),
    ],
    ['lose the group', () => service.api('DELETE', `/api/v1/groups/${group}`, { token: owner.token })],
    ['lose the group assignment', () => put([])],
    [
      'leave the team',
      () =>
        service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [member.id, owner.teamId]),
    ],
  ]
  it.each(WAYS)('revokes tokens and access immediately for members who %s', async (_, happen) => {
    const tokens = await tokensFor(service, app, member)
    expect(await answers(tokens.access_token)).toEqual(allOk())
    await happen()
    expect(await answers(tokens.access_token)).toEqual(allRejected())
    const { body } = await service.api('POST', '/api/v1/oauth/introspect', { body: { token: tokens.access_token } })
    expect(body).toEqual({ active: false })
  })

  it('keeps the application available to a user with another assignment', async () => {
    const tokens = await tokensFor(service, app, member)
    await service.api('PUT', `/api/v1/users/${member.id}/applications`, {
      token: owner.token,
      body: { applicationIds: [app.id] },
    })
    await setMembers([])
    expect(await answers(tokens.access_token)).toEqual(allOk())
  })

  it('keeps the application closed when the group is deleted', async () => {
    await service.api('DELETE', `/api/v1/groups/${group}`, { token: owner.token })
    expect(await closed(app.id)).toBe(true)
  })
})
