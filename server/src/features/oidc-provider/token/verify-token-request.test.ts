import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  expectOAuthError,
  registerApp,
  requestTokens,
  type TestApp,
  type TokenOptions,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { type DpopKey, dpopKey, dpopProof } from '../../../../test/factories/dpop.js'
import { comparable, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const ALL = 'openid profile offline_access'
const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials']
const OTHER_URI = 'https://rp.example/other'
const SECOND = 1_000

/** An unknown parameter, which is ignored, but for which the engine verifies the request. */
const RARE = { unknown_parameter: 'x' }

type Form = Record<string, string | undefined>

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** A request of a new application of a new team. */
interface Scene {
  app: TestApp
  owner: TestUser
}
interface Sent {
  form: Form
  options?: TokenOptions
  /** The requesting application, if it is another one. */
  by?: TestApp
}

const codeForm = async (app: TestApp, owner: TestUser, params: Form = {}): Promise<Form> => {
  const { code, verifier } = await codeFor(service, app, owner, { scope: ALL, ...params })
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: app.redirectUri }
}
const usedCode = async ({ app, owner }: Scene, options: TokenOptions = {}): Promise<Form> => {
  const form = await codeForm(app, owner)
  const { status, text } = await requestTokens(service, app, form, options)
  expect(status, text).toBe(200)
  return form
}
const refreshForm = (token: string): Form => ({ grant_type: 'refresh_token', refresh_token: token })
const refreshToken = async ({ app, owner }: Scene): Promise<Form> =>
  refreshForm((await tokensFor(service, app, owner, { scope: ALL })).refresh_token)
const usedRefreshToken = async (scene: Scene): Promise<Form> => {
  const form = await refreshToken(scene)
  expect((await requestTokens(service, scene.app, form)).status).toBe(200)
  await service.clock.advance(31 * SECOND)
  return form
}
const proof = ({ app }: Scene, key: DpopKey): TokenOptions => ({
  headers: { dpop: dpopProof(service, key, `${app.issuer}/token`) },
})
const boundRefreshToken = async (scene: Scene, key: DpopKey): Promise<Form> => {
  const { app, owner } = scene
  const { body } = await requestTokens(service, app, await codeForm(app, owner), proof(scene, key))
  expect(body.token_type).toBe('DPoP')
  return refreshForm(body.refresh_token)
}
/** Changes the application by a request that is expected to succeed. */
const change = async ({ app, owner }: Scene, method: string, path = '', body?: Record<string, unknown>) => {
  const { status, text } = await service.api(method, `/api/v1/applications/${app.id}${path}`, {
    token: owner.token,
    ...(body && { body }),
  })
  expect(status, text).toBeLessThan(300)
}
const publicJwk = (): object => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid: 'one',
  use: 'sig',
  alg: 'ES256',
})

/** Returns the response of a request and what it changed. IDs that differ between two scenes are replaced by names. */
async function effectsOf({ app, owner }: Scene, by: TestApp, act: () => Promise<ApiResponse>) {
  const findEntries = () =>
    service.sql<{ id: string; action: string }>(
      `SELECT id, team_id, user_id, agent_id, action, resource, result, metadata FROM audit_entries WHERE action LIKE 'application.%'`,
    )
  const countFailures = async () =>
    (
      await service.sql<{ sum: number }>(
        'SELECT coalesce(sum(count), 0)::int AS sum FROM throttle_counters WHERE window_ends_at > $1',
        [new Date(service.clock.ms())],
      )
    )[0]?.sum ?? 0
  const findTokens = () =>
    service.sql<{ grant: string; end_reason: string | null; kind: string; consumed: boolean }>(
      `SELECT g.id AS grant, g.end_reason, t.kind, t.consumed_at IS NOT NULL AS consumed FROM sessions g JOIN oauth_tokens t ON t.grant_id = g.id
       WHERE g.application_id = $1 ORDER BY t.created_at, t.kind`,
      [app.id],
    )
  const known = (await findEntries()).map(({ id }) => id)
  const [failures, before] = [await countFailures(), await findTokens()]
  const response = await act()
  const entries = (await findEntries()).filter(({ id }) => !known.includes(id))
  const after = await findTokens()
  const names: [id: string, name: string][] = [
    [app.id, 'app'],
    [app.clientId, 'client'],
    [by.id, 'other app'],
    [by.clientId, 'other client'],
    [owner.id, 'owner'],
    [owner.teamId, 'team'],
    ...after.map(({ grant }): [string, string] => [grant, 'grant']),
  ]
  const text = JSON.stringify({ entries: entries.map(({ id: _id, ...entry }) => entry), after })
  return {
    response,
    before,
    after,
    actions: entries.map(({ action }) => action),
    compared: {
      response: comparable(response),
      failures: (await countFailures()) - failures,
      changes: JSON.parse(names.reduce((named, [id, name]) => named.replaceAll(id, name), text)) as unknown,
    },
  }
}

