import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answerDevice,
  locationOf,
  registerApp,
  type TestApp,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { fetchPublished } from '../../../../test/factories/published-address.js'
import { type Browser, openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

/**
 * A third-party relying party at the lowest level: oauth4webapi builds each request, verifies each response and rejects every deviation
 * from the standard. Covers every grant and extension of the provider.
 */
const AFTER_LOGOUT = 'https://rp.example/signed-out'
const SCOPE = 'openid profile email offline_access'
const API = 'https://api.example/v1'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const MACHINE = { grantTypes: ['client_credentials'], responseTypes: [], redirectUris: [] }

let service: TestService
let user: TestUser
let browser: Browser
let http: { [oauth.customFetch]: ReturnType<typeof fetchPublished>; [oauth.allowInsecureRequests]: true }

beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  browser = openBrowser(service, user)
  http = { [oauth.customFetch]: fetchPublished(service), [oauth.allowInsecureRequests]: true }
})
afterAll(() => service.close())

/** The arguments of the library's calls for one client. */
interface Party {
  app: TestApp
  as: oauth.AuthorizationServer
  client: oauth.Client
  auth: oauth.ClientAuth
}

async function discover(issuer: string, algorithm: 'oidc' | 'oauth2' = 'oidc'): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { algorithm, ...http }))
}

const partyOf = async (app: TestApp, auth = oauth.ClientSecretBasic(app.secret as string)): Promise<Party> => ({
  app,
  as: await discover(app.issuer),
  client: { client_id: app.clientId },
  auth,
})
const newParty = async (fields: Record<string, unknown> = {}): Promise<Party> =>
  partyOf(await registerApp(service, user, fields))

/** Generates a key pair of the library, and the public key for registration. */
async function clientKey(algorithm: string) {
  const { privateKey, publicKey } = await oauth.generateKeyPair(algorithm, { extractable: true })
  const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'one', alg: algorithm }
  const fields = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } }
  return { fields, auth: oauth.PrivateKeyJwt({ key: privateKey, kid: 'one' }) }
}

type Params = Record<string, string>

interface Asked {
  params: Params
  state: string
  verifier: string
  nonce: string
}

/** The authorization request of a relying party, and the values that it verifies in the response. */
async function ask({ app }: Party, more: Params = {}): Promise<Asked> {
  const state = oauth.generateRandomState()
  const nonce = oauth.generateRandomNonce()
  const verifier = oauth.generateRandomCodeVerifier()
  const params = {
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: 'code',
    scope: SCOPE,
    state,
    nonce,
    max_age: '10000',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  }
  return { params, state, verifier, nonce }
}

/** Sends a browser with the request to the discovered endpoint. Returns the redirect to the relying party. */
async function send({ as }: Party, params: Params, from = browser): Promise<URL> {
  const answer = await from.visit(`${as.authorization_endpoint}?${new URLSearchParams(params)}`)
  return (await from.follow(answer)).callback
}

/** Exchanges the code of a response, and verifies the ID token with its signature. */
async function redeem(
  { as, client, auth, app }: Party,
  { state, verifier, nonce }: Asked,
  callback: URL,
  options: Pick<oauth.TokenEndpointRequestOptions, 'additionalParameters' | 'DPoP'> = {},
) {
  const params = oauth.validateAuthResponse(as, client, callback, state)
  const request = await oauth.authorizationCodeGrantRequest(as, client, auth, params, app.redirectUri, verifier, {
    ...http,
    ...options,
  })
  const checks = { expectedNonce: nonce, maxAge: 10_000, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, request, checks)
  await oauth.validateApplicationLevelSignature(as, request, http)
  return tokens
}

async function signIn(party: Party, more: Params = {}): Promise<oauth.TokenEndpointResponse> {
  const asked = await ask(party, more)
  return redeem(party, asked, await send(party, asked.params))
}

const refresh = async ({ as, client, auth }: Party, token = '', options: { DPoP?: oauth.DPoPHandle } = {}) =>
  oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, auth, token, { ...http, ...options }),
  )
