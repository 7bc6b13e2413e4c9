import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { at, cannotRun, newSeparateVisitor, useBrowser } from '../browser'
import { newAddress } from '../people'
import { type Program, registerProgram } from '../programs'
import { freePort } from '../service'
import { type IdentityProvider, startIdentityProvider } from './simplesamlphp'

useBrowser()

const certificate = inject('certificate')
const trusting = { ignoreHTTPSErrors: true }

describe.skipIf(cannotRun)('a team with SimpleSAMLphp as its provider', () => {
  let owner: Program
  let idp: IdentityProvider
  let login: string

  beforeAll(async () => {
    if (!certificate) return
    owner = await registerProgram(newAddress('owner'))
    const metadata = await fetch(at(`/api/v1/sso/saml/${owner.teamId}/metadata`))
    idp = await startIdentityProvider(await freePort(), certificate, await metadata.text())
    const provider = await owner.post('/sso/providers', {
      name: 'Our people',
      type: 'GENERIC_SAML',
      protocol: 'SAML2',
      samlMetadataUrl: idp.metadataUrl,
      samlRequiredSignature: 'both',
      autoProvision: true,
      enabled: true,
    })
    expect(provider).toMatchObject({ samlEntityId: idp.metadataUrl, samlSsoUrl: idp.ssoUrl })
    login = at(`/api/v1/sso/saml/${owner.teamId}/login?providerId=${provider.id}`)
  })
  afterAll(() => idp?.stop())

  async function fill(page: Page, password: string) {
    await page.locator('input[name=username]').fill('ada')
    await page.locator('input[name=password]').fill(password)
    await page.locator('#submit_button, button[type=submit]').first().click()
  }

  /** Returns the user of the browser's session at Keyward after the redirect. */
  async function whoIsIn(page: Page) {
    await page.waitForURL(at('/**'))
    const { request } = page.context()
    const headers = { 'X-Keyward-Console': '1', Origin: new URL(at('/')).origin }
    const renewed = await request.post(at('/api/v1/auth/refresh'), { headers, data: {} })
    expect(renewed.status()).toBe(200)
    const { accessToken } = (await renewed.json()) as { accessToken: string }
    const me = await request.get(at('/api/v1/auth/me'), { headers: { Authorization: `Bearer ${accessToken}` } })
    return (await me.json()) as { user: { id: string; email: string }; team: { id: string } }
  }

  it('signs in with the right password only', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await page.goto(login)
    await fill(page, 'not-the-password-of-ada')
    await page.getByText('Incorrect username or password').first().waitFor()
    expect(new URL(page.url()).origin).toBe(new URL(idp.metadataUrl).origin)

    await fill(page, 'the-password-of-ada')
    expect(await whoIsIn(page)).toMatchObject({ user: { email: 'ada@example.com' }, team: { id: owner.teamId } })
  })

  it('recognizes a user who signs in again', async () => {
    const people = async () => {
      const page = await (await newSeparateVisitor(trusting)).newPage()
      await page.goto(login)
      await fill(page, 'the-password-of-ada')
      return whoIsIn(page)
    }
    const [first, second] = [await people(), await people()]
    expect(first.user.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(second.user.id).toBe(first.user.id)
  })
})
