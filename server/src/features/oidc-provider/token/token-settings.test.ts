import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  jwtPart,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
  uidOf,
  userinfo,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const OFFLINE = { scope: 'openid email offline_access' }
const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials']

let service: TestService
let user: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const fresh = async (fields: Record<string, unknown> = {}): Promise<void> => {
  // The clock advances beyond the lifetime of a session.
  user = await registerUser(service)
  app = await registerApp(service, user, { grantTypes: GRANTS, ...fields })
}
const config = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
  const answer = await service.api(method, `/api/v1/applications/${app.id}/oidc-config/${path}`, {
    token: user.token,
    ...(body && { body }),
  })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}
const ownToken = (form: Record<string, string> = {}, node?: number) =>
  requestTokens(service, app, { grant_type: 'client_credentials', ...form }, node === undefined ? {} : { node })
const livesFor = (token: string): number => {
  const { exp, iat } = jwtPart(token) as { exp: number; iat: number }
  return exp - iat
}

describe('the token policy of an application', () => {
  it('applies from the next request on every node, to access and ID tokens and their introspection', async () => {
    await fresh()
    for (let node = 0; node < service.urls.length; node++)
      expect((await ownToken({}, node)).body.expires_in).toBe(3_600)
    await config('PUT', 'token-policy', { accessTokenLifetime: 120, idTokenLifetime: 240 })
    for (let node = 0; node < service.urls.length; node++) {
      const { body } = await ownToken({}, node)
      expect([body.expires_in, livesFor(body.access_token)]).toEqual([120, 120])
    }
    const tokens = await tokensFor(service, app, user, OFFLINE)
    expect([tokens.expires_in, livesFor(tokens.access_token), livesFor(tokens.id_token)]).toEqual([120, 120, 240])
    await service.clock.advance(121_000)
    expect(await isActive(service, tokens.access_token)).toBe(false)
    expect((await refresh(service, app, tokens.refresh_token)).body.expires_in).toBe(120)
  })

  it('allows access tokens of a year, whose grant is stored as long', async () => {
    await fresh()
    // A token expires with its grant, which is valid as long as a refresh token.
    await config('PUT', 'token-policy', { accessTokenLifetime: 31_536_000, refreshTokenLifetime: 31_540_000 })
    const { access_token: token } = await tokensFor(service, app, user, OFFLINE)
    const [row] = await service.sql(
      "SELECT extract(epoch FROM expires_at - created_at)::int AS life FROM sessions WHERE kind = 'grant' AND application_id = $1",
      [app.id],
    )
    expect(livesFor(token)).toBe(31_536_000)
    expect(row?.life).toBeGreaterThanOrEqual(31_536_000)
  })

  it('limits the lifetime of a refresh token', async () => {
    await fresh()
    await config('PUT', 'token-policy', { refreshTokenLifetime: 3_600 })
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    const { body } = await service.api('POST', '/api/v1/oauth/introspect', { body: { token } })
    expect(body.exp - body.iat).toBe(3_600)
    await service.clock.advance(3_601_000)
    expectOAuthError(await refresh(service, app, token), 'invalid_grant')
  })

  it('keeps one refresh token without rotation', async () => {
    await fresh()
    await config('PUT', 'token-policy', { rotationEnabled: false })
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    for (let time = 0; time < 3; time++) {
      await service.clock.advance(60_000)
      const { status, body } = await refresh(service, app, token)
      expect([status, body.refresh_token]).toEqual([200, token])
    }
  })

  it('limits the reuse interval, after which a reuse revokes the grant', async () => {
    await fresh()
    await config('PUT', 'token-policy', { reuseInterval: 600 })
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    const { body: first } = await refresh(service, app, token)
    await service.clock.advance(590_000)
    const { body: again } = await refresh(service, app, token)
    expect(again.refresh_token).toBe(first.refresh_token)
    await service.clock.advance(11_000)
    expectOAuthError(await refresh(service, app, token), 'invalid_grant')
    expectOAuthError(await refresh(service, app, first.refresh_token), 'invalid_grant')
  })

  it('revokes the grant at the first reuse without a reuse interval', async () => {
    await fresh()
    await config('PUT', 'token-policy', { reuseInterval: 0 })
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    const { body } = await refresh(service, app, token)
    await service.clock.advance(1)
    expectOAuthError(await refresh(service, app, token), 'invalid_grant')
    expect(await isActive(service, body.access_token)).toBe(false)
  })
})

