import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { button, everything, link } from './application-pages'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { addProvider, type IdentityProvider, startIdentityProvider } from './identity-provider'
import { heading, newAddress, signedIn, signInByApi } from './people'
import { registerProgram } from './programs'

useBrowser()

/** A user of the provider who is in no team. */
const newUser = () => ({
  sub: 'sub-1',
  email: newAddress('ann'),
  email_verified: true,
  given_name: 'Ann',
  family_name: 'Smith',
  dept: 'Research',
})

/** A tab of the provider. */
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: /^Pages of / }).getByRole('link', { name, exact: true })

describe.skipIf(cannotRun)('sign-in providers', () => {
  let peer: IdentityProvider
  beforeAll(async () => {
    peer = await startIdentityProvider()
  })
  afterAll(() => peer?.close())

  async function administrator() {
    peer.refuses = false
    const ann = newUser()
    peer.person = ann
    const email = newAddress('admin')
    const owner = await registerProgram(email)
    const page = await newPage()
    await signInByApi(page, email)
    return { owner, page, ann: ann.email, sso: at(`/t/${owner.slug}/sso`) }
  }

  it('sets up, tests and enables a provider', { timeout: 90_000 }, async () => {
    const { page, sso } = await administrator()
    await page.goto(at('/'))
    await link(page, 'Add provider').click()
    await heading(page, 'Set up a sign-in provider').waitFor()
    await checkEveryView(page, 'sso-new')
    await page.getByRole('radio', { name: 'Google Workspace' }).check()
    await button(page, 'Continue').click()
    await page.getByText('Google Cloud console').waitFor()
    const redirectUrl = page.getByText('/api/v1/sso/oidc/').first()
    const shownBefore = await redirectUrl.textContent()
    await checkEveryView(page, 'sso-new-google')
    await button(page, 'Continue').click()
    expect(await page.getByRole('textbox', { name: 'Issuer' }).inputValue()).toBe('https://accounts.google.com')
    await button(page, 'Back').click()
    await button(page, 'Back').click()
    await page.getByRole('radio', { name: 'OpenID Connect', exact: true }).first().check()
    await button(page, 'Continue').click()
    await button(page, 'Continue').click()
    await button(page, 'Continue').click()
    await page.getByText('Enter the value from the provider.').first().waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme login')
    await page.getByRole('textbox', { name: 'Issuer' }).fill(peer.issuer)
    await page.getByRole('textbox', { name: 'Client ID' }).fill(peer.clientId)
    await page.getByRole('textbox', { name: 'Client secret' }).fill(peer.clientSecret)
    await button(page, 'Continue').click()
    await heading(page, 'Acme login').waitFor()
    // No part of the page contains the secret.
    expect(await everything(page)).not.toContain(peer.clientSecret)
    await page.getByRole('heading', { name: 'Test sign-in' }).waitFor()
    await checkEveryView(page, 'sso-draft')
    await button(page, /Configure your provider/).click()
    expect(await redirectUrl.textContent()).toBe(shownBefore)
    await button(page, 'Continue').click()

    await button(page, 'Check configuration').click()
    await page.getByText('All checks that need no sign-in passed.').first().waitFor()
    await checkEveryView(page, 'sso-checked')

    await button(page, 'Test sign-in with Acme login').click()
    await page.getByText('A sign-in would be rejected').first().waitFor()
    await page.getByText('The user is not a member of the team').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await checkEveryView(page, 'sso-report-rejected')

    await tab(page, 'Settings').click()
    await page.getByRole('checkbox', { name: /^Create accounts at the first sign-in/ }).check()
    await checkEveryView(page, 'sso-settings')
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()

    await tab(page, 'Overview').click()
    await button(page, 'Continue').click()
    await button(page, 'Enable').click()
    await page.getByRole('dialog', { name: 'Enable Acme login without a test?' }).waitFor()
    await checkEveryView(page, 'sso-untested')
    await button(page, 'Cancel').click()
    await button(page, /^Test sign-in/).click()
    await button(page, 'Test sign-in with Acme login').click()
    await page.getByText('A sign-in would succeed').first().waitFor()
    await checkEveryView(page, 'sso-report')
    await button(page, 'Continue').click()
    await button(page, 'Enable').click()
    await page.getByText('Users can sign in with this provider.').waitFor()

    await page.goto(sso)
    await page.getByText('Enabled', { exact: true }).waitFor()
    await checkEveryView(page, 'sso-list')
  })

  it('maps attributes, and the next test shows the result', {
    timeout: 60_000,
  }, async () => {
    const { owner, page, ann, sso } = await administrator()
    const id = await addProvider(owner, peer)
    await page.goto(`${sso}/${id}`)
    await button(page, 'Test sign-in with Directory').click()
    await page.getByText('A sign-in would succeed').first().waitFor()
    await tab(page, 'Attributes').click()
    await page.getByRole('row', { name: /dept Research/ }).waitFor()
    await page.getByText(`Last received: ${ann}`).waitFor()
    await page.getByRole('combobox', { name: 'Department' }).fill('dept')
    await page.getByRole('combobox', { name: 'Title' }).fill('dept')
    await button(page, 'Save').click()
    await page.getByText('This attribute is already used for another field.').waitFor()
    await page.getByRole('combobox', { name: 'Title' }).fill('')
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.getByRole('row', { name: /dept Research → Department/ }).waitFor()
    await checkEveryView(page, 'sso-attributes')
    await tab(page, 'Overview').click()
    await button(page, 'Test sign-in with Directory').click()
    await page.getByRole('definition').filter({ hasText: 'Research' }).waitFor()
  })

  it('shows the failed check and its fix', { timeout: 60_000 }, async () => {
    const { owner, page, sso } = await administrator()
    const id = await addProvider(owner, peer)
    const { answers } = peer.script
    peer.script = { ...(answers && { answers }), claims: { aud: 'another-client' } }
    await page.goto(`${sso}/${id}`)
    await button(page, 'Test sign-in with Directory').click()
    await page.getByRole('heading', { name: 'Failed checks' }).waitFor()
    await page.getByText('Failed: Audience').waitFor()
    await page.getByText('another-client').waitFor()
    await page.getByText('At the provider, change “Client ID” to the expected value.').waitFor()
    await checkEveryView(page, 'sso-report-failed')
    peer.script = answers ? { answers } : {}
    await owner.put(`/sso/providers/${id}`, {
      oidcIssuer: `${peer.issuer}/elsewhere`,
      oidcClientSecret: 'other-secret',
    })
    await page.goto(`${sso}/${id}`)
    await button(page, 'Check configuration').click()
    await page
      .getByText(/^Failed: /)
      .first()
      .waitFor()
    await checkEveryView(page, 'sso-checked-failed')
  })

  it('records each sign-in with a report', async () => {
    const { owner, page, ann, sso } = await administrator()
    const id = await addProvider(owner, peer)
    const visitor = await newPage()
    await visitor.goto(at(`/api/v1/sso/oidc/${id}/login`))
    await signedIn(visitor)
    await page.goto(`${sso}/${id}/sign-ins`)
    await page.getByText('Signed in', { exact: true }).waitFor()
    await checkEveryView(page, 'sso-sign-ins')
    await link(page, ann).click()
    await page.getByRole('heading', { name: 'Sign-in' }).waitFor()
    await page.getByRole('row', { name: /given_name Ann → First name/ }).waitFor()
    await checkEveryView(page, 'sso-sign-in')
  })

  it('opens the report of a test that another tab started', async () => {
    const { owner, page } = await administrator()
    const id = await addProvider(owner, peer)
    const { url } = await owner.post(`/sso/providers/${id}/test-login`, {})
    await page.goto(String(url))
    await page.getByText('A sign-in would succeed').first().waitFor()
    const { url: again } = await owner.post(`/sso/providers/${id}/test-login`, {})
    const otherUser = await newPage()
    await otherUser.goto(String(again))
    await heading(otherUser, 'The test sign-in has ended').waitFor()
  })

  it('keeps the stored secret when other settings are saved', async () => {
    const { owner, page, sso } = await administrator()
    const id = await addProvider(owner, peer)
    await page.goto(`${sso}/${id}/settings`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme')
    await page.getByText('Endpoints and scopes').click()
    await page.getByRole('textbox', { name: 'Email domains' }).fill('not a domain')
    await button(page, 'Save').click()
    await page.getByText('Enter domains such as example.com, separated by commas.').waitFor()
    await page.getByRole('textbox', { name: 'Email domains' }).fill('Acme.example')
    await button(page, 'Save').click()
    await heading(page, 'Acme').waitFor()
    await page.goto(at(`/api/v1/sso/oidc/${id}/login`))
    await heading(page, 'Your email domain may not sign in this way').waitFor()
  })

  it('adds, verifies and removes a domain', async () => {
    const { page, sso } = await administrator()
    await page.goto(sso)
    await button(page, 'Add domain').click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('acme.invalid')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByText('_keyward.acme.invalid').waitFor()
    await page.getByText(/^keyward-domain-verification=/).waitFor()
    await checkEveryView(page, 'sso-domains')
    await page.route('**/domains/acme.invalid/verify', (route) =>
      route.fulfill({ status: 409, json: { code: 'domain_not_proven', status: 409 } }),
    )
    await button(page, 'Verify acme.invalid').click()
    await page.getByText('The TXT record was not found.').waitFor()
    await button(page, 'Remove acme.invalid').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No domains yet').waitFor()
  })

  it('disables and deletes a provider after confirmation', async () => {
    const { owner, page, sso } = await administrator()
    const id = await addProvider(owner, peer)
    await page.goto(`${sso}/${id}`)
    await button(page, 'Disable').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    await tab(page, 'Settings').click()
    await button(page, 'Delete provider').click()
    const dialog = page.getByRole('dialog', { name: 'Delete Directory?' })
    await dialog.getByRole('textbox').fill('Directory')
    await dialog.getByRole('button', { name: 'Delete provider' }).click()
    await page.getByText('No providers yet').waitFor()
  })

  it('denies members access', async () => {
    const { owner, sso } = await administrator()
    const id = await addProvider(owner, peer)
    const visitor = await newPage()
    await visitor.goto(at(`/api/v1/sso/oidc/${id}/login`))
    await signedIn(visitor)
    expect(await link(visitor, 'Sign-in providers').count()).toBe(0)
    await visitor.goto(sso)
    await heading(visitor, 'No access').waitFor()
    await visitor.goto(`${sso}/${id}`)
    await heading(visitor, 'No access').waitFor()
    await visitor.goto(`${sso}/new`)
    await heading(visitor, 'No access').waitFor()
  })
})
