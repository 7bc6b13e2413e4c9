import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CERTIFICATE } from '../../../test/factories/certified-key.js'
import {
  atOnce,
  CONCURRENT,
  comparable,
  expectError,
  joinTeam,
  logIn,
  makeGroup,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import type { ApiResponse } from '../../../test/harness/api.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const APPS = '/api/v1/applications'
const EC_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}

/** The defaults of a new OpenID Connect application. */
const DEFAULTS = {
  redirectUris: [],
  postLogoutRedirectUris: [],
  grantTypes: ['authorization_code', 'refresh_token'],
  responseTypes: ['code'],
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  tokenEndpointAuthMethod: 'client_secret_basic',
  isPublicClient: false,
  requireDpop: false,
  dpopNonceEnabled: false,
  hasSecret: true,
  managedByClient: false,
  isAiAgent: false,
  resources: [],
  assignmentRequired: false,
  samlEncryptAssertion: false,
  samlAllowIdpInitiated: false,
}

/** A value other than the default for every writable field. */
const FIELDS: [field: string, value: unknown][] = [
  ['name', 'Ümläut & <b>'],
  ['description', 'Two\nlines'],
  ['logoUrl', 'https://example.com/logo.svg'],
  ['redirectUris', ['https://app.example.com/cb', 'https://app.example.com/cb?x=1']],
  ['postLogoutRedirectUris', ['https://app.example.com/bye']],
  ['backchannelLogoutUri', 'https://app.example.com/logout'],
  ['grantTypes', ['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']],
  ['responseTypes', []],
  ['scopes', ['openid', 'orders:read', '!#[]~']],
  ['tokenEndpointAuthMethod', 'client_secret_post'],
  ['requireDpop', true],
  ['jwks', { keys: [EC_KEY] }],
  ['dpopNonceEnabled', true],
  ['isAiAgent', true],
  ['assignmentRequired', true],
  ['samlEntityId', 'https://sp.example.com/metadata'],
  ['samlSpEntityId', 'urn:example:sp'],
  ['samlSpAcsUrl', 'https://sp.example.com/acs'],
  ['samlNameIdFormat', 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
  ['samlAttributeMapping', { mail: 'email', 'urn:oid:2.5.4.42': 'firstName' }],
  ['samlSpSloUrl', 'https://sp.example.com/slo'],
  ['samlSpSloResponseUrl', 'https://sp.example.com/slo/response'],
  ['samlSpSloPostUrl', 'https://sp.example.com/slo/post'],
  ['samlSpSloPostResponseUrl', 'https://sp.example.com/slo/post/response'],
  ['samlSpCertificate', CERTIFICATE],
  ['samlAllowIdpInitiated', true],
]

describe('/applications', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  const create = (body: unknown, token = user.token) => service.api('POST', APPS, { token, body })
  const read = (id: string, token = user.token) => service.api('GET', `${APPS}/${id}`, { token })
  const update = (id: string, body: unknown, token = user.token) => service.api('PUT', `${APPS}/${id}`, { token, body })
  const remove = (id: string, token = user.token) => service.api('DELETE', `${APPS}/${id}`, { token })
  const list = async (token = user.token) => (await service.api('GET', APPS, { token })).body.data
  const make = (fields: Record<string, unknown> = {}) => registerApplication(service, user, fields)
  const logs = async (by: TestUser, action: string) =>
    (await service.api('GET', `/api/v1/audit/logs?action=${action}&limit=100`, { token: by.token })).body.data
  const badField = ({ status, body }: ApiResponse) => [status, body.code, body.errors?.[0]?.path]

  it('removes samlSpSloResponseUrl when samlSpSloUrl changes, unless the request sets both', async () => {
    const urls = { samlSpSloUrl: 'https://sp.example/slo', samlSpSloResponseUrl: 'https://sp.example/response' }
    const { id } = await make({ type: 'SAML', samlEntityId: 'urn:example:slo', ...urls })
    expect((await update(id, { samlSpSloUrl: urls.samlSpSloUrl })).body).toMatchObject(urls)
    const moved = (await update(id, { samlSpSloUrl: 'https://other.example/slo' })).body
    expect([moved.samlSpSloUrl, moved.samlSpSloResponseUrl ?? null]).toEqual(['https://other.example/slo', null])
    expect((await update(id, urls)).body).toMatchObject(urls)
  })

  it('creates an application with the specified fields and defaults, and returns its secret once', async () => {
    const { status, body } = await create({ name: 'Shop', type: 'OIDC' })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...DEFAULTS,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      teamId: user.teamId,
      name: 'Shop',
      type: 'OIDC',
      clientId: expect.stringMatching(/^[0-9a-f]{32}$/),
      clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
    })
    const { clientSecret, ...shown } = body
    expect((await read(body.id)).body).toEqual(shown)
    expect((await list())[0]).toEqual(shown)
  })

  it('creates a SAML application with a client ID and a secret, but without OAuth grants', async () => {
    const { status, body } = await create({ name: 'Wiki', type: 'SAML', samlEntityId: 'https://sp.example.com' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...DEFAULTS, type: 'SAML', grantTypes: [], responseTypes: [], scopes: [] })
    expect(body.clientId).toMatch(/^[0-9a-f]{32}$/)
    expect(body.clientSecret).toMatch(/^[\w-]{43}$/)
  })

  it('requires samlEntityId or samlSpEntityId for SAML applications on creation and update', async () => {
    const rejected = await create({ name: 'Wiki', type: 'SAML' })
    expect(badField(rejected)).toEqual([400, 'invalid_request', '/samlEntityId'])
    expect((await create({ name: 'Wiki', type: 'SAML', samlEntityId: null })).status).toBe(400)
    const { body } = await create({ name: 'Wiki', type: 'SAML', samlSpEntityId: 'urn:sp' })
    expect(body).toMatchObject({ samlSpEntityId: 'urn:sp' })
    expect(badField(await update(body.id, { samlSpEntityId: null }))).toEqual([400, 'invalid_request', '/samlEntityId'])
    expect((await update(body.id, { samlSpEntityId: null, samlEntityId: 'urn:sp' })).status).toBe(200)
  })

  it.each(FIELDS)('stores %s on creation', async (field, value) => {
    const body = await make({ [field]: value })
    expect(body[field]).toEqual(value)
    expect((await read(body.id)).body[field]).toEqual(value)
  })

  it.each(FIELDS)('updates %s without changing other fields', async (field, value) => {
    const { clientSecret, ...before } = await make()
    await service.clock.advance(1_000)
    const { status, body } = await update(before.id, { [field]: value })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, [field]: value, updatedAt: body.updatedAt })
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect((await read(before.id)).body).toEqual(body)
  })

  it.each(FIELDS)('resets %s without changing other fields', async (field) => {
    const { clientSecret, ...full } = await make(Object.fromEntries(FIELDS))
    const plain = { name: 'App', ...DEFAULTS } as Record<string, unknown>
    const { status, body } = await update(full.id, { [field]: plain[field] ?? null })
    expect(status).toBe(200)
    const { [field]: old, ...others } = full
    // Resetting an SLO URL also resets its response URL.
    if (/Slo(Post)?Url$/.test(field)) delete others[field.replace('Url', 'ResponseUrl')]
    expect(body).toEqual({ ...others, ...(field in plain && { [field]: plain[field] }), updatedAt: body.updatedAt })
  })

  it('ignores id, team, client ID, secret and timestamps in the body', async () => {
    const readOnly = {
      id: randomUUID(),
      teamId: randomUUID(),
      organizationId: randomUUID(),
      clientId: 'chosen',
      clientSecret: 'chosen',
      secretHash: 'chosen',
      secretRotatedAt: '2001-01-01T00:00:00.000Z',
      version: 99,
      generation: 99,
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: '2001-01-01T00:00:00.000Z',
      unknown: { a: 1 },
    }
    const made = await make(readOnly)
    expect(made.id).not.toBe(readOnly.id)
    expect(made).toMatchObject({ teamId: user.teamId, clientId: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(JSON.stringify(made)).not.toMatch(/chosen|2001-0|unknown/)
    const { clientSecret, ...before } = made
    const row = async () =>
      (await service.sql('SELECT secret_hash, generation, created_at FROM applications WHERE id = $1', [made.id]))[0]
    const stored = await row()
    const { body } = await update(made.id, readOnly)
    expect(body).toEqual({ ...before, updatedAt: body.updatedAt })
    expect(await row()).toEqual(stored)
  })

  it('rejects a change of the type', async () => {
    const { id } = await make()
    const rejected = await update(id, { type: 'SAML', samlEntityId: 'urn:sp' })
    expect(badField(rejected)).toEqual([400, 'invalid_request', '/type'])
    expect((await update(id, { type: 'OIDC', name: 'Same type' })).body.name).toBe('Same type')
  })

  it.each([
    [{}, '/name'],
    [{ name: 'x' }, '/type'],
    [{ name: 'x', type: 'OAUTH' }, '/type'],
  ])('rejects %j on creation', async (body, path) => {
    const before = (await list()).length
    expect(badField(await create(body))).toEqual([400, 'invalid_request', path])
    expect(await list()).toHaveLength(before)
  })

  it.each([
    ['name', '', 'x'],
    ['name', ' \t', ' x '],
    ['name', 'x'.repeat(101), '🦊'.repeat(100)],
    ['name', 'a\nb', 'a b'],
    ['name', null, 'x'],
    ['description', 'x'.repeat(501), 'x'.repeat(500)],
    ['logoUrl', 'javascript:alert(1)', 'http://localhost/a.png'],
    ['logoUrl', 'data:image/png;base64,AA', null],
    ['redirectUris', null, []],
    ['redirectUris', 'https://a.example/cb', ['https://a.example/cb']],
    ['redirectUris', Array(101).fill('https://a.example/cb'), Array(100).fill('https://a.example/cb')],
    ['redirectUris', [`https://a.example/${'x'.repeat(1_983)}`], [`https://a.example/${'x'.repeat(1_982)}`]],
    ['postLogoutRedirectUris', Array(101).fill('https://a.example/'), ['https://a.example/']],
    ['backchannelLogoutUri', 'https://a.example/#x', 'https://a.example/'],
    ['backchannelLogoutUri', 'com.example.app:/out', null],
    ['grantTypes', ['password'], ['urn:ietf:params:oauth:grant-type:token-exchange']],
    ['grantTypes', ['implicit'], []],
    ['responseTypes', ['token'], ['code']],
    ['responseTypes', ['code id_token'], []],
    ['scopes', [''], ['x']],
    ['scopes', ['two words'], ['two:words']],
    ['scopes', ['"'], ['!']],
    ['scopes', ['\\'], ['[']],
    ['scopes', ['é'], ['~']],
    ['scopes', ['x'.repeat(101)], ['x'.repeat(100)]],
    ['scopes', Array(101).fill('x'), ['openid']],
    ['tokenEndpointAuthMethod', 'client_secret_jwt', 'client_secret_post'],
    ['tokenEndpointAuthMethod', null, 'client_secret_basic'],
    ['isPublicClient', 'true', false],
    ['requireDpop', 1, false],
    ['jwks', [], null],
    ['jwks', {}, { keys: [] }],
    ['samlEntityId', ' ', 'urn:x'],
    ['samlEntityId', 'x'.repeat(1_025), 'x'.repeat(1_024)],
    ['samlSpAcsUrl', 'javascript:alert(1)', 'https://sp.example.com/acs'],
    ['samlSpAcsUrl', 'com.example.app:/acs', null],
    ['samlNameIdFormat', 'two words', 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    ['samlAttributeMapping', { a: 1 }, { a: 'email' }],
    ['samlAttributeMapping', Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, 'x'])), {}],
  ])('rejects %s = %j and accepts %j', async (field, wrong, right) => {
    const { clientSecret, ...before } = await make()
    for (const rejected of [
      await update(before.id, { [field]: wrong }),
      await create({ name: 'x', type: 'OIDC', [field]: wrong }),
    ]) {
      expect([rejected.status, rejected.body.code]).toEqual([400, 'invalid_request'])
      expect(rejected.body.errors[0].path).toMatch(new RegExp(`^/${field}`))
    }
    expect((await read(before.id)).body).toEqual(before)
    expect((await update(before.id, { [field]: right })).body[field]).toEqual(right ?? undefined)
  })

  it('stores each scope, grant type and response type once, in the given order', async () => {
    const twice = (names: string[]) => [...names, ...names]
    const lists = { scopes: ['b', 'a'], grantTypes: ['refresh_token', 'authorization_code'], responseTypes: ['code'] }
    const { id, ...made } = await make(Object.fromEntries(Object.entries(lists).map(([k, names]) => [k, twice(names)])))
    expect(made).toMatchObject(lists)
    expect((await update(id, { scopes: ['x', 'y', 'x'] })).body.scopes).toEqual(['x', 'y'])
  })

  it('reports all invalid fields together', async () => {
    const { body } = await create({
      name: 'x',
      type: 'SAML',
      redirectUris: ['https://a.example/', 'nowhere'],
      samlSpAcsUrl: 'https://a.example/#',
      jwks: { keys: [{ kty: 'oct', k: 'AA' }] },
    })
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      '/redirectUris/1',
      '/samlSpAcsUrl',
      '/jwks/keys/0',
      '/samlEntityId',
    ])
  })

  it('lists applications of the team only, newest first', async () => {
    const fresh = await registerUser(service)
    expect(await list(fresh.token)).toEqual([])
    const names = ['first', 'second', 'third']
    for (const name of names) {
      await registerApplication(service, fresh, { name })
      await service.clock.advance(1)
    }
    expect((await list(fresh.token)).map(({ name }: { name: string }) => name)).toEqual(names.toReversed())
    expect((await list()).map(({ name }: { name: string }) => name)).not.toContain('first')
  })

  it('creates distinct client IDs across many concurrent requests', async () => {
    const made = await atOnce(CONCURRENT, (index) => make({ name: `App ${index}` }))
    expect(new Set(made.map(({ clientId }) => clientId)).size).toBe(CONCURRENT)
    expect(new Set(made.map(({ clientSecret }) => clientSecret)).size).toBe(CONCURRENT)
  })

  it('enforces the application limit under concurrent creation', async () => {
    const owner = await registerUser(service)
    await service.sql('UPDATE organizations SET max_applications = 3 WHERE id = $1', [owner.teamId])
    const answers = await atOnce(CONCURRENT, () => create({ name: 'x', type: 'OIDC' }, owner.token))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectError(answer, 409, 'limit_reached')
      expect(answer.body.detail).toBe('The team has 3 applications; its limit is 3')
    }
    const mine = await list(owner.token)
    expect(mine).toHaveLength(3)
    expect(await logs(owner, 'application.created')).toHaveLength(3)
    await remove(mine[0].id, owner.token)
    expect((await create({ name: 'x', type: 'OIDC' }, owner.token)).status).toBe(201)
  })

  it('applies each of many concurrent updates, with its audit entry and version', async () => {
    const { id } = await make()
    const [first] = await service.sql<{ version: number }>('SELECT version FROM applications WHERE id = $1', [id])
    await atOnce(CONCURRENT, (index) => update(id, index % 2 ? { requireDpop: true } : { isAiAgent: true }))
    expect((await read(id)).body).toMatchObject({ requireDpop: true, isAiAgent: true })
    const [last] = await service.sql<{ version: number }>('SELECT version FROM applications WHERE id = $1', [id])
    expect(last?.version).toBe((first?.version ?? 0) + CONCURRENT)
    const entries = (await logs(user, 'application.updated')).filter(
      ({ resource }: { resource: string }) => resource === `application:${id}`,
    )
    expect(entries).toHaveLength(CONCURRENT)
  })

  it('deletes an application with its assignments, and records its name', async () => {
    const { id, clientId } = await make({ name: 'Gone' })
    const group = await makeGroup(service, user.teamId)
    await service.api('PUT', `${APPS}/${id}/users`, { token: user.token, body: { userIds: [user.id] } })
    await service.api('PUT', `${APPS}/${id}/groups`, { token: user.token, body: { groupIds: [group] } })
    const { status, body } = await remove(id)
    expect([status, body]).toEqual([200, { deleted: true, id }])
    expectError(await read(id), 404, 'application_not_found')
    expectError(await remove(id), 404, 'application_not_found')
    for (const table of ['application_users', 'application_groups'])
      expect(await service.sql(`SELECT * FROM ${table} WHERE application_id = $1`, [id])).toEqual([])
    expect((await logs(user, 'application.deleted'))[0]).toMatchObject({
      userId: user.id,
      teamId: user.teamId,
      resource: `application:${id}`,
      metadata: { name: 'Gone', type: 'OIDC', clientId },
    })
  })

  it('deletes an application once across concurrent requests', async () => {
    const { id } = await make()
    const answers = await atOnce(10, () => remove(id))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
  })

  it('records actions and changed fields, but no secret', async () => {
    const owner = await registerUser(service)
    const made = await registerApplication(service, owner, { name: 'Shop' })
    const put = (body: unknown) => update(made.id, body, owner.token)
    await put({ scopes: ['openid'], description: 'x', name: 'Shop' })
    await put({ isPublicClient: true })
    await put({})
    const resource = `application:${made.id}`
    expect(await logs(owner, 'application.created')).toMatchObject([
      { resource, userId: owner.id, metadata: { name: 'Shop', type: 'OIDC', clientId: made.clientId } },
    ])
    const changed = (await logs(owner, 'application.updated')).map(({ metadata }: { metadata: object }) => metadata)
    expect(changed).toEqual([
      { changed: [] },
      { changed: ['clientSecret', 'isPublicClient', 'tokenEndpointAuthMethod'] },
      { changed: ['description', 'scopes'] },
    ])
    expect(JSON.stringify(await service.sql('SELECT * FROM audit_entries'))).not.toContain(made.clientSecret)
  })

  it("returns the same 404 for another team's application, an unknown one and a malformed ID", async () => {
    const outsider = await registerUser(service)
    const { clientSecret, ...mine } = await make()
    const acts = [
      (id: string) => read(id, outsider.token),
      (id: string) => update(id, { name: 'Taken' }, outsider.token),
      (id: string) => remove(id, outsider.token),
      (id: string) => service.api('POST', `${APPS}/${id}/rotate-secret`, { token: outsider.token }),
      ...['users', 'groups'].map(
        (what) => (id: string) => service.api('GET', `${APPS}/${id}/${what}`, { token: outsider.token }),
      ),
    ]
    for (const act of acts) {
      const unknown = await act(randomUUID())
      expectError(unknown, 404, 'application_not_found')
      for (const id of [mine.id, mine.id.toUpperCase(), 'x', mine.clientId])
        expect(comparable(await act(id))).toEqual(comparable(unknown))
    }
    expect((await read(mine.id)).body).toEqual(mine)
  })

  it('requires applications:read to read and applications:write to change', async () => {
    const { id } = await make()
    for (const [role, reads, writes] of [
      ['APP_ADMIN', 200, 200],
      ['ORG_ADMIN', 200, 200],
      ['READ_ONLY_ADMIN', 200, 403],
      ['VIEWER', 200, 403],
      ['MEMBER', 403, 403],
    ] as const) {
      const member = await registerUser(service)
      await joinTeam(service, member, user.teamId, { role })
      const { token } = await logIn(service, member)
      const headers = { 'x-org-id': user.teamId }
      const request = async (method: string, path: string, body?: unknown) =>
        (await service.api(method, path, { token, headers, ...(body !== undefined && { body }) })).status
      for (const path of [APPS, `${APPS}/${id}`, `${APPS}/${id}/users`, `${APPS}/${id}/groups`])
        expect(await request('GET', path), `${role} ${path}`).toBe(reads)
      expect(await request('PUT', `${APPS}/${id}`, { description: role }), role).toBe(writes)
      expect(await request('PUT', `${APPS}/${id}/users`, { userIds: [] }), role).toBe(writes)
      expect(await request('PUT', `${APPS}/${id}/groups`, { groupIds: [] }), role).toBe(writes)
      expect(await request('POST', `${APPS}/${id}/rotate-secret`), role).toBe(writes)
    }
  })
})
