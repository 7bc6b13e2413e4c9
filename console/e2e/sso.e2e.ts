import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newVisitor, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { addProvider, type IdentityProvider, startIdentityProvider } from './identity-provider'
import {
  consentTo,
  field,
  fillEmail,
  fillSignIn,
  heading,
  newAddress,
  register,
  registerByApi,
  signedIn,
  signOut,
} from './people'
import { createApplication, joinByInvitation, protect, registerProgram } from './programs'
import { type RelyingParty, startRelyingParty } from './relying-party'

useBrowser()

let domains = 0
const newDomain = () => {
  domains += 1
  return `acme-${Date.now()}-${domains}.example`
}

/** Continues to the provider that lists the unverified domain of the email address. */
async function continueToProvider(page: Page, email: string): Promise<void> {
  await field.email(page).fill(email)
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
}

/** Responds as for a verified domain; a verification needs a name server. */
const pretendVerified = (page: Page) =>
  page.route('**/sso/discover?*', async (route) => {
    const answer = await route.fetch()
    const { providers } = (await answer.json()) as { providers: object[] }
    const verified = { automatic: true, name: 'Directory' }
    await route.fulfill({ json: { providers: providers.map((one) => ({ ...one, ...verified })) } })
  })

describe.skipIf(cannotRun)('single sign-on', () => {
  let peer: IdentityProvider
  let shop: RelyingParty
  beforeAll(async () => {
    peer = await startIdentityProvider()
    shop = await startRelyingParty()
  })
  afterAll(() => Promise.all([peer?.close(), shop?.stop()]))

  /** A team with the provider, which lists a new domain. */
  async function team(settings: object = {}) {
    const owner = await registerProgram(newAddress('owner'))
    const domain = newDomain()
    const id = await addProvider(owner, peer, { allowedDomains: [domain], ...settings })
    peer.refuses = false
    peer.person = { sub: `sub-${domain}`, email: `ann@${domain}`, email_verified: true, given_name: 'Ann' }
    return { owner, domain, id, ann: `ann@${domain}` }
  }

  it('offers a provider of an unverified domain without its name, beside the password', async () => {
    const { domain, ann } = await team()
    const page = await newPage()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/sso/discover')) asked.push(request.url())
    })
    await page.goto(at('/login'))
    await field.email(page).fill(ann)
    // A button that moves on blur would lose the click.
    const places = () =>
      Promise.all(
        ['Continue', 'Email me a sign-in link'].map((name) =>
          page.getByRole('button', { name, exact: true }).boundingBox(),
        ),
      )
    const before = await places()
    await page.keyboard.press('Tab')
    const go = page.getByRole('button', { name: 'Continue with single sign-on' })
    await go.waitFor()
    expect(await page.getByText('Directory').count()).toBe(0)
    expect(await places()).toEqual(before)
    // The domain, never the email address.
    expect(asked).toEqual([at(`/api/v1/sso/discover?domain=${domain}`)])
    await checkEveryView(page, 'login-sso')
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
    await go.click()
    await signedIn(page)
    expect(peer.arrivals.at(-1)?.searchParams.get('login_hint')).toBe(ann)
    await page.reload()
    await signedIn(page)
  })

  it('requires the password on Enter, unless the domain is verified', async () => {
    const { ann } = await team()
    const page = await newPage()
    await page.goto(at('/login'))
    await field.email(page).fill(`someone@${newDomain()}`)
    await field.email(page).press('Enter')
    await field.password(page).waitFor()
    await page.reload()
    await field.email(page).fill(ann)
    await field.email(page).press('Enter')
    await field.password(page).waitFor()
    await pretendVerified(page)
    await page.reload()
    await field.email(page).fill(ann)
    await field.email(page).press('Enter')
    await signedIn(page)
  })

  it('leaves no token in the URL, the history, any storage or any Referer', async () => {
    const { id } = await team()
    const page = await newPage()
    const referers: string[] = []
    page.on('request', (request) => referers.push(request.headers().referer ?? ''))
    await page.goto(at(`/api/v1/sso/oidc/${id}/login?returnTo=/account`))
    await signedIn(page)
    expect(page.url()).toBe(at('/account'))
    const entries = await page.evaluate(() =>
      JSON.stringify([history.state, { ...sessionStorage }, { ...localStorage }]),
    )
    expect(entries).not.toContain('eyJ')
    expect(referers.join()).not.toContain('token')
    await page.goBack()
    expect(page.url()).not.toContain('token')
  })

  it('rejects a callback URL of a third party', async () => {
    const { owner } = await team()
    const page = await newPage()
    await page.goto(at(`/auth/sso/callback?token=${owner.token}&returnTo=/account`))
    await page.getByText('This sign-in was not started here').waitFor()
    expect(page.url()).toBe(at('/error?code=sso_unexpected'))
    // The session of the current user stays.
    const email = newAddress('victim')
    await registerByApi(page, email)
    await page.goto(at(`/auth/sso/callback?token=${owner.token}&returnTo=/account`))
    await page.getByRole('button', { name: `Account of ${email}` }).waitFor()
  })

  it('replaces the session of another account only after a click on a page that names both', async () => {
    const { id, ann } = await team()
    const page = await newPage()
    const email = newAddress('victim')
    await registerByApi(page, email)
    for (const choice of ['Keep my session', 'Replace session']) {
      await page.goto(at(`/api/v1/sso/oidc/${id}/login?returnTo=/account`))
      await heading(page, 'Replace your session?').waitFor()
      await page.getByText(email).waitFor()
      await page.getByText(ann).waitFor()
      if (choice === 'Keep my session') await checkEveryView(page, 'sso-replace-session')
      await page.getByRole('button', { name: choice }).click()
      const user = choice === 'Keep my session' ? email : ann
      await page.getByRole('button', { name: `Account of ${user}` }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: `Account of ${user}` }).waitFor()
    }
  })

  it('works without cookies in the tab that left for the provider', async () => {
    const { ann } = await team()
    const context = await newVisitor()
    const page = await context.newPage()
    await page.goto(at('/login'))
    await page.route('**/auth/refresh', (route) => route.fulfill({ status: 401, json: { code: 'unauthorized' } }))
    await continueToProvider(page, ann)
    await page.getByRole('button', { name: `Account of ${ann}` }).waitFor()
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('eyJ')
  })

  it.each(['//evil.example/', '/\\evil.example/', 'https://evil.example/', 'javascript:alert(1)'])(
    'never leads to %s',
    async (returnTo) => {
      const { ann } = await team()
      const page = await newPage()
      await page.goto(at(`/login?${new URLSearchParams({ returnTo })}`))
      await continueToProvider(page, ann)
      await signedIn(page)
      await page.waitForURL(at('/home'))
      await page.goto(at(`/auth/sso/callback?token=x&${new URLSearchParams({ returnTo })}`))
      await signedIn(page)
      await page.waitForURL(at('/home'))
    },
  )

  it('returns to the requesting application', async () => {
    const { owner, ann } = await team()
    const client = await createApplication(owner, 'The Shop', { redirectUris: [shop.redirectUri] })
    const page = await newPage()
    await page.goto(shop.signIn(client))
    await continueToProvider(page, ann)
    await consentTo(page, 'The Shop').waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    // The second sign-in shows no page, and a fresh sign-in ends there too.
    await page.goto(shop.signIn(client, { prompt: 'login' }))
    await field.email(page).waitFor()
    await continueToProvider(page, ann)
    await page.waitForURL(`${shop.redirectUri}?**`)
  })

  it('continues with a pending SAML request, at a URL built from its two parts', async () => {
    const { ann } = await team()
    const page = await newPage()
    const [app, id] = ['0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000', 'q7Yw-0000000000000000_0000000000000000000AA']
    // The response for a pending request that is complete.
    await page.route(`**/sso/saml-idp/${app}/requests/${id}`, (route) =>
      route.fulfill({
        json: { application: { id: app, name: 'Wiki' }, loginRequired: false, secondFactorRequired: false },
      }),
    )
    const resumed = page.waitForRequest((request) => request.url().includes('?resume='))
    await page.goto(at(`/login?saml=${app}:${id}`))
    await continueToProvider(page, ann)
    expect((await resumed).url()).toBe(at(`/api/v1/sso/saml-idp/${app}/sso?resume=${id}&returned=true`))
    // Opens another URL once the browser is there: before that, one navigation interrupts the other.
    await page.waitForURL(/resume=/)
    await page.goto(at('/login?saml=https://evil.example'))
    await heading(page, 'We couldn’t sign you in').waitFor()
    await page.getByText('The identity provider in this link does not exist here.').waitFor()
  })

  it('requires the second factor of the account', async () => {
    const { owner, domain } = await team()
    const email = `ben@${domain}`
    const ben = await registerProgram(email)
    const { backupCodes } = await protect(ben)
    await joinByInvitation(owner, ben, email)
    peer.person = { sub: 'ben', email, email_verified: true }
    const page = await newPage()
    await page.goto(at('/login?returnTo=/account'))
    await continueToProvider(page, email)
    await page.getByRole('button', { name: 'Backup code' }).click()
    expect(page.url()).toBe(at('/mfa?returnTo=%2Faccount'))
    await checkEveryView(page, 'sso-mfa')
    await page.getByRole('textbox').fill(backupCodes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(at('/account'))
  })

  it('replaces the session of another account after a second factor only after a click', async () => {
    const { owner, domain, id } = await team()
    const email = `dan@${domain}`
    const dan = await registerProgram(email)
    const { backupCodes } = await protect(dan)
    await joinByInvitation(owner, dan, email)
    peer.person = { sub: 'dan', email, email_verified: true }
    const page = await newPage()
    const victim = newAddress('victim')
    await registerByApi(page, victim)
    for (const [index, choice] of ['Keep my session', 'Replace session'].entries()) {
      await page.goto(at(`/api/v1/sso/oidc/${id}/login?returnTo=/account`))
      await page.getByRole('button', { name: 'Backup code' }).click()
      await page.getByRole('textbox').fill(backupCodes[index] ?? '')
      await page.keyboard.press('Enter')
      await heading(page, 'Replace your session?').waitFor()
      await page.getByText(victim).waitFor()
      await page.getByText(email).waitFor()
      await page.getByRole('button', { name: choice }).click()
      const user = choice === 'Keep my session' ? victim : email
      await page.getByRole('button', { name: `Account of ${user}` }).waitFor()
      if (choice === 'Replace session') expect(page.url()).toBe(at('/account'))
    }
  })

  it('fails if the provider is disabled during two-step verification', async () => {
    const { owner, domain, id } = await team()
    const email = `cat@${domain}`
    const cat = await registerProgram(email)
    const { backupCodes } = await protect(cat)
    await joinByInvitation(owner, cat, email)
    peer.person = { sub: 'cat', email, email_verified: true }
    const page = await newPage()
    await page.goto(at('/login?returnTo=/account'))
    await continueToProvider(page, email)
    await page.getByRole('button', { name: 'Backup code' }).click()
    await owner.put(`/sso/providers/${id}`, { enabled: false })
    await page.getByRole('textbox').fill(backupCodes[0] ?? '')
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in').waitFor()
    await page.getByRole('alert').getByText('The sign-in provider is disabled.').waitFor()
    expect(page.url()).toBe(at('/login?returnTo=%2Faccount'))
    await checkEveryView(page, 'login-rejected-at-factor')
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Backup code' }).click()
    await page.getByRole('textbox').fill(backupCodes[1] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(at('/account'))
  })

  it('shows the cause and the request ID of a failure, with a next step', async () => {
    const { id, ann } = await team()
    const page = await newPage()
    peer.refuses = true
    await page.goto(at(`/api/v1/sso/oidc/${id}/login?returnTo=/account`))
    await heading(page, 'The identity provider denied access').waitFor()
    expect(page.url()).toBe(at('/auth/sso/callback'))
    await page.getByRole('button', { name: 'Copy Request ID' }).waitFor()
    await checkEveryView(page, 'sso-rejected')
    peer.refuses = false
    await page.getByRole('button', { name: 'Back to sign in' }).click()
    await continueToProvider(page, ann)
    await page.waitForURL(at('/account'))
  })

  it('requests the team if several teams list the domain and none has verified it', async () => {
    const { domain, ann } = await team()
    const other = await registerProgram(newAddress('other'))
    await addProvider(other, peer, { name: 'Elsewhere', allowedDomains: [domain] })
    await addProvider(other, peer, { name: 'Elsewhere too', allowedDomains: [domain] })
    const page = await newPage()
    await page.goto(at('/login'))
    await field.email(page).fill(ann)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    const named = page.getByRole('form', { name: 'Single sign-on of your team' })
    await checkEveryView(page, 'login-sso-team')
    const name = async (team: string) => {
      await named.getByLabel('Team').fill(team)
      await named.getByRole('button', { name: 'Continue with single sign-on' }).click()
    }
    await name('no-such-team')
    await page.getByText('No team with this name has single sign-on').waitFor()
    await name(other.slug)
    const choice = page.getByRole('group', { name: 'Choose a sign-in provider' })
    await choice.getByRole('button', { name: 'Continue with single sign-on 1' }).waitFor()
    await checkEveryView(page, 'login-sso-several')
    await choice.getByRole('button', { name: 'Continue with single sign-on 2' }).click()
    await signedIn(page)
  })

  it('opens the provider of a verified domain on Continue, and offers the password to users who come back', async () => {
    const { ann, domain } = await team()
    const page = await newPage()
    await pretendVerified(page)
    peer.refuses = true
    await page.goto(at('/login'))
    await fillEmail(page, ann)
    await heading(page, 'The identity provider denied access').waitFor()
    await page.getByRole('button', { name: 'Back to sign in' }).click()
    await fillEmail(page, ann)
    await page.getByRole('button', { name: 'Continue with Directory' }).waitFor()
    await page.getByText(`${domain} signs in with Directory.`).waitFor()
    await checkEveryView(page, 'login-provider')
    await page.getByRole('button', { name: 'Use a password instead' }).click()
    await field.password(page).fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
  })

  it('keeps the button under the pointer until the click ends', async () => {
    const { ann } = await team()
    const page = await newPage()
    await pretendVerified(page)
    await page.goto(at('/login'))
    await field.email(page).fill(ann)
    const found = page.waitForResponse('**/sso/discover?*')
    await page.getByRole('button', { name: 'Email me a sign-in link' }).hover()
    await page.mouse.down()
    await found
    await page.waitForTimeout(200)
    await page.mouse.up()
    await heading(page, 'Check your email').waitFor()
  })

  it('notifies other tabs', async () => {
    const { ann } = await team()
    const context = await newVisitor()
    const [one, two] = [await context.newPage(), await context.newPage()]
    const email = newAddress('before')
    await register(one, email)
    await signOut(one)
    await one.goto(at('/login'))
    await two.goto(at('/login'))
    await continueToProvider(two, ann)
    await signedIn(two)
    await signedIn(one)
    expect(service.url).toBe(new URL(one.url()).origin)
  })
})