interface Expected {
  error: string
  /** The audit entry; default: the rejection. */
  action?: string
  /** The request counts as a failure of its source. */
  counts?: boolean
}
const REPLAYED: Expected = { error: 'invalid_grant', action: 'application.code_replayed' }
const REUSED: Expected = { error: 'invalid_grant', action: 'application.refresh_reused' }
const INVALID_GRANT: Expected = { error: 'invalid_grant' }

const CONFIDENTIAL = {
  grantTypes: GRANTS,
  scopes: [...ALL.split(' '), 'api'],
  redirectUris: ['https://rp.example/callback', OTHER_URI],
}
const PUBLIC = { isPublicClient: true, grantTypes: GRANTS.slice(0, 2) }

const CASES: [
  what: string,
  fields: Record<string, unknown>,
  prepare: (scene: Scene) => Promise<Sent>,
  expected: Expected,
][] = [
  ['a used code', CONFIDENTIAL, async (scene) => ({ form: await usedCode(scene) }), REPLAYED],
  [
    'a used code of a public client',
    PUBLIC,
    async (scene) => ({ form: await usedCode(scene) }),
    { ...REPLAYED, counts: true },
  ],
  [
    'a used code of an agent',
    { ...CONFIDENTIAL, isAiAgent: true },
    async (scene) => ({ form: await usedCode(scene) }),
    REPLAYED,
  ],
  [
    'a used code that has expired',
    CONFIDENTIAL,
    async (scene) => {
      const form = await usedCode(scene)
      await service.clock.advance(61 * SECOND)
      return { form }
    },
    REPLAYED,
  ],
  [
    'a used code with another verifier',
    CONFIDENTIAL,
    async (scene) => ({ form: { ...(await usedCode(scene)), code_verifier: 'v'.repeat(43) } }),
    INVALID_GRANT,
  ],
  [
    'a used code with another redirect URI',
    CONFIDENTIAL,
    async (scene) => ({ form: { ...(await usedCode(scene)), redirect_uri: OTHER_URI } }),
    INVALID_GRANT,
  ],
  [
    'a used code with a wrong secret',
    CONFIDENTIAL,
    async (scene) => ({ form: await usedCode(scene), options: { secret: 'wrong' } }),
    { error: 'invalid_client', counts: true },
  ],
  [
    'a used code of another client of the team',
    CONFIDENTIAL,
    async (scene) => ({
      form: await usedCode(scene),
      by: await registerApp(service, scene.owner, CONFIDENTIAL),
      options: { global: true },
    }),
    INVALID_GRANT,
  ],
  [
    'a used code of a client that requires proofs, without a proof',
    { requireDpop: true },
    async (scene) => ({ form: await usedCode(scene, proof(scene, dpopKey())) }),
    INVALID_GRANT,
  ],
  [
    'an expired code',
    CONFIDENTIAL,
    async ({ app, owner }) => {
      const form = await codeForm(app, owner)
      await service.clock.advance(61 * SECOND)
      return { form }
    },
    INVALID_GRANT,
  ],
  [
    'a code that is bound to a key, without a proof',
    CONFIDENTIAL,
    async ({ app, owner }) => ({ form: await codeForm(app, owner, { dpop_jkt: dpopKey().thumbprint }) }),
    INVALID_GRANT,
  ],
  [
    'a code with a wrong secret',
    CONFIDENTIAL,
    async ({ app, owner }) => ({ form: await codeForm(app, owner), options: { secret: 'wrong' } }),
    { error: 'invalid_client', counts: true },
  ],
  [
    'a code without credentials',
    CONFIDENTIAL,
    async ({ app, owner }) => ({ form: await codeForm(app, owner), options: { auth: 'none' } }),
    { error: 'invalid_client', counts: true },
  ],
  [
    'a code of a public client with a secret',
    PUBLIC,
    async ({ app, owner }) => ({ form: await codeForm(app, owner), options: { auth: 'post', secret: 'any' } }),
    { error: 'invalid_client', counts: true },
  ],
  [
    'a code with a secret instead of an assertion',
    { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [publicJwk()] } },
    async ({ app, owner }) => ({ form: await codeForm(app, owner), options: { auth: 'post', secret: 'any' } }),
    { error: 'invalid_client', counts: true },
  ],
  [
    'a code that was never issued, of a public client',
    PUBLIC,
    async ({ app, owner }) => ({ form: { ...(await codeForm(app, owner)), code: 'x'.repeat(43) } }),
    { error: 'invalid_grant', counts: true },
  ],
  [
    'a code after the grant type was removed',
    CONFIDENTIAL,
    async (scene) => {
      const form = await codeForm(scene.app, scene.owner)
      await change(scene, 'PUT', '', { grantTypes: ['client_credentials'], responseTypes: [] })
      return { form }
    },
    { error: 'unauthorized_client' },
  ],
  [
    'a code of a stopped application',
    CONFIDENTIAL,
    async (scene) => {
      const form = await codeForm(scene.app, scene.owner)
      await change(scene, 'POST', '/stop')
      return { form }
    },
    { error: 'unauthorized_client' },
  ],
  [
    'a code of a suspended user',
    CONFIDENTIAL,
    async ({ app, owner }) => {
      const form = await codeForm(app, owner)
      await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [owner.id])
      return { form }
    },
    INVALID_GRANT,
  ],
  [
    'a used code of a suspended user',
    CONFIDENTIAL,
    async (scene) => {
      const form = await usedCode(scene)
      await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [scene.owner.id])
      return { form }
    },
    INVALID_GRANT,
  ],
  [
    'a refresh token of a suspended membership',
    CONFIDENTIAL,
    async (scene) => {
      const form = await refreshToken(scene)
      await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1", [scene.owner.id])
      return { form }
    },
    INVALID_GRANT,
  ],
  [
    'a refresh token of a suspended team',
    CONFIDENTIAL,
    async (scene) => {
      const form = await refreshToken(scene)
      await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [scene.owner.teamId])
      return { form }
    },
    { error: 'invalid_client', counts: true },
  ],
  [
    'a refresh token of a deleted application',
    CONFIDENTIAL,
    async (scene) => {
      const form = await refreshToken(scene)
      await change(scene, 'DELETE')
      return { form, options: { global: true } }
    },
    { error: 'invalid_client', counts: true },
  ],
  [
    'a refresh token of a revoked grant',
    CONFIDENTIAL,
    async (scene) => {
      const form = await refreshToken(scene)
      const revoked = await service.api('DELETE', `/api/v1/auth/grants/${scene.app.id}`, {
        token: scene.owner.token,
      })
      expect(revoked.status, revoked.text).toBeLessThan(300)
      return { form }
    },
    INVALID_GRANT,
  ],
  ['a used refresh token', CONFIDENTIAL, async (scene) => ({ form: await usedRefreshToken(scene) }), REUSED],
  [
    'a used refresh token of a public client',
    PUBLIC,
    async (scene) => ({ form: await usedRefreshToken(scene) }),
    { ...REUSED, counts: true },
  ],
  [
    'a used refresh token with more scopes',
    CONFIDENTIAL,
    async (scene) => ({ form: { ...(await usedRefreshToken(scene)), scope: 'openid api' } }),
    { error: 'invalid_scope' },
  ],
  [
    'a used refresh token with a wrong secret',
    CONFIDENTIAL,
    async (scene) => ({ form: await usedRefreshToken(scene), options: { auth: 'post', secret: 'wrong' } }),
    { error: 'invalid_client', counts: true },
  ],
  [
    'a refresh token of another client of the team',
    CONFIDENTIAL,
    async (scene) => ({
      form: await refreshToken(scene),
      by: await registerApp(service, scene.owner, CONFIDENTIAL),
      options: { global: true },
    }),
    INVALID_GRANT,
  ],
  [
    'a refresh token that is bound to a key, without a proof',
    CONFIDENTIAL,
    async (scene) => ({ form: await boundRefreshToken(scene, dpopKey()) }),
    INVALID_GRANT,
  ],
  [
    'a used refresh token that is bound to a key, without a proof',
    CONFIDENTIAL,
    async (scene) => {
      const key = dpopKey()
      const form = await boundRefreshToken(scene, key)
      expect((await requestTokens(service, scene.app, form, proof(scene, key))).status).toBe(200)
      await service.clock.advance(31 * SECOND)
      return { form }
    },
    INVALID_GRANT,
  ],
  [
    'a form that is too long',
    CONFIDENTIAL,
    async () => ({ form: { ...refreshForm('unknown'), redirect_uri: 'x'.repeat(60_000) } }),
    { error: 'invalid_request' },
  ],
]

