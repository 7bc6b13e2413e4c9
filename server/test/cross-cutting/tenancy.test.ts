import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinTeam, onboardAdmin, registerApplication, registerUser } from '../factories/factories.js'
import { beginLogIn, enrollApp } from '../factories/factors.js'
import { makeDirectory } from '../factories/scim.js'
import { fillTeam, hasRowOf, tablesOfTeams } from '../factories/tenant-rows.js'
import type { ApiResponse } from '../harness/api.js'
import { dumpDatabase, dumpState, type WatchedState, watchState } from '../harness/dump.js'
import {
  type DocumentedRoute,
  documentedRoutes,
  minimalSampleOf,
  nameOf,
  pathWith,
  sampleOf,
} from '../harness/openapi.js'
import { startService } from '../harness/service.js'
import { halfInPostgresGate, LONG, SEED, someOf } from '../harness/some-of.js'

const service = await startService()
afterAll(() => service.close())

// Another user is the administrator of the instance, so that the outsider is only the owner of a team.
await onboardAdmin(service)
const victim = await registerUser(service)
const outsider = await registerUser(service)
const { id: foreignApplication } = await registerApplication(service, victim)
const colleague = await registerUser(service)
await joinTeam(service, colleague, outsider.teamId)
await registerApplication(service, outsider)
for (const { id, teamId, token } of [victim, outsider]) {
  // The first request creates the keys of a team.
  await service.api('GET', '/api/v1/org/saml-keys', { token })
  await service.api('GET', `/api/v1/sso/oidc-idp/${teamId}/jwks`)
  await fillTeam(service.sql, { teamId, userId: id })
}
const directory = await makeDirectory(service, outsider)
await service.settle()

const UNKNOWN = '01900000-0000-7000-8000-0000000000ff'
const ODD_SHAPES = ['%00', '..%2F..', 'x'.repeat(2_000), "'; drop table users; --", '🦊', '%', 'null', '{}', ' ']
const asSegment = (shape: string) => (/^%00$|^\.\.%2F/.test(shape) ? shape : encodeURIComponent(shape))
const asHeader = (shape: string) => Buffer.from(shape).toString('latin1').trim()

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Returns the IDs in rows of the victim, by table. */
async function idsOfVictim(): Promise<Map<string, string[]>> {
  const isTheirs = (row: string) => row.includes(victim.id) || row.includes(victim.teamId)
  const tables = Object.entries(await dumpDatabase(service))
  return new Map(tables.map(([name, rows]) => [name, rows.filter(isTheirs).join().match(UUID) ?? []]))
}

/** Returns the visible part of a response, without values that differ between requests. */
function visible({ status, headers, body }: ApiResponse) {
  const fixed = [...headers]
    .filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
    // Browser cookies have random values.
    .map(([name, value]) => [name, name === 'set-cookie' ? value.replace(/=[\w-]{43}/, '=<token>') : value])
  return { status, headers: fixed, body: { ...body, requestId: '' } }
}

const routes = await documentedRoutes(service)
const idsByTable = await idsOfVictim()
const foreignIds = [...new Set([...idsByTable.values()].flat())]
const teamTables = await tablesOfTeams(service.sql)

/** Returns the path segment before a parameter, in the form of a table name. */
const collectionOf = (path: string, param: string): string =>
  new RegExp(`([\\w-]+)/\\{${param}\\}`).exec(path)?.[1]?.replaceAll('-', '_') ?? ''

