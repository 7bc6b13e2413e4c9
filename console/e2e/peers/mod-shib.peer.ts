import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { at, cannotRun, newSeparateVisitor, useBrowser } from '../browser'
import { newAddress, signIn, signOut } from '../people'
import { type Program, registerProgram } from '../programs'
import { freePort } from '../service'
import { type Echo, headersShown, startEcho } from './echo'
import { newShibboleth, type Shibboleth } from './shibboleth'

useBrowser()

const certificate = inject('certificate')
const trusting = { ignoreHTTPSErrors: true }
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'

describe.skipIf(cannotRun)('a site behind Apache with mod_shib', () => {
  const email = newAddress('owner')
  let owner: Program
  let echo: Echo
  let shibboleth: Shibboleth
  let application: Record<string, unknown>
  let site: string

  beforeAll(async () => {
    if (!certificate) return
    echo = await startEcho()
    const port = await freePort()
    site = `https://127.0.0.1:${port}`
    owner = await registerProgram(email)
    const entityId = `${site}/shibboleth`
    const { id } = await owner.post('/applications', { name: 'Library', type: 'SAML', samlSpEntityId: entityId })
    const metadataUrl = at(`/api/v1/sso/saml-idp/${id}/metadata`)
    shibboleth = newShibboleth({
      port,
      tls: certificate,
      entityId,
      idpEntityId: metadataUrl,
      behind: echo.url,
      logoutBinding: POST,
    })
    // The metadata that mod_shib reads states that requests must be signed.
    await owner.put(`/applications/${id}`, { samlSpCertificate: shibboleth.signingCertificate })
    await shibboleth.start(await (await fetch(metadataUrl)).text())
    const { warnings, certificateExpiresAt, requestedAttributes, ...registered } = await owner.post(
      '/applications/metadata/parse',
      { xml: await shibboleth.metadata() },
    )
    application = await owner.put(`/applications/${id}`, { ...registered, samlNameIdFormat: PERSISTENT })
  })
  afterAll(async () => {
    await shibboleth?.stop()
    await echo?.stop()
  })

  const visitSite = async (): Promise<Page> => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(page, email)
    await page.goto(`${site}/books?of=May`)
    expect((await headersShown(page))['x-remote-user']).toContain(`!${site}/shibboleth!`)
    expect(page.url()).toBe(`${site}/books?of=May`)
    return page
  }

  it('registers by its metadata with the single logout URLs of both bindings', () => {
    expect(application).toMatchObject({
      samlSpEntityId: `${site}/shibboleth`,
      samlSpAcsUrl: `${site}/Shibboleth.sso/SAML2/POST`,
      samlSpSloUrl: `${site}/Shibboleth.sso/SLO/Redirect`,
      samlSpSloPostUrl: `${site}/Shibboleth.sso/SLO/POST`,
    })
  })

  it('signs out at Keyward by a posted LogoutRequest and reads the response', async () => {
    const page = await visitSite()
    const answered = page.waitForRequest((request) => request.url() === `${site}/Shibboleth.sso/SLO/POST`)
    await page.goto(`${site}/Shibboleth.sso/Logout`)
    expect((await answered).method()).toBe('POST')
    await page.getByRole('heading', { name: 'Global Logout' }).waitFor()
    await page.getByText('Logout completed successfully').waitFor()
    await page.goto(`${site}/books`)
    await page.waitForURL((url) => url.origin === new URL(at('/')).origin && url.pathname === '/login')
  })

  it('ends its session when the user signs out at Keyward, over each binding', async () => {
    const urls = { samlSpSloUrl: application.samlSpSloUrl, samlSpSloPostUrl: application.samlSpSloPostUrl }
    for (const only of [{ samlSpSloPostUrl: null }, { samlSpSloUrl: null }]) {
      await owner.put(`/applications/${application.id}`, { ...urls, ...only })
      const page = await visitSite()
      await page.goto(at('/account'))
      await signOut(page)
      await page.goto(`${site}/books`)
      await page.waitForURL((url) => url.origin === new URL(at('/')).origin && url.pathname === '/login')
    }
    await owner.put(`/applications/${application.id}`, urls)
  })
})
