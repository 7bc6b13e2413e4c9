import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issuerForms, registerApp, type TestApp } from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { type Visitor, visitorOf } from '../../../../test/harness/site.js'
import { type PassportSite, startPassportSite } from '../../../../test/peers/passport-site.js'

/** A site with passport-openidconnect: an older library without discovery and PKCE, with a secret in the body. */
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

const FORMS = issuerForms(
  () => service,
  () => registered,
)

function use({ issuer, clientId, secret = '' }: TestApp): Visitor {
  site.use({ issuer, clientId, clientSecret: secret })
  site.errors.length = 0
  return visitorOf(site)
}

/** Returns the redirect of a browser that signs in at the site. */
async function begin(visitor: Visitor): Promise<URL> {
  const answer = await visitor.visit('/login')
  expect(answer.status).toBe(302)
  return new URL(answer.headers.get('location') as string)
}

/** Signs the user in on our pages, in the same browser. Returns the redirect to the site. */
async function signIn(to: URL): Promise<URL> {
  const browser = openBrowser(service, user)
  return (await browser.follow(await browser.visit(to.href))).callback
}

it.each(FORMS)(
  'a site with passport-openidconnect at the issuer %s recognizes the signed-in user',
  async (_, appOf) => {
    const visitor = use(appOf())
    expect(await visitor.json('/me')).toBeNull()
    const to = await begin(visitor)
    for (const check of ['state', 'nonce']) expect(to.searchParams.get(check), check).toMatch(/.{20}/)
    const back = await visitor.visit(await signIn(to))
    expect([back.headers.get('location'), site.errors]).toEqual(['/me', []])
    expect(await visitor.json('/me')).toMatchObject({ id: user.id, emails: [{ value: user.email }] })
  },
)

describe('a site with passport-openidconnect signs no user in', () => {
  async function expectSignedOut(visitor: Visitor, callback: URL, status: number): Promise<void> {
    const back = await visitor.visit(callback)
    expect([back.status, site.errors]).toEqual([status, []])
    expect(await visitor.json('/me')).toBeNull()
  }

  it('rejects a denied consent', async () => {
    const visitor = use(registered)
    const browser = openBrowser(service, user)
    await browser.signIn()
    const asked = await begin(visitor)
    asked.searchParams.set('prompt', 'consent')
    const page = new URL((await browser.visit(asked.href)).headers.get('location') as string)
    const path = `${registered.idp}/interaction/${page.searchParams.get('uid')}/confirm`
    const { body } = await browser.call('POST', path, { consent: false })
    await expectSignedOut(visitor, new URL(body.redirectTo), 401)
  })

  it('rejects a wrong state', async () => {
    const visitor = use(registered)
    const callback = await signIn(await begin(visitor))
    callback.searchParams.set('state', 'another')
    await expectSignedOut(visitor, callback, 403)
  })

  it('rejects a response in a browser other than the one that began', async () => {
    const callback = await signIn(await begin(use(registered)))
    await expectSignedOut(use(registered), callback, 403)
  })

  it('rejects a sign-in with a wrong secret', async () => {
    const visitor = use({ ...registered, secret: 'wrong' })
    const back = await visitor.visit(await signIn(await begin(visitor)))
    expect([back.status, site.errors]).toEqual([500, [expect.objectContaining({ code: 'invalid_client' })]])
    expect(await visitor.json('/me')).toBeNull()
  })
})
