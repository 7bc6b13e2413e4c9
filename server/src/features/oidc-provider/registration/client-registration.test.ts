import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { allowInsecureRequests, customFetch, dynamicClientRegistration } from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectOAuthError,
  requestTokens,
  type TestApp,
  tokensFor,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import {
  atOnce,
  CONCURRENT,
  joinTeam,
  logIn,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { dumpDatabase, dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const API_TOKEN = 'the-token-of-the-whole-instance-0123456789'
const REGISTER = '/api/v1/oauth/register'
const REDIRECT = 'https://rp.example/callback'
/** The number of wrong tokens after which a source is throttled. */
const FAILURES = 20
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwks = { keys: [{ ...key.publicKey.export({ format: 'jwk' }), alg: 'ES256', kid: 'one' }] }

let service: TestService
let owner: TestUser
let token: string
beforeAll(async () => {
  service = await startService({ env: { API_TOKEN, LIMIT_SOURCE_FAILURES: `${FAILURES}` } })
})
afterAll(() => service.close())
beforeEach(async () => {
  // A success does not reset the failures of the source, which all tests share.
  await service.sql('DELETE FROM throttle_counters')
  owner = await registerUser(service)
  token = (await makeToken(owner)).token
})

async function makeToken(
  who: Pick<TestUser, 'token'>,
  scopes = ['applications:write'],
): Promise<{ id: string; token: string }> {
  const { status, body } = await service.api('POST', '/api/v1/api-tokens', {
    token: who.token,
    body: { name: 'CI', scopes },
  })
  expect(status).toBe(201)
  return body
}

const register = (
  metadata: object,
  { by = token, path = REGISTER }: { by?: string | undefined; path?: string } = {},
): Promise<ApiResponse> =>
  service.api('POST', path, {
    body: { client_name: 'Machine', ...(path === REGISTER && { team_id: owner.teamId }), ...metadata },
    headers: by === '' ? {} : { 'x-api-token': by },
  })
async function registered(metadata: object, options = {}): Promise<ApiResponse['body']> {
  const { status, body, text } = await register(metadata, options)
  expect(status, text).toBe(201)
  return body
}
const ofTeam = (teamId = owner.teamId) => `/api/v1/sso/oidc-idp/${teamId}/register`
const asApp = (client: ApiResponse['body']): TestApp =>
  withIssuerPath(service, owner.teamId, {
    id: '',
    teamId: owner.teamId,
    clientId: client.client_id,
    secret: client.client_secret,
    redirectUri: client.redirect_uris[0] ?? REDIRECT,
  })
const applications = async ({ token, teamId }: Pick<TestUser, 'token' | 'teamId'> = owner) =>
  (await service.api('GET', '/api/v1/applications', { token, headers: { 'x-org-id': teamId } })).body.data

const allApplications = () => service.sql('SELECT * FROM applications ORDER BY id')

describe('dynamic client registration', () => {
  it.each(['an API token of the team', 'the token of the instance'])(
    'creates a machine client without further metadata by %s, with working credentials',
    async (who) => {
      const by = who.startsWith('an') ? token : API_TOKEN
      const { status, body, headers } = await register({ scope: 'read write' }, { by })
      expect(status).toBe(201)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(body).toEqual({
        client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
        client_secret_expires_at: 0,
        client_id_issued_at: expect.any(Number),
        registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
        registration_client_uri: `${service.baseUrl}${REGISTER}/${body.client_id}`,
        team_id: owner.teamId,
        client_name: 'Machine',
        redirect_uris: [],
        post_logout_redirect_uris: [],
        grant_types: ['client_credentials'],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_basic',
        scope: 'read write',
        dpop_bound_access_tokens: false,
        subject_type: 'public',
        id_token_signed_response_alg: 'RS256',
      })
      expect(Math.abs(body.client_id_issued_at * 1_000 - service.clock.ms())).toBeLessThan(60_000)
      const answer = await requestTokens(service, asApp(body), { grant_type: 'client_credentials', scope: 'read' })
      expect(answer.body).toMatchObject({ token_type: 'Bearer', scope: 'read' })
    },
  )

  it('creates a client for users with redirect URIs', async () => {
    const client = await registered({ redirect_uris: [REDIRECT], logo_uri: 'https://rp.example/logo.png' })
    expect(client).toMatchObject({
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'openid profile email offline_access',
      logo_uri: 'https://rp.example/logo.png',
    })
    const tokens = await tokensFor(service, asApp(client), owner, { scope: 'openid offline_access' })
    expect(tokens.refresh_token).toBeTruthy()
  })

  it('creates a client that authenticates with its keys, without a secret', async () => {
    const client = await registered({ jwks, scope: 'read' })
    expect(client).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks })
    expect(client).not.toHaveProperty('client_secret')
    expect(client).not.toHaveProperty('client_secret_expires_at')
    const app = asApp(client)
    const now = Math.floor(service.clock.ms() / 1_000)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: app.clientId, sub: app.clientId, aud: app.issuer, exp: now + 60, jti: randomUUID() }
    const input = `${part({ alg: 'ES256', kid: 'one' })}.${part(claims)}`
    const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
    const answer = await requestTokens(service, app, {
      grant_type: 'client_credentials',
      client_assertion_type: ASSERTION,
      client_assertion: `${input}.${signature.toString('base64url')}`,
    })
    expect(answer.status, answer.text).toBe(200)
  })

  it('accepts every supported field, and ignores unknown ones', async () => {
    const metadata = {
      redirect_uris: [REDIRECT, 'com.example.app:/callback'],
      post_logout_redirect_uris: ['https://rp.example/bye'],
      backchannel_logout_uri: 'https://rp.example/logout',
      client_uri: 'https://rp.example/',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'openid openid own',
      dpop_bound_access_tokens: true,
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
    }
    const unknown = { contacts: ['x@example.com'], software_id: 'y', request_uris: [], tos_uri: null, jwks_uri: null }
    const client = await registered({ ...metadata, ...unknown })
    expect(client).toMatchObject({ ...metadata, scope: 'openid own' })
    for (const member of [...Object.keys(unknown), 'client_secret']) expect(client).not.toHaveProperty(member)
    const [application] = await applications()
    expect(application).toMatchObject({ isPublicClient: true, launchUrl: 'https://rp.example/', requireDpop: true })
  })

  it('requires no team_id in the URL of the team, and accepts only that team', async () => {
    const path = ofTeam()
    expect(await registered({}, { path })).toMatchObject({ team_id: owner.teamId })
    expect(await registered({ team_id: owner.teamId }, { path, by: API_TOKEN })).toMatchObject({
      team_id: owner.teamId,
    })
    const other = await registerUser(service)
    for (const team_id of [other.teamId, randomUUID(), 'x', ''])
      expectOAuthError(await register({ team_id }, { path, by: API_TOKEN }), 'invalid_client_metadata')
    const [{ id }] = await applications()
    for (const unknown of [id, randomUUID(), 'x'])
      expectOAuthError(await register({}, { path: ofTeam(unknown), by: API_TOKEN }), 'issuer_not_found', 404)
    expect((await register({}, { path: `/api/v1/sso/oidc-idp/${owner.teamId}/${id}/register` })).status).toBe(404)
  })

  it('works with a third-party client library, with an API token as initial access token', async () => {
    // The public URL of the service is not the URL at which it listens in a test.
    const here = (url: string, init: object) => fetch(url.replace(service.baseUrl, service.urls[0] as string), init)
    const config = await dynamicClientRegistration(
      new URL(`${service.baseUrl}/api/v1/sso/oidc-idp/${owner.teamId}`),
      { client_name: 'Library', redirect_uris: [REDIRECT] },
      undefined,
      { initialAccessToken: token, execute: [allowInsecureRequests], [customFetch]: here },
    )
    expect(config.clientMetadata()).toMatchObject({ client_name: 'Library', client_secret: expect.any(String) })
  })
})

