import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issuerForms, registerApp, type TestApp, withIssuerPath } from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { openSiteBrowser, type SiteBrowser } from '../../../../test/harness/site.js'
import { type AuthJsSite, startAuthJsSite } from '../../../../test/peers/auth-js-site.js'

// A website that signs users in with Auth.js (@auth/core). Its configuration is the issuer, the client ID and the client secret; it discovers
// the endpoints.
let service: TestService
let user: TestUser
let site: AuthJsSite
let registered: TestApp
beforeAll(async () => {
  service = await startService()
  site = await startAuthJsSite(service)
  user = await registerUser(service)
  registered = await registerApp(service, user, { redirectUris: [site.redirectUri] })
})
afterAll(async () => {
  await site.close()
  await service.close()
})

const ISSUER_FORMS = issuerForms(
  () => service,
  () => registered,
)

function configureSite({ issuer, clientId, secret = '' }: TestApp): SiteBrowser {
  site.use({ issuer, clientId, clientSecret: secret })
  site.errors.length = 0
  return openSiteBrowser(site)
}

/** Starts a sign-in at the site. Returns the authorization request. */
async function startSignIn(browser: SiteBrowser): Promise<URL> {
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/auth/csrf')
  const response = await browser.submit('/auth/signin/keyward', { csrfToken, callbackUrl: `${site.url}/welcome` })
  expect([response.status, site.errors]).toEqual([302, []])
  return new URL(response.headers.get('location') as string)
}

/** Signs the user in on the pages of Keyward, as the same browser. Returns the redirect to the site. */
async function signIn(to: URL): Promise<URL> {
  const keywardBrowser = openBrowser(service, user)
  return (await keywardBrowser.follow(await keywardBrowser.visit(to.href))).callback
}

/** Returns the session that the site has with the browser; null if no user is signed in. */
const siteSession = (browser: SiteBrowser) => browser.json<{ user: Record<string, string> } | null>('/auth/session')

describe.each(ISSUER_FORMS)('a site with Auth.js at the issuer %s', (_, appOf) => {
  it('signs a user in, and out again', async () => {
    const app = appOf()
    const browser = configureSite(app)
    expect(await siteSession(browser)).toBeNull()
    const to = await startSignIn(browser)
    expect(to.href.startsWith(`${app.issuer}/authorize?`)).toBe(true)
    for (const check of ['code_challenge', 'state', 'nonce']) expect(to.searchParams.get(check), check).toMatch(/.{20}/)

    const callbackResponse = await browser.visit(await signIn(to))
    expect([callbackResponse.headers.get('location'), site.errors]).toEqual([`${site.url}/welcome`, []])
    expect((await siteSession(browser))?.user).toMatchObject({ id: user.id, email: user.email })

    const { csrfToken } = await browser.json<{ csrfToken: string }>('/auth/csrf')
    await browser.submit('/auth/signout', { csrfToken })
    expect(await siteSession(browser)).toBeNull()
  })
})

describe('a failed sign-in at a site with Auth.js', () => {
  async function expectSignedOut(browser: SiteBrowser, callback: URL, error: string): Promise<void> {
    const callbackResponse = await browser.visit(callback)
    const to = new URL(callbackResponse.headers.get('location') as string)
    expect([to.origin, to.searchParams.get('error')]).toEqual([site.url, expect.stringMatching(/./)])
    expect(site.errors).toEqual([error])
    expect(await siteSession(browser)).toBeNull()
  }

  it('signs no user in if the user denies consent', async () => {
    const browser = configureSite(registered)
    const keywardBrowser = openBrowser(service, user)
    await keywardBrowser.signIn()
    const authorizationRequest = await startSignIn(browser)
    authorizationRequest.searchParams.set('prompt', 'consent')
    const page = new URL((await keywardBrowser.visit(authorizationRequest.href)).headers.get('location') as string)
    const path = `${registered.idp}/interaction/${page.searchParams.get('uid')}/confirm`
    const { body } = await keywardBrowser.call('POST', path, { consent: false })
    await expectSignedOut(browser, new URL(body.redirectTo), 'OAuthCallbackError')
  })

  it('rejects a callback with a wrong state', async () => {
    const browser = configureSite(registered)
    const callback = await signIn(await startSignIn(browser))
    callback.searchParams.set('state', 'another')
    await expectSignedOut(browser, callback, 'CallbackRouteError')
  })

  it('rejects a callback in a browser other than the one that started the sign-in', async () => {
    const callback = await signIn(await startSignIn(configureSite(registered)))
    await expectSignedOut(configureSite(registered), callback, 'InvalidCheck')
  })

  it('rejects a callback with another issuer in iss', async () => {
    const browser = configureSite(registered)
    const callback = await signIn(await startSignIn(browser))
    callback.searchParams.set('iss', withIssuerPath(service, registered.teamId, registered).issuer)
    await expectSignedOut(browser, callback, 'CallbackRouteError')
  })

  it('signs no user in with a wrong client secret', async () => {
    const browser = configureSite({ ...registered, secret: 'wrong' })
    await expectSignedOut(browser, await signIn(await startSignIn(browser)), 'CallbackRouteError')
  })
})
