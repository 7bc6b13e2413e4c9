import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLogoutReceiver } from '../../../../test/doubles/logout-receiver.js'
import {
  authorizePath,
  isActive,
  jwtPart,
  pkce,
  REDIRECT_URI,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  uidOf,
} from '../../../../test/doubles/relying-party.js'
import { joinTeam, newEmail, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { type Browser, openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import {
  codeIn,
  expectErrorAt,
  expectErrorPage,
  expectTokenError,
  flow,
  metadataOf,
  pathOf,
  redeem,
  tokensIn,
  userinfoIn,
  userinfoOf,
  verifyIdToken,
} from '../../../../test/peers/conformance.js'

/*
 * OIDCCBasicTestPlan of the conformance suite: one test for each module, by its name. The suite registers its clients beforehand
 * (client_secret_basic, redirect URI by query). test/peers/conformance.ts contains the checks of every module.
 *
 * The suite warns that the ID token contains the claims of granted scopes, like userinfo (oidcc-scope-email,
 * oidcc-alternate-happy-flow). That is intended.
 *
 * Modules of other plans for features that the service does not have yet, and which have no test:
 *
 * | Module                                                         | Waits for                                     |
 * | oidcc-registration-* (jwks-uri, logo-uri, policy-uri, tos-uri) | dynamic registration                          |
 * | oidcc-registration-sector-uri, -sector-bad                     | dynamic registration; pairwise subjects       |
 * | oidcc-redirect-uri-query-OK, -added, -mismatch, -regfrag       | dynamic registration                          |
 * | oidcc-ensure-redirect-uri-in-authorization-request             | dynamic registration                          |
 * | oidcc-ensure-client-assertion-with-iss-aud-succeeds            | dynamic registration (private_key_jwt)        |
 * | oidcc-refresh-token-rp-key-rotation                            | dynamic registration (private_key_jwt)        |
 * | oidcc-idtoken-rs256, oidcc-userinfo-rs256                      | dynamic registration; signed userinfo answers |
 * | oidcc-request-uri-unsigned, -signed-rs256                      | request objects                               |
 * | oidcc-server-rotate-keys                                       | signing keys that are changed by the API      |
 */

let service: TestService
let user: TestUser
let app: TestApp
/** An application with client_secret_post. */
let posting: TestApp
let browser: Browser

beforeAll(async () => {
  service = await startService()
  const email = newEmail()
  user = await registerUser(service, { email })
  await service.sql(`UPDATE users SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = $1`, [user.id])
  app = await registerApp(service, user)
  posting = await registerApp(service, user, { tokenEndpointAuthMethod: 'client_secret_post' })
  browser = openBrowser(service, user)
})
afterAll(() => service.close())

/** A browser without a session. */
const fresh = (): Browser => openBrowser(service, user)
/** Returns the immediate response of an authorization request, without a user. */
const silently = async (from: Browser, params: Record<string, string | undefined>): Promise<URL> =>
  new URL((await from.visit(authorizePath(app, params))).headers.get('location') as string)

const PROFILE = { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', updated_at: expect.any(Number) }
const emailClaims = () => ({ email: user.email, email_verified: false })

describe('the code flow', () => {
  it('oidcc-server: returns an ID token with a valid signature, an access token and userinfo of the same subject; the code has enough entropy and the response no extra members', async () => {
    const { code, claims, tokens, userinfo } = await flow(service, browser, app)
    // At least 160 bits, in base64url.
    expect(code).toMatch(/^[\w-]{27,}$/)
    expect(claims.sub).toBe(user.id)
    expect(Object.keys(claims).sort()).toEqual(['at_hash', 'aud', 'exp', 'iat', 'iss', 'nonce', 'sid', 'sub'])
    expect(userinfo).toEqual({ sub: user.id })
    expect(tokens.scope).toBe('openid')
    expect(tokens.refresh_token).toBeUndefined()
    expect(await isActive(service, tokens.access_token)).toBe(true)
  })

  it('oidcc-server-client-secret-post: returns the same for a client with client_secret_post', async () => {
    const { callback } = await browser.authorize(posting)
    const { claims, userinfo } = await redeem(service, posting, callback, {}, { auth: 'post' })
    expect(claims.sub).toBe(user.id)
    expect(userinfo.sub).toBe(user.id)
  })

  it('oidcc-alternate-happy-flow: ignores the order of parameters and scopes', async () => {
    const params = new URLSearchParams([
      ['state', 'the-state'],
      ['scope', 'email openid'],
      ['nonce', 'the-nonce'],
      ['response_type', 'code'],
      ['redirect_uri', app.redirectUri],
      ['client_id', app.clientId],
    ])
    const { callback } = await browser.follow(await browser.visit(`${app.idp}/authorize?${params}`))
    const { userinfo } = await redeem(service, app, callback, { nonce: 'the-nonce' })
    expect(userinfo).toEqual({ sub: user.id, ...emailClaims() })
  })

  it('oidcc-idtoken-signature: signs the ID token with RS256 and names the published key', async () => {
    const { tokens } = await flow(service, browser, app)
    expect(jwtPart(tokens.id_token, 0)).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.stringMatching(/./) })
  })

  it('oidcc-idtoken-unsigned: offers and issues no unsigned ID tokens, and rejects an unsigned hint', async () => {
    expect((await metadataOf(service, app)).id_token_signing_alg_values_supported).not.toContain('none')
    const unsigned = { id_token_signed_response_alg: 'none' }
    const asking = await registerApp(service, user, { ...unsigned, idTokenSignedResponseAlg: 'none' })
    const { tokens } = await flow(service, browser, asking, unsigned)
    expect(jwtPart(tokens.id_token, 0).alg).toBe('RS256')

    const own = await flow(service, browser, app)
    const hint = unsignedOf(own.tokens.id_token)
    expectErrorAt(await silently(browser, { prompt: 'none', id_token_hint: hint }), app, 'invalid_request')
  })

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: issues an ID token without a nonce', async () => {
    const { claims } = await flow(service, browser, app, { nonce: undefined })
    expect(claims).not.toHaveProperty('nonce')
  })

  it('oidcc-ensure-request-with-valid-pkce-succeeds: redeems a code with its verifier, and not without it or with another one', async () => {
    const { verifier, challenge } = pkce()
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
    const begin = async () => (await browser.authorize(app, asked)).callback
    await redeem(service, app, await begin(), {}, { form: { code_verifier: verifier } })
    for (const wrong of [undefined, '', pkce().verifier, challenge]) {
      const form = {
        grant_type: 'authorization_code',
        code: codeIn(await begin(), app),
        redirect_uri: app.redirectUri,
        code_verifier: wrong,
      }
      expectTokenError(await requestTokens(service, app, form), 'invalid_grant')
    }
    const plain = await silently(browser, { code_challenge: verifier, code_challenge_method: 'plain' })
    expectErrorAt(plain, app, 'invalid_request')
  })

  it('oidcc-ensure-post-request-succeeds: handles POST like GET, with the session of the browser', async () => {
    const path = authorizePath(app, { nonce: 'the-nonce' })
    const form = new URLSearchParams(path.slice(path.indexOf('?')))
    for (const from of [browser, fresh()]) {
      const answer = await from.submit(`${app.idp}/authorize`, form)
      expect(answer.status).toBe(303)
      const { callback, pages } = await from.follow(answer)
      expect(pages).toEqual(from === browser ? [] : ['login'])
      const { claims } = await redeem(service, app, callback, { nonce: 'the-nonce' })
      expect(claims.sub).toBe(user.id)
    }
  })
})

