import { describe, expect, it } from 'vitest'
import { serveClientSite } from '../../../../test/factories/client-site.js'
import type { SiteBrowser } from '../../../../test/harness/site.js'
import { startPassportSite } from '../../../../test/peers/passport-site.js'

/** A site with passport-openidconnect: an older library without discovery and PKCE, with a secret in the body. */
const client = serveClientSite(startPassportSite)
const { issuerUrls, use, signIn, denyConsent } = client

/** Returns the redirect of a browser that signs in at the site. */
async function begin(visitor: SiteBrowser): Promise<URL> {
  const answer = await visitor.visit('/login')
  expect(answer.status).toBe(302)
  return new URL(answer.headers.get('location') as string)
}

it.each(issuerUrls)('signs a user in to a site with passport-openidconnect at the issuer %s', async (_, appOf) => {
  const visitor = use(appOf())
  expect(await visitor.json('/me')).toBeNull()
  const to = await begin(visitor)
  for (const check of ['state', 'nonce']) expect(to.searchParams.get(check), check).toMatch(/.{20}/)
  const back = await visitor.visit(await signIn(to))
  expect([back.headers.get('location'), client.site.errors]).toEqual(['/me', []])
  expect(await visitor.json('/me')).toMatchObject({ id: client.user.id, emails: [{ value: client.user.email }] })
})

describe('a site with passport-openidconnect signs no user in', () => {
  async function expectSignedOut(visitor: SiteBrowser, callback: URL, status: number): Promise<void> {
    const back = await visitor.visit(callback)
    expect([back.status, client.site.errors]).toEqual([status, []])
    expect(await visitor.json('/me')).toBeNull()
  }

  it('rejects a denied consent', async () => {
    const visitor = use(client.app)
    await expectSignedOut(visitor, await denyConsent(await begin(visitor)), 401)
  })

  it('rejects a wrong state', async () => {
    const visitor = use(client.app)
    const callback = await signIn(await begin(visitor))
    callback.searchParams.set('state', 'another')
    await expectSignedOut(visitor, callback, 403)
  })

  it('rejects a response in a browser other than the one that began', async () => {
    const callback = await signIn(await begin(use(client.app)))
    await expectSignedOut(use(client.app), callback, 403)
  })

  it('rejects a sign-in with a wrong secret', async () => {
    const visitor = use({ ...client.app, secret: 'wrong' })
    const back = await visitor.visit(await signIn(await begin(visitor)))
    expect([back.status, client.site.errors]).toEqual([500, [expect.objectContaining({ code: 'invalid_client' })]])
    expect(await visitor.json('/me')).toBeNull()
  })
})
