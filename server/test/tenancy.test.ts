import { afterAll, describe, expect, it } from 'vitest'
import type { ApiAnswer } from './api.js'
import { dumpDatabase, dumpState } from './dump.js'
import { onboardAdmin, registerUser } from './factories.js'
import { type DocumentedRoute, documentedRoutes, nameOf, pathWith, sampleOf } from './openapi.js'
import { startService } from './service.js'

const service = await startService()
afterAll(() => service.close())

// Somebody else administers the instance, so that the stranger is nothing but the owner of a team.
await onboardAdmin(service)
const victim = await registerUser(service)
const stranger = await registerUser(service)
await service.settle()

const UNKNOWN = '01900000-0000-7000-8000-0000000000ff'
const ODD_SHAPES = ['%00', '..%2F..', 'x'.repeat(2_000), "'; drop table users; --", '🦊', '%', 'null', '{}', ' ']
const asSegment = (shape: string) => (/^%00$|^\.\.%2F/.test(shape) ? shape : encodeURIComponent(shape))
const asHeader = (shape: string) => Buffer.from(shape).toString('latin1').trim()

/** Every id that belongs to the victim, from whatever table. */
async function idsOfVictim(): Promise<string[]> {
  const rows = Object.values(await dumpDatabase(service)).flat()
  const theirs = rows.filter((row) => row.includes(victim.id) || row.includes(victim.teamId)).join()
  return [...new Set(theirs.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g))]
}

/** All that the caller can see of an answer, without what differs from request to request. */
function visible({ status, headers, body }: ApiAnswer) {
  const fixed = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
  return { status, headers: fixed, body: { ...body, requestId: '' } }
}

const routes = await documentedRoutes(service)
const foreignIds = await idsOfVictim()

function ask(route: DocumentedRoute, ids: Record<string, string>, headers: Record<string, string> = {}) {
  const body = route.body ? { body: sampleOf(route.body) } : {}
  return service.api(route.method, pathWith(route.path, ids), { token: stranger.token, headers, ...body })
}

describe('an id of another team', () => {
  it('is known for the team, the user and the session of the victim', () => {
    expect(foreignIds).toEqual(expect.arrayContaining([victim.id, victim.teamId]))
    expect(foreignIds.length).toBeGreaterThan(5)
  })

  const places = routes.flatMap((route) => route.params.map((param) => ({ name: nameOf(route), param, route })))
  it.each(places)(
    'at {$param} of $name is answered like an unknown one and changes nothing',
    async ({ route, param }) => {
      const before = await dumpState(service)
      const others = Object.fromEntries(
        route.params.map((name) => [name, name === 'orgId' ? stranger.teamId : UNKNOWN]),
      )
      const unknown = visible(await ask(route, { ...others, [param]: UNKNOWN }))
      expect(unknown.status).toBe(404)
      for (const id of foreignIds) {
        expect(visible(await ask(route, { ...others, [param]: id }))).toEqual(unknown)
        expect(visible(await ask(route, { ...others, [param]: id.toUpperCase() }))).toEqual(unknown)
      }
      expect(await dumpState(service)).toEqual(before)
    },
  )

  it.each(places)(
    'or of an odd shape at {$param} of $name is answered like an unknown one',
    async ({ route, param }) => {
      const before = await dumpState(service)
      const others = Object.fromEntries(
        route.params.map((name) => [name, name === 'orgId' ? stranger.teamId : UNKNOWN]),
      )
      const unknown = visible(await ask(route, { ...others, [param]: UNKNOWN }))
      for (const shape of ODD_SHAPES) {
        const answer = visible(await ask(route, { ...others, [param]: asSegment(shape) }))
        expect(answer, shape.slice(0, 30)).toEqual(unknown)
      }
      expect(await dumpState(service)).toEqual(before)
    },
  )
})

describe('x-org-id', () => {
  const signedIn = routes
    .filter(({ permission }) => permission !== 'public')
    .map((route) => ({ name: nameOf(route), route }))
  it.each(signedIn)(
    'with another team is answered like an unknown one by $name, and changes nothing',
    async ({ route }) => {
      const before = await dumpState(service)
      const ids = Object.fromEntries(route.params.map((name) => [name, UNKNOWN]))
      const unknown = visible(await ask(route, ids, { 'x-org-id': UNKNOWN }))
      // A team in the path wins over the header.
      expect(unknown.status).toBe(route.params.includes('orgId') ? 404 : 403)
      for (const id of [
        victim.teamId,
        victim.teamId.toUpperCase(),
        victim.id,
        ...ODD_SHAPES.map(asHeader).filter(Boolean),
      ])
        expect(visible(await ask(route, ids, { 'x-org-id': id }))).toEqual(unknown)
      expect(await dumpState(service)).toEqual(before)
    },
  )

  it('with a team of the caller opens it for that request', async () => {
    const { body: made } = await service.api('POST', '/api/v1/organizations', {
      token: stranger.token,
      body: { name: 'Mine' },
    })
    const { body } = await service.api('GET', '/api/v1/auth/me', {
      token: stranger.token,
      headers: { 'x-org-id': made.id },
    })
    expect(body.team).toMatchObject({ id: made.id, role: 'SUPER_ADMIN' })
    expect((await service.api('GET', '/api/v1/auth/me', { token: stranger.token })).body.team.id).toBe(stranger.teamId)
  })

  it('with another team leaves an entry of the denied request in the log of the team that the caller has open', async () => {
    await service.api('GET', '/api/v1/settings', { token: stranger.token, headers: { 'x-org-id': victim.teamId } })
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=access.denied', { token: stranger.token })
    expect(body.data[0]).toMatchObject({ result: 'DENIED', userId: stranger.id, metadata: { code: 'not_a_member' } })
    const theirs = await service.api('GET', '/api/v1/audit/logs?action=access.denied', { token: victim.token })
    expect(theirs.body.total).toBe(0)
  })
})