describe('parameters of an authorization request', () => {
  it('oidcc-ensure-request-with-unknown-parameter-succeeds: ignores an unknown parameter', async () => {
    const { userinfo } = await flow(service, browser, app, { extra: 'foobar' })
    expect(userinfo).toEqual({ sub: user.id })
  })

  it('oidcc-ensure-request-with-acr-values-succeeds: ignores unsupported acr_values and returns none in the ID token', async () => {
    const { claims } = await flow(service, browser, app, { acr_values: '1 2' })
    expect(claims).not.toHaveProperty('acr')
  })

  it('oidcc-claims-locales: accepts claims_locales', async () => {
    const { claims } = await flow(service, browser, app, { claims_locales: 'se' })
    expect(claims.sub).toBe(user.id)
  })

  it('oidcc-ui-locales: accepts any ui_locales', async () => {
    for (const ui_locales of ['se', 'fr-CA fr en']) await flow(service, browser, app, { ui_locales })
    await flow(service, fresh(), app, { ui_locales: 'se' })
  })

  it('oidcc-display-page: shows the sign-in page for display=page and completes the request', async () => {
    const { pages } = await flow(service, fresh(), app, { display: 'page' })
    expect(pages).toEqual(['login'])
  })

  it('oidcc-display-popup: shows the sign-in page for display=popup and completes the request', async () => {
    const { pages } = await flow(service, fresh(), app, { display: 'popup' })
    expect(pages).toEqual(['login'])
  })

  it('oidcc-login-hint: passes the hint to the sign-in page without enforcing it', async () => {
    const login_hint = 'another.user@example.com'
    const asking = fresh()
    const answer = await asking.visit(authorizePath(app, { login_hint, nonce: 'the-nonce' }))
    const page = await asking.call('GET', `/api/v1/public/bootstrap?uid=${uidOf(answer)}`)
    expect(page.body.loginHint).toBe(login_hint)
    const { callback } = await asking.follow(answer)
    const { claims } = await redeem(service, app, callback, { nonce: 'the-nonce' })
    expect(claims.sub).toBe(user.id)
  })

  it('oidcc-response-type-missing: redirects with an error and without a code', async () => {
    expectErrorAt(await silently(browser, { response_type: undefined }), app, 'invalid_request')
    expectErrorAt(await silently(browser, { response_type: undefined, prompt: 'none' }), app, 'invalid_request')
  })

  it('oidcc-ensure-registered-redirect-uri: shows an error page instead of redirecting to an unregistered URI', async () => {
    const unregistered = [
      `${REDIRECT_URI}/more`,
      `${REDIRECT_URI}?foo=bar`,
      `${REDIRECT_URI}#`,
      `${REDIRECT_URI}/`,
      REDIRECT_URI.replace('https', 'http'),
      REDIRECT_URI.toUpperCase(),
      'https://rp.example.attacker.example/callback',
      'https://attacker.example/',
      '',
      undefined,
    ]
    for (const redirect_uri of unregistered)
      for (const more of [{}, { prompt: 'none' }, { response_type: 'token' }]) {
        const answer = await browser.visit(authorizePath(app, { redirect_uri, ...more }))
        expect(answer.status, `${redirect_uri}`).toBe(400)
        expect(answer.headers.get('location')).toBeNull()
        expect(answer.text).toMatch(/<code>(invalid_redirect_uri|invalid_request|unsupported_response_type)<\/code>/)
      }
    expectErrorPage(await browser.visit(authorizePath(app, { client_id: 'unknown' })), 'invalid_client')
  })

  it('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: rejects a request object at the redirect URI', async () => {
    const request = requestObject({ nonce: 'in-the-object' })
    expectErrorAt(await silently(browser, { request }), app, 'request_not_supported')
    expect((await metadataOf(service, app)).request_parameter_supported).toBe(false)
  })

  it('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: rejects request_uri at the redirect URI, without fetching it', async () => {
    const rp = await startLogoutReceiver()
    for (const request_uri of [rp.uri, `${rp.uri}#hash`, 'https://rp.example/request.jwt', 'urn:example:request'])
      expectErrorAt(await silently(browser, { request_uri }), app, 'request_uri_not_supported')
    expect(rp.received).toEqual([])
    await rp.close()
    expect((await metadataOf(service, app)).request_uri_parameter_supported).toBe(false)
  })

  it('oidcc-ensure-request-object-with-redirect-uri: shows an error page for an unregistered URI outside the request object, and redirects to neither URI', async () => {
    const request = requestObject({ redirect_uri: app.redirectUri })
    const answer = await browser.visit(authorizePath(app, { request, redirect_uri: `${app.redirectUri}/other` }))
    expectErrorPage(answer, 'invalid_redirect_uri')
  })
})

