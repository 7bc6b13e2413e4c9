import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { button, link } from './application-pages'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { heading, newAddress, signInByApi } from './people'
import { registerProgram } from './programs'
import { type SamlServiceProvider, startSamlServiceProvider } from './saml-service-provider'

useBrowser()

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: /^Pages of / }).getByRole('link', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const importing = (page: Page) => page.getByRole('form', { name: 'Import metadata' })

describe.skipIf(cannotRun)('SAML application pages', () => {
  let payroll: SamlServiceProvider
  beforeAll(async () => {
    payroll = await startSamlServiceProvider()
  })
  afterAll(() => payroll?.stop())

  async function administrator() {
    const email = newAddress('admin')
    const owner = await registerProgram(email)
    const page = await newPage()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await signInByApi(page, email)
    return { owner, page, email, applications: at(`/t/${owner.slug}/applications`) }
  }

  async function withApplication() {
    const administration = await administrator()
    const { owner, page, applications } = administration
    const settings = { name: 'Payroll', type: 'SAML', samlSpEntityId: payroll.entityId, samlSpAcsUrl: payroll.acsUrl }
    const id = String((await owner.post('/applications', settings)).id)
    payroll.application = id
    await page.goto(`${applications}/${id}/saml`)
    await page.getByText('Active', { exact: true }).waitFor()
    return { ...administration, id }
  }

  it('creates an application and shows the values for its configuration', { timeout: 120_000 }, async () => {
    const { page, email, applications } = await administrator()
    await page.goto(`${applications}/new`)
    await page.getByRole('radio', { name: 'SAML' }).check()
    await field(page, 'Name').fill('Payroll')
    await button(page, 'Create application').click()
    await page.getByText('Copy this value from the application.').waitFor()
    await page.getByText('Enter the full https:// URL.').waitFor()
    await checkEveryView(page, 'saml-application-new-wrong')
    await field(page, 'SP entity ID').fill(payroll.entityId)
    await field(page, 'ACS URL').fill(payroll.acsUrl)
    await button(page, 'Create application').click()
    await heading(page, 'Payroll').waitFor()
    const [, id = ''] = /applications\/([0-9a-f-]{36})/.exec(page.url()) ?? []
    payroll.application = id
    const ours = at(`/api/v1/sso/saml-idp/${id}`)
    for (const [name, value] of [
      ['Metadata URL', `${ours}/metadata`],
      ['Entity ID (issuer)', `${ours}/metadata`],
      ['SSO URL', `${ours}/sso`],
      ['SLO URL', `${ours}/slo`],
    ] as const) {
      await button(page, `Copy ${name}`).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)
    }
    const saved = page.waitForEvent('download')
    await button(page, 'Download').click()
    expect((await saved).suggestedFilename()).toBe('identity-provider-certificate.pem')
    const metadata = page.waitForEvent('download')
    await link(page, 'Download metadata').click()
    expect((await metadata).suggestedFilename()).toBe('identity-provider-metadata.xml')
    await checkEveryView(page, 'saml-application-overview')
    await page.goto(payroll.url)
    await page.waitForURL(payroll.home)
    expect(payroll.answered()).toContain(email)
  })

  it('imports metadata from a URL or a file and shows errors at the field', {
    timeout: 120_000,
  }, async () => {
    const { page } = await withApplication()
    await checkEveryView(page, 'saml-application')
    const read = button(page, 'Read metadata')
    await read.click()
    await importing(page).getByText('Enter the full https:// URL.').waitFor()
    const url = field(page, 'Application metadata URL')
    await url.fill(`${payroll.url}/nowhere`)
    await read.click()
    await page.getByText('the server responded with status 404').waitFor()
    expect(await url.getAttribute('aria-invalid')).toBe('true')
    expect(await url.evaluate((input) => input === document.activeElement)).toBe(true)
    await importing(page).getByText('XML file').click()
    const choose = (text: string) =>
      page.getByLabel('Choose file').setInputFiles({ name: 'm.xml', mimeType: 'text/xml', buffer: Buffer.from(text) })
    await choose('<html>not metadata</html>')
    await read.click()
    const xml = field(page, 'Metadata (XML)')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    expect(await xml.evaluate((area) => area === document.activeElement)).toBe(true)
    await checkEveryView(page, 'saml-application-import-wrong')

    await choose(payroll.metadata(-5))
    await read.click()
    await page.getByText('The certificate has expired').waitFor()
    await importing(page).getByText('URL', { exact: true }).click()
    await url.fill(payroll.metadataUrl)
    await read.click()
    await page.getByText('The metadata does not state that requests are signed').waitFor()
    await page.getByText('The certificate has expired').waitFor({ state: 'detached' })
    await checkEveryView(page, 'saml-application-import-read')
    await button(page, 'Use these values').click()
    await page.getByText('Values saved').waitFor()
    expect(await field(page, 'SP logout URL').inputValue()).toBe(`${payroll.url}/slo`)
    expect(await field(page, 'SP certificate').inputValue()).toContain('-----BEGIN CERTIFICATE-----')
    expect(await page.getByRole('combobox', { name: 'NameID format' }).inputValue()).toContain('Persistent')
  })

  it('saves settings and shows invalid values at their fields', { timeout: 120_000 }, async () => {
    const { page, email } = await withApplication()
    await field(page, 'SP certificate').fill('MIIB')
    await field(page, 'Department').fill('dept, unit')
    await field(page, 'Job title').fill('dept')
    await button(page, 'Save').click()
    await page.getByText('Paste the whole certificate').waitFor()
    await page.getByText('Another value already uses this name.').waitFor()
    await checkEveryView(page, 'saml-application-wrong')
    await field(page, 'SP certificate').fill('')
    await field(page, 'Job title').fill('')
    await field(page, 'Email').fill('mail')
    await page.getByRole('checkbox', { name: 'Allow IdP-initiated sign-in' }).check()
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await tab(page, 'Overview').click()
    const start = page.getByRole('definition').filter({ hasText: '/start' })
    await page.goto(String(await start.getByRole('code').first().textContent()))
    await page.waitForURL(payroll.home)
    expect(payroll.answered()).toContain(`Name="mail"`)
    expect(payroll.answered()).toContain(email)
  })

  it('rotates the signing key: publishes, activates and removes keys', { timeout: 120_000 }, async () => {
    const { page, id, applications } = await withApplication()
    const certificates = async () => {
      const metadata = await (await fetch(at(`/api/v1/sso/saml-idp/${id}/metadata`))).text()
      return [...metadata.matchAll(/<ds:X509Certificate>([^<]+)/g)].map(([, body]) => body)
    }
    const [first] = await certificates()
    await button(page, 'Create next key').click()
    await page.getByText('Next', { exact: true }).waitFor()
    await page.getByText('Give the application the new certificate').waitFor()
    expect(await button(page, 'Create next key').count()).toBe(0)
    const [signing, next] = await certificates()
    expect(signing).toBe(first)
    await page.getByText('Show certificate').first().click()
    await checkEveryView(page, 'saml-application-key-next')

    await button(page, 'Activate key').click()
    const dialog = page.getByRole('dialog', { name: 'Activate the next key?' })
    await dialog.getByText('rejects every sign-in').waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel')
    await checkEveryView(page, 'saml-application-key-activate')
    await dialog.getByRole('button', { name: 'Activate key' }).click()
    await page.getByText('Retired', { exact: true }).waitFor()
    expect(await certificates()).toEqual([next, first])
    await page.goto(payroll.url)
    await page.waitForURL(payroll.home)
    expect(payroll.answered().replaceAll(/\s/g, '')).toContain(next)
    await page.goto(`${applications}/${id}/saml`)
    await page.getByRole('button', { name: /^Remove key / }).click()
    await page.getByRole('dialog', { name: 'Remove this key?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^Remove key / }).click()
    await page
      .getByRole('dialog', { name: 'Remove this key?' })
      .getByRole('button', { name: 'Remove key', exact: true })
      .click()
    await page.getByText('Retired', { exact: true }).waitFor({ state: 'detached' })
    expect(await certificates()).toEqual([next])
  })
})