describe('the caller of a registration', () => {
  it.each([
    ['no token', 'without a token'],
    ['a wrong token', 'with a wrong token'],
    ['an unknown API token', 'with an unknown API token'],
    [API_TOKEN.slice(0, -1), 'with a part of the token of the instance'],
  ])('receives 401 for %j (%s)', async (by) => {
    const before = await dumpState(service)
    for (const path of [REGISTER, ofTeam(), ofTeam(randomUUID())]) {
      const answer = await register({}, { by, path })
      expectOAuthError(answer, 'invalid_token', 401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
    }
    expect(await dumpState(service)).toEqual(before)
  })

  it('needs a token other than a session or client credentials', async () => {
    const client = await registered({})
    for (const by of [owner.token, client.client_secret, client.registration_access_token])
      expectOAuthError(await register({}, { by }), 'invalid_token', 401)
    const bySession = await service.api('POST', REGISTER, {
      token: owner.token,
      body: { client_name: 'x', team_id: owner.teamId },
    })
    expectOAuthError(bySession, 'invalid_token', 401)
  })

  it.each(['wrong', API_TOKEN, 'a.b.c'])(
    'counts a Bearer token %s, which is no API token, as a failure',
    async (bearer) => {
      const path = ofTeam()
      const answer = await service.api('POST', path, { token: bearer, body: { client_name: 'x' } })
      expectOAuthError(answer, 'invalid_token', 401)
      expect(answer.body.error_description).toBe('the token is not valid')
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
      const [entry] = await service.sql(
        "SELECT metadata FROM audit_entries WHERE action = 'application.registration_refused' ORDER BY id DESC LIMIT 1",
      )
      expect(entry).toEqual({ metadata: { token: 'bearer' } })
      for (let tries = 0; tries < FAILURES; tries++)
        await service.api('POST', path, { token: bearer, body: { client_name: 'x' } })
      const many = await atOnce(5, () => service.api('POST', path, { token: bearer, body: { client_name: 'x' } }))
      expect(many.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4)
      await service.clock.advance(2_000)
      await registered({})
    },
  )

  it('needs the scope, and still the permission', async () => {
    const narrow = await makeToken(owner, ['applications:read'])
    expectOAuthError(await register({}, { by: narrow.token }), 'insufficient_scope', 403)
    const admin = await registerUser(service)
    await joinTeam(service, admin, owner.teamId, { role: 'ORG_ADMIN' })
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: admin.email, password: admin.password, teamId: owner.teamId },
    })
    const theirs = await makeToken({ token: body.accessToken })
    await registered({}, { by: theirs.token })
    await service.sql("UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1 AND organization_id = $2", [
      admin.id,
      owner.teamId,
    ])
    expectOAuthError(await register({}, { by: theirs.token }), 'insufficient_scope', 403)
    const { body: logs } = await service.api('GET', '/api/v1/audit/logs?action=access.denied', { token: owner.token })
    expect(logs.data[0]).toMatchObject({ result: 'DENIED', userId: admin.id, metadata: { code: 'insufficient_scope' } })
  })

  it('sees and changes no other team with an API token', async () => {
    const other = await registerUser(service)
    const before = await allApplications()
    const answers = await Promise.all(
      [other.teamId, randomUUID(), 'x', other.id].map((team_id) => register({ team_id })),
    )
    for (const answer of answers) {
      expectOAuthError(answer, 'organization_not_found', 404)
      expect(answer.text).toBe(answers[0]?.text)
    }
    for (const teamId of [other.teamId, randomUUID()])
      expectOAuthError(await register({}, { path: ofTeam(teamId) }), 'issuer_not_found', 404)
    expect(await allApplications()).toEqual(before)
  })

  it('receives 401 after its token was revoked or its team suspended', async () => {
    const made = await makeToken(owner)
    await service.api('DELETE', `/api/v1/api-tokens/${made.id}`, { token: owner.token })
    expectOAuthError(await register({}, { by: made.token }), 'invalid_token', 401)
    await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [owner.teamId])
    expectOAuthError(await register({}), 'invalid_token', 401)
    expectOAuthError(await register({}, { by: API_TOKEN }), 'team_suspended', 403)
  })

  it('receives 429 after too many wrong tokens of a source, also with a valid token', async () => {
    for (let tries = 0; tries < FAILURES; tries++) await register({}, { by: `wrong ${tries}` })
    const answers = await atOnce(5, () => register({}, { by: 'wrong' }))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4)
    await service.clock.advance(2_000)
    await registered({})
    expectOAuthError(await register({}), 'temporarily_unavailable', 429)
  })

  it('appears in the log: the creator of the API token and the token, or the token of the instance', async () => {
    const made = await makeToken(owner)
    const first = await registered({}, { by: made.token })
    const second = await registered({}, { by: API_TOKEN })
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=application.registered', {
      token: owner.token,
    })
    expect(body.data).toMatchObject([
      { userId: null, metadata: { by: 'instance_token', clientId: second.client_id } },
      { userId: owner.id, metadata: { by: 'api_token', clientId: first.client_id, apiTokenId: made.id } },
    ])
    await register({}, { by: 'wrong' })
    const rejected = await service.sql(
      "SELECT metadata FROM audit_entries WHERE action = 'application.registration_refused' ORDER BY id DESC LIMIT 1",
    )
    expect(rejected).toEqual([{ metadata: { token: 'x-api-token' } }])
  })

  it('receives secrets that the database does not contain in plain text', async () => {
    const client = await registered({})
    const all = JSON.stringify(await dumpDatabase(service))
    for (const secret of [client.client_secret, client.registration_access_token, token, API_TOKEN]) {
      expect(all).not.toContain(secret)
      expect(service.logLines.join()).not.toContain(secret)
    }
    expect(all).toContain(createHash('sha256').update(client.registration_access_token).digest('hex'))
  })

  it('receives limit_reached beyond the maximum of the team: one of many concurrent requests gets the last place', async () => {
    await service.sql('UPDATE organizations SET max_applications = 1 WHERE id = $1', [owner.teamId])
    const answers = await atOnce(CONCURRENT, (index) => register({}, { by: index % 2 ? token : API_TOKEN }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const rejected = answers.filter(({ status }) => status !== 201)
    for (const answer of rejected) expectOAuthError(answer, 'limit_reached', 409)
    expect(await applications(await logIn(service, owner))).toHaveLength(1)
  })
})