describe('a common token request', () => {
  it.each(CASES)('rejects %s like the engine, and changes no more', async (_, fields, prepare, expected) => {
    const { error, action = 'application.token_refused', counts = false } = expected
    const sent = async (more: Form) => {
      const owner = await registerUser(service)
      const scene = { owner, app: await registerApp(service, owner, fields) }
      const { form, options = {}, by = scene.app } = await prepare(scene)
      const headers = { ...options.headers, origin: 'https://rp.example' }
      // The fast path handles only sources without failures. Without the counters it handles this request.
      await service.sql('DELETE FROM throttle_counters')
      const { response, before, after, actions, compared } = await effectsOf(scene, by, () =>
        requestTokens(service, by, { ...form, ...more }, { ...options, headers }),
      )
      expectOAuthError(response, error, error === 'invalid_client' ? 401 : 400)
      expect(actions).toEqual([action])
      expect(compared.failures).toBe(counts ? 1 : 0)
      // A rejected request consumes nothing, and only a replay revokes the grant.
      const reason = action.replace('application.', '')
      const isReplay = action !== 'application.token_refused'
      expect(after).toEqual(before.map((token) => (isReplay ? { ...token, end_reason: reason } : token)))
      return compared
    }
    expect(await sent({})).toEqual(await sent(RARE))
  })

  describe('with an invalid parameter', () => {
    const APPS: [name: string, fields: Record<string, unknown>][] = [
      ['a confidential application', { grantTypes: GRANTS, scopes: [...ALL.split(' '), 'api'] }],
      ['a public application', PUBLIC],
      ['an application without refresh tokens', { grantTypes: ['authorization_code'] }],
      ['an application that requires DPoP', { grantTypes: GRANTS, requireDpop: true, scopes: ['openid', 'api'] }],
    ]
    const CODE: Form[] = [
      { code: 'unknown' },
      { code_verifier: undefined },
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: 'short' },
      { code_verifier: 'x'.repeat(129) },
      { code_verifier: `${'x'.repeat(43)} ` },
      { redirect_uri: OTHER_URI },
      { redirect_uri: OTHER_URI, code_verifier: 'x'.repeat(43) },
      { redirect_uri: undefined, code: 'unknown' },
      { redirect_uri: undefined, code_verifier: 'short' },
      { grant_type: 'refresh_token', refresh_token: 'unknown' },
      { grant_type: 'client_credentials', scope: 'unknown' },
      { grant_type: 'client_credentials', scope: 'openid unknown' },
      { grant_type: 'client_credentials', scope: 'unknown unknown' },
      { grant_type: 'client_credentials', scope: 'api\\' },
      { grant_type: 'refresh_token', refresh_token: 'unknown', scope: 'wrong\t' },
      { code: 'unknown', scope: 'wrong\t' },
    ]
    const REFRESH: Form[] = [{ scope: 'openid more' }, { scope: 'more other more' }, { scope: 'openid  profile' }]
    const CREDENTIALS: TokenOptions[] = [
      { auth: 'basic', secret: 'wrong' },
      { auth: 'basic', secret: '' },
      { auth: 'basic', secret: 'ünvisible' },
      { auth: 'post', secret: 'wrong' },
      { auth: 'none' },
    ]

    it.each(APPS)('returns the errors of the engine to %s', async (_, fields) => {
      const owner = await registerUser(service)
      const app = await registerApp(service, owner, fields)
      for (const global of [false, true]) {
        const send = async (form: Form, credentials: TokenOptions = {}) => {
          const options = { global, headers: { origin: 'https://rp.example' }, ...credentials }
          const common = await requestTokens(service, app, form, options)
          const rare = await requestTokens(service, app, { ...form, ...RARE }, options)
          expect(comparable(common), JSON.stringify(form)).toEqual(comparable(rare))
          return common
        }
        const right = await codeForm(app, owner)
        for (const invalid of CODE)
          expect((await send({ ...right, ...invalid })).status, JSON.stringify(invalid)).toBe(400)
        for (const credentials of CREDENTIALS)
          expect((await send({ ...right, code: 'unknown' }, credentials)).status).not.toBe(200)
        const granted = await requestTokens(service, app, right, { global })
        if (granted.status !== 200) continue
        const { refresh_token: token } = granted.body
        if (!token) continue
        for (const invalid of REFRESH) expect((await send({ ...refreshForm(token), ...invalid })).status).toBe(400)
      }
    })
  })
})
