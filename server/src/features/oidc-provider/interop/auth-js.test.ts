import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issuerForms, registerApp, type TestApp, withIssuerPath } from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { type Visitor, visitorOf } from '../../../../test/harness/site.js'
import { type AuthJsSite, startAuthJsSite } from '../../../../test/peers/auth-js-site.js'

/** A site with Auth.js (@auth/core), which needs an issuer, a client ID and a secret, and discovers the rest. */
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

const FORMS = issuerForms(
  () => service,
  () => registered,
)

function use({ issuer, clientId, secret = '' }: TestApp): Visitor {
  site.use({ issuer, clientId, clientSecret: secret })
  site.errors.length = 0
  return visitorOf(site)
}

/** Presses the button of the site's sign-in page. Returns its redirect. */
async function begin(visitor: Visitor): Promise<URL> {
  const { csrfToken } = await visitor.json<{ csrfToken: string }>('/auth/csrf')
  const answer = await visitor.submit('/auth/signin/keyward', { csrfToken, callbackUrl: `${site.url}/welcome` })
  expect([answer.status, site.errors]).toEqual([302, []])
  return new URL(answer.headers.get('location') as string)
}

/** Signs the user in on our pages, in the same browser. Returns the redirect to the site. */
async function signIn(to: URL): Promise<URL> {
  const browser = openBrowser(service, user)
  return (await browser.follow(await browser.visit(to.href))).callback
}

const whoIs = (visitor: Visitor) => visitor.json<{ user: Record<string, string> } | null>('/auth/session')

describe.each(FORMS)('a site with Auth.js at the issuer %s', (_, appOf) => {
  it('signs a user in, and recognizes the user until the sign-out', async () => {
    const app = appOf()
    const visitor = use(app)
    expect(await whoIs(visitor)).toBeNull()
    const to = await begin(visitor)
    expect(to.href.startsWith(`${app.issuer}/authorize?`)).toBe(true)
    for (const check of ['code_challenge', 'state', 'nonce']) expect(to.searchParams.get(check), check).toMatch(/.{20}/)

    const back = await visitor.visit(await signIn(to))
    expect([back.headers.get('location'), site.errors]).toEqual([`${site.url}/welcome`, []])
    expect((await whoIs(visitor))?.user).toMatchObject({ id: user.id, email: user.email })

    const { csrfToken } = await visitor.json<{ csrfToken: string }>('/auth/csrf')
    await visitor.submit('/auth/signout', { csrfToken })
    expect(await whoIs(visitor)).toBeNull()
  })
})

describe('a site with Auth.js signs no user in', () => {
  async function expectSignedOut(visitor: Visitor, callback: URL, error: string): Promise<void> {
    const back = await visitor.visit(callback)
    const to = new URL(back.headers.get('location') as string)
    expect([to.origin, to.searchParams.get('error')]).toEqual([site.url, expect.stringMatching(/./)])
    expect(site.errors).toEqual([error])
    expect(await whoIs(visitor)).toBeNull()
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
    await expectSignedOut(visitor, new URL(body.redirectTo), 'OAuthCallbackError')
  })

  it('rejects a wrong state', async () => {
    const visitor = use(registered)
    const callback = await signIn(await begin(visitor))
    callback.searchParams.set('state', 'another')
    await expectSignedOut(visitor, callback, 'CallbackRouteError')
  })

  it('rejects a response in a browser other than the one that began', async () => {
    const callback = await signIn(await begin(use(registered)))
    await expectSignedOut(use(registered), callback, 'InvalidCheck')
  })

  it('rejects a response of another issuer', async () => {
    const visitor = use(registered)
    const callback = await signIn(await begin(visitor))
    callback.searchParams.set('iss', withIssuerPath(service, registered.teamId, registered).issuer)
    await expectSignedOut(visitor, callback, 'CallbackRouteError')
  })

  it('rejects a sign-in with a wrong secret', async () => {
    const visitor = use({ ...registered, secret: 'wrong' })
    await expectSignedOut(visitor, await signIn(await begin(visitor)), 'CallbackRouteError')
  })
})
