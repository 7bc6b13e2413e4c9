import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issuerForms, registerApp, type TestApp } from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { openSiteBrowser, type SiteBrowser } from '../../../../test/harness/site.js'
import { type PassportSite, startPassportSite } from '../../../../test/peers/passport-site.js'

// A website that signs users in with passport-openidconnect, an older library without discovery and PKCE that sends the client secret in the
// body of the token request.
let service: TestService
let user: TestUser
let site: PassportSite
let registered: TestApp
beforeAll(async () => {
  service = await startService()
  site = await startPassportSite(service)
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
  const response = await browser.visit('/login')
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') as string)
}

/** Signs the user in on the pages of Keyward, as the same browser. Returns the redirect to the site. */
async function signIn(to: URL): Promise<URL> {
  const keywardBrowser = openBrowser(service, user)
  return (await keywardBrowser.follow(await keywardBrowser.visit(to.href))).callback
}

it.each(ISSUER_FORMS)('signs a user in at a site with passport-openidconnect and the issuer %s', async (_, appOf) => {
  const browser = configureSite(appOf())
  expect(await browser.json('/me')).toBeNull()
  const to = await startSignIn(browser)
  for (const check of ['state', 'nonce']) expect(to.searchParams.get(check), check).toMatch(/.{20}/)
  const callbackResponse = await browser.visit(await signIn(to))
  expect([callbackResponse.headers.get('location'), site.errors]).toEqual(['/me', []])
  expect(await browser.json('/me')).toMatchObject({ id: user.id, emails: [{ value: user.email }] })
})

describe('a failed sign-in at a site with passport-openidconnect', () => {
  async function expectSignedOut(browser: SiteBrowser, callback: URL, status: number): Promise<void> {
    const callbackResponse = await browser.visit(callback)
    expect([callbackResponse.status, site.errors]).toEqual([status, []])
    expect(await browser.json('/me')).toBeNull()
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
    await expectSignedOut(browser, new URL(body.redirectTo), 401)
  })

  it('rejects a callback with a wrong state', async () => {
    const browser = configureSite(registered)
    const callback = await signIn(await startSignIn(browser))
    callback.searchParams.set('state', 'another')
    await expectSignedOut(browser, callback, 403)
  })

  it('rejects a callback in a browser other than the one that started the sign-in', async () => {
    const callback = await signIn(await startSignIn(configureSite(registered)))
    await expectSignedOut(configureSite(registered), callback, 403)
  })

  it('signs no user in with a wrong client secret', async () => {
    const browser = configureSite({ ...registered, secret: 'wrong' })
    const callbackResponse = await browser.visit(await signIn(await startSignIn(browser)))
    expect([callbackResponse.status, site.errors]).toEqual([500, [expect.objectContaining({ code: 'invalid_client' })]])
    expect(await browser.json('/me')).toBeNull()
  })
})