const userinfo = async ({ as, client }: Party, token: string, options: { DPoP?: oauth.DPoPHandle } = {}) =>
  oauth.processUserInfoResponse(
    as,
    client,
    user.id,
    await oauth.userInfoRequest(as, client, token, { ...http, ...options }),
  )
const introspect = async ({ as, client, auth }: Party, token: string) =>
  oauth.processIntrospectionResponse(as, client, await oauth.introspectionRequest(as, client, auth, token, http))
const revoke = async ({ as, client, auth }: Party, token: string) =>
  oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, token, http))
const ownToken = async ({ as, client, auth }: Party, params: Params = {}, options: { DPoP?: oauth.DPoPHandle } = {}) =>
  oauth.processClientCredentialsResponse(
    as,
    client,
    await oauth.clientCredentialsGrantRequest(as, client, auth, params, { ...http, ...options }),
  )

/** Verifies an access token like a resource server (RFC 9068). */
const verify = ({ as }: Party, token: string, audience: string) =>
  oauth.validateJwtAccessToken(
    as,
    new Request(audience, { headers: { authorization: `Bearer ${token}` } }),
    audience,
    http,
  )

it.each(['oidc', 'oauth2'] as const)(
  'discovers each form of an issuer with the rules of %s, with the same metadata',
  async (algorithm) => {
    const app = await registerApp(service, user)
    for (const path of [app.teamId, app.id, `${app.teamId}/${app.id}`]) {
      const { issuer } = withIssuerPath(service, path, app)
      const found = await discover(issuer, algorithm)
      expect(found).toEqual(await discover(issuer))
      expect(found).toMatchObject({ issuer, code_challenge_methods_supported: ['S256'] })
    }
  },
)

const CLIENTS: [string, () => Promise<{ fields: Record<string, unknown>; auth?: oauth.ClientAuth; post?: true }>][] = [
  ['a secret with Basic', async () => ({ fields: {} })],
  ['a secret in the body', async () => ({ fields: { tokenEndpointAuthMethod: 'client_secret_post' }, post: true })],
  ['a key (private_key_jwt)', () => clientKey('ES256')],
  ['no secret (public)', async () => ({ fields: { isPublicClient: true }, auth: oauth.None() })],
]

describe.each(CLIENTS)('a relying party with %s', (_, make) => {
  async function parties(): Promise<Party[]> {
    const { fields, auth, post } = await make()
    const app = await registerApp(service, user, { postLogoutRedirectUris: [AFTER_LOGOUT], ...fields })
    const own = auth ?? (post ? oauth.ClientSecretPost : oauth.ClientSecretBasic)(app.secret as string)
    const issuerPaths = [app.teamId, app.id, `${app.teamId}/${app.id}`]
    return Promise.all(issuerPaths.map((path) => partyOf(withIssuerPath(service, path, app), own)))
  }

  it('signs its user in at each issuer URL, reads userinfo, refreshes and signs out', async () => {
    for (const party of await parties()) {
      const { app, as } = party
      const own = openBrowser(service, user)
      const asked = await ask(party)
      const tokens = await redeem(party, asked, await send(party, asked.params, own))
      const claims = oauth.getValidatedIdTokenClaims(tokens)
      expect(claims).toMatchObject({ iss: app.issuer, sub: user.id, aud: app.clientId, email: user.email })
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: SCOPE })
      expect(await userinfo(party, tokens.access_token)).toMatchObject({ sub: user.id, email: user.email })

      const next = await refresh(party, tokens.refresh_token)
      expect(next.access_token).not.toBe(tokens.access_token)
      expect(oauth.getValidatedIdTokenClaims(next)?.sub).toBe(user.id)
      expect((await userinfo(party, next.access_token)).sub).toBe(user.id)

      const { state } = asked
      const end = { id_token_hint: next.id_token ?? '', post_logout_redirect_uri: AFTER_LOGOUT, state }
      const left = await own.visit(`${as.end_session_endpoint}?${new URLSearchParams(end)}`)
      expect(locationOf(left).href).toBe(`${AFTER_LOGOUT}?state=${state}`)
      const silent = await send(party, { ...asked.params, prompt: 'none' }, own)
      expect(() => oauth.validateAuthResponse(as, party.client, silent, state)).toThrow(
        expect.objectContaining({ error: 'login_required' }),
      )
    }
  })

  it('introspects its valid tokens, and revokes them', async () => {
    for (const party of await parties()) {
      const tokens = await signIn(party)
      for (const token of [tokens.access_token, tokens.refresh_token as string]) {
        const known = await introspect(party, token)
        expect(known).toMatchObject({
          active: true,
          client_id: party.app.clientId,
          sub: user.id,
          iss: party.app.issuer,
        })
        await revoke(party, token)
        expect(await introspect(party, token)).toEqual({ active: false })
      }
      const rejected = { error: 'invalid_grant', status: 400 }
      await expect(refresh(party, tokens.refresh_token)).rejects.toMatchObject(rejected)
    }
  })
})