/** Returns the name of a parameter or a field without its ending, in the form of a table name: `users` for `userIds`. */
const namedBy = (name: string): string => {
  const thing = name.replace(/_?ids?$/i, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return thing && `${thing}s`
}

/** Tables with a different name than their path segment, parameter or field. */
const TABLES: Record<string, string> = {
  members: 'memberships',
  apps: 'applications',
  methods: 'factors',
}

/** Selects every eighth of the IDs, by the seed and the place. The long run has all of them. */
const fewOf = (ids: string[], place: number): string[] =>
  LONG ? ids : ids.filter((_, index) => (index + place + SEED) % 8 === 0)

/**
 * Returns the IDs to try in one place: those of the team, the user, the application and the tables that the names of the place refer to, and
 * a few of the others. If the names refer to no row, a third of them.
 */
function idsFor(names: string[], place: number): string[] {
  const tables = names.filter(Boolean).map((name) => TABLES[name] ?? name)
  const isNamed = (table: string) => tables.some((name) => table.endsWith(name))
  const named = [...idsByTable].flatMap(([table, ids]) => (isNamed(table) ? ids : []))
  const others = named.length > 0 ? fewOf(foreignIds, place) : someOf(foreignIds, place)
  return [...new Set([victim.id, victim.teamId, foreignApplication, ...named, ...others])]
}

/** Returns the IDs to try for a parameter of a path. */
const idsForParam = (path: string, param: string, place: number): string[] =>
  idsFor([collectionOf(path, param).toLowerCase(), namedBy(param)], place)

function request(route: DocumentedRoute, ids: Record<string, string>, headers: Record<string, string> = {}) {
  const body = route.body ? { body: sampleOf(route.body) } : {}
  const token = route.isScim ? directory.token : outsider.token
  return service.api(route.method, pathWith(route.path, ids), { token, headers, ...body })
}

describe('an ID of another team in a path', () => {
  let state: WatchedState
  beforeAll(async () => {
    state = await watchState(service)
  })
  afterAll(() => state.expectUnchangedInTheEnd())

  it('includes those of the team, the user and the session of the victim', () => {
    expect(foreignIds).toEqual(expect.arrayContaining([victim.id, victim.teamId, foreignApplication]))
    expect(foreignIds.length).toBeGreaterThan(5)
  })

  it('includes a row of every table whose rows belong to a team', async () => {
    expect(teamTables.length).toBeGreaterThan(8)
    for (const table of teamTables) expect(await hasRowOf(service.sql, table, victim.teamId), table).toBe(true)
  })

  // The token of an invitation is not an ID: its possession grants access to the invitation.
  const places = routes
    .flatMap((route) =>
      route.params.filter((param) => param !== 'token').map((param) => ({ name: nameOf(route), param, route })),
    )
    .map((found, place) => ({ ...found, place }))
  // Issuers are public, because every application can request them, and their responses are not secret. Providers are public too,
  // because their users sign in through them.
  const namesIssuer = ({ param, route: { path } }: { param: string; route: DocumentedRoute }) =>
    path.includes('/sso/oidc/{providerId}/') ||
    path.includes('/saml/{orgId}/{appId}/') ||
    (path.includes('/sso/saml-idp/') && param !== 'requestId') ||
    path.includes('/sso/saml/{orgId}/') ||
    path.includes('/openid-configuration/{orgId}') ||
    (path.includes('/sso/oidc-idp/') && param !== 'uid')

  it.each(places.filter(namesIssuer))(
    'changes nothing and reveals no other ID as {$param} of $name, a route of a public issuer or provider',
    async ({ route, param, place }) => {
      for (const id of idsForParam(route.path, param, place)) {
        const others = Object.fromEntries(route.params.map((name) => [name, name === 'issuer' ? victim.teamId : id]))
        const { status, text } = await request(route, { ...others, [param]: id })
        expect(status).toBeLessThan(500)
        const known = [id, victim.teamId, foreignApplication]
        for (const other of foreignIds) if (!known.includes(other)) expect(text).not.toContain(other)
        expect(text).not.toContain(victim.email)
      }
      await state.expectUnchanged()
    },
  )

  // A client manages its own registration with a token. Without it, every client ID gets the same 401.
  const managesClient = ({ param }: { param: string }) => param === 'clientId'
  // The caller does not administer the instance.
  const statusFor = (param: string, { permission }: DocumentedRoute) =>
    managesClient({ param }) ? 401 : permission === 'instance:update' ? 403 : 404

  const othersIn = ({ params }: DocumentedRoute) =>
    Object.fromEntries(params.map((name) => [name, ['orgId', 'orgRef'].includes(name) ? outsider.teamId : UNKNOWN]))
  const responses = new Map<number, ReturnType<typeof visible>>()
  /** Returns the response to an unknown ID, which both of the next tests compare. */
  async function responseToUnknown({ route, param, place }: (typeof places)[number]) {
    const response = responses.get(place) ?? visible(await request(route, { ...othersIn(route), [param]: UNKNOWN }))
    responses.set(place, response)
    return response
  }

  it.each(halfInPostgresGate(places.filter((place) => !namesIssuer(place))))(
    'gets the same response as an unknown ID and changes nothing as {$param} of $name',
    async (at) => {
      const { route, param, place } = at
      const others = othersIn(route)
      const unknown = await responseToUnknown(at)
      expect(unknown.status).toBe(statusFor(param, route))
      const ids = idsForParam(route.path, param, place)
      for (const id of [...ids, victim.id.toUpperCase(), victim.teamId.toUpperCase()])
        expect(visible(await request(route, { ...others, [param]: id })), id).toEqual(unknown)
      await state.expectUnchanged()
    },
  )

  it.each(halfInPostgresGate(places))(
    'gets the same response as an unknown ID if malformed as {$param} of $name',
    async (at) => {
      const { route, param, place } = at
      const others = othersIn(route)
      const unknown = await responseToUnknown(at)
      for (const shape of someOf(ODD_SHAPES, place)) {
        const answer = visible(await request(route, { ...others, [param]: asSegment(shape) }))
        expect(answer, shape.slice(0, 30)).toEqual(unknown)
      }
      await state.expectUnchanged()
    },
  )
})

/** Names that end like those of IDs but contain identifiers of other systems. */
const NO_REFERENCES = ['externalId', 'entityId', 'samlEntityId', 'samlSpEntityId', 'oidcClientId']
const namesId = (name: string) => /(^|[a-z])Ids?$|_ids?$|^ids?$/.test(name) && !NO_REFERENCES.includes(name)

const careful = await registerUser(service)
await enrollApp(service, careful)
const { mfaToken } = await beginLogIn(service, careful)
/** Required fields of routes that reject the minimal body. */
const BODIES: Record<string, Record<string, unknown>> = {
  'POST /api/v1/auth/login': { email: outsider.email, password: outsider.password },
  'POST /api/v1/auth/mfa/other-team': { mfaToken },
  'POST /api/v1/auth/mfa/enroll/verify': { code: '123456' },
  'POST /api/v1/users/bulk': { action: 'add_to_group', users: [colleague.id] },
}

/** Returns IDs of the caller's own resources for the path parameters, so that the request reaches the check of its other IDs. */
async function ownIds({ path, params }: DocumentedRoute): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const param of params) {
    const collection = collectionOf(path, param)
    if (['organizations', 'oidc_idp'].includes(collection) || param === 'orgId') ids[param] = outsider.teamId
    else if (['users', 'members'].includes(collection)) ids[param] = colleague.id
    else if (teamTables.includes(collection)) {
      const [row] = await service.sql<{ id: string }>(
        `SELECT id FROM "${collection}" WHERE organization_id = $1 LIMIT 1`,
        [outsider.teamId],
      )
      ids[param] = row?.id ?? UNKNOWN
    } else ids[param] = UNKNOWN
  }
  return ids
}

