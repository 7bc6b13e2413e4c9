import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  codeFor,
  expectOAuthError,
  jwtPart,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { pemPair } from '../../../../test/factories/oidc-configuration.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const ALL = 'openid profile email offline_access'

/** An unknown parameter, which is ignored but disables the fast path. */
const RARE = { unknown_parameter: 'x' }

describe('the fast path of the token endpoint', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  const configure = async (app: TestApp, what: string, body: Record<string, unknown>) => {
    const answer = await service.api('POST', `/api/v1/applications/${app.id}/oidc-config/${what}`, {
      token: user.token,
      body,
    })
    expect(answer.status, answer.text).toBe(201)
  }

  /** Returns the number of token queries of this node while `act` runs. */
  async function statementsOf<T>(act: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const result = await act()
    const statements = query.mock.calls.map(([first]) => String((first as { name?: string })?.name ?? first))
    query.mockRestore()
    return { result, statements: statements.filter((name) => name.startsWith('oidc_provider.')) }
  }

  /** Returns a response without its random values. */
  async function sayings({ status, body, headers }: ApiResponse) {
    const own = (token: string | undefined, ids: string[]) => {
      if (!token) return undefined
      const claims = jwtPart(token)
      for (const id of ids) {
        expect(claims[id], id).toBeTruthy()
        delete claims[id]
      }
      return { header: jwtPart(token, 0), claims: withoutTimes(claims) }
    }
    const [stored] = body.refresh_token
      ? await service.sql<{ payload: Record<string, unknown>; life: number }>(
          `SELECT t.payload - 'grantId' AS payload, extract(epoch FROM t.expires_at - t.created_at)::int AS life FROM oauth_tokens t WHERE t.hash = sha256($1::bytea)`,
          [Buffer.from(body.refresh_token)],
        )
      : []
    const ofGrant = jwtPart(body.access_token).gid ? ['jti', 'gid'] : ['jti']
    return {
      status,
      names: Object.keys(body).sort(),
      scope: body.scope,
      type: body.token_type,
      life: body.expires_in,
      access: own(body.access_token, ofGrant),
      id: own(body.id_token, ['at_hash', 'sid']),
      stored: stored && { ...stored, payload: withoutSession(stored.payload) },
      headers: ['content-type', 'cache-control', 'access-control-allow-origin', 'vary'].map((name) =>
        headers.get(name),
      ),
    }
  }
  const withoutSession = ({ sid: _sid, sessionUid: _uid, ...payload }: Record<string, unknown>) => withoutTimes(payload)
  const withoutTimes = ({ iat, exp, iiat, ...rest }: Record<string, unknown>) => ({
    ...rest,
    lives: Number(exp) - Number(iat),
    begun: typeof iiat,
  })

  const KINDS: [
    name: string,
    fields: object,
    params: Record<string, string>,
    setUp?: (app: TestApp) => Promise<void>,
  ][] = [
    ['a confidential application', {}, { scope: ALL, nonce: 'the-nonce' }],
    ['few scopes', {}, { scope: 'openid' }],
    ['no openid scope', { scopes: ['openid', 'profile', 'api'] }, { scope: 'profile api' }],
    ['a public application', { isPublicClient: true }, { scope: ALL }],
    ['a resource', { resources: ['https://api.example/'] }, { scope: ALL, resource: 'https://api.example/' }],
    ['an agent', { isAiAgent: true }, { scope: ALL }],
    [
      'own claims, rules and lifetimes',
      {},
      { scope: ALL },
      async (app) => {
        const both = ['ACCESS_TOKEN', 'ID_TOKEN']
        await configure(app, 'claims', { name: 'name_of_two', userAttribute: 'displayName', targetTokens: both })
        await configure(app, 'claims', { name: 'role', userAttribute: 'role', targetTokens: ['ACCESS_TOKEN'] })
        const policy = { accessTokenLifetime: 600, idTokenLifetime: 120, refreshTokenLifetime: 7_200 }
        const set = await service.api('PUT', `/api/v1/applications/${app.id}/oidc-config/token-policy`, {
          token: user.token,
          body: policy,
        })
        expect(set.status, set.text).toBe(200)
      },
    ],
    [
      'an own signing key',
      {},
      { scope: ALL },
      (app) =>
        configure(app, 'signing-keys', { kid: 'ours', algorithm: 'ES384', isDefault: true, ...pemPair('P-384') }),
    ],
  ]

  it.each(KINDS)('issues the same tokens as the engine: %s', async (_, fields, params, setUp) => {
    const app = await registerApp(service, user, {
      scopes: [...ALL.split(' '), 'api'],
      grantTypes: ['authorization_code', 'refresh_token'],
      ...fields,
    })
    await setUp?.(app)
    const ofTeam = withIssuerPath(service, app.teamId, app)
    for (const [asked, global] of [
      [app, false],
      [ofTeam, true],
    ] as const) {
      const exchanged = async (more: Record<string, string>) => {
        const { code, verifier } = await codeFor(service, asked, user, params)
        const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: app.redirectUri }
        return requestTokens(
          service,
          asked,
          { ...form, ...more },
          { global, headers: { origin: 'https://rp.example' } },
        )
      }
      const [plain, rare] = [await exchanged({}), await exchanged(RARE)]
      expect(plain.status, plain.text).toBe(200)
      expect(await sayings(plain)).toEqual(await sayings(rare))
      if (!plain.body.refresh_token) continue
      const refreshed = (token: string, more: Record<string, string>) =>
        requestTokens(service, asked, { grant_type: 'refresh_token', refresh_token: token, ...more }, { global })
      // The next refresh has an entry.
      await service.sql('UPDATE sessions SET refresh_period_start = NULL WHERE application_id = $1', [app.id])
      for (const scope of [undefined, 'openid'])
        expect(await sayings(await refreshed(plain.body.refresh_token, scope ? { scope } : {}))).toEqual(
          await sayings(await refreshed(rare.body.refresh_token, { ...(scope && { scope }), ...RARE })),
        )
      const entries = await service.sql<{ metadata: Record<string, unknown> }>(
        `SELECT user_id, agent_id, resource, result, metadata - 'grant' AS metadata, count(*)::int FROM audit_entries
         WHERE action = 'application.token_issued' AND resource = $1 GROUP BY 1, 2, 3, 4, 5`,
        [`application:${app.id}`],
      )
      // One entry for each grant type, identical for both paths.
      expect(entries.map(({ metadata }) => metadata.grantType).sort()).toEqual(['authorization_code', 'refresh_token'])
    }
  })

  it.each([
    ['its scopes', ['api', 'read'], 'api read'],
    ['scopes of which it has only some', ['api'], 'api openid unknown'],
    ['no scope', ['api'], undefined],
  ])('issues the same client_credentials token as the engine: %s', async (_, scopes, scope) => {
    const app = await registerApp(service, user, { scopes, grantTypes: ['client_credentials'] })
    const own = (more: Record<string, string>) =>
      requestTokens(service, app, { grant_type: 'client_credentials', scope, ...more })
    const plain = await own({})
    expect(plain.status, plain.text).toBe(200)
    expect(await sayings(plain)).toEqual(await sayings(await own(RARE)))
  })

  it('takes two round trips: one query and one statement', async () => {
    const app = await registerApp(service, user, {
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      scopes: [...ALL.split(' '), 'api'],
    })
    const { code, verifier } = await codeFor(service, app, user, { scope: ALL })
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: app.redirectUri }
    // The first use of the application on a node fills the cache.
    await requestTokens(service, app, { grant_type: 'client_credentials' }, { node: 0 })
    const exchanged = await statementsOf(() => requestTokens(service, app, form, { node: 0 }))
    expect(exchanged.statements).toEqual(['oidc_provider.find_token', 'oidc_provider.rotate_token'])
    const { refresh_token: token } = exchanged.result.body
    const refreshed = await statementsOf(() => refresh(service, app, token, { node: 0 }))
    expect(refreshed.statements).toEqual(['oidc_provider.find_token', 'oidc_provider.rotate_token'])
    const own = await statementsOf(() => requestTokens(service, app, { grant_type: 'client_credentials' }, { node: 0 }))
    expect(own.statements).toEqual(['oidc_provider.team_of_client', 'oidc_provider.record_own'])
  })

  it('returns the same refresh token without rotation, like the engine', async () => {
    const app = await registerApp(service, user, { grantTypes: ['authorization_code', 'refresh_token'] })
    const set = await service.api('PUT', `/api/v1/applications/${app.id}/oidc-config/token-policy`, {
      token: user.token,
      body: { rotationEnabled: false },
    })
    expect(set.status, set.text).toBe(200)
    const { code, verifier } = await codeFor(service, app, user, { scope: ALL })
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: app.redirectUri }
    const { body } = await requestTokens(service, app, form)
    const plain = await refresh(service, app, body.refresh_token)
    const rare = await requestTokens(service, app, {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      ...RARE,
    })
    expect(plain.body.refresh_token).toBe(body.refresh_token)
    expect(await sayings(plain)).toEqual(await sayings(rare))
  })

  it('rejects every wrong request and consumes no token', async () => {
    const app = await registerApp(service, user, { grantTypes: ['authorization_code', 'refresh_token'] })
    const { code, verifier } = await codeFor(service, app, user, { scope: ALL })
    const right = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: app.redirectUri }
    const wrong: [Record<string, string | undefined>, string][] = [
      [{ code_verifier: undefined }, 'invalid_grant'],
      [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      [{ code_verifier: 'short' }, 'invalid_request'],
      [{ redirect_uri: 'https://rp.example/other' }, 'invalid_grant'],
      [{ redirect_uri: undefined }, 'invalid_request'],
      [{ grant_type: 'client_credentials' }, 'unauthorized_client'],
      [{ client_id: 'another' }, 'invalid_request'],
      [{ client_secret: 'both' }, 'invalid_request'],
    ]
    for (const [change, error] of wrong)
      expectOAuthError(await requestTokens(service, app, { ...right, ...change }), error)
    const { status, body } = await requestTokens(service, app, right)
    expect(status).toBe(200)
    const narrowed = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    expectOAuthError(await requestTokens(service, app, { ...narrowed, scope: 'openid more' }), 'invalid_scope')
    expect((await refresh(service, app, body.refresh_token)).status).toBe(200)
  })
})
