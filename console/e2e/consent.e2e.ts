import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, newVisitor, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { mailedLink } from './mails'
import { consentTo, field, fillSignIn, heading, newAddress, registerByApi, signInByApi } from './people'
import { createApplication, type Program, registerProgram } from './programs'
import { type Client, type RelyingParty, startRelyingParty } from './relying-party'

useBrowser()

describe.skipIf(cannotRun)('sign-in to an application', () => {
  let shop: RelyingParty
  const email = newAddress('owner')
  let owner: Program
  let client: Client

  beforeAll(async () => {
    shop = await startRelyingParty()
    owner = await registerProgram(email)
    client = await createApplication(owner, 'The Shop', { redirectUris: [shop.redirectUri] })
  })
  afterAll(() => shop?.stop())

  /** An application without any consent. */
  const fresh = (name: string, settings: object = {}) =>
    createApplication(owner, name, { redirectUris: [shop.redirectUri], ...settings })

  it('shows the requested permissions once and returns a valid code', async () => {
    const page = await newPage()
    await page.goto(shop.signIn(client))
    await heading(page, 'Sign in to The Shop').waitFor()
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)
    // Whose account is used, and who owns the application: a team can choose its name and logo.
    await page.getByText('Use your Keyward account.', { exact: true }).waitFor()
    const team = (await owner.get(`/organizations/${owner.teamId}`)) as { name: string }
    await page.locator('#page').getByText(team.name, { exact: true }).waitFor()
    await checkEveryView(page, 'login-application')
    await fillSignIn(page, email)

    await consentTo(page, 'The Shop').waitFor()
    await page.getByText(/^The Shop by .+ requests access to your Keyward account\.$/).waitFor()
    await page.getByText('Your email address').waitFor()
    await page.getByText(`a program on this computer (${new URL(shop.redirectUri).host})`).waitFor()
    await page.getByText(email).waitFor()
    const [allow, deny] = await Promise.all(
      ['Allow', 'Deny'].map((name) => page.getByRole('button', { name, exact: true }).boundingBox()),
    )
    expect(allow?.width).toBeCloseTo(deny?.width ?? 0, 0)
    expect(allow?.height).toBe(deny?.height)
    await checkEveryView(page, 'consent')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    const back = new URL(page.url())
    expect(back.searchParams.get('state')).toBe('the-state')
    expect(await shop.redeem(client, back.href)).toHaveProperty('id_token')

    // After the consent, no page is shown.
    const shown: string[] = []
    page.on('framenavigated', (frame) => shown.push(new URL(frame.url()).pathname))
    await page.goto(shop.signIn(client))
    await page.waitForURL(`${shop.redirectUri}?**`)
    expect(shown).toEqual(['/callback'])
  })

  it('has the color of the team on its sign-in page', async () => {
    await owner.put(`/organizations/${owner.teamId}`, { primaryColor: '#0e7f76' })
    const page = await newPage()
    await page.goto(shop.signIn(client))
    await heading(page, 'Sign in to The Shop').waitFor()
    const submit = page.getByRole('button', { name: 'Continue', exact: true })
    expect(await submit.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe('rgb(14, 127, 118)')
  })

  it('notifies the application of a denial', async () => {
    const page = await newPage()
    await page.goto(shop.signIn(await fresh('Denied')))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Deny', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    const back = new URL(page.url())
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('the-state')
  })

  it('posts the response in a form that no value can change, with and without scripts', async () => {
    const page = await newPage()
    // Back leads here.
    await page.goto(at('/favicon.svg'))
    const posting = await fresh('Posting')
    const form = { response_mode: 'form_post' }
    await page.goto(shop.signIn(posting, { ...form, state: 'first' }))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(shop.redirectUri)
    expect(shop.posted().searchParams.get('state')).toBe('first')
    expect(shop.posted().searchParams.get('iss')).toBe(posting.issuer)
    expect(await shop.redeem(posting, shop.posted().href)).toHaveProperty('id_token')

    // A page that was left has no second form.
    await page.goBack()
    await page.waitForURL(at('/favicon.svg'))

    const hostile = `"></form><form action="https://evil.example"><script>document.title='x'</script>'&quot;<!--`
    await page.goto(shop.signIn(posting, { ...form, state: hostile }))
    await page.waitForURL(shop.redirectUri)
    expect(shop.posted().searchParams.get('state')).toBe(hostile)

    const storageState = await page.context().storageState()
    const noScript = await newSeparateVisitor({ storageState, javaScriptEnabled: false }).then((visitor) =>
      visitor.newPage(),
    )
    await noScript.goto(shop.signIn(posting, { ...form, state: 'last' }))
    await heading(noScript, 'Signing in to Posting').waitFor()
    await noScript.getByRole('button', { name: 'Continue' }).click()
    await noScript.waitForURL(shop.redirectUri)
    expect(shop.posted().searchParams.get('state')).toBe('last')
  })

  it('requires consent for new permissions only, and marks them', async () => {
    const page = await newPage()
    const more = await fresh('More')
    await page.goto(shop.signIn(more, { scope: 'openid' }))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)

    await page.goto(shop.signIn(more, { scope: 'openid email offline_access' }))
    await page.getByText(/^More by .+ requests more access to your Keyward account\.$/).waitFor()
    const items = page.getByRole('listitem')
    expect(await items.filter({ hasText: 'New' }).allTextContents()).toEqual([
      expect.stringContaining('email address'),
      expect.stringContaining('while you’re away'),
    ])
    await checkEveryView(page, 'consent-more')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
  })

  it('switches the account for the same request', async () => {
    const page = await newPage()
    const other = newAddress('other')
    await registerByApi(page, other)
    await page.goto(shop.signIn(await fresh('Members only')))
    // A user of another team has no access: the page offers two next steps.
    await heading(page, 'You don’t have access to Members only').waitFor()
    await checkEveryView(page, 'consent-access-denied')
    await page.getByRole('button', { name: 'Use another account' }).click()
    await heading(page, 'Sign in to Members only').waitFor()
    await fillSignIn(page, email)
    await consentTo(page, 'Members only').waitFor()

    await page.getByRole('button', { name: 'Switch account' }).click()
    await heading(page, 'Sign in to Members only').waitFor()
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
  })

  it('returns a user without access to the application', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress('outsider'))
    await page.goto(shop.signIn(await fresh('Closed')))
    await page.getByRole('button', { name: 'Back to Closed' }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  it('opens a second application without a sign-in page', async () => {
    const page = await newPage()
    await signInByApi(page, email)
    const shown: string[] = []
    page.on('framenavigated', (frame) => shown.push(new URL(frame.url()).pathname))
    await page.goto(shop.signIn(await fresh('Second')))
    await consentTo(page, 'Second').waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    expect(shown).not.toContain('/login')
  })

  it('shows the sign-in page with the email address if the application requires a fresh sign-in', async () => {
    const page = await newPage()
    await signInByApi(page, email)
    await page.goto(shop.signIn(await fresh('Careful'), { prompt: 'login' }))
    await heading(page, 'Sign in to Careful').waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
    await page.getByText(/^Careful by .* requires you to sign in again with your Keyward account\.$/).waitFor()
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
  })

  it('shows why a user signs in again beside the provider of another team', async () => {
    const planter = await registerProgram(newAddress('planter'))
    const domain = `listed-${Date.now()}.example`
    await planter.post('/sso/providers', {
      name: 'Planted',
      type: 'GENERIC_OIDC',
      protocol: 'OIDC',
      oidcIssuer: 'https://login.planted.example',
      oidcClientId: 'client',
      oidcClientSecret: 'secret',
      allowedDomains: [domain],
    })
    const listed = `listed@${domain}`
    const careful = { redirectUris: [shop.redirectUri] }
    const application = await createApplication(await registerProgram(listed), 'Careful', careful)
    const page = await newPage()
    await signInByApi(page, listed)
    await page.goto(shop.signIn(application, { prompt: 'login' }))
    await page.getByRole('button', { name: 'Continue with single sign-on' }).waitFor()
    await page.getByText(/^Careful by .* requires you to sign in again with your Keyward account\.$/).waitFor()
    await checkEveryView(page, 'login-again')
  })

  it('prefills the email address that the application names', async () => {
    const page = await newPage()
    await page.goto(shop.signIn(client, { login_hint: email }))
    await heading(page, 'Sign in to The Shop').waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
  })

  it('continues to the application from a mailed link in the same browser', async () => {
    const visitor = await newVisitor()
    const page = await visitor.newPage()
    // Verified in its own session: another first verification would stop the applications of the team, which a third party may have
    // planted.
    const email = newAddress('by-mail')
    const program = await registerProgram(email)
    const verification = new URL(await mailedLink(service.outbox, email, '/verify-email'))
    await program.post('/auth/verify-email', { token: verification.searchParams.get('token') })
    const mine = await createApplication(program, 'By mail', { redirectUris: [shop.redirectUri] })
    await page.goto(shop.signIn(mine))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await heading(page, 'Check your email').waitFor()
    const link = await mailedLink(service.outbox, email, '/auth/verify')
    // The tab of the request is closed; the mail opens another one.
    const other = await visitor.newPage()
    await page.close()
    await other.goto(link)
    await consentTo(other, 'By mail').waitFor()
    await other.getByRole('button', { name: 'Allow', exact: true }).click()
    await other.waitForURL(`${shop.redirectUri}?**`)
  })

  it('marks an application that is an AI agent', async () => {
    const page = await newPage()
    await page.goto(shop.signIn(await fresh('Helper', { isAiAgent: true })))
    await fillSignIn(page, email)
    await consentTo(page, 'Helper').waitFor()
    await page.getByText('AI agent', { exact: true }).waitFor()
    await page.getByText('AI agents act on their own').waitFor()
    await checkEveryView(page, 'consent-agent')
  })

  it('completes a sign-in only in the browser that started it', async () => {
    const page = await newPage()
    await page.goto(shop.signIn(await fresh('Elsewhere')))
    await heading(page, 'Sign in to Elsewhere').waitFor()
    const victim = await newPage()
    await signInByApi(victim, email)
    await victim.goto(page.url())
    await victim.getByRole('button', { name: 'Allow', exact: true }).click()
    await heading(victim, 'This sign-in started in another browser').waitFor()
    expect(new URL(victim.url()).origin).toBe(service.url)
  })

  it('explains that the application requires another account', async () => {
    const page = await newPage()
    const expected = {
      login_hint: 'another-user@example.com',
      claims: '{"id_token":{"sub":{"value":"another-user"}}}',
    }
    await page.goto(shop.signIn(await fresh('Picky'), expected))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await heading(page, 'Picky requires another account').waitFor()
    await page.getByRole('button', { name: 'Use another account' }).click()
    await heading(page, 'Sign in to Picky').waitFor()
    expect(await field.email(page).inputValue()).toBe('another-user@example.com')
  })

  it('explains that a request has expired, with next steps', async () => {
    const page = await newPage()
    await signInByApi(page, email)
    await page.goto(at(`/consent?${new URLSearchParams({ uid: 'no-such-request', idp: client.issuer })}`))
    await heading(page, 'This sign-in has expired').waitFor()
    await checkEveryView(page, 'consent-over')
    await page.getByRole('button', { name: 'Go to start page' }).click()
    await page.waitForURL(at('/t/**'))
  })

  it.each(['', '?uid=no-such-request'])('explains that the link of /consent%s is incomplete', async (query) => {
    const page = await newPage()
    await page.goto(at(`/consent${query}`))
    await heading(page, 'This link is incomplete').waitFor()
    await page.getByText('Open the application and sign in there.').waitFor()
  })

  it.each(['/login', '/consent'])('never calls a provider of another service, on %s', async (path) => {
    const page = await newPage()
    await signInByApi(page, email)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().split('?')[0] ?? ''))
    for (const idp of [
      'https://evil.example/api/v1/sso/oidc-idp/x',
      at('/api/v1/auth/me'),
      at('/api/v1/sso/oidc-idp/../../auth'),
    ]) {
      await page.goto(at(`${path}?${new URLSearchParams({ uid: 'u', idp })}`))
      await heading(page, 'We couldn’t sign you in').waitFor()
      await page.getByText('The identity provider in this link does not exist here.').waitFor()
    }
    expect(asked.filter((url) => url.includes('evil') || url.includes('interaction'))).toEqual([])
  })
})