it('rejects a response without an issuer or with another one (RFC 9207)', async () => {
  const party = await newParty()
  const asked = await ask(party)
  const callback = await send(party, asked.params)
  const without = new URL(callback)
  without.searchParams.delete('iss')
  const foreign = new URL(callback)
  foreign.searchParams.set('iss', withIssuerPath(service, party.app.teamId, party.app).issuer)
  for (const wrong of [without, foreign]) await expect(redeem(party, asked, wrong)).rejects.toThrow(/"iss"/)
  await expect(redeem(party, { ...asked, state: 'another' }, callback)).rejects.toThrow(/"state"/)
  expect(oauth.getValidatedIdTokenClaims(await redeem(party, asked, callback))?.sub).toBe(user.id)
})

it('recognizes a missing session and a denied consent', async () => {
  const party = await newParty()
  const { params, state } = await ask(party, { prompt: 'none' })
  const silent = await send(party, params, openBrowser(service, user))
  const outcome = (callback: URL) => () => oauth.validateAuthResponse(party.as, party.client, callback, state)
  expect(outcome(silent)).toThrow(expect.objectContaining({ error: 'login_required' }))

  const asked = await ask(party)
  await browser.signIn()
  const page = locationOf(
    await browser.visit(`${party.as.authorization_endpoint}?${new URLSearchParams(asked.params)}`),
  )
  const path = `${party.app.idp}/interaction/${page.searchParams.get('uid')}/confirm`
  const { body } = await browser.call('POST', path, { consent: false })
  const callback = new URL(body.redirectTo)
  const rejected = expect.objectContaining({ error: 'access_denied' })
  expect(() => oauth.validateAuthResponse(party.as, party.client, callback, asked.state)).toThrow(rejected)
})

it('receives invalid_client after failed authentication', async () => {
  const party = await newParty()
  const wrong = [oauth.ClientSecretBasic('wrong'), oauth.ClientSecretPost('wrong'), oauth.None()]
  for (const auth of [...wrong, (await clientKey('ES256')).auth]) {
    const rejected = await signIn({ ...party, auth }).catch((error) => error)
    // The library distinguishes a challenge from other errors.
    const error = rejected.error ?? rejected.cause[0].parameters.error
    expect([rejected.status, error]).toEqual([401, 'invalid_client'])
  }
})

describe('the client_credentials grant', () => {
  it('issues a token that a resource server accepts', async () => {
    const party = await newParty({ ...MACHINE, scopes: ['reports:read', 'reports:write'] })
    const token = await ownToken(party, { scope: 'reports:read' })
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'reports:read' })
    const claims = await verify(party, token.access_token, party.app.issuer)
    const { clientId } = party.app
    expect(claims).toMatchObject({ client_id: clientId, sub: clientId, scope: 'reports:read' })
    await expect(ownToken(party, { scope: 'admin' })).rejects.toMatchObject({ error: 'invalid_scope', status: 400 })
  })

  it.each(['RS256', 'PS256', 'ES256', 'Ed25519'])(
    'authenticates with a key of %s at every issuer',
    async (algorithm) => {
      const { fields, auth } = await clientKey(algorithm)
      const app = await registerApp(service, user, { ...MACHINE, ...fields })
      for (const path of [app.teamId, app.id, `${app.teamId}/${app.id}`])
        expect((await ownToken(await partyOf(withIssuerPath(service, path, app), auth))).access_token).toEqual(
          expect.any(String),
        )
      const { auth: other } = await clientKey(algorithm)
      await expect(ownToken(await partyOf(app, other))).rejects.toMatchObject({ error: 'invalid_client', status: 401 })
    },
  )
})

