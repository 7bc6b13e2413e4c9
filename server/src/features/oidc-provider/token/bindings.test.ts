import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Authorized,
  authorize,
  codeFor,
  exchangeCode,
  expectOAuthError,
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
const redeem = (at: TestApp, { code, verifier }: Authorized, change: Fields = {}, options = {}) =>
  requestTokens(
    service,
    at,
    { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: at.redirectUri, ...change },
    options,
  )

describe('an authorization code', () => {
  type Wrong = [what: string, error: string, fields: Fields, params?: Fields]
  const WRONG: Wrong[] = [
    ['another registered redirect URI', 'invalid_grant', { redirect_uri: OTHER_URI }],
    ['an additional slash', 'invalid_grant', { redirect_uri: 'https://rp.example/callback/' }],
    ['its redirect URI in capitals', 'invalid_grant', { redirect_uri: 'https://RP.example/callback' }],
    ['no redirect URI', 'invalid_request', { redirect_uri: undefined }],
    ['an empty redirect URI', 'invalid_request', { redirect_uri: '' }],
    ['another verifier', 'invalid_grant', { code_verifier: pkce().verifier }],
    ['no verifier', 'invalid_grant', { code_verifier: undefined }],
    ['an empty verifier', 'invalid_grant', { code_verifier: '' }],
    ['a short verifier', 'invalid_grant', { code_verifier: 'short' }],
    ['a verifier although no challenge was sent', 'invalid_grant', {}, WITHOUT_PKCE],
    ['the grant type refresh_token', 'invalid_request', { grant_type: 'refresh_token' }],
    ['another code', 'invalid_grant', { code: 'x'.repeat(43) }],
  ]
  it.each(WRONG)('rejects a code with %s, and its owner can still redeem it', async (_, error, fields, params = {}) => {
    for (const at of params.code_challenge_method === undefined && 'code_challenge' in params
      ? [app]
      : [app, publicApp]) {
      const given = await codeFor(service, at, user, params)
      for (let time = 0; time < 2; time++) {
        const { status, body } = await redeem(at, given, fields)
        expect([status, [error, 'invalid_grant', 'invalid_request'].includes(body.error)]).toEqual([400, true])
        expect(body).not.toHaveProperty('access_token')
      }
      const right = await redeem(at, given, 'code_challenge' in params ? { code_verifier: undefined } : {})
      expect(right.status, JSON.stringify(right.body)).toBe(200)
    }
  })

  it('rejects a code of another client, and its owner can still redeem it', async () => {
    const given = await codeFor(service, app, user)
    for (const global of [true, false])
      for (const other of [sibling, foreign, publicApp]) {
        const answer = await redeem(other, given, {}, { global })
        expectOAuthError(answer, 'invalid_grant')
      }
    // Credentials of another client with the client_id, and under the issuer, of the owner.
    const named = { client_id: app.clientId }
    const mixed = await redeem(sibling, given, named, { global: true })
    expect([mixed.status, mixed.body.access_token]).toEqual([400, undefined])
    expectOAuthError(await redeem(app, given, {}, { global: true, auth: 'none' }), 'invalid_client', 401)
    expectOAuthError(await redeem(app, given, {}, { global: true, secret: sibling.secret }), 'invalid_client', 401)
    expect((await redeem(app, given)).status).toBe(200)
  })

  it('rejects a code under another form of its issuer and under every other issuer', async () => {
    const forms = [app.teamId, app.id, `${app.teamId}/${app.id}`]
    for (const path of forms) {
      const asked = withIssuerPath(service, path, app)
      const given = await codeFor(service, asked, user)
      for (const elsewhere of forms.filter((form) => form !== path))
        expectOAuthError(await redeem(withIssuerPath(service, elsewhere, app), given), 'invalid_grant')
      for (const elsewhere of [sibling.id, `${app.teamId}/${sibling.id}`, foreign.id, foreign.teamId])
        expectOAuthError(await redeem(withIssuerPath(service, elsewhere, app), given), 'invalid_client', 401)
      expect((await redeem(asked, given)).status).toBe(200)
    }
  })

  it('requires its redirect URI from a confidential client only at an issuer, and a matching one everywhere', async () => {
    const given = await codeFor(service, app, user)
    expectOAuthError(await redeem(app, given, { redirect_uri: undefined }), 'invalid_request')
    expectOAuthError(await redeem(app, given, { redirect_uri: OTHER_URI }, { global: true }), 'invalid_grant')
    expect((await redeem(app, given, { redirect_uri: undefined }, { global: true })).status).toBe(200)
    const open = await codeFor(service, publicApp, user)
    expectOAuthError(await redeem(publicApp, open, { redirect_uri: undefined }, { global: true }), 'invalid_request')
    expect((await redeem(publicApp, open, {}, { global: true })).status).toBe(200)
  })
})

describe('an authorization request', () => {
  const { challenge } = pkce()
  const REJECTED: [what: string, client: () => TestApp, params: Fields][] = [
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
    const back = locationOf(await authorize(service, client(), params))
    expect(back.origin + back.pathname).toBe(client().redirectUri)
    expect(back.searchParams.get('error'), back.href).toBe('invalid_request')
    expect(back.searchParams.get('state')).toBe('the-state')
    expect(back.searchParams.has('code')).toBe(false)
  })
})

describe('a refresh token', () => {
  it('rejects a refresh token of another client or issuer, and its owner can still use it', async () => {
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

  it('rejects a used refresh token of another client as unknown, without effect for its owner', async () => {
    const { refresh_token: token } = await tokensFor(service, app, user, OFFLINE)
    const { body } = await refresh(service, app, token)
    await service.clock.advance(31_000)
    for (const other of [sibling, foreign, publicApp])
      expectOAuthError(await refresh(service, other, token, { global: true }), 'invalid_grant')
    expectOAuthError(await refresh(service, app, token, { secret: 'wrong' }), 'invalid_client', 401)
    expect((await refresh(service, app, body.refresh_token)).status).toBe(200)
  })

  it('accepts a refresh token at the endpoint of all issuers, and names its own issuer', async () => {
    const asked = withIssuerPath(service, app.teamId, app)
    const given = await codeFor(service, asked, user, OFFLINE)
    const { body } = await exchangeCode(service, asked, given, { global: true })
    const again = await refresh(service, asked, body.refresh_token, { global: true })
    expect([
      again.status,
      JSON.parse(Buffer.from(again.body.id_token.split('.')[1], 'base64url').toString()).iss,
    ]).toEqual([200, asked.issuer])
  })
})