describe('scopes and claims', () => {
  it('oidcc-scope-profile: returns the profile claims at userinfo, and no email address', async () => {
    const { userinfo, tokens } = await flow(service, browser, app, { scope: 'openid profile' })
    expect(userinfo).toEqual({ sub: user.id, ...PROFILE })
    expect(tokens.scope).toBe('openid profile')
  })

  it('oidcc-scope-email: returns the email address and whether it is verified, and no name', async () => {
    const { userinfo, claims } = await flow(service, browser, app, { scope: 'openid email' })
    expect(userinfo).toEqual({ sub: user.id, ...emailClaims() })
    expect(claims).not.toHaveProperty('name')
  })

  it.each(['address', 'phone'])(
    'oidcc-scope-%s: ignores the unsupported scope, and omits it from the response',
    async (scope) => {
      expect((await metadataOf(service, app)).scopes_supported).not.toContain(scope)
      const { userinfo, tokens } = await flow(service, browser, app, { scope: `openid ${scope}` })
      expect(tokens.scope).toBe('openid')
      expect(userinfo).toEqual({ sub: user.id })
    },
  )

  it('oidcc-scope-all: returns the claims of the supported scopes, and omits address and phone from the response', async () => {
    const scope = 'openid profile email address phone'
    const { userinfo, tokens } = await flow(service, browser, app, { scope })
    expect(userinfo).toEqual({ sub: user.id, ...PROFILE, ...emailClaims() })
    expect(tokens.scope.split(' ').sort()).toEqual(['email', 'openid', 'profile'])
  })

  it('oidcc-claims-essential: returns an essential name at userinfo or in the ID token, as requested, without its scope', async () => {
    const essential = { name: { essential: true } }
    const atUserinfo = await flow(service, browser, app, { claims: JSON.stringify({ userinfo: essential }) })
    expect(atUserinfo.userinfo).toEqual({ sub: user.id, name: 'Ada Lovelace' })
    expect(atUserinfo.claims).not.toHaveProperty('name')

    const inToken = await flow(service, browser, app, { claims: JSON.stringify({ id_token: essential }) })
    expect(inToken.claims.name).toBe('Ada Lovelace')
    expect(inToken.userinfo).toEqual({ sub: user.id })
  })
})