describe('a device', () => {
  const begin = async ({ as, client, auth }: Party) =>
    oauth.processDeviceAuthorizationResponse(
      as,
      client,
      await oauth.deviceAuthorizationRequest(as, client, auth, { scope: SCOPE }, http),
    )
  const poll = async ({ as, client, auth }: Party, code: string) =>
    oauth.processDeviceCodeResponse(as, client, await oauth.deviceCodeGrantRequest(as, client, auth, code, http))
  const device = async (fields: Record<string, unknown>, auth?: oauth.ClientAuth) => {
    const grants = { grantTypes: [DEVICE_GRANT, 'refresh_token'], responseTypes: [], redirectUris: [] }
    return partyOf(await registerApp(service, user, { ...grants, ...fields }), auth)
  }

  it.each([
    ['a confidential client', () => device({})],
    ['a public client', () => device({ isPublicClient: true }, oauth.None())],
  ])('sends tokens of the approving user to a device that polls as %s', async (_, make) => {
    const party = await make()
    const codes = await begin(party)
    await expect(poll(party, codes.device_code)).rejects.toMatchObject({ error: 'authorization_pending' })
    await expect(poll(party, codes.device_code)).rejects.toMatchObject({ error: 'slow_down' })
    await answerDevice(service, codes.user_code, user)
    await service.clock.advance(10_000)
    const tokens = await poll(party, codes.device_code)
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: user.id, email: user.email })
    expect((await userinfo(party, tokens.access_token)).sub).toBe(user.id)
    expect((await refresh(party, tokens.refresh_token)).scope).toBe(SCOPE)
  })

  it('receives access_denied after a denial', async () => {
    const party = await device({})
    const codes = await begin(party)
    await answerDevice(service, codes.user_code, user, false)
    await expect(poll(party, codes.device_code)).rejects.toMatchObject({ error: 'access_denied', status: 400 })
  })
})

describe('a pushed authorization request', () => {
  const push = async ({ as, client, auth }: Party, params: Params, options: { DPoP?: oauth.DPoPHandle } = {}) =>
    oauth.processPushedAuthorizationResponse(
      as,
      client,
      await oauth.pushedAuthorizationRequest(as, client, auth, params, { ...http, ...options }),
    )

  it.each(CLIENTS)('results in tokens for a client with %s', async (_, make) => {
    const { fields, auth, post } = await make()
    const app = await registerApp(service, user, fields)
    const party = await partyOf(app, auth ?? (post ? oauth.ClientSecretPost(app.secret as string) : undefined))
    const asked = await ask(party)
    const { request_uri } = await push(party, asked.params)
    const tokens = await redeem(party, asked, await send(party, { client_id: app.clientId, request_uri }))
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: user.id, nonce: asked.nonce })
  })

  it('returns its error to the application', async () => {
    const party = await newParty()
    const { params } = await ask(party, { redirect_uri: 'https://elsewhere.example/' })
    await expect(push(party, params)).rejects.toBeInstanceOf(oauth.ResponseBodyError)
  })

  it('binds the code to the key of a DPoP proof', async () => {
    const party = await newParty()
    const asked = await ask(party)
    const DPoP = oauth.DPoP(party.client, await oauth.generateKeyPair('ES256'))
    const { request_uri } = await push(party, asked.params, { DPoP })
    const callback = await send(party, { client_id: party.app.clientId, request_uri })
    const other = oauth.DPoP(party.client, await oauth.generateKeyPair('ES256'))
    await expect(redeem(party, asked, callback, { DPoP: other })).rejects.toMatchObject({ error: 'invalid_grant' })
    expect(await redeem(party, asked, callback, { DPoP })).toMatchObject({ token_type: 'dpop' })
  })
})

