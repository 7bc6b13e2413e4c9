import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Authorized,
  authorize,
  codeFor,
  exchangeCode,
  expectOAuthError,
  jwtPart,
  locationOf,
  pkce,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const OFFLINE = { scope: 'openid offline_access' }
const OTHER_URI = 'https://rp.example/other'
const WITHOUT_PKCE = { code_challenge: undefined, code_challenge_method: undefined }

let service: TestService
let user: TestUser
let app: TestApp
let publicApp: TestApp
/** Other applications, of the same team and of another team. */
let sibling: TestApp
let foreign: TestApp
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  const uris = { redirectUris: ['https://rp.example/callback', OTHER_URI] }
  app = await registerApp(service, user, uris)
  publicApp = await registerApp(service, user, { ...uris, isPublicClient: true })
  sibling = await registerApp(service, user, uris)
  foreign = await registerApp(service, await registerUser(service), uris)
})
afterAll(() => service.close())

type Fields = Record<string, string | undefined>
/** Redeems a code as `client`; `change` replaces fields of the valid request. */
const redeem = (client: TestApp, { code, verifier }: Authorized, change: Fields = {}, options = {}) =>
  requestTokens(
    service,
    client,
    { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri, ...change },
    options,
  )

describe('authorization codes', () => {
  type InvalidRequest = [deviation: string, error: string, fields: Fields, params?: Fields]
  const INVALID: InvalidRequest[] = [
    ['another registered redirect URI', 'invalid_grant', { redirect_uri: OTHER_URI }],
    ['an additional slash in its redirect URI', 'invalid_grant', { redirect_uri: 'https://rp.example/callback/' }],
    ['an uppercase host in its redirect URI', 'invalid_grant', { redirect_uri: 'https://RP.example/callback' }],
    ['no redirect URI', 'invalid_request', { redirect_uri: undefined }],
    ['an empty redirect URI', 'invalid_request', { redirect_uri: '' }],
    ['another verifier', 'invalid_grant', { code_verifier: pkce().verifier }],
    ['no verifier', 'invalid_grant', { code_verifier: undefined }],
    ['an empty verifier', 'invalid_grant', { code_verifier: '' }],
    ['a short verifier', 'invalid_request', { code_verifier: 'short' }],
    ['a verifier although no challenge was sent', 'invalid_grant', {}, WITHOUT_PKCE],
    ['the grant type refresh_token', 'invalid_request', { grant_type: 'refresh_token' }],
    ['a value that was never issued', 'invalid_grant', { code: 'x'.repeat(43) }],
  ]
  it.each(INVALID)(
    'rejects a code with %s, and its client can still redeem it',
    async (_, error, fields, params = {}) => {
      // A public client cannot obtain a code without PKCE.
      for (const client of params === WITHOUT_PKCE ? [app] : [app, publicApp]) {
        const issued = await codeFor(service, client, user, params)
        for (let time = 0; time < 2; time++) {
          const response = await redeem(client, issued, fields)
          expectOAuthError(response, error)
          expect(response.body).not.toHaveProperty('access_token')
        }
        const valid = await redeem(client, issued, params === WITHOUT_PKCE ? { code_verifier: undefined } : {})
        expect(valid.status, JSON.stringify(valid.body)).toBe(200)
      }
    },
  )

  it('rejects a code of another client, and its own client can still redeem it', async () => {
    const issued = await codeFor(service, app, user)
    for (const global of [true, false])
      for (const other of [sibling, foreign, publicApp]) {
        expectOAuthError(await redeem(other, issued, {}, { global }), 'invalid_grant')
      }
    // The credentials of another client with the client_id of the code's client.
    const mismatched = await redeem(sibling, issued, { client_id: app.clientId }, { global: true })
    expect([mismatched.status, mismatched.body.access_token]).toEqual([400, undefined])
    expectOAuthError(await redeem(app, issued, {}, { global: true, auth: 'none' }), 'invalid_client', 401)
    expectOAuthError(await redeem(app, issued, {}, { global: true, secret: sibling.secret }), 'invalid_client', 401)
    expect((await redeem(app, issued)).status).toBe(200)
  })

  it('rejects a code at every issuer URL other than the one that issued it', async () => {
    const issuers = [app.teamId, app.id, `${app.teamId}/${app.id}`]
    for (const path of issuers) {
      const issuedAt = withIssuerPath(service, path, app)
      const issued = await codeFor(service, issuedAt, user)
      for (const elsewhere of issuers.filter((other) => other !== path))
        expectOAuthError(await redeem(withIssuerPath(service, elsewhere, app), issued), 'invalid_grant')
      for (const elsewhere of [sibling.id, `${app.teamId}/${sibling.id}`, foreign.id, foreign.teamId])
        expectOAuthError(await redeem(withIssuerPath(service, elsewhere, app), issued), 'invalid_client', 401)
      expect((await redeem(issuedAt, issued)).status).toBe(200)
    }
  })

  it('requires redirect_uri, except from a confidential client at the shared token endpoint', async () => {
    const issued = await codeFor(service, app, user)
    expectOAuthError(await redeem(app, issued, { redirect_uri: undefined }), 'invalid_request')
    expectOAuthError(await redeem(app, issued, { redirect_uri: OTHER_URI }, { global: true }), 'invalid_grant')
    expect((await redeem(app, issued, { redirect_uri: undefined }, { global: true })).status).toBe(200)
    const publicCode = await codeFor(service, publicApp, user)
    expectOAuthError(
      await redeem(publicApp, publicCode, { redirect_uri: undefined }, { global: true }),
      'invalid_request',
    )
    expect((await redeem(publicApp, publicCode, {}, { global: true })).status).toBe(200)
  })
})