describe('userinfo', () => {
  const asked = async () => {
    const { tokens } = await flow(service, browser, app, { scope: 'openid profile email' })
    return { ...tokens, path: pathOf(service, (await metadataOf(service, app)).userinfo_endpoint) }
  }
  const everything = () => ({ sub: user.id, ...PROFILE, ...emailClaims() })

  it("oidcc-userinfo-get: returns the claims of the ID token's subject for GET with a Bearer token, and none without a token", async () => {
    const { access_token, id_token, path } = await asked()
    expect(userinfoIn(await service.api('GET', path, { token: access_token }), id_token)).toEqual(everything())
    for (const token of [undefined, `${access_token.slice(0, -8)}AAAAAAAA`, id_token]) {
      const { status, headers } = await service.api('GET', path, { ...(token && { token }) })
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toMatch(token ? /^Bearer .*error="invalid_token"/ : /^Bearer /)
    }
  })

  it('oidcc-userinfo-post-header: returns the same for POST with the token in the header', async () => {
    const { access_token, id_token, path } = await asked()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const more of [{}, { raw: '', headers: form }])
      expect(userinfoIn(await service.api('POST', path, { token: access_token, ...more }), id_token)).toEqual(
        everything(),
      )
  })

  it('oidcc-userinfo-post-body: returns the same for POST with the token in the form', async () => {
    const { access_token, id_token, path } = await asked()
    const answer = await service.api('POST', path, {
      raw: new URLSearchParams({ access_token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(userinfoIn(answer, id_token)).toEqual(everything())
  })
})

describe('the session of the browser', () => {
  it('oidcc-prompt-none-not-logged-in: redirects with login_required and the whole state, without a page', async () => {
    const state = randomBytes(64).toString('hex')
    const callback = await silently(fresh(), { prompt: 'none', state })
    expectErrorAt(callback, app, 'login_required', state)
  })

  it('oidcc-prompt-none-logged-in: redirects with a code of the same subject and sign-in, and with consent_required without a consent', async () => {
    const from = fresh()
    const first = await flow(service, from, app, { max_age: '10000' })
    const second = await flow(service, from, app, { prompt: 'none', max_age: '10000' })
    expect(second.pages).toEqual([])
    expect(second.claims.sub).toBe(first.claims.sub)
    expect(second.claims.auth_time).toBe(first.claims.auth_time)
    expect(second.claims.sid).toBe(first.claims.sid)

    const other = await registerApp(service, user)
    const answer = await from.visit(authorizePath(other, { prompt: 'none' }))
    expectErrorAt(new URL(answer.headers.get('location') as string), other, 'consent_required')
  })

  it('oidcc-prompt-login: shows the sign-in page in spite of the session, and returns a newer auth_time', async () => {
    const from = fresh()
    const first = await flow(service, from, app, { max_age: '10000' })
    await service.clock.advance(2_000)
    const again = { prompt: 'login', max_age: '10000' }
    await expectNewSignInRequired(from, again)
    const second = await flow(service, from, app, again)
    expect(second.pages).toEqual(['login'])
    expect(second.claims.sub).toBe(first.claims.sub)
    expect(second.claims.auth_time).toBeGreaterThan(first.claims.auth_time as number)
  })

  it('oidcc-max-age-1: requires a new sign-in after max_age, and returns a newer auth_time', async () => {
    const from = fresh()
    const first = await flow(service, from, app, { max_age: '10000' })
    await service.clock.advance(2_000)
    await expectNewSignInRequired(from, { max_age: '1' })
    expectErrorAt(await silently(from, { max_age: '1', prompt: 'none' }), app, 'login_required')
    const second = await flow(service, from, app, { max_age: '1' })
    expect(second.pages).toEqual(['login'])
    expect(second.claims.sub).toBe(first.claims.sub)
    expect(second.claims.auth_time).toBeGreaterThan(first.claims.auth_time as number)
    expect(second.claims.auth_time).toBeGreaterThanOrEqual(Math.floor(service.clock.ms() / 1_000) - 5)
  })

  it('oidcc-max-age-10000: accepts a sign-in within max_age, and returns the same auth_time in both ID tokens', async () => {
    const from = fresh()
    const first = await flow(service, from, app, { max_age: '15000' })
    await service.clock.advance(2_000)
    const second = await flow(service, from, app, { max_age: '10000' })
    expect(second.pages).toEqual([])
    expect(second.claims.auth_time).toEqual(expect.any(Number))
    expect(second.claims.auth_time).toBe(first.claims.auth_time)
    expect(second.claims.sub).toBe(first.claims.sub)
  })

  it("oidcc-id-token-hint: returns a code for prompt=none with the user's ID token, and login_required with that of another user", async () => {
    const from = fresh()
    const first = await flow(service, from, app)
    const hinted = await flow(service, from, app, { prompt: 'none', id_token_hint: first.tokens.id_token })
    expect(hinted.pages).toEqual([])
    expect(hinted.claims.sub).toBe(first.claims.sub)

    const outsider = await registerUser(service)
    await joinTeam(service, outsider, app.teamId)
    const theirs = await flow(service, openBrowser(service, outsider), app)
    expect(theirs.claims.sub).toBe(outsider.id)
    const id_token_hint = theirs.tokens.id_token
    expectErrorAt(await silently(from, { prompt: 'none', id_token_hint }), app, 'login_required')
  })

  /** Expects that the session of the browser does not complete the request, regardless of what its page sends. */
  async function expectNewSignInRequired(from: Browser, params: Record<string, string>) {
    const answer = await from.visit(authorizePath(app, params))
    const path = `${app.idp}/interaction/${uidOf(answer)}`
    expect((await from.call('GET', path)).body.loginRequired).toBe(true)
    const { status, body } = await from.call('POST', `${path}/confirm`, { consent: true })
    expect([status, body.code]).toEqual([403, 'reauthentication_required'])
  }
})

describe('codes and refresh tokens', () => {
  const again = (code: string) =>
    requestTokens(service, app, { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri })

  async function expectRevoked({ access_token, refresh_token }: { access_token: string; refresh_token?: string }) {
    const { userinfo_endpoint } = await metadataOf(service, app)
    const { status, body } = await service.api('GET', pathOf(service, userinfo_endpoint), { token: access_token })
    expect([status, body.error]).toEqual([401, 'invalid_token'])
    for (const token of [access_token, refresh_token ?? '']) expect(await isActive(service, token)).toBe(false)
    if (refresh_token) expectTokenError(await refresh(service, app, refresh_token), 'invalid_grant')
  }

  it.each([
    ['oidcc-codereuse: a code that comes a second time at once', 0],
    ['oidcc-codereuse-30seconds: a code that comes a second time after 30 seconds', 30_000],
  ])('rejects %s as invalid_grant, and revokes its tokens', async (_, later) => {
    const { code, tokens } = await flow(service, fresh(), app, { scope: 'openid offline_access' })
    expect(await isActive(service, tokens.access_token)).toBe(true)
    await service.clock.advance(later)
    expectTokenError(await again(code), 'invalid_grant')
    await expectRevoked(tokens)
    expectTokenError(await again(code), 'invalid_grant')
  })

  it('oidcc-refresh-token: returns a new access token and an ID token of the same issuer, subject, audience and sign-in, for no other client', async () => {
    const scope = 'openid email offline_access'
    const first = await flow(service, browser, app, { scope, prompt: 'consent', max_age: '10000' })
    await service.clock.advance(1_000)
    const tokens = tokensIn(await refresh(service, app, first.tokens.refresh_token as string))
    expect(tokens.access_token).not.toBe(first.tokens.access_token)
    expect(tokens.refresh_token).not.toBe(first.tokens.refresh_token)
    expect(tokens.refresh_token).toMatch(/^[\w-]{27,}$/)
    expect(tokens.scope.split(' ').sort()).toEqual(scope.split(' ').sort())
    const claims = await verifyIdToken(service, app, tokens.id_token, {
      nonce: jwtPart(tokens.id_token).nonce as string | undefined,
      accessToken: tokens.access_token,
    })
    const { iss, sub, aud, azp, auth_time, iat, nonce } = first.claims
    expect(claims).toMatchObject({ iss, sub, aud, auth_time })
    expect(claims.azp).toBe(azp)
    expect(claims.iat).toBeGreaterThan(iat)
    if (claims.nonce !== undefined) expect(claims.nonce).toBe(nonce)
    expect(await userinfoOf(service, app, tokens)).toEqual({ sub, ...emailClaims() })

    const theirs = await flow(service, browser, posting, { scope })
    expectTokenError(await refresh(service, app, theirs.tokens.refresh_token as string), 'invalid_grant')
    tokensIn(await refresh(service, posting, theirs.tokens.refresh_token as string))
  })
})

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns the token with the algorithm `none` and without a signature. */
const unsignedOf = (jwt: string): string => `${part({ alg: 'none', typ: 'JWT' })}.${jwt.split('.')[1]}.`

/** Returns the authorization request as an unsigned request object. */
function requestObject(more: Record<string, string>): string {
  const { clientId: client_id, redirectUri: redirect_uri } = app
  const claims = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 'the-state', ...more }
  return `${part({ alg: 'none' })}.${part(claims)}.`
}