describe.each(['ES256', 'RS256'])('a relying party with a DPoP proof by %s', (algorithm) => {
  /** Retries with the nonce of the error, as the library's manual recommends. Returns the number of errors. */
  function retrying() {
    const rejected: unknown[] = []
    const retry = async <T>(act: () => Promise<T>): Promise<T> =>
      act().catch((error) => {
        if (!oauth.isDPoPNonceError(error)) throw error
        rejected.push(error)
        return act()
      })
    return { retry, rejected }
  }

  it.each([
    ['no nonce', {}, 0],
    ['a nonce', { requireDpop: true, dpopNonceEnabled: true }, 1],
  ])('receives tokens that only its key can use: %s', async (_, fields, nonces) => {
    const party = await newParty({
      ...fields,
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    })
    const DPoP = oauth.DPoP(party.client, await oauth.generateKeyPair(algorithm))
    const { retry, rejected } = retrying()
    const asked = await ask(party)
    const callback = await send(party, asked.params)
    const tokens = await retry(() => redeem(party, asked, callback, { DPoP }))
    expect(tokens).toMatchObject({ token_type: 'dpop', scope: SCOPE })
    expect(rejected).toHaveLength(nonces)
    const { cnf } = await introspect(party, tokens.access_token)
    expect(cnf).toEqual({ jkt: await DPoP.calculateThumbprint() })

    const outcome = await retry(() => userinfo(party, tokens.access_token, { DPoP }))
    expect(outcome).toMatchObject({ sub: user.id, email: user.email })
    const next = await retry(() => refresh(party, tokens.refresh_token, { DPoP }))
    expect(next.token_type).toBe('dpop')
    expect((await retry(() => ownToken(party, {}, { DPoP }))).token_type).toBe('dpop')
    // A nonce is valid for several requests.
    expect(rejected).toHaveLength(nonces)

    await expect(userinfo(party, next.access_token)).rejects.toMatchObject({ status: 401 })
    const thief = { DPoP: oauth.DPoP(party.client, await oauth.generateKeyPair(algorithm)) }
    await expect(retry(() => userinfo(party, next.access_token, thief))).rejects.toMatchObject({ status: 401 })
    await expect(retry(() => refresh(party, next.refresh_token, thief))).rejects.toMatchObject({ status: 400 })
  })
})

describe('a resource server of the team', () => {
  it('accepts a token for its audience, and rejects one for another (RFC 8707, RFC 9068)', async () => {
    const party = await newParty({ resources: [API] })
    const asked = await ask(party, { resource: API })
    const callback = await send(party, asked.params)
    const tokens = await redeem(party, asked, callback, { additionalParameters: { resource: API } })
    const next = await refresh(party, tokens.refresh_token)
    for (const { access_token: token } of [tokens, next]) {
      const claims = await verify(party, token, API)
      expect(claims).toMatchObject({ iss: party.app.issuer, sub: user.id, client_id: party.app.clientId, scope: SCOPE })
      await expect(verify(party, token, 'https://other.example/')).rejects.toThrow(/"aud"/)
      await expect(userinfo(party, token)).rejects.toMatchObject({ status: 401 })
    }
    const { access_token: general } = await signIn(party)
    await expect(verify(party, general, API)).rejects.toThrow(/"aud"/)
    expect((await verify(party, general, party.app.issuer)).sub).toBe(user.id)
  })

  it('accepts a bound token only with a proof of its key', async () => {
    const party = await newParty({ resources: [API], requireDpop: true })
    const DPoP = oauth.DPoP(party.client, await oauth.generateKeyPair('ES256'))
    const asked = await ask(party, { resource: API })
    const callback = await send(party, asked.params)
    const { access_token: token } = await redeem(party, asked, callback, { DPoP })
    const call = (by: oauth.DPoPHandle) =>
      oauth.protectedResourceRequest(token, 'GET', new URL(API), undefined, undefined, {
        DPoP: by,
        async [oauth.customFetch](url, init) {
          const { method, headers } = init
          const claims = await oauth.validateJwtAccessToken(party.as, new Request(url, { method, headers }), API, http)
          return Response.json(claims)
        },
      })
    expect(await (await call(DPoP)).json()).toMatchObject({ sub: user.id, aud: API })
    const thief = oauth.DPoP(party.client, await oauth.generateKeyPair('ES256'))
    await expect(call(thief)).rejects.toThrow(/confirmation/)
    await expect(verify(party, token, API)).rejects.toThrow(/DPoP/i)
  })

  it('receives no token for an unregistered resource', async () => {
    const party = await newParty({ resources: [API] })
    const { params, state } = await ask(party, { resource: 'https://elsewhere.example/' })
    const callback = await send(party, params)
    const rejected = expect.objectContaining({ error: 'invalid_target' })
    expect(() => oauth.validateAuthResponse(party.as, party.client, callback, state)).toThrow(rejected)
  })
})

