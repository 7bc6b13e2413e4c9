import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  joinTeam,
  logIn,
  newEmail,
  onboardAdmin,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpDatabase, dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { SERVER_URL } from '../../../test/harness/test-database.js'

const DAY = 86_400_000

let service: TestService
/** The owner of a team without other administration. */
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  await onboardAdmin(service)
  owner = await registerUser(service)
})
afterAll(() => service.close())

type Made = { id: string; token: string; [member: string]: unknown }
const post = (user: Pick<TestUser, 'token'>, body: object) =>
  service.api('POST', '/api/v1/api-tokens', { token: user.token, body: { name: 'Script', ...body } })
async function make(user: Pick<TestUser, 'token'>, scopes: string[], more: object = {}): Promise<Made> {
  const { status, body } = await post(user, { scopes, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const list = async (user: Pick<TestUser, 'token'>, query = '') =>
  (await service.api('GET', `/api/v1/api-tokens${query}`, { token: user.token })).body
const revoke = (user: Pick<TestUser, 'token'>, id: string) =>
  service.api('DELETE', `/api/v1/api-tokens/${id}`, { token: user.token })
const org = (token: string, node?: number) =>
  service.api('GET', '/api/v1/settings', { token, ...(node !== undefined && { node }) })

/** The token is accepted or rejected on every node. */
async function expectToken(token: string, state: 'active' | 'revoked') {
  for (const answer of await atOnce(service.urls.length, (node) => org(token, node)))
    if (state === 'active') expect(answer.status).toBe(200)
    else expectError(answer, 401, 'invalid_access_token')
}

describe('an API token', () => {
  it('appears only in the response of its creation, and is stored as its SHA-256', async () => {
    const made = await make(owner, ['audit:read', 'org:read', 'audit:read'], { name: 'Nightly export' })
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Nightly export',
      prefix: made.token.slice(0, 10),
      scopes: ['org:read', 'audit:read'],
      createdBy: { id: owner.id, email: owner.email },
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
      status: 'active',
      token: expect.stringMatching(/^kw_[\w-]{43}$/),
    })
    const { token, ...shown } = made
    const page = await list(owner)
    expect(page.data[0]).toEqual(shown)
    expect(JSON.stringify(page)).not.toContain(token)
    expect(JSON.stringify(await dumpDatabase(service))).not.toContain(token.slice(12))
    const [row] = await service.sql('SELECT encode(hash, $2) AS hash FROM api_tokens WHERE id = $1', [made.id, 'hex'])
    const { createHash } = await import('node:crypto')
    expect(row?.hash).toBe(createHash('sha256').update(token).digest('hex'))
  })

  it('appears in pages, newest first, including revoked ones', async () => {
    const user = await registerUser(service)
    const made = []
    for (const name of ['a', 'b', 'c']) {
      await service.clock.advance(5)
      made.unshift((await make(user, ['org:read'], { name })).id)
    }
    await revoke(user, made[1] as string)
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    expect(ids(await list(user))).toEqual(made)
    const second = await list(user, '?page=2&limit=2')
    expect(ids(second)).toEqual(made.slice(2))
    expect(second).toMatchObject({ total: 3, page: 2, limit: 2 })
    expect((await list(user)).data.map(({ status }: { status: string }) => status)).toEqual([
      'active',
      'revoked',
      'active',
    ])
    expect((await list(user, '?limit=1000')).limit).toBe(100)
  })

  it.each([
    ['an unknown scope', { scopes: ['org:read', 'everything'] }, '/scopes/1'],
    ['the permission of the instance as a scope', { scopes: ['instance:update'] }, '/scopes/0'],
    ['no scope', { scopes: [] }, '/scopes'],
    ['an expiry in the past', { scopes: ['org:read'], expiresAt: '2001-01-01T00:00:00Z' }, '/expiresAt'],
    ['a malformed expiry', { scopes: ['org:read'], expiresAt: 'tomorrow' }, '/expiresAt'],
    ['an invalid date', { scopes: ['org:read'], expiresAt: '2999-02-30T00:00:00Z' }, '/expiresAt'],
    ['no days', { scopes: ['org:read'], expiresInDays: 0 }, '/expiresInDays'],
    ['too many days', { scopes: ['org:read'], expiresInDays: 3_651 }, '/expiresInDays'],
    [
      'both expiry fields',
      { scopes: ['org:read'], expiresInDays: 1, expiresAt: '2999-01-01T00:00:00Z' },
      '/expiresInDays',
    ],
    ['a blank name', { scopes: ['org:read'], name: ' ' }, '/name'],
  ])('rejects %s at its creation, and names the field', async (_what, body, path) => {
    const before = await dumpState(service)
    const answer = await post(owner, body)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects a scope that its creator does not have', async () => {
    const member = await registerUser(service)
    const { teamId } = await registerUser(service)
    await joinTeam(service, member, teamId, { role: 'API_ACCESS_MANAGEMENT_ADMIN' })
    const answer = await service.api('POST', '/api/v1/api-tokens', {
      token: member.token,
      headers: { 'x-org-id': teamId },
      body: { name: 'x', scopes: ['org:read', 'users:write'] },
    })
    expectError(answer, 403, 'forbidden')
    expect(answer.body.detail).toContain('users:write')
  })

  it('requires a recent sign-in for its creation, and not an API token', async () => {
    const user = await registerUser(service)
    const { token } = await make(user, ['api-tokens:write', 'org:read'])
    expectError(await post({ token }, { scopes: ['org:read'] }), 403, 'session_required')
    await service.sql(
      "UPDATE sessions SET authenticated_at = authenticated_at - interval '16 minutes' WHERE user_id = $1",
      [user.id],
    )
    expectError(await post(user, { scopes: ['org:read'] }), 403, 'reauthentication_required')
    await service.api('POST', '/api/v1/auth/reauthenticate', { token: user.token, body: { password: user.password } })
    expect((await post(user, { scopes: ['org:read'] })).status).toBe(201)
  })

  it('accesses the routes of its scopes with either header, and no other', async () => {
    const { token } = await make(owner, ['org:read', 'applications:write'])
    const byHeader = { headers: { 'x-api-token': token } }
    for (const request of [{ token }, byHeader]) {
      expect((await service.api('GET', '/api/v1/settings', request)).status).toBe(200)
      expect((await service.api('GET', `/api/v1/organizations/${owner.teamId}`, request)).status).toBe(200)
      const body = { name: 'App', type: 'OIDC' }
      const made = await service.api('POST', '/api/v1/applications', { ...request, body })
      expect(made.body).toMatchObject({ teamId: owner.teamId })
      const rejected = await service.api('GET', '/api/v1/applications', request)
      expectError(rejected, 403, 'forbidden')
      expect(rejected.body.detail).toContain('applications:read')
    }
  })

  it('excludes other kinds in x-api-token, and yields to Authorization', async () => {
    const { token } = await make(owner, ['org:read'])
    const ask = (headers: Record<string, string>, bearer?: string) =>
      service.api('GET', '/api/v1/settings', { headers, token: bearer })
    expectError(await ask({ 'x-api-token': owner.token }), 401, 'invalid_access_token')
    expectError(await ask({ 'x-api-token': `kw_${'A'.repeat(43)}` }), 401, 'invalid_access_token')
    expectError(await ask({ 'x-api-token': token.slice(0, -1) }), 401, 'invalid_access_token')
    expectError(await ask({ 'x-api-token': token.toUpperCase() }), 401, 'invalid_access_token')
    expectError(await ask({ 'x-api-token': '' }), 401, 'unauthorized')
    expectError(await ask({ 'x-api-token': token }, 'garbage'), 401, 'invalid_access_token')
    expectError(await ask({ 'x-api-token': token, authorization: 'Basic eDp5' }), 401, 'unauthorized')
    expect((await ask({ 'x-api-token': 'garbage' }, token)).status).toBe(200)
  })

  it('accesses no route of the account or the instance', async () => {
    const { token: admin } = await logIn(service, owner)
    const { token } = await make({ token: admin }, ['org:read', 'org:update'])
    const routes: [string, string, object?][] = [
      ['GET', '/auth/me'],
      ['GET', '/auth/sessions'],
      ['DELETE', '/auth/sessions'],
      ['POST', '/auth/switch-team', { teamId: owner.teamId }],
      ['POST', '/auth/reauthenticate', { password: owner.password }],
      ['POST', '/auth/change-password', { currentPassword: owner.password, newPassword: 'another pass word' }],
      ['GET', '/organizations'],
      ['POST', '/organizations', { name: 'More' }],
      ['PUT', '/settings', { name: 'x' }],
      ['PUT', '/config', { mfaGracePeriodDays: 3 }],
    ]
    const before = await dumpState(service)
    for (const [method, path, body] of routes)
      expectError(await service.api(method, `/api/v1${path}`, { token, body }), 403, 'session_required')
    expectError(await service.api('POST', '/api/v1/auth/logout', { token }), 401, 'unauthorized')
    const after = await dumpState(service)
    // Its use is recorded.
    expect({ ...after, api_tokens: [] }).toEqual({ ...before, api_tokens: [] })
  })

  it('accesses only its own team, even if its creator is a member of another', async () => {
    const other = await registerUser(service)
    await joinTeam(service, owner, other.teamId, { role: 'OWNER' })
    const { token, id } = await make(owner, ['org:read'])
    const unknown = '01900000-0000-7000-8000-0000000000ff'
    for (const teamId of [other.teamId, unknown, 'odd']) {
      const headers = { 'x-org-id': teamId }
      expectError(await service.api('GET', '/api/v1/settings', { token, headers }), 403, 'not_a_member')
      const inPath = await service.api('GET', `/api/v1/organizations/${teamId}`, { token })
      expectError(inPath, 404, 'organization_not_found')
    }
    const headers = { 'x-org-id': owner.teamId.toUpperCase() }
    expect((await service.api('GET', '/api/v1/settings', { token, headers })).status).toBe(200)
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=access.denied', { token: owner.token })
    expect(body.data[0]).toMatchObject({ userId: owner.id, metadata: { code: 'not_a_member', apiTokenId: id } })
  })

  it('has at most the current permissions of its creator', async () => {
    const user = await registerUser(service)
    const { token } = await make(user, ['org:read', 'audit:read', 'applications:read'])
    const logs = (node: number) => service.api('GET', '/api/v1/audit/logs', { token, node })
    const all = () => atOnce(service.urls.length, logs)
    for (const { status } of await all()) expect(status).toBe(200)
    const role = (name: string) => service.sql('UPDATE memberships SET role = $2 WHERE user_id = $1', [user.id, name])
    await role('VIEWER')
    for (const answer of await all()) expectError(answer, 403, 'forbidden')
    expect((await service.api('GET', '/api/v1/applications', { token })).status).toBe(200)
    await role('REPORT_ADMIN')
    for (const { status } of await all()) expect(status).toBe(200)
  })

  it('appears in every audit entry of its requests', async () => {
    const user = await registerUser(service)
    const { token, id } = await make(user, ['org:read', 'applications:read', 'applications:write', 'api-tokens:write'])
    const { body: app } = await service.api('POST', '/api/v1/applications', {
      token,
      body: { name: 'A', type: 'OIDC' },
    })
    await service.api('PUT', `/api/v1/applications/${app.id}`, { token, body: { name: 'B' } })
    await service.api('PUT', `/api/v1/applications/${app.id}/users`, { token, body: { userIds: [user.id] } })
    await service.api('POST', `/api/v1/applications/${app.id}/rotate-secret`, { token })
    await service.api('DELETE', `/api/v1/applications/${app.id}`, { token })
    await service.api('GET', '/api/v1/audit/logs', { token })
    await service.api('GET', '/api/v1/auth/me', { token })
    expect((await revoke({ token }, id)).body.status).toBe('revoked')
    const { body } = await service.api('GET', '/api/v1/audit/logs', { token: user.token })
    const byToken = body.data.filter(({ metadata }: { metadata: { apiTokenId?: string } }) => metadata.apiTokenId)
    expect(byToken.map(({ action }: { action: string }) => action).reverse()).toEqual([
      'application.created',
      'application.updated',
      'application.users_assigned',
      'application.secret_rotated',
      'application.deleted',
      'access.denied',
      'access.denied',
      'api_token.revoked',
    ])
    for (const entry of byToken) expect(entry).toMatchObject({ userId: user.id, metadata: { apiTokenId: id } })
    const made = body.data.find(({ action }: { action: string }) => action === 'api_token.created')
    expect(made).toMatchObject({ resource: `api_token:${id}`, metadata: { name: 'Script', expiresAt: null } })
    expect(made.metadata).not.toHaveProperty('apiTokenId')
  })

  it('leaves a planted account open to the first verification by a mailed link', async () => {
    const email = newEmail()
    const outsider = await registerUser(service, { email })
    const { token } = await make(outsider, ['org:read', 'users:write'])
    await expectToken(token, 'active')
    const link = await requestToken(service, 'magic_link', email)
    const { body } = await service.api('POST', '/api/v1/auth/verify', { token, body: { token: link } })
    expect(body.cleaned).toMatchObject({ passwordRemoved: true, sessionsEnded: 1 })
    await expectToken(token, 'revoked')
  })
})

describe('the next request with an API token on every node', () => {
  const UPDATE_MEMBER = 'UPDATE memberships SET status = $2 WHERE user_id = $1'
  const ends: [string, (user: TestUser, made: Made) => Promise<unknown>, string | undefined][] = [
    ['after its revocation', (user, { id }) => revoke(user, id), 'revoked'],
    ['after its expiry', () => service.clock.advance(3 * DAY), undefined],
    [
      'after its creator was suspended in the team',
      ({ id }) => service.sql(UPDATE_MEMBER, [id, 'suspended']),
      undefined,
    ],
    [
      "after the suspension of its creator's account",
      ({ id }) => service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [id]),
      undefined,
    ],
    [
      "after the deletion of its creator's account",
      ({ id }) => service.sql('DELETE FROM users WHERE id = $1', [id]),
      undefined,
    ],
    [
      'after the suspension of the team',
      ({ teamId }) => service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [teamId]),
      undefined,
    ],
    [
      'after the deletion of the team',
      ({ teamId }) => service.sql('DELETE FROM organizations WHERE id = $1', [teamId]),
      undefined,
    ],
  ]
  it.each(ends)('rejects the token on the next request on every node %s', async (_when, end, status) => {
    const user = await registerUser(service)
    const made = await make(user, ['org:read'], { expiresInDays: 3 })
    await expectToken(made.token, 'active')
    await end(user, made)
    await expectToken(made.token, 'revoked')
    if (status) expect((await list(user)).data[0]).toMatchObject({ id: made.id, status })
  })

  it('fails exactly at its expiry', async () => {
    const user = await registerUser(service)
    const expiresAt = new Date(service.clock.ms() + 60_000).toISOString()
    const { token } = await make(user, ['org:read'], { expiresAt })
    await service.clock.advance(50_000)
    await expectToken(token, 'active')
    await service.clock.advance(10_000)
    await expectToken(token, 'revoked')
    expect((await list(await logIn(service, user))).data[0]).toMatchObject({ status: 'expired', expiresAt })
  })

  it('fails after its creator left the team, also when they rejoin', async () => {
    const { token: colleague, teamId } = await registerUser(service)
    const user = await registerUser(service)
    const join = () => joinTeam(service, user, teamId, { role: 'OWNER' })
    await join()
    const headers = { 'x-org-id': teamId }
    const body = { name: 'x', scopes: ['org:read'] }
    const made = await service.api('POST', '/api/v1/api-tokens', { token: user.token, headers, body })
    await expectToken(made.body.token, 'active')
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, teamId])
    await expectToken(made.body.token, 'revoked')
    await service.clock.advance(1_000)
    await join()
    await expectToken(made.body.token, 'revoked')
    expect((await list({ token: colleague })).data[0]).toMatchObject({ id: made.body.id, status: 'revoked' })
  })

  it('fails after many concurrent revocations, which are recorded once with the same response', async () => {
    const user = await registerUser(service)
    const { id } = await make(user, ['org:read'])
    const answers = await atOnce(CONCURRENT, () => revoke(user, id))
    for (const { status, body } of answers) expect([status, body.status]).toEqual([200, 'revoked'])
    const entries = await service.sql(
      "SELECT 1 FROM audit_entries WHERE action = 'api_token.revoked' AND team_id = $1",
      [user.teamId],
    )
    expect(entries).toHaveLength(1)
    expectError(await revoke(user, 'odd'), 404, 'api_token_not_found')
  })
})