describe('PKCE in authorization requests', () => {
  const { challenge } = pkce()
  const REJECTED: [request: string, client: () => TestApp, params: Fields][] = [
    ['a public client without PKCE', () => publicApp, WITHOUT_PKCE],
    ['a public client with an empty challenge', () => publicApp, { code_challenge: '', code_challenge_method: 'S256' }],
    ['the method plain', () => app, { code_challenge: challenge, code_challenge_method: 'plain' }],
    ['a challenge without a method', () => app, { code_challenge: challenge }],
    ['a public client with a challenge without a method', () => publicApp, { code_challenge: challenge }],
    ['a method without a challenge', () => app, { code_challenge_method: 'S256' }],
    ['an unknown method', () => app, { code_challenge: challenge, code_challenge_method: 's256' }],
    ['a malformed challenge', () => app, { code_challenge: '***', code_challenge_method: 'S256' }],
    ['a short challenge', () => app, { code_challenge: 'short', code_challenge_method: 'S256' }],
  ]
  it.each(REJECTED)('returns invalid_request without a code for %s', async (_, client, params) => {
    const callback = locationOf(await authorize(service, client(), params))
    expect(callback.origin + callback.pathname).toBe(client().redirectUri)
    expect(callback.searchParams.get('error'), callback.href).toBe('invalid_request')
    expect(callback.searchParams.get('state')).toBe('the-state')
    expect(callback.searchParams.has('code')).toBe(false)
  })
})

describe('refresh tokens', () => {
  it('rejects a refresh token of another client or issuer, and its own client can still use it', async () => {
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    for (const global of [true, false])
      for (const other of [sibling, foreign, publicApp])
        expectOAuthError(await refresh(service, other, token, { global }), 'invalid_grant')
    for (const path of [app.teamId, app.id])
      expectOAuthError(await refresh(service, withIssuerPath(service, path, app), token), 'invalid_grant')
    expectOAuthError(await refresh(service, app, token, { auth: 'none' }), 'invalid_client', 401)
    expectOAuthError(await refresh(service, app, token, { secret: sibling.secret }), 'invalid_client', 401)
    await service.clock.advance(31_000)
    expect((await refresh(service, app, token)).status).toBe(200)
  })

  it('rejects a used refresh token of another client without revoking its grant', async () => {
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    const { body } = await refresh(service, app, token)
    await service.clock.advance(31_000)
    for (const other of [sibling, foreign, publicApp])
      expectOAuthError(await refresh(service, other, token, { global: true }), 'invalid_grant')
    expectOAuthError(await refresh(service, app, token, { secret: 'wrong' }), 'invalid_client', 401)
    expect((await refresh(service, app, body.refresh_token)).status).toBe(200)
  })

  it('accepts a refresh token at the shared token endpoint and keeps the issuer of its grant', async () => {
    const teamIssuer = withIssuerPath(service, app.teamId, app)
    const issued = await codeFor(service, teamIssuer, user, OFFLINE)
    const { body } = await exchangeCode(service, teamIssuer, issued, { global: true })
    const refreshed = await refresh(service, teamIssuer, body.refresh_token, { global: true })
    expect([refreshed.status, jwtPart(refreshed.body.id_token).iss]).toEqual([200, teamIssuer.issuer])
  })
})
