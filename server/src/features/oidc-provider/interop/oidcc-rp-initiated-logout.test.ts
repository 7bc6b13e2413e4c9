import { randomBytes } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizePath,
  isActive,
  jwtPart,
  locationOf,
  registerApp,
  type TestApp,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { type Browser, openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import {
  expectErrorAt,
  expectErrorPage,
  type Flow,
  flow,
  metadataOf,
  pathOf,
} from '../../../../test/peers/conformance.js'

/** OIDCCRpInitiatedLogoutTestPlan of the conformance suite. */
let service: TestService
let user: TestUser
let app: TestApp

const AFTER_LOGOUT = 'https://rp.example/signed-out'
const loggedOut = () => `${service.baseUrl}/logged-out`

beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user, { postLogoutRedirectUris: [AFTER_LOGOUT] })
})
afterAll(() => service.close())

interface SignedIn extends Flow {
  browser: Browser
  state: string
}

/** Returns a browser whose user has signed in to the application: the start of each module. */
async function signedIn(): Promise<SignedIn> {
  const browser = openBrowser(service, user)
  return { browser, state: randomBytes(64).toString('hex'), ...(await flow(service, browser, app)) }
}

type Params = Record<string, string | undefined>

/** Sends the request of the module to the discovered endpoint, without undefined parameters. */
async function endSession({ browser, tokens, state }: SignedIn, params: Params = {}): Promise<ApiResponse> {
  const { end_session_endpoint } = await metadataOf(service, app)
  const all: Params = {
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: AFTER_LOGOUT,
    state,
    ...params,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return browser.visit(`${pathOf(service, end_session_endpoint)}?${new URLSearchParams(given)}`)
}

/** Returns whether prompt=none still finds the session; `cookies` are from before the sign-out. */
async function askSilently(cookies: Record<string, string>): Promise<URL> {
  const answer = await service.api('GET', authorizePath(app, { prompt: 'none' }), { cookies })
  return locationOf(answer)
}

async function expectSignedOut({ tokens }: SignedIn, ...jars: Record<string, string>[]): Promise<void> {
  for (const cookies of jars) expectErrorAt(await askSilently(cookies), app, 'login_required')
  expect(await isActive(service, tokens.access_token)).toBe(false)
}

async function expectStillSignedIn({ browser, tokens }: SignedIn): Promise<void> {
  expect((await askSilently(browser.cookies)).searchParams.get('code')).not.toBeNull()
  expect(await isActive(service, tokens.access_token)).toBe(true)
}

/** Confirms on the sign-out page. Returns its next URL. */
async function confirmLogout({ browser }: SignedIn, asked: ApiResponse): Promise<string | null> {
  const page = locationOf(asked)
  expect(page.origin + page.pathname).toBe(`${service.baseUrl}/logout`)
  expect([...page.searchParams.keys()]).toEqual(['resume'])
  const { status, body } = await browser.call('GET', `/api/v1/public/logout/${page.searchParams.get('resume')}`)
  expect(status).toBe(200)
  expect(body.application).toEqual({ id: expect.any(String), name: 'App', logoUrl: null })
  expect((await browser.call('POST', '/api/v1/auth/logout')).status).toBe(200)
  return body.redirectTo
}

describe('RP-initiated logout', () => {
  it('oidcc-rp-initiated-logout: ends the session, redirects to the registered URI with only the state, and revokes the tokens of the session', async () => {
    const session = await signedIn()
    const before = { ...session.browser.cookies }
    const answer = await endSession(session)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(`${AFTER_LOGOUT}?state=${session.state}`)
    expect(session.browser.cookies).not.toHaveProperty('keyward_sso')
    expect(session.browser.cookies).not.toHaveProperty('keyward_rt')
    await expectSignedOut(session, before, session.browser.cookies)
  })

  it('oidcc-rp-initiated-logout: accepts POST, and an expired ID token', async () => {
    const session = await signedIn()
    const { end_session_endpoint } = await metadataOf(service, app)
    await service.clock.advance(3_601_000)
    const form = new URLSearchParams({
      id_token_hint: session.tokens.id_token,
      post_logout_redirect_uri: AFTER_LOGOUT,
      state: session.state,
    })
    const before = { ...session.browser.cookies }
    const answer = await session.browser.submit(pathOf(service, end_session_endpoint), form)
    expect(answer.status).toBe(303)
    const { callback } = await session.browser.follow(answer)
    expect(callback.href).toBe(`${AFTER_LOGOUT}?state=${session.state}`)
    await expectSignedOut(session, before)
  })

  it('oidcc-rp-initiated-logout-no-state: redirects to the registered URI unchanged', async () => {
    const session = await signedIn()
    const before = { ...session.browser.cookies }
    const answer = await endSession(session, { state: undefined })
    expect(answer.headers.get('location')).toBe(AFTER_LOGOUT)
    await expectSignedOut(session, before)
  })

  it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: ends the session and shows the signed-out page, without the state', async () => {
    const session = await signedIn()
    const before = { ...session.browser.cookies }
    const answer = await endSession(session, { post_logout_redirect_uri: undefined })
    expect(answer.headers.get('location')).toBe(loggedOut())
    await expectSignedOut(session, before)
  })

  it("oidcc-rp-initiated-logout-no-id-token-hint: ends the session and redirects only after the user's confirmation", async () => {
    for (const named of [{}, { client_id: app.clientId }]) {
      const session = await signedIn()
      const before = { ...session.browser.cookies }
      const asked = await endSession(session, { id_token_hint: undefined, ...named })
      await expectStillSignedIn(session)
      expect(await confirmLogout(session, asked)).toBe(`${AFTER_LOGOUT}?state=${session.state}`)
      await expectSignedOut(session, before)
    }
  })

  it('oidcc-rp-initiated-logout-no-params: asks the user, ends the session and shows the signed-out page', async () => {
    const session = await signedIn()
    const before = { ...session.browser.cookies }
    const none = { id_token_hint: undefined, post_logout_redirect_uri: undefined, state: undefined }
    const asked = await endSession(session, none)
    await expectStillSignedIn(session)
    expect(await confirmLogout(session, asked)).toBeNull()
    await expectSignedOut(session, before)
    // Without a session there is no confirmation.
    expect((await endSession(session, none)).headers.get('location')).toBe(loggedOut())
  })

  it('oidcc-rp-initiated-logout-only-state: asks the user, ends the session and shows the signed-out page, without the state', async () => {
    const session = await signedIn()
    const before = { ...session.browser.cookies }
    const onlyState = { id_token_hint: undefined, post_logout_redirect_uri: undefined }
    const asked = await endSession(session, onlyState)
    expect(await confirmLogout(session, asked)).toBeNull()
    await expectSignedOut(session, before)
    expect((await endSession(session, onlyState)).headers.get('location')).toBe(loggedOut())
  })
})

