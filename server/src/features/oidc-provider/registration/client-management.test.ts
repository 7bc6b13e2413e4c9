import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectOAuthError,
  isActive,
  refresh,
  requestTokens,
  type TestApp,
  tokensFor,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import {
  atOnce,
  CONCURRENT,
  expectError,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const API_TOKEN = 'the-token-of-the-whole-instance-0123456789'
const REGISTER = '/api/v1/oauth/register'
const REDIRECT = 'https://rp.example/callback'
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwks = { keys: [publicKey.export({ format: 'jwk' })] }

let service: TestService
let owner: TestUser
let client: ApiResponse['body']
beforeAll(async () => {
  service = await startService({ env: { API_TOKEN } })
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerUser(service)
  client = await registered({ redirect_uris: [REDIRECT] })
})

async function registered(metadata: object): Promise<ApiResponse['body']> {
  const { status, body, text } = await service.api('POST', REGISTER, {
    body: { client_name: 'Machine', team_id: owner.teamId, ...metadata },
    headers: { 'x-api-token': API_TOKEN },
  })
  expect(status, text).toBe(201)
  return body
}
type Manage = { id?: string; token?: string | undefined; body?: object }
const manage = (method: string, { id = client.client_id, ...request }: Manage = {}) =>
  service.api(method, `${REGISTER}/${id}`, { token: client.registration_access_token, ...request })
const replace = (metadata: object) =>
  manage('PUT', { body: { client_id: client.client_id, client_name: 'Machine', ...metadata } })
const asApp = (): TestApp =>
  withIssuerPath(service, owner.teamId, {
    id: '',
    teamId: owner.teamId,
    clientId: client.client_id,
    secret: client.client_secret,
    redirectUri: REDIRECT,
  })
const application = async () =>
  (await service.api('GET', '/api/v1/applications', { token: owner.token })).body.data.find(
    ({ clientId }: { clientId: string }) => clientId === client.client_id,
  )

describe('a registered client', () => {
  it('reads its registration at its registration_client_uri, without the secret', async () => {
    expect(client.registration_client_uri).toBe(`${service.baseUrl}${REGISTER}/${client.client_id}`)
    const { status, body } = await manage('GET')
    const { client_secret, client_secret_expires_at, ...rest } = client
    expect([status, body]).toEqual([200, rest])
  })

  it('replaces its metadata: omitted fields are reset, the settings of an administrator and the secret stay', async () => {
    const { id } = await application()
    const set = { description: 'Kept', isAiAgent: true, resources: ['urn:a:b'], assignmentRequired: true }
    await service.api('PUT', `/api/v1/applications/${id}`, { token: owner.token, body: set })
    const first = await replace({
      redirect_uris: [REDIRECT, 'https://rp.example/two'],
      logo_uri: 'https://rp.example/logo.png',
      scope: 'openid email',
    })
    expect(first.status, first.text).toBe(200)
    expect(first.body).toMatchObject({
      client_id: client.client_id,
      registration_access_token: client.registration_access_token,
      redirect_uris: [REDIRECT, 'https://rp.example/two'],
      scope: 'openid email',
    })
    expect(first.body).not.toHaveProperty('client_secret')
    const { body } = await replace({ client_name: 'Renamed', client_secret: client.client_secret, scope: 'email' })
    expect(body).toMatchObject({ redirect_uris: [], grant_types: ['client_credentials'], response_types: [] })
    expect(body).not.toHaveProperty('logo_uri')
    expect((await manage('GET')).body).toEqual(body)
    expect(await application()).toMatchObject({ ...set, name: 'Renamed', hasSecret: true })
    expect((await requestTokens(service, asApp(), { grant_type: 'client_credentials' })).status).toBe(200)
  })

  it('switches to its keys, which deletes its secret, and cannot switch back', async () => {
    const { body } = await replace({ redirect_uris: [REDIRECT], jwks })
    expect(body).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks })
    expect(await application()).toMatchObject({ hasSecret: false })
    expectOAuthError(await replace({ redirect_uris: [REDIRECT] }), 'invalid_client_metadata')
    expect((await manage('GET')).body).toEqual(body)
  })

  it('keeps the restrictions of an administrator, by omission or explicitly, and may add further ones', async () => {
    const { id } = await application()
    const set = {
      scopes: ['openid', 'email'],
      requireDpop: true,
      dpopNonceEnabled: true,
      isAiAgent: true,
      resources: ['urn:a:b'],
      assignmentRequired: true,
    }
    await service.api('PUT', `/api/v1/applications/${id}`, { token: owner.token, body: set })
    const { status, body } = await replace({ redirect_uris: [REDIRECT] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ scope: 'openid email', dpop_bound_access_tokens: true })
    expect(await application()).toMatchObject(set)
    for (const [metadata, named] of [
      [{ scope: 'openid email profile' }, 'scope'],
      [{ scope: 'own' }, 'scope'],
      [{ dpop_bound_access_tokens: false }, 'dpop_bound_access_tokens'],
      [{ token_endpoint_auth_method: 'none' }, 'token_endpoint_auth_method'],
    ] as const) {
      const rejected = await replace({ redirect_uris: [REDIRECT], ...metadata })
      expectOAuthError(rejected, 'invalid_client_metadata')
      expect(rejected.body.error_description).toContain(named)
    }
    expect(await application()).toMatchObject(set)
    const narrower = await replace({ redirect_uris: [REDIRECT], scope: 'openid' })
    expect(narrower.body.scope).toBe('openid')
    expectOAuthError(await replace({ redirect_uris: [REDIRECT], scope: 'openid email' }), 'invalid_client_metadata')
    expect((await replace({ redirect_uris: [REDIRECT], scope: '' })).body.scope).toBe('')
  })

  const update = async (change: object) => {
    const { id } = await application()
    const { status, text } = await service.api('PUT', `/api/v1/applications/${id}`, {
      token: owner.token,
      body: change,
    })
    expect(status, text).toBe(200)
  }
  const expectRejectedGrant = async (metadata: object) => {
    const before = await application()
    const rejected = await replace({ redirect_uris: [REDIRECT], ...metadata })
    expectOAuthError(rejected, 'invalid_client_metadata')
    expect(rejected.body.error_description).toContain('grant_types')
    expect(await application()).toEqual(before)
  }

  it('accepts every grant type that registration allows, and may remove and add its own', async () => {
    const device = 'urn:ietf:params:oauth:grant-type:device_code'
    for (const grantTypes of [
      ['authorization_code', 'refresh_token', device],
      ['authorization_code'],
      ['client_credentials', 'authorization_code', 'refresh_token'],
    ]) {
      const { status, body } = await replace({ redirect_uris: [REDIRECT], grant_types: grantTypes })
      expect([status, body.grant_types]).toEqual([200, grantTypes])
    }
  })

  it('rejects a grant type that an administrator removed, until an administrator adds it', async () => {
    await replace({
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    })
    await update({ grantTypes: ['authorization_code'] })
    for (const grant of ['refresh_token', 'client_credentials'])
      await expectRejectedGrant({ grant_types: ['authorization_code', grant] })
    // An omitted field is reset to its default, within that limit.
    const { status, body } = await replace({ redirect_uris: [REDIRECT] })
    expect([status, body.grant_types]).toEqual([200, ['authorization_code']])
    await expectRejectedGrant({ redirect_uris: [] })
    // Another change by an administrator does not lift the restriction.
    await update({ description: 'Narrow' })
    await expectRejectedGrant({ grant_types: ['authorization_code', 'refresh_token'] })
    await update({ grantTypes: ['authorization_code', 'refresh_token'] })
    const again = await replace({ redirect_uris: [REDIRECT] })
    expect(again.body.grant_types).toEqual(['authorization_code', 'refresh_token'])
    await expectRejectedGrant({ grant_types: ['authorization_code', 'client_credentials'] })
  })

  it('becomes an agent, exchanges tokens and reaches a resource only if an administrator allows it', async () => {
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
    await expectRejectedGrant({ grant_types: ['authorization_code', exchange] })
    const asks = { isAiAgent: true, is_ai_agent: true, resources: ['urn:a:b'], withheldGrantTypes: [] }
    expect((await replace({ redirect_uris: [REDIRECT], ...asks })).status).toBe(200)
    expect(await application()).toMatchObject({ isAiAgent: false, resources: [] })
    await update({ isAiAgent: true, resources: ['urn:a:b', 'urn:c:d'], grantTypes: ['authorization_code', exchange] })
    await update({ resources: ['urn:a:b'] })
    const stored = await replace({ redirect_uris: [REDIRECT], resources: ['urn:a:b', 'urn:c:d'] })
    // The administrator removed refresh_token.
    expect([stored.status, stored.body.grant_types]).toEqual([200, ['authorization_code', exchange]])
    expect(await application()).toMatchObject({ isAiAgent: true, resources: ['urn:a:b'] })
    await replace({ redirect_uris: [REDIRECT], grant_types: ['authorization_code'] })
    await expectRejectedGrant({ grant_types: ['authorization_code', exchange] })
  })

  it('accepts that DPoP is required, and rejects that it is not any longer', async () => {
    const bound = await replace({ redirect_uris: [REDIRECT], dpop_bound_access_tokens: true })
    expect(bound.body.dpop_bound_access_tokens).toBe(true)
    expect((await replace({ redirect_uris: [REDIRECT] })).body.dpop_bound_access_tokens).toBe(true)
  })

  it('rejects a change from its keys to no authentication', async () => {
    await replace({ redirect_uris: [REDIRECT], jwks })
    const rejected = await replace({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' })
    expectOAuthError(rejected, 'invalid_client_metadata')
    expect((await manage('GET')).body.token_endpoint_auth_method).toBe('private_key_jwt')
  })

  it('stays public if it was registered so', async () => {
    client = await registered({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' })
    const { status, body } = await replace({
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      client_name: 'Renamed',
    })
    expect([status, body.client_name]).toEqual([200, 'Renamed'])
    expectOAuthError(await replace({ redirect_uris: [REDIRECT] }), 'invalid_client_metadata')
  })

  it.each([
    [{ client_id: 'another' }, 'client_id'],
    [{ client_secret: 'chosen' }, 'client_secret'],
    [{ team_id: '01900000-0000-7000-8000-0000000000ff' }, 'team_id'],
    [{ grant_types: ['implicit'] }, 'grant_types/0'],
    [{ subject_type: 'pairwise' }, 'subject_type'],
  ])('rejects a change to %j', async (metadata, named) => {
    const before = await dumpState(service)
    const answer = await replace({ redirect_uris: [REDIRECT], ...metadata })
    expectOAuthError(answer, 'invalid_client_metadata')
    expect(answer.body.error_description).toContain(named)
    expectOAuthError(await replace({ redirect_uris: ['x'] }), 'invalid_redirect_uri')
    expect(await dumpState(service)).toEqual(before)
  })

  it('deletes itself, which revokes its tokens immediately', async () => {
    const tokens = await tokensFor(service, asApp(), owner, { scope: 'openid offline_access' })
    const { status, text } = await manage('DELETE')
    expect([status, text]).toEqual([204, ''])
    for (const token of [tokens.access_token, tokens.refresh_token]) expect(await isActive(service, token)).toBe(false)
    expectOAuthError(await refresh(service, asApp(), tokens.refresh_token), 'invalid_client', 401)
    expect(await application()).toBeUndefined()
    for (const method of ['GET', 'DELETE']) expectOAuthError(await manage(method), 'invalid_token', 401)
  })

  it('deletes itself exactly once across many concurrent requests', async () => {
    const answers = await atOnce(CONCURRENT, () => manage('DELETE'))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array(CONCURRENT - 1).fill(401)])
  })

  it('appears as the actor in the audit log', async () => {
    await replace({ redirect_uris: [REDIRECT], scope: 'openid' })
    const { id } = await application()
    await manage('DELETE')
    const { body } = await service.api('GET', '/api/v1/audit/logs', { token: owner.token })
    const own = body.data.filter(({ metadata }: { metadata: { by?: string } }) => metadata.by === 'registration_token')
    expect(own).toMatchObject([
      { action: 'application.deleted', userId: null, resource: `application:${id}` },
      { action: 'application.updated', userId: null, metadata: { changed: ['scopes'] } },
    ])
  })

  it('loses its management while it is stopped, like an unknown client, and regains it after the start', async () => {
    const { text: unknown } = await manage('GET', { id: '0'.repeat(32) })
    const { id } = await application()
    await service.api('POST', `/api/v1/applications/${id}/stop`, { token: owner.token })
    const before = await application()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { client_id: client.client_id, client_name: 'x' } : undefined
      const answer = await manage(method, { ...(body && { body }) })
      expectOAuthError(answer, 'invalid_token', 401)
      expect(answer.text).toBe(unknown)
    }
    expect(await application()).toEqual(before)
    await service.api('POST', `/api/v1/applications/${id}/start`, { token: owner.token })
    expect((await manage('GET')).status).toBe(200)
  })

  it('loses its management after an administrator revoked its token, and keeps its secret and tokens', async () => {
    const tokens = await tokensFor(service, asApp(), owner, { scope: 'openid offline_access' })
    const { id, managedByClient } = await application()
    expect(managedByClient).toBe(true)
    await service.api('POST', `/api/v1/applications/${id}/rotate-secret`, {
      token: owner.token,
      body: { keepPreviousFor: 600 },
    })
    expect((await manage('GET')).status).toBe(200)
    const end = () => service.api('DELETE', `/api/v1/applications/${id}/registration-token`, { token: owner.token })
    const answers = await atOnce(CONCURRENT, end)
    for (const { status, body } of answers) expect([status, typeof body.message]).toEqual([200, 'string'])
    for (const method of ['GET', 'DELETE']) expectOAuthError(await manage(method), 'invalid_token', 401)
    expect(await application()).toMatchObject({ id, managedByClient: false, hasSecret: true })
    expect(await isActive(service, tokens.access_token)).toBe(true)
    const { body: logs } = await service.api('GET', '/api/v1/audit/logs?action=application.registration_token_ended', {
      token: owner.token,
    })
    expect(logs.data).toMatchObject([{ userId: owner.id, resource: `application:${id}` }])
  })

  it('has a token that only an administrator revokes; a client that an administrator created has none', async () => {
    const { id } = await application()
    const path = `/api/v1/applications/${id}/registration-token`
    const outsider = await registerUser(service)
    expectError(await service.api('DELETE', path, { token: outsider.token }), 404, 'application_not_found')
    expect((await manage('GET')).status).toBe(200)
    const byHand = await registerApplication(service, owner)
    expect(byHand).toMatchObject({ managedByClient: false })
  })

  it('loses its management while its team is suspended', async () => {
    await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [owner.teamId])
    expectOAuthError(await manage('GET'), 'invalid_token', 401)
  })
})

describe('the registration of a client', () => {
  it('rejects every other token, with the same error as for an unknown client', async () => {
    const other = await registered({})
    const byHand = await registerApplication(service, owner)
    const before = await dumpState(service)
    const { text } = await manage('GET', { id: '0'.repeat(32) })
    const wrong = [
      { token: other.registration_access_token },
      { token: client.client_secret },
      { token: owner.token },
      { token: API_TOKEN },
      { token: 'x' },
      { id: byHand.clientId },
      { id: other.client_id },
      { id: 'unknown' },
      { id: '%00' },
      { id: client.client_id.toUpperCase() },
    ]
    for (const request of wrong)
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { client_id: client.client_id, client_name: 'x' } : undefined
        const answer = await manage(method, { ...request, ...(body && { body }) })
        expectOAuthError(answer, 'invalid_token', 401)
        expect(answer.text).toBe(text)
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*invalid_token/)
      }
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects a request without a token, with a challenge', async () => {
    const answer = await manage('GET', { token: undefined })
    expectOAuthError(answer, 'invalid_token', 401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="keyward"')
  })
})