describe('the last use of an API token', () => {
  const usedAt = async (user: TestUser) => (await list(user)).data[0].lastUsedAt

  it('changes once a minute', async () => {
    const user = await registerUser(service)
    const { token } = await make(user, ['org:read'])
    expect(await usedAt(user)).toBeNull()
    await atOnce(20, () => org(token))
    const first = await usedAt(user)
    expect(Math.abs(Date.parse(first) - service.clock.ms())).toBeLessThan(10_000)
    await service.clock.advance(30_000)
    await org(token)
    expect(await usedAt(user)).toBe(first)
    await service.clock.advance(31_000)
    await org(token)
    expect(Date.parse(await usedAt(user)) - Date.parse(first)).toBeGreaterThanOrEqual(60_000)
  })

  it('stays unchanged after a rejected request', async () => {
    const user = await registerUser(service)
    const { token } = await make(user, ['org:read'])
    await service.api('GET', '/api/v1/settings', { token, headers: { 'x-org-id': owner.teamId } })
    expect(await usedAt(user)).toBeNull()
  })

  it.skipIf(!SERVER_URL)('waits for no lock of the row', async () => {
    const user = await registerUser(service)
    const { token, id } = await make(user, ['org:read'])
    await service.db.transaction(async (tx) => {
      const { sql } = await import('drizzle-orm')
      await tx.execute(sql`SELECT 1 FROM api_tokens WHERE id = ${id} FOR UPDATE`)
      for (let node = 0; node < 2; node++) expect((await org(token)).status).toBe(200)
    })
    expect(await usedAt(user)).toBeNull()
  })
})