/** Returns the visible part of a response without the requested ID, which errors may contain. */
const visibleBut = (id: string, answer: ApiResponse) =>
  JSON.parse(JSON.stringify(visible(answer)).replaceAll(id, '<id>').replaceAll(id.toLowerCase(), '<id>'))

/** Expects no change after an error. After a success only other rows, such as audit entries, may be added. */
async function expectAsBefore(before: Awaited<ReturnType<typeof dumpState>>, status: number): Promise<void> {
  const after = await dumpState(service)
  if (status >= 400) expect(after).toEqual(before)
  // Dumps share the rows of a table that has not changed.
  for (const [table, rows] of Object.entries(before))
    if (after[table] !== rows)
      expect(after[table], table).toEqual(expect.arrayContaining(rows.filter((row) => row.includes(victim.teamId))))
}

describe('an ID of another team in a body or a query', () => {
  const fields = routes
    .flatMap((route) =>
      Object.entries(route.body?.properties ?? {})
        .filter(([field]) => namesId(field))
        .map(([field, schema]) => ({ name: nameOf(route), field, schema, route })),
    )
    .map((found, place) => ({ ...found, place }))
  const queries = routes
    .flatMap((route) =>
      route.permission === 'public'
        ? []
        : route.query.filter(namesId).map((field) => ({ name: nameOf(route), field, route })),
    )
    .map((found, place) => ({ ...found, place }))

  it('covers fields of bodies and queries', () => {
    expect(fields.map(({ name, field }) => `${field} of ${name}`)).toEqual(
      expect.arrayContaining([
        'userIds of PUT /api/v1/applications/{appId}/users',
        'groupIds of PUT /api/v1/applications/{appId}/groups',
        'teamId of POST /api/v1/auth/switch-team',
      ]),
    )
    expect(queries.map(({ name, field }) => `${field} of ${name}`)).toContain('userId of GET /api/v1/audit/logs')
  })

  it.each(halfInPostgresGate(fields))(
    'gets the same response as an unknown ID and changes nothing as $field of $name',
    async ({ route, field, schema, name, place }) => {
      const isList = [schema, ...(schema.anyOf ?? [])].some(({ type }) => type === 'array')
      const path = pathWith(route.path, await ownIds(route))
      const send = async (id: string) => {
        const body = { ...minimalSampleOf(route.body ?? {}), ...BODIES[name], [field]: isList ? [id] : id }
        return visibleBut(id, await service.api(route.method, path, { token: outsider.token, body }))
      }
      const unknown = await send(UNKNOWN)
      // A field that must belong to the resource in the path is rejected as an invalid value.
      const isVerified = unknown.status !== 400 || unknown.body.errors?.[0]?.path === `/${field}`
      expect(isVerified, `${JSON.stringify(unknown.body)}: give ${name} a body in BODIES`).toBe(true)
      const before = await dumpState(service)
      for (const id of [...idsFor([namedBy(field)], place), victim.id.toUpperCase()])
        expect(await send(id), id).toEqual(unknown)
      await expectAsBefore(before, unknown.status)
    },
  )

  it.each(halfInPostgresGate(queries))(
    'gets the same response as an unknown ID as $field in the query of $name',
    async ({ route, field, place }) => {
      const path = pathWith(route.path, await ownIds(route))
      const send = async (id: string) => {
        const query = new URLSearchParams({ [field]: id })
        return visibleBut(id, await service.api(route.method, `${path}?${query}`, { token: outsider.token }))
      }
      const unknown = await send(UNKNOWN)
      const before = await dumpState(service)
      for (const id of [...idsFor([namedBy(field)], place), victim.id.toUpperCase()])
        expect(await send(id), id).toEqual(unknown)
      await expectAsBefore(before, unknown.status)
    },
  )
})

