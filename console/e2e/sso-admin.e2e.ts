import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { button, everything, link } from './application-pages'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { addProvider, type IdentityProvider, startIdentityProvider } from './identity-provider'
import { heading, newAddress, signedIn, signInByApi } from './people'
import { registerProgram } from './programs'

useBrowser()

/** Somebody whom no team knows yet. */
const somebody = () => ({
  sub: 'sub-1',
  email: newAddress('ann'),
  email_verified: true,
  given_name: 'Ann',
  family_name: 'Smith',
  dept: 'Research',
})

/** A page of the provider, among its tabs. */
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: /^Pages of / }).getByRole('link', { name, exact: true })

describe.skipIf(cannotRun)('the pages of sign-in providers', () => {
  let peer: IdentityProvider
  beforeAll(async () => {
    peer = await startIdentityProvider()
  })
  afterAll(() => peer?.close())

  async function administrator() {
    peer.refuses = false
    const ann = somebody()
    peer.person = ann
    const email = newAddress('admin')
    const owner = await registerProgram(email)
    const page = await newPage()
    await signInByApi(page, email)
    return { owner, page, ann: ann.email, sso: at(`/t/${owner.slug}/sso`) }
  }

  it('lead from nothing to a tried provider that is on', { timeout: 90_000 }, async () => {
    const { page, sso } = await administrator()
    await page.goto(at('/'))
    await link(page, 'Add provider').click()
    await heading(page, 'Add a sign-in provider').waitFor()
    await checkEveryView(page, 'sso-new-okta')
    await page.getByRole('radio', { name: 'Google Workspace' }).check()
    expect(await page.getByRole('textbox', { name: 'Issuer' }).inputValue()).toBe('https://accounts.google.com')
    await page.getByRole('radio', { name: 'OpenID Connect', exact: true }).first().check()
    await button(page, 'Save and go on').click()
    await page.getByText('Copy it from the provider.').first().waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme login')
    await page.getByRole('textbox', { name: 'Issuer' }).fill(peer.issuer)
    await page.getByRole('textbox', { name: 'Client ID' }).fill(peer.clientId)
    await page.getByRole('textbox', { name: 'Client secret' }).fill(peer.clientSecret)
    await button(page, 'Save and go on').click()
    await heading(page, 'Acme login').waitFor()
    // The secret is nowhere any more.
    expect(await everything(page)).not.toContain(peer.clientSecret)
    await page.getByText('Nobody can sign in by it yet').waitFor()
    await page.getByText('/api/v1/sso/oidc/').first().waitFor()
    await checkEveryView(page, 'sso-draft')

    await button(page, 'Check the configuration').click()
    await page.getByText('Everything that can be seen without a sign-in is right.').first().waitFor()
    await checkEveryView(page, 'sso-checked')

    await button(page, 'Sign in with Acme login in this window').click()
    await page.getByText('A real sign-in would have been refused').first().waitFor()
    await page.getByText('The user is not a member of the team').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await checkEveryView(page, 'sso-report-refused')

    await tab(page, 'Settings').click()
    await page.getByRole('checkbox', { name: /^Make accounts at the first sign-in/ }).check()
    await checkEveryView(page, 'sso-settings')
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()

    await tab(page, 'Overview').click()
    await button(page, 'Turn on').click()
    await page.getByRole('dialog', { name: 'Turn Acme login on without a test?' }).waitFor()
    await checkEveryView(page, 'sso-untested')
    await button(page, 'Cancel').click()

    await button(page, 'Sign in with Acme login in this window').click()
    await page.getByText('A real sign-in would have worked').first().waitFor()
    await checkEveryView(page, 'sso-report')
    await button(page, 'Turn it on').click()
    await button(page, 'Turn on').click()
    await page.getByText('People can sign in by it.').waitFor()

    await page.goto(sso)
    await page.getByText('On', { exact: true }).waitFor()
    await checkEveryView(page, 'sso-list')
  })

  it('map attributes beside what was last received, and the next test shows what became of it', {
    timeout: 60_000,
  }, async () => {
    const { owner, page, ann, sso } = await administrator()
    const id = await addProvider(owner, peer)
    await page.goto(`${sso}/${id}`)
    await button(page, 'Sign in with Directory in this window').click()
    await page.getByText('A real sign-in would have worked').first().waitFor()
    await tab(page, 'Attributes').click()
    await page.getByRole('row', { name: /dept Research/ }).waitFor()
    await page.getByText(`Last received: ${ann}`).waitFor()
    await page.getByRole('combobox', { name: 'Department' }).fill('dept')
    await page.getByRole('combobox', { name: 'Title' }).fill('dept')
    await button(page, 'Save').click()
    await page.getByText('This attribute fills another field already.').waitFor()
    await page.getByRole('combobox', { name: 'Title' }).fill('')
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.getByRole('row', { name: /dept Research → Department/ }).waitFor()
    await checkEveryView(page, 'sso-attributes')
    await tab(page, 'Overview').click()
    await button(page, 'Sign in with Directory in this window').click()
    await page.getByRole('definition').filter({ hasText: 'Research' }).waitFor()
  })

  it('say which check failed and what to change', { timeout: 60_000 }, async () => {
    const { owner, page, sso } = await administrator()
    const id = await addProvider(owner, peer)
    const { answers } = peer.script
    peer.script = { ...(answers && { answers }), claims: { aud: 'somebody-else' } }
    await page.goto(`${sso}/${id}`)
    await button(page, 'Sign in with Directory in this window').click()
    await page.getByRole('heading', { name: 'What was wrong' }).waitFor()
    await page.getByText('Failed: Audience').waitFor()
    await page.getByText('somebody-else').waitFor()
    await page.getByText('At the provider, change “Client ID” to the expected value.').waitFor()
    await checkEveryView(page, 'sso-report-failed')
    peer.script = answers ? { answers } : {}
    await owner.put(`/sso/providers/${id}`, {
      oidcIssuer: `${peer.issuer}/elsewhere`,
      oidcClientSecret: 'of-elsewhere',
    })
    await page.goto(`${sso}/${id}`)
    await button(page, 'Check the configuration').click()
    await page
      .getByText(/^Failed: /)
      .first()
      .waitFor()
    await checkEveryView(page, 'sso-checked-failed')
  })

  it('record each sign-in, to be opened one by one', async () => {
    const { owner, page, ann, sso } = await administrator()
    const id = await addProvider(owner, peer)
    const visitor = await newPage()
    await visitor.goto(at(`/api/v1/sso/oidc/${id}/login`))
    await signedIn(visitor)
    await page.goto(`${sso}/${id}/sign-ins`)
    await page.getByText('Signed in', { exact: true }).waitFor()
    await checkEveryView(page, 'sso-sign-ins')
    await link(page, ann).click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.getByRole('row', { name: /given_name Ann → First name/ }).waitFor()
    await checkEveryView(page, 'sso-sign-in')
  })

  it('show a test to whoever came back in another tab', async () => {
    const { owner, page } = await administrator()
    const id = await addProvider(owner, peer)
    const { url } = await owner.post(`/sso/providers/${id}/test-login`, {})
    await page.goto(String(url))
    await page.getByText('A real sign-in would have worked').first().waitFor()
    const { url: again } = await owner.post(`/sso/providers/${id}/test-login`, {})
    const stranger = await newPage()
    await stranger.goto(String(again))
    await heading(stranger, 'Test sign-in completed').waitFor()
  })

  it('keep a secret that is not typed again', async () => {
    const { owner, page, sso } = await administrator()
    const id = await addProvider(owner, peer)
    await page.goto(`${sso}/${id}/settings`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme')
    await page.getByText('Endpoints and scopes').click()
    await page.getByRole('textbox', { name: 'Domain 1' }).fill('not a domain')
    await button(page, 'Save').click()
    await page.getByText('Write a domain, as example.com.').waitFor()
    await page.getByRole('textbox', { name: 'Domain 1' }).fill('Acme.example')
    await button(page, 'Save').click()
    await heading(page, 'Acme').waitFor()
    await page.goto(at(`/api/v1/sso/oidc/${id}/login`))
    await heading(page, 'Your email domain can’t use single sign-on').waitFor()
  })

  it('add a domain with its record, look it up, and take it back', async () => {
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
    await button(page, 'Look up acme.invalid').click()
    await page.getByText('The record is not there yet').waitFor()
    await button(page, 'Remove acme.invalid').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No domain yet').waitFor()
  })

  it('turn a provider off and delete it only when asked twice', async () => {
    const { owner, page, sso } = await administrator()
    const id = await addProvider(owner, peer)
    await page.goto(`${sso}/${id}`)
    await button(page, 'Turn off').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Nobody can sign in by it yet').waitFor()
    await tab(page, 'Delete').click()
    await button(page, 'Delete provider').click()
    const dialog = page.getByRole('dialog', { name: 'Delete Directory?' })
    await dialog.getByRole('textbox').fill('Directory')
    await dialog.getByRole('button', { name: 'Delete provider' }).click()
    await page.getByText('No provider yet').waitFor()
  })

  it('are closed to members, and open to be read by whoever may only read', async () => {
    const { owner, sso } = await administrator()
    const id = await addProvider(owner, peer)
    const visitor = await newPage()
    await visitor.goto(at(`/api/v1/sso/oidc/${id}/login`))
    await signedIn(visitor)
    expect(await link(visitor, 'Single sign-on').count()).toBe(0)
    await visitor.goto(sso)
    await heading(visitor, 'No access').waitFor()
    await visitor.goto(`${sso}/${id}`)
    await heading(visitor, 'No access').waitFor()
    await visitor.goto(`${sso}/new`)
    await heading(visitor, 'No access').waitFor()
  })
})
