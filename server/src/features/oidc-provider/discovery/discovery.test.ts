import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  isActive,
  jwtPart,
  locationOf,
  refresh,
  registerApp,
  type TestApp,
  tokensFor,
  userinfo,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { atOnce, joinTeam, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { sendRaw } from '../../../../test/harness/raw-http.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const WELL_KNOWN = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

let service: TestService
let user: TestUser
let app: TestApp
let publicApp: TestApp
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user)
  publicApp = await registerApp(service, user, {
    isPublicClient: true,
    redirectUris: ['https://rp.example/callback', 'http://localhost:8080/cb', 'com.example.app:/callback'],
  })
})
afterAll(() => service.close())

const issuerPaths = () => [app.teamId, app.id, `${app.teamId}/${app.id}`]
const get = (path: string, headers: Record<string, string> = {}) => service.api('GET', path, { headers })

describe('the metadata of an issuer', () => {
  it('names the issuer byte for byte as requested, and working endpoints', async () => {
    for (const path of issuerPaths())
      for (const document of WELL_KNOWN) {
        const { idp, issuer } = withIssuerPath(service, path, app)
        const { status, body, headers } = await get(`${idp}${document}`)
        expect(status).toBe(200)
        expect(`${body.issuer}${document}`).toBe(`${service.baseUrl}${idp}${document}`)
        expect(body.issuer).toBe(issuer)
        expect(headers.get('content-type')).toMatch(/^application\/json/)
        for (const [name, address] of Object.entries(body))
          if (/_endpoint$|_uri$/.test(name)) {
            const url = new URL(address as string)
            expect(url.origin).toBe(service.baseUrl)
            const answer = await fetch(`${service.urls[0]}${url.pathname}`, { method: 'GET', redirect: 'manual' })
            expect(answer.status, name).toBeLessThan(500)
          }
      }
  })

  it('matches at both URLs of a team', async () => {
    const { idp } = withIssuerPath(service, app.teamId, app)
    const first = await get(`${idp}${WELL_KNOWN[0]}`)
    const second = await get(`/api/v1${WELL_KNOWN[0]}/${app.teamId}`)
    expect(second.body).toEqual(first.body)
    expect((await get(`/api/v1${WELL_KNOWN[0]}/${app.id}`)).status).toBe(404)
  })

  it('exists at the root too, with the issuer path after the well-known part', async () => {
    for (const path of issuerPaths()) {
      const { idp } = withIssuerPath(service, path, app)
      const { status, body, headers } = await get(`${WELL_KNOWN[1]}${idp}`, { origin: 'https://rp.example' })
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
      expect(body).toEqual((await get(`${idp}${WELL_KNOWN[1]}`)).body)
    }
    const { idp } = withIssuerPath(service, `${app.id}/${app.teamId}`, app)
    for (const path of [idp, `${app.idp.toUpperCase()}`, `${app.idp}/x`, '/api/v1/sso/oidc-idp/unknown'])
      expect((await get(`${WELL_KNOWN[1]}${path}`)).status, path).toBe(404)
  })

  it('names the registration endpoint for a team, and none for an application', async () => {
    for (const path of issuerPaths()) {
      const { idp, issuer } = withIssuerPath(service, path, app)
      const { body } = await get(`${idp}${WELL_KNOWN[0]}`)
      expect(body.registration_endpoint).toBe(path === app.teamId ? `${issuer}/register` : undefined)
    }
  })

  it('returns 404 under another spelling of an ID', async () => {
    const spellings = issuerPaths().flatMap((path) => [
      path.toUpperCase(),
      path.replaceAll('-', ''),
      `{${path}}`,
      `%20${path}`,
    ])
    for (const path of spellings)
      for (const rest of [...WELL_KNOWN, '/jwks', '/authorize']) {
        const { status, body } = await get(`/api/v1/sso/oidc-idp/${path}${rest}`)
        expect([status, body.error], path + rest).toEqual([404, 'issuer_not_found'])
      }
  })

  it('ignores the Host header in metadata, tokens and redirects', async () => {
    const forged: Record<string, string>[] = [
      { Host: 'evil.example' },
      { Host: 'localhost', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
      { Host: 'localhost', Forwarded: 'host=evil.example;proto=https' },
      { Host: 'evil.example:443', 'X-Original-URL': '/x', 'X-Rewrite-URL': '/x', 'X-Forwarded-Prefix': '/evil' },
    ]
    const authorizeQuery = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: app.redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 's',
    })
    const plain = await get(`${app.idp}${WELL_KNOWN[0]}`)
    for (const headers of forged) {
      const raw = (line: string) => sendRaw(service.urls[0] as string, line, headers)
      expect(JSON.parse((await raw(`GET ${app.idp}${WELL_KNOWN[0]}`)).text)).toEqual(plain.body)
      const ways = [
        `GET ${app.idp}/authorize?${authorizeQuery}`,
        `GET ${app.idp}/authorize?${authorizeQuery}&prompt=none`,
        `GET ${app.idp}/end-session`,
      ]
      for (const way of ways) {
        const { status, headers: got, text } = await raw(way)
        expect(status, text).toBe(302)
        expect(`${got.location}`).not.toContain('evil')
      }
    }
    const given = await codeFor(service, app, user)
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const { body } = await exchangeCode(service, app, given, { headers })
    for (const token of [body.access_token, body.id_token]) expect(jwtPart(token).iss).toBe(app.issuer)
  })

  it('names the issuer in every authorization response, successful or not', async () => {
    for (const path of issuerPaths()) {
      const at = withIssuerPath(service, path, app)
      expect((await codeFor(service, at, user)).callback.searchParams.get('iss')).toBe(at.issuer)
      const rejected = locationOf(await authorize(service, at, { prompt: 'none' }))
      expect(rejected.searchParams.get('iss')).toBe(at.issuer)
    }
  })
})