describe('a rejected sign-out', () => {
  const errorPage = (answer: ApiResponse) => expectErrorPage(answer, 'invalid_request')

  it('oidcc-rp-initiated-logout-bad-id-token-hint: shows an error page for an ID token of another signer, and ends no session', async () => {
    const session = await signedIn()
    const { privateKey } = await generateKeyPair('RS256')
    const { kid } = jwtPart(session.tokens.id_token, 0)
    const forged = await new SignJWT(session.claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: kid as string })
      .sign(privateKey)
    const elsewhere = await registerUser(service)
    const theirs = await registerApp(service, elsewhere)
    const ofOtherTeam = await flow(service, openBrowser(service, elsewhere), theirs)
    for (const hint of [forged, `${session.tokens.id_token}x`, 'nonsense', ofOtherTeam.tokens.id_token])
      errorPage(await endSession(session, { id_token_hint: hint }))
    await expectStillSignedIn(session)
  })

  it('oidcc-rp-initiated-logout-modified-id-token-hint: shows an error page for an ID token without a signature or with changed claims, and ends no session', async () => {
    const session = await signedIn()
    const [header, claims, signature] = session.tokens.id_token.split('.')
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const hint of [
      `${encoded({ alg: 'none' })}.${claims}.`,
      `${encoded({ alg: 'none', typ: 'JWT' })}.${claims}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${encoded({ ...session.claims, sid: 'other' })}.${signature}`,
    ])
      errorPage(await endSession(session, { id_token_hint: hint }))
    await expectStillSignedIn(session)
  })

  it('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri: shows an error page for an unregistered URI, and ends no session', async () => {
    const session = await signedIn()
    for (const post_logout_redirect_uri of [
      'https://attacker.example/',
      `${AFTER_LOGOUT}/more`,
      AFTER_LOGOUT.replace('https', 'http'),
      // Registered only for sign-ins.
      app.redirectUri,
    ])
      for (const id_token_hint of [session.tokens.id_token, undefined])
        errorPage(await endSession(session, { post_logout_redirect_uri, id_token_hint }))
    await expectStillSignedIn(session)
  })

  it('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri: shows an error page for a registered URI with an added query, and ends no session', async () => {
    const session = await signedIn()
    errorPage(await endSession(session, { post_logout_redirect_uri: `${AFTER_LOGOUT}?foo=bar` }))
    await expectStillSignedIn(session)
  })
})

it('oidcc-rp-initiated-logout-discovery-endpoint-verification: advertises the end-session endpoint', async () => {
  const { end_session_endpoint, issuer } = await metadataOf(service, app)
  expect(end_session_endpoint).toBe(`${issuer}/end-session`)
})