describe.skipIf(cannotRun)('sign-out requested by an application', () => {
  let shop: RelyingParty
  const email = newAddress('leaving')
  let client: Client

  beforeAll(async () => {
    shop = await startRelyingParty()
    client = await createApplication(await registerProgram(email), 'The Shop', {
      redirectUris: [shop.redirectUri],
      postLogoutRedirectUris: [shop.signedOutUri],
    })
  })
  afterAll(() => shop?.stop())

  const endSession = () =>
    `${client.issuer}/end-session?${new URLSearchParams({
      client_id: client.clientId,
      post_logout_redirect_uri: shop.signedOutUri,
      state: 'bye',
    })}`

  it('names the application, ends the session and returns', async () => {
    const page = await newPage()
    await signInByApi(page, email)
    await page.goto(endSession())
    await page.getByText('The Shop requests that you sign out').waitFor()
    await checkEveryView(page, 'logout-application')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(`${shop.signedOutUri}?**`)
    expect(new URL(page.url()).searchParams.get('state')).toBe('bye')
    await page.goto(at('/account'))
    await heading(page, 'Sign in').waitFor()
  })

  it('keeps the session of a user who stays signed in', async () => {
    const page = await newPage()
    await signInByApi(page, email)
    await page.goto(endSession())
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await page.waitForURL(at('/t/**'))
  })

  it('signs out after the request has expired', async () => {
    const page = await newPage()
    await signInByApi(page, email)
    await page.goto(at('/logout?resume=no-such-request'))
    await page.getByText('request has expired').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await heading(page, 'You are signed out').waitFor()
  })
})