describe('a scope of an application', () => {
  it('accepts a scope as soon as it exists, returns its description, and adds it to the token', async () => {
    await fresh()
    const before = await ownToken({ scope: 'reports:read' })
    expectOAuthError(before, 'invalid_scope')
    const scope = await config('POST', 'scopes', { name: 'reports:read', description: 'Read the reports' })
    for (let node = 0; node < service.urls.length; node++)
      expect((await ownToken({ scope: 'reports:read' }, node)).body.scope).toBe('reports:read')

    const uid = uidOf(await authorize(service, app, { scope: 'openid reports:read' }))
    const { body } = await service.api('GET', `${app.idp}/interaction/${uid}`, { token: user.token })
    expect(body.scopes).toEqual(['openid', 'reports:read'])
    expect(body.scopeDetails).toEqual([{ name: 'reports:read', description: 'Read the reports' }])
    const tokens = await tokensFor(service, app, user, { scope: 'openid reports:read' })
    expect([tokens.scope, jwtPart(tokens.access_token).scope]).toEqual(['openid reports:read', 'openid reports:read'])

    await config('DELETE', `scopes/${scope.id}`)
    const { body: known } = await service.api('POST', '/api/v1/oauth/introspect', {
      body: { token: tokens.access_token },
    })
    expect(known.scope).toBe('openid')
    expectOAuthError(await ownToken({ scope: 'reports:read' }), 'invalid_scope')
  })

  it('applies by default if no scope is requested', async () => {
    await fresh()
    expect((await ownToken()).body.scope).toBeUndefined()
    await config('POST', 'scopes', { name: 'jobs:run', isDefault: true })
    await config('POST', 'scopes', { name: 'jobs:stop' })
    expect((await ownToken()).body.scope).toBe('jobs:run')
    expect((await ownToken({ scope: 'jobs:stop' })).body.scope).toBe('jobs:stop')
  })
})

describe('a claim of an application', () => {
  it('appears in the configured tokens, transformed by its rule, from the next request on every node', async () => {
    await fresh()
    await service.sql('UPDATE memberships SET department = $2 WHERE user_id = $1', [user.id, 'ACME-Engineering'])
    const rule = await config('POST', 'regex-rules', {
      name: 'short',
      pattern: '^acme-(\\w+)$',
      replacement: '$1',
      flags: 'i',
    })
    await config('POST', 'claims', {
      name: 'dept',
      userAttribute: 'department',
      regexRuleId: rule.id,
      targetTokens: ['ACCESS_TOKEN', 'ID_TOKEN'],
    })
    await config('POST', 'claims', { name: 'mail', userAttribute: 'email', targetTokens: ['ID_TOKEN'] })
    await config('POST', 'claims', { name: 'org_role', userAttribute: 'role', targetTokens: ['ACCESS_TOKEN'] })
    for (let node = 0; node < service.urls.length; node++) {
      const given = await codeFor(service, app, user, OFFLINE)
      const { body } = await exchangeCode(service, app, given, { node })
      expect(jwtPart(body.access_token)).toMatchObject({ dept: 'Engineering', org_role: 'owner' })
      expect(jwtPart(body.access_token).mail).toBeUndefined()
      expect(jwtPart(body.id_token)).toMatchObject({ dept: 'Engineering', mail: user.email })
      expect(jwtPart(body.id_token).org_role).toBeUndefined()
      expect((await userinfo(service, app, body.access_token)).body.dept).toBeUndefined()
      const again = await refresh(service, app, body.refresh_token, { node })
      expect(jwtPart(again.body.access_token).dept).toBe('Engineering')
    }
    expect(jwtPart((await ownToken()).body.access_token).dept).toBeUndefined()
    await config('PUT', `regex-rules/${rule.id}`, { replacement: 'team $1' })
    const { access_token: token } = await tokensFor(service, app, user)
    expect(jwtPart(token).dept).toBe('team Engineering')
  })
})

