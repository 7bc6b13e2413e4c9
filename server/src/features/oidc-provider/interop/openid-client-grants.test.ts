import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answerDevice,
  jwtPart,
  registerApp,
  type TestApp,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { type Browser, openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { begin, discover, requestCode, SCOPE, send } from '../../../../test/peers/openid-client.js'

/** The other grants and extensions of openid-client, besides the sign-in (`openid-client.test.ts`). */
const API = 'https://api.example/v1'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

let service: TestService
let user: TestUser
let browser: Browser
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  browser = openBrowser(service, user)
})
afterAll(() => service.close())

const register = (fields: Record<string, unknown> = {}) => registerApp(service, user, fields)
const configure = (app: TestApp) => discover(service, app, client.ClientSecretBasic(app.secret))

describe('a client with a key (private_key_jwt)', () => {
  async function keyed(fields: object = {}) {
    const { privateKey, publicKey } = await client.randomDPoPKeyPair('ES256', { extractable: true })
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'one', alg: 'ES256' }
    const app = await register({
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [jwk] },
      ...fields,
    })
    return { app, auth: client.PrivateKeyJwt({ key: privateKey, kid: 'one' }) }
  }

  it('signs its user in at each issuer URL, refreshes, and revokes its tokens', async () => {
    const { app: registered, auth } = await keyed()
    for (const path of [registered.teamId, registered.id, `${registered.teamId}/${registered.id}`]) {
      const app = withIssuerPath(service, path, registered)
      const config = await discover(service, app, auth)
      const { callback, checks } = await begin(config, app, browser)
      const tokens = await client.authorizationCodeGrant(config, callback, checks)
      expect(tokens.claims()).toMatchObject({ iss: app.issuer, sub: user.id, aud: app.clientId })
      const next = await client.refreshTokenGrant(config, tokens.refresh_token as string)
      expect(await client.tokenIntrospection(config, next.access_token)).toMatchObject({ active: true, sub: user.id })
      await client.tokenRevocation(config, next.refresh_token as string)
      expect(await client.tokenIntrospection(config, next.access_token)).toEqual({ active: false })
    }
  })

  it('receives a token for itself, but not with the key of another client', async () => {
    const machine = { grantTypes: ['client_credentials'], responseTypes: [], redirectUris: [] }
    const { app, auth } = await keyed(machine)
    const tokens = await client.clientCredentialsGrant(await discover(service, app, auth))
    expect(jwtPart(tokens.access_token)).toMatchObject({ sub: app.clientId, client_id: app.clientId })
    const { auth: other } = await keyed(machine)
    const rejected = client.clientCredentialsGrant(await discover(service, app, other))
    await expect(rejected).rejects.toMatchObject({ error: 'invalid_client', status: 401 })
  })
})

it('grants an application its own scopes, and rejects others', async () => {
  const fields = { grantTypes: ['client_credentials'], responseTypes: [], redirectUris: [], scopes: ['reports:read'] }
  const config = await configure(await register(fields))
  const tokens = await client.clientCredentialsGrant(config, { scope: 'reports:read' })
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'reports:read' })
  expect(tokens.refresh_token).toBeUndefined()
  const rejected = client.clientCredentialsGrant(config, { scope: 'reports:write' })
  await expect(rejected).rejects.toMatchObject({ error: 'invalid_scope', status: 400 })
})

describe('a device', () => {
  const device = () => register({ grantTypes: [DEVICE_GRANT, 'refresh_token'], responseTypes: [], redirectUris: [] })

  it('polls until its user approves it, and receives tokens', async () => {
    const app = await device()
    const config = await configure(app)
    const codes = await client.initiateDeviceAuthorization(config, { scope: SCOPE })
    expect(codes).toMatchObject({ interval: 5, verification_uri: `${service.baseUrl}/device` })
    const usual = config[client.customFetch] as client.CustomFetch
    const answers: string[] = []
    config[client.customFetch] = async (url, options) => {
      const answer = await usual(url, options)
      const { error = 'none' } = (await answer.clone().json()) as { error?: string }
      answers.push(error)
      if (error === 'authorization_pending') {
        await answerDevice(service, codes.user_code, user)
        await service.clock.advance(5_000)
      }
      return answer
    }
    // The library waits for the interval itself. These tests advance the clock instead.
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0 })
    expect(answers).toEqual(['authorization_pending', 'none', 'none'])
    expect(tokens.claims()).toMatchObject({ sub: user.id, email: user.email, iss: app.issuer })
    expect((await client.fetchUserInfo(config, tokens.access_token, user.id)).email).toBe(user.email)
    expect((await client.refreshTokenGrant(config, tokens.refresh_token as string)).claims()?.sub).toBe(user.id)
  })

  it('receives access_denied after a denial', async () => {
    const config = await configure(await device())
    const codes = await client.initiateDeviceAuthorization(config, { scope: SCOPE })
    await answerDevice(service, codes.user_code, user, false)
    const polled = client.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0 })
    await expect(polled).rejects.toMatchObject({ error: 'access_denied', status: 400 })
  })
})