describe('client metadata', () => {
  it.each([
    [{ redirect_uris: ['ftp://rp.example/cb'] }, 'redirect_uris/0'],
    [{ redirect_uris: [REDIRECT, 'https://rp.example/#x'] }, 'redirect_uris/1'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris/0'],
    [{ redirect_uris: ['com.example.app:/cb'] }, 'redirect_uris/0'],
    [{ grant_types: ['authorization_code'] }, 'redirect_uris'],
    [{ redirect_uris: [], grant_types: ['authorization_code', 'refresh_token'] }, 'redirect_uris'],
  ])('returns invalid_redirect_uri for %j', async (metadata, named) => {
    const before = await allApplications()
    const answer = await register(metadata)
    expectOAuthError(answer, 'invalid_redirect_uri')
    expect(answer.body.error_description).toContain(named)
    expect(await allApplications()).toEqual(before)
  })

  it.each([
    [{ client_name: '' }, 'client_name'],
    [{ client_name: 'x'.repeat(101) }, 'client_name'],
    [{ client_name: 'a\nb' }, 'client_name'],
    [{ grant_types: ['implicit'] }, 'grant_types/0'],
    [{ grant_types: ['client_credentials'], response_types: ['code'] }, 'response_types'],
    [{ redirect_uris: [REDIRECT], response_types: [] }, 'response_types'],
    [{ redirect_uris: [REDIRECT], response_types: ['code', 'token'] }, 'response_types/1'],
    [{ token_endpoint_auth_method: 'client_secret_jwt' }, 'token_endpoint_auth_method'],
    [{ token_endpoint_auth_method: 'tls_client_auth' }, 'token_endpoint_auth_method'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'jwks'],
    [{ token_endpoint_auth_method: 'none' }, 'grant_types/0'],
    [{ scope: 'a"b' }, 'scope/0'],
    [{ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }, 'jwks/keys/0'],
    [{ jwks: { keys: [key.privateKey.export({ format: 'jwk' })] } }, 'jwks/keys/0'],
    [{ logo_uri: 'javascript:alert(1)' }, 'logo_uri'],
    [{ client_uri: 'javascript:alert(1)' }, 'client_uri'],
    [{ backchannel_logout_uri: 'x' }, 'backchannel_logout_uri'],
    [{ post_logout_redirect_uris: ['data:,x'] }, 'post_logout_redirect_uris/0'],
    [{ jwks_uri: 'https://rp.example/jwks' }, 'jwks_uri'],
    [{ sector_identifier_uri: 'https://rp.example/s' }, 'sector_identifier_uri'],
    [{ subject_type: 'pairwise' }, 'subject_type'],
    [{ id_token_signed_response_alg: 'ES256' }, 'id_token_signed_response_alg'],
    [{ id_token_encrypted_response_alg: 'RSA-OAEP' }, 'id_token_encrypted_response_alg'],
    [{ userinfo_encrypted_response_enc: 'A128GCM' }, 'userinfo_encrypted_response_enc'],
    [{ request_object_signing_alg: 'RS256' }, 'request_object_signing_alg'],
    [{ frontchannel_logout_uri: 'https://rp.example/out' }, 'frontchannel_logout_uri'],
    [{ tls_client_certificate_bound_access_tokens: true }, 'tls_client_certificate_bound_access_tokens'],
    [{ require_auth_time: true }, 'require_auth_time'],
  ])('returns an error that names the field for %j, and registers no client', async (metadata, named) => {
    const before = await allApplications()
    const answer = await register(metadata)
    expectOAuthError(answer, 'invalid_client_metadata')
    expect(answer.body.error_description).toContain(named)
    expect(await allApplications()).toEqual(before)
  })

  it('requires a name and a team', async () => {
    expectOAuthError(await register({ client_name: undefined }), 'invalid_request')
    expectOAuthError(await register({ team_id: undefined }), 'invalid_request')
    expectOAuthError(await register({ client_name: 7 }), 'invalid_request')
  })
})