describe('the keys of an issuer', () => {
  it('contains no private member of a key', async () => {
    for (const path of issuerPaths()) {
      const { body } = await get(`${withIssuerPath(service, path, app).idp}/jwks`)
      expect(body.keys.length).toBeGreaterThan(0)
      for (const key of body.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    }
  })

  it('creates the keys once across twenty concurrent first requests', async () => {
    for (const rest of ['/jwks', WELL_KNOWN[0]]) {
      const owner = await registerUser(service)
      const answers = await atOnce(20, () => get(`/api/v1/sso/oidc-idp/${owner.teamId}${rest}`))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      const jwks = await atOnce(4, () => get(`/api/v1/sso/oidc-idp/${owner.teamId}/jwks`))
      expect(new Set(jwks.map(({ text }) => text)).size).toBe(1)
      expect(jwks[0]?.body.keys).toHaveLength(1)
    }
  })

  it('differs in its keys from those of other teams', async () => {
    const other = await registerUser(service)
    const theirs = await registerApp(service, other)
    const [own, foreign] = [await get(`${app.idp}/jwks`), await get(`${theirs.idp}/jwks`)]
    expect(own.body.keys[0].kid).not.toBe(foreign.body.keys[0].kid)
    expect(own.body.keys[0].n).not.toBe(foreign.body.keys[0].n)
  })
})

describe('CORS', () => {
  const EVIL = 'https://evil.example'
  const origins = [EVIL, 'null', 'https://rp.example', 'https://rp.example.evil.example', 'http://rp.example']

  it('allows all origins for discovery, keys, userinfo and revocation, without credentials', async () => {
    const tokens = await tokensFor(service, app, user)
    for (const origin of origins) {
      const answers = [
        ...(await Promise.all([...WELL_KNOWN, '/jwks'].map((rest) => get(app.idp + rest, { origin })))),
        await get(`/api/v1${WELL_KNOWN[0]}/${app.teamId}`, { origin }),
        await service.api('GET', `${app.idp}/userinfo`, { token: tokens.access_token, headers: { origin } }),
        await service.api('GET', `${app.idp}/userinfo`, { token: 'x', headers: { origin } }),
        await service.api('POST', '/api/v1/oauth/revoke', { body: { token: 'x' }, headers: { origin } }),
      ]
      for (const { headers } of answers) {
        expect(headers.get('access-control-allow-origin')).toBe('*')
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    }
  })

  it('allows no origin elsewhere, including introspection and pending requests', async () => {
    const begun = await authorize(service, app)
    const uid = locationOf(begun).searchParams.get('uid')
    for (const origin of origins) {
      const answers = [
        await service.api('POST', '/api/v1/oauth/introspect', { body: { token: 'x' }, headers: { origin } }),
        await service.api('GET', `${app.idp}/interaction/${uid}`, { token: user.token, headers: { origin } }),
        await service.api('GET', `${app.idp}/authorize`, { headers: { origin } }),
        await service.api('GET', `${app.idp}/end-session`, { headers: { origin } }),
        await service.api('GET', `${app.idp}/anything`, { headers: { origin } }),
        await exchangeCode(service, app, await codeFor(service, app, user), { headers: { origin } }),
        await exchangeCode(service, app, { code: 'x', verifier: 'v'.repeat(43) }, { headers: { origin } }),
      ]
      for (const { headers } of answers)
        for (const name of ['origin', 'credentials']) expect(headers.get(`access-control-allow-${name}`)).toBeNull()
    }
  })

  it('allows the token endpoint only for the origins of a public client', async () => {
    const ask = async (origin: string, global = false) => {
      const given = await codeFor(service, publicApp, user)
      const { status, headers } = await exchangeCode(service, publicApp, given, { headers: { origin }, global })
      expect(status).toBe(200)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      return headers.get('access-control-allow-origin')
    }
    for (const global of [true, false]) {
      for (const origin of ['https://rp.example', 'http://localhost:8080'])
        expect(await ask(origin, global)).toBe(origin)
      const others = [
        EVIL,
        'null',
        'https://rp.example:8443',
        'http://rp.example',
        'http://localhost',
        'com.example.app:',
      ]
      for (const origin of others) expect(await ask(origin, global), origin).toBeNull()
    }
  })

  it('returns the allowed headers for a preflight request, without credentials', async () => {
    for (const path of [
      `${app.idp}/token`,
      `${app.idp}/userinfo`,
      `${app.idp}/jwks`,
      '/api/v1/oauth/token',
      '/api/v1/oauth/revoke',
    ]) {
      const { status, headers } = await fetch(`${service.urls[0]}${path}`, {
        method: 'OPTIONS',
        headers: { origin: EVIL, 'access-control-request-method': 'POST' },
      })
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
    for (const path of ['/api/v1/oauth/introspect', `${app.idp}/interaction/x/confirm`, `${app.idp}/authorize`]) {
      const { headers } = await fetch(`${service.urls[0]}${path}`, {
        method: 'OPTIONS',
        headers: { origin: EVIL, 'access-control-request-method': 'POST' },
      })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('a new ENCRYPTION_KEY', () => {
  it('keeps every token valid and every refresh token usable, during the rotation and after it', async () => {
    const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const own = await startService({ env: { ENCRYPTION_KEY: old }, nodes: 1 })
    try {
      const owner = await registerUser(own)
      const member = await registerUser(own)
      await joinTeam(own, member, owner.teamId)
      const client = await registerApp(own, owner)
      const tokens = await tokensFor(own, client, member, { scope: 'openid offline_access' })
      const { body: keys } = await own.api('GET', `${client.idp}/jwks`)
      let refreshToken = tokens.refresh_token as string
      for (const ENCRYPTION_KEY of [`${next},${old}`, next]) {
        await own.restart({ ENCRYPTION_KEY })
        expect(await isActive(own, tokens.access_token)).toBe(true)
        expect((await userinfo(own, client, tokens.access_token)).status).toBe(200)
        expect((await own.api('GET', `${client.idp}/jwks`)).body).toEqual(keys)
        expect((await exchangeCode(own, client, await codeFor(own, client, member))).status).toBe(200)
        const refreshed = await refresh(own, client, refreshToken)
        expect(refreshed.status).toBe(200)
        refreshToken = refreshed.body.refresh_token
      }
    } finally {
      await own.close()
    }
  })
})