describe('a signing key of an application', () => {
  const jwks = async (of: TestApp): Promise<Record<string, string>[]> =>
    (await service.api('GET', `${of.idp}/jwks`)).body.keys
  const verified = async (of: TestApp, token: string): Promise<boolean> => {
    const { kid, alg } = jwtPart(token, 0) as { kid: string; alg: string }
    const jwk = (await jwks(of)).find((key) => key.kid === kid)
    if (!jwk || jwk.alg !== alg) return false
    const [header, claims, signature = ''] = token.split('.')
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const options = alg.startsWith('PS')
      ? { key, padding: 6, saltLength: -1 }
      : alg.startsWith('ES')
        ? { key, dsaEncoding: 'ieee-p1363' as const }
        : { key }
    return verify(
      `sha${alg.slice(2)}`,
      Buffer.from(`${header}.${claims}`),
      options,
      Buffer.from(signature, 'base64url'),
    )
  }

  it.each(['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'])(
    'signs ID and access tokens with %s under its own issuers, and none under the issuer of the team',
    async (algorithm) => {
      await fresh()
      const key = await config('POST', 'signing-keys/generate', { algorithm, isDefault: true })
      const tokens = await tokensFor(service, app, user, OFFLINE)
      for (const token of [tokens.access_token, tokens.id_token]) {
        expect(jwtPart(token, 0)).toMatchObject({ alg: algorithm, kid: key.kid })
        expect(await verified(app, token)).toBe(true)
      }
      expect(await isActive(service, tokens.access_token)).toBe(true)
      const { body: metadata } = await service.api('GET', `${app.idp}/.well-known/openid-configuration`)
      expect(metadata.id_token_signing_alg_values_supported).toEqual([algorithm])
      const ofTeam = withIssuerPath(service, app.teamId, app)
      const { id_token: other } = await tokensFor(service, ofTeam, user)
      expect(jwtPart(other, 0).alg).toBe('RS256')
      expect((await jwks(ofTeam)).map(({ kid }) => kid)).not.toContain(key.kid)
    },
  )

  it('signs no more tokens after it is retired, and verifies until the last of them has expired', async () => {
    await fresh()
    const old = await config('POST', 'signing-keys/generate', { algorithm: 'ES256', isDefault: true })
    const before = await tokensFor(service, app, user, OFFLINE)
    const next = await config('POST', 'signing-keys/generate', { algorithm: 'PS256', isDefault: true })
    await config('DELETE', `signing-keys/${old.id}`)
    const after = await refresh(service, app, before.refresh_token)
    expect(jwtPart(after.body.access_token, 0).kid).toBe(next.kid)
    expect(await isActive(service, before.access_token)).toBe(true)
    expect(await verified(app, before.id_token)).toBe(true)
    await service.clock.advance(3_700_000)
    expect((await jwks(app)).map(({ kid }) => kid)).not.toContain(old.kid)
  })

  it('invalidates its tokens when it is deleted', async () => {
    await fresh()
    const key = await config('POST', 'signing-keys/generate', { algorithm: 'ES256', isDefault: true })
    const { access_token: token } = await tokensFor(service, app, user, OFFLINE)
    await config('DELETE', `signing-keys/${key.id}?immediately=true`)
    expect(await isActive(service, token)).toBe(false)
    expectOAuthError(await userinfo(service, app, token), 'invalid_token', 401)
    expect(jwtPart((await tokensFor(service, app, user)).access_token, 0).alg).toBe('RS256')
  })

  it('signs only access tokens with a key for access tokens', async () => {
    await fresh()
    const key = await config('POST', 'signing-keys/generate', { algorithm: 'ES256', useForAccessTokens: true })
    const tokens = await tokensFor(service, app, user, OFFLINE)
    expect(jwtPart(tokens.access_token, 0).kid).toBe(key.kid)
    expect(jwtPart(tokens.id_token, 0).alg).toBe('RS256')
  })
})
