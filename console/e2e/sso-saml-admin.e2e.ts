import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { button, link } from './application-pages'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { heading, newAddress, signedIn, signInByApi } from './people'
import { type Program, registerProgram } from './programs'
import { addSamlProvider, type SamlIdentityProvider, startSamlIdentityProvider } from './saml-identity-provider'

useBrowser()

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: /^Pages of / }).getByRole('link', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

describe.skipIf(cannotRun)('SAML providers', () => {
  let peer: SamlIdentityProvider
  beforeAll(async () => {
    peer = await startSamlIdentityProvider()
  })
  afterAll(() => peer?.close())
  beforeEach(() => {
    peer.wrong = {}
    peer.staysSignedIn = false
    peer.certificatesEnd(900)
  })

  async function administrator() {
    const email = newAddress('admin')
    const owner = await registerProgram(email)
    const ann = newAddress('ann')
    peer.person = { nameId: `persistent-${ann}`, attributes: { email: ann, firstName: 'Ann', dept: 'Research' } }
    const page = await newPage()
    await signInByApi(page, email)
    return { owner, page, ann, sso: at(`/t/${owner.slug}/sso`) }
  }

  /** Opens the values for a generic SAML provider. */
  async function openNew(page: Page, sso: string) {
    await page.goto(`${sso}/new`)
    await page.getByRole('radio', { name: 'SAML 2.0' }).check()
    await button(page, 'Continue').click()
    await page.getByRole('heading', { name: 'Configure your provider' }).waitFor()
  }

  const loginOf = ({ teamId }: Program, id: string) => at(`/api/v1/sso/saml/${teamId}/login?providerId=${id}`)

  it('sets up, tests and enables a provider with a metadata URL', { timeout: 120_000 }, async () => {
    const { owner, page, ann, sso } = await administrator()
    await openNew(page, sso)
    const base = `/api/v1/sso/saml/${owner.teamId}`
    for (const [name, path] of [
      ['Assertion consumer service (ACS) URL', `${base}/acs`],
      ['Entity ID (audience)', `${base}/metadata`],
      ['Single logout (SLO) URL', `${base}/slo`],
    ] as const)
      await page
        .getByRole('definition')
        .filter({ hasText: at(path) })
        .getByRole('button', { name: `Copy ${name}` })
        .waitFor()
    const saved = page.waitForEvent('download')
    await link(page, 'Save as a file').click()
    expect((await saved).suggestedFilename()).toBe('service-provider-metadata.xml')
    await checkEveryView(page, 'saml-new')
    await button(page, 'Continue').click()

    await button(page, 'Import metadata').click()
    await page.getByText('Enter an https:// URL').waitFor()
    await field(page, 'Metadata URL').fill(peer.metadataUrl.replace('metadata', 'nowhere'))
    await button(page, 'Import metadata').click()
    const wrong = field(page, 'Metadata URL')
    await page.getByText('The server responded with status 404').waitFor()
    expect(await wrong.getAttribute('aria-invalid')).toBe('true')
    expect(await wrong.evaluate((input) => input === document.activeElement)).toBe(true)
    await checkEveryView(page, 'saml-new-wrong')

    await wrong.fill(peer.metadataUrl)
    await field(page, 'Name').fill('Acme login')
    await button(page, 'Import metadata').click()
    await page.getByText('The metadata is valid').first().waitFor()
    await page.getByRole('definition').filter({ hasText: peer.entityId }).first().waitFor()
    await page.getByText('CN=idp.example').waitFor()
    await checkEveryView(page, 'saml-new-read')
    await button(page, 'Continue').click()

    await heading(page, 'Acme login').waitFor()
    await page.getByRole('heading', { name: 'Test sign-in' }).waitFor()
    await page.getByRole('heading', { name: 'Signing certificates' }).waitFor()
    await page.getByText('Certificates are updated from the metadata.').waitFor()
    await checkEveryView(page, 'saml-draft')
    await button(page, 'Check configuration').click()
    await page.getByText('All checks that need no sign-in passed.').first().waitFor()
    await checkEveryView(page, 'saml-checked')

    await button(page, 'Test sign-in with Acme login').click()
    await page.getByText('A sign-in would be rejected').first().waitFor()
    await page.getByText('The user is not a member of the team').waitFor()
    await tab(page, 'Settings').click()
    await page.getByRole('checkbox', { name: /^Create accounts at the first sign-in/ }).check()
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await tab(page, 'Overview').click()
    await button(page, 'Test sign-in with Acme login').click()
    await page.getByText('A sign-in would succeed').first().waitFor()
    await page.getByRole('row', { name: /firstName Ann → First name/ }).waitFor()
    await checkEveryView(page, 'saml-report')
    await button(page, 'Continue').click()
    await button(page, 'Enable').click()
    await page.getByText('Users can sign in with this provider.').waitFor()

    const visitor = await newPage()
    await visitor.goto(loginOf(owner, new URL(page.url()).pathname.split('/').at(-1) ?? ''))
    await visitor.getByRole('button', { name: `Account of ${ann}` }).waitFor()
    await tab(page, 'Sign-ins').click()
    await page.getByText('Signed in', { exact: true }).waitFor()
    await link(page, ann).first().click()
    await page.getByRole('heading', { name: 'Sign-in', exact: true }).waitFor()
    await checkEveryView(page, 'saml-sign-in')
  })

  it('asks before it replaces the session of another account, although its POST has no cookie', async () => {
    const { owner, page, ann } = await administrator()
    const id = await addSamlProvider(owner, peer, { autoProvision: true })
    await page.goto(loginOf(owner, id))
    await heading(page, 'Replace your session?').waitFor()
    await page.getByText(ann).waitFor()
    await button(page, 'Replace session').click()
    await page.getByRole('button', { name: `Account of ${ann}` }).waitFor()
    // The session of the same account and team is replaced without a question.
    await page.goto(loginOf(owner, id))
    await page.waitForURL(at('/home'))
    await page.getByRole('button', { name: `Account of ${ann}` }).waitFor()
  })

  it('sets up a provider with a metadata file, and shows its errors at the field', { timeout: 120_000 }, async () => {
    const { page, sso } = await administrator()
    await openNew(page, sso)
    await button(page, 'Continue').click()
    await page.getByText('File', { exact: true }).click()
    const choose = async (name: string, text: string) =>
      page.getByLabel('Choose file').setInputFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(text) })
    await button(page, 'Import metadata').click()
    await page.getByText('Enter the value from the provider.').waitFor()
    for (const [text, said] of [
      ['not XML at all', /The metadata cannot be used/],
      [peer.metadata().replace(/<md:KeyDescriptor[\s\S]*?<\/md:KeyDescriptor>/, ''), /The metadata cannot be used/],
    ] as const) {
      await choose('metadata.xml', text)
      await button(page, 'Import metadata').click()
      await page.getByText(said).waitFor()
      expect(await field(page, 'Metadata (XML)').getAttribute('aria-invalid')).toBe('true')
    }
    await checkEveryView(page, 'saml-new-file-wrong')
    // Two certificates, one of them expired.
    peer.certificatesEnd(900, -10)
    await choose('metadata.xml', peer.metadata())
    await button(page, 'Import metadata').click()
    await page.getByText('The metadata is valid').first().waitFor()
    await page.getByText('Certificate expired').waitFor()
    await checkEveryView(page, 'saml-new-file-read')
    await button(page, 'Continue').click()
    await heading(page, 'Company account').waitFor()
    expect(await page.getByText('Certificates are updated from the metadata.').count()).toBe(0)
    await tab(page, 'Settings').click()
    expect(await field(page, 'Entity ID').inputValue()).toBe(peer.entityId)
    await page.getByText('Import new metadata').click()
    await checkEveryView(page, 'saml-settings')
  })

  it('sets up a provider with manual values', { timeout: 120_000 }, async () => {
    const { page, sso } = await administrator()
    await openNew(page, sso)
    await button(page, 'Continue').click()
    await page.getByText('Manual', { exact: true }).click()
    await button(page, 'Continue').click()
    await page.getByText('Paste the whole certificate').waitFor()
    await checkEveryView(page, 'saml-new-hand-wrong')
    await field(page, 'Entity ID').fill(peer.entityId)
    await field(page, 'Sign-in URL').fill(`${new URL(peer.metadataUrl).origin}/sso`)
    const [, body = ''] = /<ds:X509Certificate>([^<]+)/.exec(peer.metadata()) ?? []
    const pem = `-----BEGIN CERTIFICATE-----\n${body.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`
    await field(page, 'Signing certificate').fill(pem)
    await button(page, 'Continue').click()
    await heading(page, 'Company account').waitFor()
    await button(page, 'Test sign-in with Company account').click()
    await page.getByRole('heading', { name: 'Test sign-in' }).waitFor()
  })

  it('warns of an expiring certificate and explains the renewal', { timeout: 120_000 }, async () => {
    const { owner, page, sso } = await administrator()
    peer.certificatesEnd(12)
    const id = await addSamlProvider(owner, peer)
    peer.certificatesEnd(-3)
    await addSamlProvider(owner, peer, { name: 'Old one', samlMetadata: peer.metadata(), samlMetadataUrl: null })
    await page.goto(sso)
    await page.getByText('Certificate expires soon', { exact: true }).waitFor()
    await page.getByText('Certificate expired', { exact: true }).waitFor()
    await checkEveryView(page, 'saml-list')
    await page.goto(`${sso}/${id}`)
    await page.getByText('Keyward imports the new certificate').waitFor()
    await checkEveryView(page, 'saml-certificate-ends')
    await page.goto(sso)
    await link(page, 'Old one').click()
    await page.getByText('Ask the provider for its new certificate').waitFor()
  })

  it('maps attributes, and the next test shows the result', { timeout: 120_000 }, async () => {
    const { owner, page, sso } = await administrator()
    const id = await addSamlProvider(owner, peer)
    await page.goto(`${sso}/${id}/attributes`)
    await page.getByText('None yet.').waitFor()
    await tab(page, 'Overview').click()
    await button(page, 'Test sign-in with Directory').click()
    await page.getByText('A sign-in would succeed').first().waitFor()
    await tab(page, 'Attributes').click()
    await page.getByRole('combobox', { name: 'Department' }).fill('dept')
    await button(page, 'Save').click()
    await page.getByRole('row', { name: /dept Research → Department/ }).waitFor()
    await checkEveryView(page, 'saml-attributes')
    await tab(page, 'Overview').click()
    await button(page, 'Test sign-in with Directory').click()
    await page.getByRole('definition').filter({ hasText: 'Research' }).waitFor()
  })

  it('names the fields to change for a response to another service', {
    timeout: 120_000,
  }, async () => {
    const { owner, page, sso } = await administrator()
    const id = await addSamlProvider(owner, peer)
    peer.wrong = {
      recipient: 'https://other.example/acs',
      audience:
        '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>',
    }
    await page.goto(`${sso}/${id}`)
    await button(page, 'Test sign-in with Directory').click()
    await page.getByRole('heading', { name: 'Failed checks' }).waitFor()
    await page.getByText('Failed: Audience').waitFor()
    await page.getByText('At the provider, change “Entity ID (audience)” to the expected value.').waitFor()
    await page
      .getByText('At the provider, change “Assertion consumer service (ACS) URL” to the expected value.')
      .first()
      .waitFor()
    await checkEveryView(page, 'saml-report-failed')
  })

  it('receives a logout request, and its response is shown', { timeout: 120_000 }, async () => {
    const { owner, ann } = await administrator()
    const id = await addSamlProvider(owner, peer)
    const page = await newPage()
    async function leave() {
      await page.goto(loginOf(owner, id))
      await signedIn(page)
      await page.getByRole('button', { name: `Account of ${ann}` }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await heading(page, 'You are signed out').waitFor()
    }
    const before = peer.signOuts.length
    await leave()
    expect(peer.signOuts).toHaveLength(before + 1)
    expect(page.url()).toBe(at('/logged-out'))
    peer.staysSignedIn = true
    await leave()
    await page.getByText('Your identity provider may still have a session').waitFor()
    expect(new URL(page.url()).search).toBe('?error=sso_logout_incomplete')
    await checkEveryView(page, 'logged-out-incomplete')
    // The session here ends in any case.
    await page.goto(at('/account'))
    await page.waitForURL(at('/login**'))
  })

  it('gets the next certificate before it signs', { timeout: 120_000 }, async () => {
    const { owner, page, sso } = await administrator()
    await addSamlProvider(owner, peer)
    await page.goto(sso)
    await page.getByText('Active', { exact: true }).waitFor()
    await button(page, 'Create next key').click()
    await page.getByText('The next key is published').first().waitFor()
    const published = async () => {
      const metadata = await (await fetch(at(`/api/v1/sso/saml/${owner.teamId}/metadata`))).text()
      return [...metadata.matchAll(/use="signing"/g)].length
    }
    expect(await published()).toBe(2)
    await button(page, 'Activate key').click()
    await page
      .getByRole('dialog', { name: 'Activate the next key?' })
      .getByRole('button', { name: 'Activate key' })
      .click()
    await page.getByText('Retired', { exact: true }).waitFor()
    await checkEveryView(page, 'saml-team-keys')
    await page.getByRole('button', { name: /^Remove key / }).click()
    await page.getByRole('dialog', { name: 'Remove this key?' }).getByRole('button', { name: 'Remove key' }).click()
    await page.getByText('Retired', { exact: true }).waitFor({ state: 'detached' })
    expect(await published()).toBe(1)
  })
})