describe('a pushed authorization request', () => {
  it('results in tokens', async () => {
    const app = await register()
    const config = await configure(app)
    const { params, checks } = await requestCode(app)
    const url = await client.buildAuthorizationUrlWithPAR(config, params)
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const tokens = await client.authorizationCodeGrant(config, await send(browser, url), checks)
    expect(tokens.claims()).toMatchObject({ sub: user.id, nonce: checks.expectedNonce })
  })

  it('returns its error to the application', async () => {
    const app = await register()
    const { params } = await requestCode(app, { redirect_uri: 'https://elsewhere.example/' })
    const rejected = client.buildAuthorizationUrlWithPAR(await configure(app), params)
    await expect(rejected).rejects.toBeInstanceOf(client.ResponseBodyError)
  })
})

describe.each(['ES256', 'RS256'])('a client with a DPoP proof by %s', (algorithm) => {
  it.each([
    ['without a nonce', { requireDpop: true }, 0],
    ['with a nonce', { requireDpop: true, dpopNonceEnabled: true }, 1],
  ])('receives tokens that only its key can use, beginning with the pushed request: %s', async (_, fields, retried) => {
    const app = await register({
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      ...fields,
    })
    const config = await configure(app)
    const usual = config[client.customFetch] as client.CustomFetch
    let rejected = 0
    config[client.customFetch] = async (url, options) => {
      const answer = await usual(url, options)
      if (answer.status >= 400) rejected += 1
      return answer
    }
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair(algorithm))
    const { params, checks } = await requestCode(app)
    const url = await client.buildAuthorizationUrlWithPAR(config, params, { DPoP })
    const callback = await send(browser, url)
    const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP })
    expect(tokens).toMatchObject({ token_type: 'dpop', scope: SCOPE })
    expect((await client.fetchUserInfo(config, tokens.access_token, user.id, { DPoP })).email).toBe(user.email)
    const next = await client.refreshTokenGrant(config, tokens.refresh_token as string, undefined, { DPoP })
    expect((await client.clientCredentialsGrant(config, {}, { DPoP })).token_type).toBe('dpop')
    expect(jwtPart(next.access_token).cnf).toEqual({ jkt: await DPoP.calculateThumbprint() })
    // The library retries once when a nonce is required.
    expect(rejected).toBe(retried)

    const thief = { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair(algorithm)) }
    for (const by of [thief, undefined])
      await expect(client.fetchUserInfo(config, next.access_token, user.id, by)).rejects.toMatchObject({ status: 401 })
    const stolen = client.refreshTokenGrant(config, next.refresh_token as string, undefined, thief)
    await expect(stolen).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
  })
})

it('issues a token for a resource server with its audience, also after a refresh (RFC 8707)', async () => {
  const app = await register({ resources: [API] })
  const config = await configure(app)
  const { callback, checks } = await begin(config, app, browser, { resource: API })
  const tokens = await client.authorizationCodeGrant(config, callback, checks, { resource: API })
  const next = await client.refreshTokenGrant(config, tokens.refresh_token as string, { resource: API })
  for (const token of [tokens.access_token, next.access_token]) {
    expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: true, aud: API })
    await expect(client.fetchUserInfo(config, token, user.id)).rejects.toMatchObject({ status: 401 })
  }
  const other = client.refreshTokenGrant(config, next.refresh_token as string, { resource: 'https://other.example/' })
  await expect(other).rejects.toMatchObject({ error: 'invalid_target', status: 400 })
})

it("exchanges a user's token for one of the agent (RFC 8693), and revokes it", async () => {
  const app = await register()
  const from = await configure(app)
  const { callback, checks } = await begin(from, app, browser)
  const { access_token: subject } = await client.authorizationCodeGrant(from, callback, checks)
  const agent = await register({ isAiAgent: true, grantTypes: [EXCHANGE], responseTypes: [], redirectUris: [] })
  const config = await configure(agent)
  const params = { subject_token: subject, subject_token_type: ACCESS_TOKEN, scope: 'openid email' }
  const own = await client.genericGrantRequest(config, EXCHANGE, params)
  expect(own).toMatchObject({ token_type: 'bearer', issued_token_type: ACCESS_TOKEN, scope: 'openid email' })
  const known = await client.tokenIntrospection(config, own.access_token)
  expect(known).toMatchObject({ active: true, sub: user.id, client_id: agent.clientId, act: { sub: agent.clientId } })
  await client.tokenRevocation(config, own.access_token)
  expect(await client.tokenIntrospection(config, own.access_token)).toEqual({ active: false })
  expect((await client.tokenIntrospection(from, subject)).active).toBe(true)
  await client.tokenRevocation(from, subject)
  const late = client.genericGrantRequest(config, EXCHANGE, params)
  await expect(late).rejects.toMatchObject({ error: 'invalid_request', status: 400 })
})
