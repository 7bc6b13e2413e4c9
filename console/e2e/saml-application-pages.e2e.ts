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
const importing = (page: Page) => page.getByRole('form', { name: 'Import its metadata' })

describe.skipIf(cannotRun)('the pages of an application that speaks SAML', () => {
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
    await page.getByText('Signs', { exact: true }).waitFor()
    return { ...administration, id }
  }

  it('lead from a name to the values that it needs, and to a sign-in', { timeout: 120_000 }, async () => {
    const { page, email, applications } = await administrator()
    await page.goto(`${applications}/new`)
    await page.getByRole('radio', { name: 'SAML' }).check()
    await field(page, 'Name').fill('Payroll')
    await button(page, 'Create application').click()
    await page.getByText('Copy it from the application.').waitFor()
    await page.getByText('Write a whole https:// address.').waitFor()
    await checkEveryView(page, 'saml-application-new-wrong')
    await field(page, 'Entity ID of the application').fill(payroll.entityId)
    await field(page, 'Address that takes answers').fill(payroll.acsUrl)
    await button(page, 'Create application').click()
    await heading(page, 'Payroll').waitFor()
    const [, id = ''] = /applications\/([0-9a-f-]{36})/.exec(page.url()) ?? []
    payroll.application = id
    const ours = at(`/api/v1/sso/saml-idp/${id}`)
    for (const [name, value] of [
      ['Metadata address', `${ours}/metadata`],
      ['Entity ID (issuer)', `${ours}/metadata`],
      ['Sign-in address (SSO URL)', `${ours}/sso`],
      ['Sign-out address (SLO URL)', `${ours}/slo`],
    ] as const) {
      await button(page, `Copy ${name}`).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)
    }
    const saved = page.waitForEvent('download')
    await button(page, 'Save').click()
    expect((await saved).suggestedFilename()).toBe('identity-provider-certificate.pem')
    const metadata = page.waitForEvent('download')
    await link(page, 'Save it as a file').click()
    expect((await metadata).suggestedFilename()).toBe('identity-provider-metadata.xml')
    await checkEveryView(page, 'saml-application-start')
    await page.goto(payroll.url)
    await page.waitForURL(payroll.home)
    expect(payroll.answered()).toContain(email)
  })

  it('take its metadata from an address or a file, and say beside it what is wrong with them', {
    timeout: 120_000,
  }, async () => {
    const { page } = await withApplication()
    await checkEveryView(page, 'saml-application')
    const read = button(page, 'Read the metadata')
    await read.click()
    await importing(page).getByText('Write a whole https:// address.').waitFor()
    const url = field(page, 'Address of the metadata')
    await url.fill(`${payroll.url}/nowhere`)
    await read.click()
    await page.getByText('the server responded with status 404').waitFor()
    expect(await url.getAttribute('aria-invalid')).toBe('true')
    expect(await url.evaluate((input) => input === document.activeElement)).toBe(true)
    await importing(page).getByRole('radio', { name: 'As a file' }).check()
    const choose = (text: string) =>
      page.getByLabel('Choose a file').setInputFiles({ name: 'm.xml', mimeType: 'text/xml', buffer: Buffer.from(text) })
    await choose('<html>not metadata</html>')
    await read.click()
    const xml = field(page, 'Metadata (XML)')
    await page.waitForFunction(
      () => document.querySelector('textarea[name=xml]')?.getAttribute('aria-invalid') === 'true',
    )
    expect(await xml.evaluate((area) => area === document.activeElement)).toBe(true)
    await checkEveryView(page, 'saml-application-import-wrong')

    await choose(payroll.metadata(-5))
    await read.click()
    await page.getByText('The certificate has expired').waitFor()
    await importing(page).getByRole('radio', { name: 'By an address' }).check()
    await url.fill(payroll.metadataUrl)
    await read.click()
    await page.getByText('The metadata does not state that requests are signed').waitFor()
    await page.getByText('The certificate has expired').waitFor({ state: 'detached' })
    await checkEveryView(page, 'saml-application-import-read')
    await button(page, 'Take these values').click()
    await page.getByText('The values were saved.').first().waitFor()
    expect(await field(page, 'Its sign-out address (optional)').inputValue()).toBe(`${payroll.url}/slo`)
    expect(await field(page, 'Its certificate (optional)').inputValue()).toContain('-----BEGIN CERTIFICATE-----')
    expect(await page.getByRole('combobox', { name: 'How people are named (NameID)' }).inputValue()).toContain(
      'persistent',
    )
  })

  it('save what is changed, and point to what is not right', { timeout: 120_000 }, async () => {
    const { page, email } = await withApplication()
    await field(page, 'Its certificate (optional)').fill('MIIB')
    await field(page, 'Department').fill('dept, unit')
    await field(page, 'Title').fill('dept')
    await button(page, 'Save').last().click()
    await page.getByText('Paste the whole certificate').waitFor()
    await page.getByText('This name stands for another value already.').waitFor()
    await checkEveryView(page, 'saml-application-wrong')
    await field(page, 'Its certificate (optional)').fill('')
    await field(page, 'Title').fill('')
    await field(page, 'Email').fill('mail')
    await page.getByRole('checkbox', { name: /^May be opened from here/ }).check()
    await button(page, 'Save').last().click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await tab(page, 'Start').click()
    const start = page.getByRole('definition').filter({ hasText: '/start' })
    await page.goto(String(await start.getByRole('code').first().textContent()))
    await page.waitForURL(payroll.home)
    expect(payroll.answered()).toContain(`Name="mail"`)
    expect(payroll.answered()).toContain(email)
  })

  it('exchange its keys: the next is published, signs, and the one before it ends', { timeout: 120_000 }, async () => {
    const { page, id, applications } = await withApplication()
    const certificates = async () => {
      const metadata = await (await fetch(at(`/api/v1/sso/saml-idp/${id}/metadata`))).text()
      return [...metadata.matchAll(/<ds:X509Certificate>([^<]+)/g)].map(([, body]) => body)
    }
    const [first] = await certificates()
    await button(page, 'Make the next key').click()
    await page.getByText('Waits', { exact: true }).waitFor()
    await page.getByText('Give the application the new certificate').waitFor()
    expect(await button(page, 'Make the next key').count()).toBe(0)
    const [signing, next] = await certificates()
    expect(signing).toBe(first)
    await page.getByText('Show the certificate').first().click()
    await checkEveryView(page, 'saml-application-key-waits')

    await button(page, 'Exchange now').click()
    const dialog = page.getByRole('dialog', { name: 'Let the next key sign?' })
    await dialog.getByText('refuses every sign-in').waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel')
    await checkEveryView(page, 'saml-application-key-exchange')
    await dialog.getByRole('button', { name: 'Exchange now' }).click()
    await page.getByText('Still published', { exact: true }).waitFor()
    expect(await certificates()).toEqual([next, first])
    await page.goto(payroll.url)
    await page.waitForURL(payroll.home)
    expect(payroll.answered().replaceAll(/\s/g, '')).toContain(next)
    await page.goto(`${applications}/${id}/saml`)
    await page.getByRole('button', { name: /^End / }).click()
    await page.getByRole('dialog', { name: 'End this key?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^End / }).click()
    await page.getByRole('dialog', { name: 'End this key?' }).getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('Still published', { exact: true }).waitFor({ state: 'detached' })
    expect(await certificates()).toEqual([next])
  })
})
