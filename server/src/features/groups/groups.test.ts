import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  joinTeam,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const GROUPS = '/api/v1/groups'
const ODD_NAMES = ['', ' ', '\n', 'a\nb', 'a\u2028b', 'x'.repeat(101)]

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())

const call = (method: string, path: string, body?: unknown) =>
  service.api(method, `${GROUPS}${path}`, { token: owner.token, ...(body !== undefined && { body }) })
const make = async (name: string, description?: string) => {
  const { status, body } = await call('POST', '', { name, description })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const entriesOf = async (id: string) => {
  const { body } = await service.api('GET', '/api/v1/audit/logs?limit=100', { token: owner.token })
  return body.data
    .filter(({ resource }: { resource: string }) => resource === `group:${id}`)
    .map(({ action, metadata }: { action: string; metadata: object }) => [action, metadata])
}

describe('/groups', () => {
  it('creates, reads, updates and deletes a group', async () => {
    const made = await make('Sales', 'Who sells')
    const { id } = made
    expect(made).toEqual({
      id,
      name: 'Sales',
      description: 'Who sells',
      memberCount: 0,
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
    })
    expect((await call('GET', `/${id}`)).body).toEqual(made)

    await service.clock.advance(1_000)
    const renamed = await call('PUT', `/${id}`, { name: ' Sales EU ' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toMatchObject({ name: 'Sales EU', description: 'Who sells', createdAt: made.createdAt })
    expect(renamed.body.updatedAt > made.updatedAt).toBe(true)
    expect((await call('PUT', `/${id}`, { description: null })).body).toMatchObject({
      name: 'Sales EU',
      description: null,
    })

    const deleted = await call('DELETE', `/${id.toUpperCase()}`)
    expect([deleted.status, deleted.body]).toEqual([200, { message: expect.any(String) }])
    for (const method of ['GET', 'DELETE']) expectError(await call(method, `/${id}`), 404, 'group_not_found')
    expectError(await call('PUT', `/${id}`, { name: 'Gone' }), 404, 'group_not_found')
    expect(await entriesOf(id)).toEqual([
      ['group.deleted', { name: 'Sales EU', members: 0 }],
      ['group.updated', { name: 'Sales EU', changed: ['description'] }],
      ['group.updated', { name: 'Sales EU', changed: ['name'] }],
      ['group.created', { name: 'Sales' }],
    ])
  })

  it('records nothing if nothing changes', async () => {
    const { id } = await make('Sales', 'Who sells')
    const { body: before } = await call('GET', `/${id}`)
    await service.clock.advance(1_000)
    for (const same of [{}, { name: ' Sales ' }, { name: 'Sales', description: 'Who sells' }]) {
      const answer = await call('PUT', `/${id}`, same)
      expect([answer.status, answer.body]).toEqual([200, before])
    }
    expect(await entriesOf(id)).toEqual([['group.created', { name: 'Sales' }]])
  })

  it('accepts a single-line name of 100 characters and a description of 500', async () => {
    const { id } = await make('x'.repeat(100), 'y'.repeat(500))
    await service.settle()
    const before = await dumpState(service)
    for (const name of ODD_NAMES) {
      for (const answer of [await call('POST', '', { name }), await call('PUT', `/${id}`, { name })])
        expectError(answer, 400, 'invalid_request')
    }
    for (const description of ['y'.repeat(501), 7])
      expectError(await call('PUT', `/${id}`, { description }), 400, 'invalid_request')
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects a name that another group of the team has', async () => {
    const { id } = await make('Taken')
    const other = await make('Other')
    await service.settle()
    const before = await dumpState(service)
    expectError(await call('POST', '', { name: 'Taken' }), 409, 'group_name_taken')
    expectError(await call('POST', '', { name: ' Taken ' }), 409, 'group_name_taken')
    expectError(await call('PUT', `/${other.id}`, { name: 'Taken' }), 409, 'group_name_taken')
    expect(await dumpState(service)).toEqual(before)
    expect((await call('PUT', `/${id}`, { name: 'Taken' })).status).toBe(200)
    const outsider = await registerUser(service)
    const { status } = await service.api('POST', GROUPS, { token: outsider.token, body: { name: 'Taken' } })
    expect(status).toBe(201)
  })

  it('creates one group across many concurrent requests with the same name', async () => {
    const answers = await atOnce(CONCURRENT, () => call('POST', '', { name: 'Raced' }))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(CONCURRENT - 1).fill(409)])
  })

  it('renames one of twenty groups to the same name under concurrent requests', async () => {
    const ids = await atOnce(20, async (index) => (await make(`Racer ${index}`)).id)
    const answers = await atOnce(20, (index) => call('PUT', `/${ids[index]}`, { name: 'Winner' }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  it('deletes once under concurrent deletions and changes', async () => {
    const { id } = await make('Doomed')
    const answers = await atOnce(20, (index) =>
      index % 2 ? call('DELETE', `/${id}`) : call('PUT', `/${id}/users`, { userIds: [owner.id] }),
    )
    const deletions = answers.filter((_, index) => index % 2).map(({ status }) => status)
    expect(deletions.sort()).toEqual([200, ...Array(9).fill(404)])
    for (const { status } of answers) expect([200, 404]).toContain(status)
  })

  it('returns 404 to another team on every endpoint', async () => {
    const { id } = await make('Ours')
    const outsider = await registerUser(service)
    await service.settle()
    const before = await dumpState(service)
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'Theirs' }],
      ['DELETE', ''],
      ['GET', '/users'],
      ['PUT', '/users', { userIds: [outsider.id] }],
      ['GET', '/applications'],
      ['PUT', '/applications', { applicationIds: [] }],
    ] as const)
      for (const group of [id, randomUUID(), 'x'])
        expectError(
          await service.api(method, `${GROUPS}/${group}${path}`, { token: outsider.token, ...(body && { body }) }),
          404,
          'group_not_found',
        )
    expect(await dumpState(service)).toEqual(before)
  })
})

describe('GET /groups', () => {
  let admin: TestUser
  const list = async (query: string) =>
    (await service.api('GET', `${GROUPS}?${query}`, { token: admin.token })).body as {
      data: { name: string; memberCount: number }[]
      total: number
      page: number
      limit: number
    }
  const names = async (query: string) => (await list(query)).data.map(({ name }) => name)

  beforeAll(async () => {
    admin = await registerUser(service)
    for (const name of ['Alpha', 'alphabet', '100 %', '1000', 'under_score', 'underXscore', 'back\\slash', 'Ünïcode']) {
      await service.api('POST', GROUPS, { token: admin.token, body: { name } })
      await service.clock.advance(1_000)
    }
  })

  it('lists groups newest first, one page at a time, with the total', async () => {
    expect(await names('limit=3')).toEqual(['Ünïcode', 'back\\slash', 'underXscore'])
    expect(await names('limit=3&page=3')).toEqual(['alphabet', 'Alpha'])
    expect(await list('limit=3&page=99')).toEqual({ data: [], total: 8, page: 99, limit: 3 })
    expect(await list('limit=1000&page=-4')).toMatchObject({ total: 8, page: 1, limit: 100 })
  })

  it('searches by a part of the name, case-insensitively and without wildcards', async () => {
    expect(await names('search=ALPHA')).toEqual(['alphabet', 'Alpha'])
    expect(await list('search=alpha&limit=1')).toMatchObject({ total: 2, data: [{ name: 'alphabet' }] })
    expect(await names(`search=${encodeURIComponent('0 %')}`)).toEqual(['100 %'])
    expect(await names('search=%25')).toEqual(['100 %'])
    expect(await names('search=r_s')).toEqual(['under_score'])
    expect(await names('search=%5C')).toEqual(['back\\slash'])
    expect(await names('search=zzz')).toEqual([])
    expect(await names('search=%20')).toHaveLength(8)
  })

  it('counts the members of each group', async () => {
    const colleague = await registerUser(service)
    await joinTeam(service, colleague, admin.teamId)
    const { body } = await service.api('GET', `${GROUPS}?search=alphabet`, { token: admin.token })
    await service.api('PUT', `${GROUPS}/${body.data[0].id}/users`, {
      token: admin.token,
      body: { userIds: [admin.id, colleague.id] },
    })
    expect((await list('search=alpha')).data.map(({ memberCount }) => memberCount)).toEqual([2, 0])
  })
})
