import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { at, cannotRun, newSeparateVisitor, useBrowser } from '../browser'
import { newAddress, signIn, signOut } from '../people'
import { type Program, registerProgram } from '../programs'
import { freePort } from '../service'
import { type ServiceProvider, startServiceProvider } from './simplesamlphp'

useBrowser()

const certificate = inject('certificate')
const trusting = { ignoreHTTPSErrors: true }

describe.skipIf(cannotRun)('a PHP site with SimpleSAMLphp', () => {
  const email = newAddress('owner')
  let owner: Program
  let sp: ServiceProvider
  let application: Record<string, unknown>
  let site: string

  beforeAll(async () => {
    if (!certificate) return
    const port = await freePort()
    site = `https://127.0.0.1:${port}`
    owner = await registerProgram(email)
    const entityId = `${site}/saml`
    const { id } = await owner.post('/applications', { name: 'Wiki', type: 'SAML', samlSpEntityId: entityId })
    const idpEntityId = at(`/api/v1/sso/saml-idp/${id}/metadata`)
    const metadata = await (await fetch(idpEntityId)).text()
    sp = await startServiceProvider({ port, tls: certificate, entityId, idpEntityId, metadata })
    const { warnings, certificateExpiresAt, requestedAttributes, ...registered } = await owner.post(
      '/applications/metadata/parse',
      { xml: await (await fetch(sp.metadataUrl)).text() },
    )
    application = await owner.put(`/applications/${id}`, registered)
  })
  afterAll(() => sp?.stop())

  async function visitSite(): Promise<{ page: Page; signOutUrl: string; nameId: string }> {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(page, email)
    await page.goto(`${site}/`)
    await page.waitForURL(`${site}/`)
    const shown = JSON.parse((await page.locator('pre').textContent()) ?? '')
    expect(shown.attributes).toMatchObject({ email: [email] })
    return { page, signOutUrl: new URL(shown.signOut, site).href, nameId: shown.nameId }
  }
  const expectSignedOut = async (page: Page) => {
    await page.goto(`${site}/`)
    await page.waitForURL((url) => url.origin === new URL(at('/')).origin && url.pathname === '/login')
  }

  it('registers by its metadata as in the guide', () => {
    const base = `${site}/simplesamlphp/module.php/saml/sp`
    expect(application).toMatchObject({
      samlSpEntityId: `${site}/saml`,
      samlSpAcsUrl: `${base}/saml2-acs.php/wiki`,
      samlSpSloUrl: `${base}/saml2-logout.php/wiki`,
      samlEncryptAssertion: true,
    })
  })

  it('recognizes the user by a permanent NameID', async () => {
    const [first, second] = [await visitSite(), await visitSite()]
    expect(second.nameId).toBe(first.nameId)
  })

  it('signs out at Keyward', async () => {
    const { page, signOutUrl } = await visitSite()
    await page.goto(signOutUrl)
    await page.waitForURL(`${site}/signed-out`)
    await expectSignedOut(page)
  })

  it('ends its session when the user signs out at Keyward', async () => {
    const { page } = await visitSite()
    await page.goto(at('/account'))
    await signOut(page)
    await expectSignedOut(page)
  })
})