describe('x-org-id', () => {
  let state: WatchedState
  beforeAll(async () => {
    state = await watchState(service)
  })
  const signedIn = routes
    .filter(({ permission }) => permission !== 'public' && permission !== 'scim')
    .map((route, place) => ({ name: nameOf(route), route, place }))
  it.each(halfInPostgresGate(signedIn))(
    'gets the same response for another team as for an unknown one at $name, and changes nothing',
    async ({ route, place }) => {
      const ids = Object.fromEntries(route.params.map((name) => [name, UNKNOWN]))
      const unknown = visible(await request(route, ids, { 'x-org-id': UNKNOWN }))
      // A team in the path takes precedence over the header, unless the user may have no membership in it.
      const isTeamInPath = route.params.includes('orgId') && !/\/(join|leave|confirm|block)$/.test(route.path)
      expect(unknown.status).toBe(isTeamInPath ? 404 : 403)
      for (const id of [
        victim.teamId,
        victim.teamId.toUpperCase(),
        victim.id,
        ...someOf(ODD_SHAPES.map(asHeader).filter(Boolean), place),
      ])
        expect(visible(await request(route, ids, { 'x-org-id': id }))).toEqual(unknown)
      await state.expectUnchanged()
    },
  )

  it('changes nothing of another team in a later job', () => state.expectUnchangedInTheEnd())

  it('selects a team of the caller for the request', async () => {
    const { body: created } = await service.api('POST', '/api/v1/organizations', {
      token: outsider.token,
      body: { name: 'Mine' },
    })
    const { body } = await service.api('GET', '/api/v1/auth/me', {
      token: outsider.token,
      headers: { 'x-org-id': created.id },
    })
    expect(body.team).toMatchObject({ id: created.id, role: 'SUPER_ADMIN' })
    expect((await service.api('GET', '/api/v1/auth/me', { token: outsider.token })).body.team.id).toBe(outsider.teamId)
  })

  it('records a denied request for another team in the log of the current team of the caller', async () => {
    await service.api('GET', '/api/v1/settings', { token: outsider.token, headers: { 'x-org-id': victim.teamId } })
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=access.denied', { token: outsider.token })
    expect(body.data[0]).toMatchObject({ result: 'DENIED', userId: outsider.id, metadata: { code: 'not_a_member' } })
    const theirs = await service.api('GET', '/api/v1/audit/logs?action=access.denied', { token: victim.token })
    expect(theirs.body.total).toBe(0)
  })
})