it("exchanges a user's token for one of the agent (RFC 8693)", async () => {
  const subject = await signIn(await newParty(), { scope: 'openid email' })
  const agent = await newParty({ isAiAgent: true, grantTypes: [EXCHANGE], responseTypes: [], redirectUris: [] })
  const { as, client, auth } = agent
  async function exchange(token: string, more: Params = {}) {
    const params = { subject_token: token, subject_token_type: ACCESS_TOKEN, ...more }
    const answer = await oauth.genericTokenEndpointRequest(as, client, auth, EXCHANGE, params, http)
    return oauth.processGenericTokenEndpointResponse(as, client, answer)
  }
  const own = await exchange(subject.access_token, { scope: 'openid email' })
  expect(own).toMatchObject({ token_type: 'bearer', issued_token_type: ACCESS_TOKEN, scope: 'openid email' })
  const claims = await verify(agent, own.access_token, agent.app.issuer)
  expect(claims).toMatchObject({ sub: user.id, client_id: client.client_id, act: { sub: client.client_id } })
  expect((await userinfo(agent, own.access_token)).email).toBe(user.email)
  await expect(exchange(subject.access_token, { scope: 'profile' })).rejects.toMatchObject({ error: 'invalid_scope' })
  await expect(exchange('no.such.token')).rejects.toMatchObject({ error: 'invalid_request', status: 400 })
})

describe('dynamic client registration', () => {
  async function register(token: string, metadata: object = {}): Promise<Party> {
    const issuer = `${service.baseUrl}/api/v1/sso/oidc-idp/${user.teamId}`
    const as = await discover(issuer)
    const wanted = { client_name: 'Library', redirect_uris: ['https://rp.example/callback'], ...metadata }
    const answer = await oauth.dynamicClientRegistrationRequest(as, wanted, { initialAccessToken: token, ...http })
    const client = await oauth.processDynamicClientRegistrationResponse(answer)
    const app = withIssuerPath(service, user.teamId, {
      id: '',
      teamId: user.teamId,
      clientId: client.client_id,
      secret: client.client_secret as string | undefined,
      redirectUri: 'https://rp.example/callback',
    })
    return { app, as, client, auth: app.secret ? oauth.ClientSecretBasic(app.secret) : oauth.None() }
  }
  async function apiToken(): Promise<string> {
    const body = { name: 'Library', scopes: ['applications:write'] }
    return (await service.api('POST', '/api/v1/api-tokens', { token: user.token, body })).body.token
  }

  it('registers with an API token as initial access token, and signs its user in', async () => {
    const party = await register(await apiToken())
    const tokens = await signIn(party)
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: user.id, aud: party.client.client_id })
  })

  it('registers with a key instead of a secret', async () => {
    const { fields, auth } = await clientKey('ES256')
    const party = await register(await apiToken(), { jwks: fields.jwks })
    expect(party.client).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt' })
    expect(party.client.client_secret).toBeUndefined()
    const tokens = await signIn({ ...party, auth })
    expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(user.id)
  })

  it('rejects a request without such a token', async () => {
    await expect(register('no-such-token')).rejects.toMatchObject({ status: 401 })
  })
})
