import { describe, expect, it } from 'vitest'
import { withIssuerPath } from '../../../../test/doubles/relying-party.js'
import { serveClientSite } from '../../../../test/factories/client-site.js'
import type { SiteBrowser } from '../../../../test/harness/site.js'
import { startAuthJsSite } from '../../../../test/peers/auth-js-site.js'

/** A site with Auth.js (@auth/core), which needs an issuer, a client ID and a secret, and discovers the rest. */
const client = serveClientSite(startAuthJsSite)
const { issuerUrls, use, signIn, denyConsent } = client

/** Presses the button of the site's sign-in page. Returns its redirect. */
async function begin(visitor: SiteBrowser): Promise<URL> {
  const { csrfToken } = await visitor.json<{ csrfToken: string }>('/auth/csrf')
  const answer = await visitor.submit('/auth/signin/keyward', { csrfToken, callbackUrl: `${client.site.url}/welcome` })
  expect([answer.status, client.site.errors]).toEqual([302, []])
  return new URL(answer.headers.get('location') as string)
}

const whoIs = (visitor: SiteBrowser) => visitor.json<{ user: Record<string, string> } | null>('/auth/session')

describe.each(issuerUrls)('a site with Auth.js at the issuer %s', (_, appOf) => {
  it('signs a user in, and recognizes the user until the sign-out', async () => {
    const app = appOf()
    const visitor = use(app)
    expect(await whoIs(visitor)).toBeNull()
    const to = await begin(visitor)
    expect(to.href.startsWith(`${app.issuer}/authorize?`)).toBe(true)
    for (const check of ['code_challenge', 'state', 'nonce']) expect(to.searchParams.get(check), check).toMatch(/.{20}/)

    const back = await visitor.visit(await signIn(to))
    expect([back.headers.get('location'), client.site.errors]).toEqual([`${client.site.url}/welcome`, []])
    expect((await whoIs(visitor))?.user).toMatchObject({ id: client.user.id, email: client.user.email })

    const { csrfToken } = await visitor.json<{ csrfToken: string }>('/auth/csrf')
    await visitor.submit('/auth/signout', { csrfToken })
    expect(await whoIs(visitor)).toBeNull()
  })
})

describe('a site with Auth.js signs no user in', () => {
  async function expectSignedOut(visitor: SiteBrowser, callback: URL, error: string): Promise<void> {
    const back = await visitor.visit(callback)
    const to = new URL(back.headers.get('location') as string)
    expect([to.origin, to.searchParams.get('error')]).toEqual([client.site.url, expect.stringMatching(/./)])
    expect(client.site.errors).toEqual([error])
    expect(await whoIs(visitor)).toBeNull()
  }

  it('rejects a denied consent', async () => {
    const visitor = use(client.app)
    await expectSignedOut(visitor, await denyConsent(await begin(visitor)), 'OAuthCallbackError')
  })

  it('rejects a wrong state', async () => {
    const visitor = use(client.app)
    const callback = await signIn(await begin(visitor))
    callback.searchParams.set('state', 'another')
    await expectSignedOut(visitor, callback, 'CallbackRouteError')
  })

  it('rejects a response in a browser other than the one that began', async () => {
    const callback = await signIn(await begin(use(client.app)))
    await expectSignedOut(use(client.app), callback, 'InvalidCheck')
  })

  it('rejects a response of another issuer', async () => {
    const visitor = use(client.app)
    const callback = await signIn(await begin(visitor))
    callback.searchParams.set('iss', withIssuerPath(client.service, client.app.teamId, client.app).issuer)
    await expectSignedOut(visitor, callback, 'CallbackRouteError')
  })

  it('rejects a sign-in with a wrong secret', async () => {
    const visitor = use({ ...client.app, secret: 'wrong' })
    await expectSignedOut(visitor, await signIn(await begin(visitor)), 'CallbackRouteError')
  })
})
