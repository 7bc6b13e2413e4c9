import { describe, expect, it } from 'vitest'
import { button, everything, link, tryOut } from './application-pages'
import { at, cannotRun, newPage, newVisitor, picture, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { pressOn, tabTo } from './keyboard'
import { consentTo, heading, newAddress, register, registerByApi, signInByApi, signOut } from './people'
import { createApplication, registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('try sign-in', () => {
  it('creates an application and tries a sign-in with the keyboard only', { timeout: 60_000 }, async () => {
    const visitor = await newVisitor()
    await visitor.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await visitor.newPage()
    await register(page, newAddress())

    await pressOn(page, link(page, 'Create application').first())
    await heading(page, 'Create application').waitFor()
    await tabTo(page, page.getByRole('radio', { name: 'Web app' }))
    await page.keyboard.press('ArrowUp')
    expect(await page.getByRole('radio', { name: 'Single-page app' }).isChecked()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('My first')
    await pressOn(page, button(page, 'Create application'))

    // Esc and clicks outside don't close the dialog of the secret.
    const dialog = page.getByRole('dialog', { name: 'Client secret of My first' })
    await dialog.waitFor()
    await checkEveryView(page, 'application-secret')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    expect(await dialog.isVisible()).toBe(true)
    await pressOn(page, dialog.getByRole('button', { name: 'Copy client secret' }))
    const secret = await page.waitForFunction(() => navigator.clipboard.readText()).then((text) => text.jsonValue())
    expect(secret.length).toBeGreaterThan(20)
    expect(await everything(page)).not.toContain(secret)
    await pressOn(page, dialog.getByRole('button', { name: 'Done' }))

    await heading(page, 'My first').waitFor()
    expect(await everything(page)).not.toContain(secret)
    await picture(page, 'application-overview')
    await pressOn(page, button(page, 'Try sign-in'))
    await pressOn(page, button(page, 'Add callback URL'))
    const start = button(page, 'Start sign-in')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Start sign-in')
    await picture(page, 'application-try')
    await page.keyboard.press('Enter')

    await consentTo(page, 'My first').waitFor()
    await pressOn(page, button(page, 'Allow'))
    await page
      .getByText(/^Signed in as .+@/)
      .first()
      .waitFor()
    expect(page.url()).toBe(at('/try/callback'))
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(10)
    for (const name of ['Signature', 'UserInfo', 'Refresh'])
      await page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name }) })
        .getByText('Done')
        .waitFor()
    await pressOn(page, button(page, 'Revoke tokens'))
    // The button disappears, so the focus moves to the result.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Introspection')
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Introspection' }) })
      .getByText('Done')
      .waitFor()
    await checkEveryView(page, 'application-tried')
    expect(await everything(page)).not.toMatch(/eyJ[\w-]+\.eyJ/)
    expect(await page.evaluate(() => sessionStorage.getItem('keyward.try'))).toBeNull()

    await pressOn(page, button(page, 'Remove callback URL'))
    await page.getByText('Callback URL removed').first().waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === 'Open application')
    await signOut(page)
    expect(await start.count()).toBe(0)
  })

  it('signs in to a sample application with one click', async () => {
    const page = await newPage()
    const email = newAddress('sample')
    await registerByApi(page, email)
    await page.goto(at('/'))
    await button(page, 'Try a sample').click()
    await consentTo(page, 'Sample application').waitFor()
    await button(page, 'Allow').click()
    await page.waitForURL('**/try/callback')
    await page.getByText(`Signed in as ${email}`).first().waitFor()
    await page.goto(at('/'))
    await link(page, 'View applications').waitFor()
    expect(await button(page, 'Try a sample').count()).toBe(0)
    await link(page, 'Applications').click()
    await page.getByRole('rowheader', { name: 'Sample application' }).waitFor()
  })

  it('masks tokens until they are shown', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await tryOut(page, 'Masked')
    await page.getByRole('group').filter({ hasText: 'Request and response' }).nth(2).click()
    // The beginning of a token. Random strings match a case-insensitive pattern now and then.
    expect(await page.getByText(/eyJ[\w-]{20}/).count()).toBe(0)
    await button(page, 'Show tokens and codes').click()
    await page
      .getByText(/"access_token": "eyJ/)
      .first()
      .waitFor({ state: 'attached' })
  })

  it('shows the failed step with its cause and fix', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await tryOut(page, 'Denied', 'Deny')
    await page.getByRole('alert').getByText('access_denied').waitFor()
    await page.getByText('The test failed').first().waitFor()
    await checkEveryView(page, 'application-try-denied')
    await link(page, 'Access').click()
    await page.getByText('Access policy').waitFor()
  })

  it('rejects the response to a request of another tab', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/try/callback?code=planted&state=planted'))
    await heading(page, 'No test run').waitFor()
    expect(page.url()).toBe(at('/try/callback'))
  })

  it('shows the requested and the registered redirect URLs to administrators only', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { issuer, clientId } = await createApplication(owner, 'Off by one', {
      redirectUris: ['https://app.example/callback'],
    })
    await signInByApi(page, email)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://app.example/callback/',
      scope: 'openid',
      state: 's',
    })
    // The service does not redirect. Its error page links to the details.
    await page.goto(`${issuer}/authorize?${query}`)
    await heading(page, "This sign-in can't continue").waitFor()
    await page.getByRole('link', { name: "Details for the application's developers" }).click()
    await heading(page, 'We couldn’t sign you in').waitFor()
    await page.getByText('sent a return URL that isn’t registered').waitFor()
    await page.getByText('https://app.example/callback/', { exact: true }).waitFor()
    await page.getByText('https://app.example/callback', { exact: true }).waitFor()
    await page.getByText('The trailing slashes differ.').waitFor()
    await checkEveryView(page, 'error-redirect-mismatch')
    await button(page, 'Fix in settings').click()
    await heading(page, 'Off by one').waitFor()

    const otherUser = await newPage()
    await registerByApi(otherUser, newAddress())
    await otherUser.goto(`${issuer}/authorize?${query}`)
    await otherUser.getByRole('link', { name: "Details for the application's developers" }).click()
    await heading(otherUser, 'We couldn’t sign you in').waitFor()
    await otherUser.getByText('sent a return URL that isn’t registered').waitFor()
    expect(await otherUser.getByText('https://app.example/callback').count()).toBe(0)
  })
})
