import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe'
import { at, cannotRun, newPage, newVisitor, picture, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { pressOn, tabTo } from './keyboard'
import { heading, newAddress, register, signIn, signOut } from './people'
import { createApplication, registerProgram } from './programs'

useBrowser()

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** Everything scripts of the page could read, as text. */
const everything = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state]),
  )

describe.skipIf(cannotRun)('an application', () => {
  it('is made and tried by the keyboard alone', { timeout: 60_000 }, async () => {
    const visitor = await newVisitor({ reducedMotion: 'reduce' })
    await visitor.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await visitor.newPage()
    await register(page, newAddress())

    await pressOn(page, link(page, 'Add application'))
    await heading(page, 'Add an application').waitFor()
    await tabTo(page, page.getByRole('radio', { name: 'Web server' }))
    await page.keyboard.press('ArrowUp')
    expect(await page.getByRole('radio', { name: 'Single-page app' }).isChecked()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('My first')
    await pressOn(page, button(page, 'Create application'))

    // The secret: not to be lost by a slip.
    const dialog = page.getByRole('dialog', { name: 'My first has a secret' })
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
    await picture(page, 'application-start')
    await pressOn(page, button(page, 'Try it now').first())
    await pressOn(page, button(page, 'Add the try-it address'))
    const start = button(page, 'Start the sign-in')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Start the sign-in')
    await picture(page, 'application-try')
    await page.keyboard.press('Enter')

    await heading(page, 'Allow My first?').waitFor()
    await pressOn(page, button(page, 'Allow'))
    await page
      .getByText(/^Signed in as .* it works\.$/)
      .first()
      .waitFor()
    expect(page.url()).toBe(at('/try/callback'))
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(10)
    for (const name of ['Signature', 'User info', 'Refresh'])
      await page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name }) })
        .getByText('Done')
        .waitFor()
    await pressOn(page, button(page, 'Revoke the tokens'))
    // What had the focus is gone, so it goes to what came of it.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Introspection')
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Introspection' }) })
      .getByText('Done')
      .waitFor()
    await checkEveryView(page, 'application-tried')
    expect(await everything(page)).not.toMatch(/eyJ[\w-]+\.eyJ/)
    expect(await page.evaluate(() => sessionStorage.getItem('keyward.try'))).toBeNull()

    await pressOn(page, button(page, 'Remove the try-it address'))
    await page.getByText('The try-it address was removed.').first().waitFor()
    await page.waitForFunction(() => document.activeElement?.textContent === 'To the application')
    await signOut(page)
    expect(await start.count()).toBe(0)
  })

  it('shows tokens only when asked to', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await tryOut(page, 'Masked')
    await page.getByRole('group').filter({ hasText: 'Request and answer' }).nth(2).click()
    // A token begins so; by letters of any size what is drawn at random would match now and then.
    expect(await page.getByText(/eyJ[\w-]{20}/).count()).toBe(0)
    await button(page, 'Show tokens and codes').click()
    await page
      .getByText(/"access_token": "eyJ/)
      .first()
      .waitFor({ state: 'attached' })
  })

  it('shows which step of a try failed, why, and what to change', async () => {
    const page = await newPage({ reducedMotion: 'reduce' })
    await register(page, newAddress())
    await tryOut(page, 'Denied', 'Deny')
    await page.getByRole('alert').getByText('access_denied').waitFor()
    await page.getByText('It stopped here').first().waitFor()
    await checkEveryView(page, 'application-try-denied')
    await link(page, 'Access').click()
    await page.getByText('Who may use it').waitFor()
  })

  it('takes no answer to a request that another tab made', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await page.goto(at('/try/callback?code=planted&state=planted'))
    await heading(page, 'Nothing to show here').waitFor()
    expect(page.url()).toBe(at('/try/callback'))
  })

  it('has its redirect addresses checked while they are typed, and by the service', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await openNew(page, 'Addresses')
    const first = page.getByRole('textbox', { name: 'Redirect address 1' })
    await first.fill('https://app.example/cb#top')
    await page.keyboard.press('Tab')
    await page.getByText('Leave out # and what follows it.').waitFor()
    expect(await first.getAttribute('aria-invalid')).toBe('true')
    await first.fill('https://app.example/cb')
    expect(await page.getByText('Leave out #').count()).toBe(0)
    await button(page, 'Add another').click()
    const second = page.getByRole('textbox', { name: 'Redirect address 2' })
    await second.fill('https://app.example/*')
    await button(page, 'Create application').click()
    await page.getByText('Wildcards are not allowed').waitFor()
    expect(await second.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await violations(page)).toEqual([])
    // What only the service knows stands at the row that it means.
    await page.route('**/api/v1/applications', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          code: 'invalid_request',
          status: 400,
          errors: [{ path: '/redirectUris/1', message: 'Not this one.' }],
        }),
      }),
    )
    await second.fill('https://other.example/cb')
    await button(page, 'Create application').click()
    await page.getByText('Not this one.').waitFor()
    const described = await second.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('Not this one.')
  })

  it('keeps what was changed in its settings, and asks before it is thrown away', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Settings', { redirectUris: ['https://app.example/cb'] })
    await signIn(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/settings`))
    const save = button(page, 'Save')
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed')
    await page.getByRole('textbox', { name: /^Description/ }).fill('What it is for')
    await page.getByRole('checkbox', { name: /^offline_access/ }).uncheck()
    const questions: string[] = []
    page.once('dialog', (dialog) => {
      questions.push(dialog.message())
      dialog.dismiss()
    })
    await link(page, 'Access').click()
    await page.waitForTimeout(300)
    expect(questions).toHaveLength(1)
    await save.click()
    await page.getByText('Saved').first().waitFor()
    await heading(page, 'Renamed').waitFor()
    await page.reload()
    expect(await page.getByRole('checkbox', { name: /^offline_access/ }).isChecked()).toBe(false)
    expect(await page.getByRole('textbox', { name: /^Description/ }).inputValue()).toBe('What it is for')
    expect(await page.getByRole('textbox', { name: 'Redirect address 1' }).inputValue()).toBe('https://app.example/cb')
  })

  it('gets a new secret, and is deleted, only when its name was typed', async () => {
    const page = await newPage({ reducedMotion: 'reduce' })
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Precious')
    await signIn(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/credentials`))
    await button(page, 'Make a new secret').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('stops working at once').waitFor()
    expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate((one) => one === document.activeElement)).toBe(
      true,
    )
    await checkEveryView(page, 'application-rotate')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Make a new secret')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Make new secret' }).click()
    await dialog.getByText('Type it exactly').waitFor()
    await dialog.getByRole('textbox').fill('Precious')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'The new secret of Precious' }).waitFor()
    await button(page, 'I stored it').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.textContent === 'Make a new secret')

    await link(page, 'Delete').click()
    await button(page, 'Delete application').click()
    await page.getByRole('dialog').getByRole('textbox').fill('Precious')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click()
    await heading(page, 'Applications').waitFor()
    await page.getByText('Nothing here yet').waitFor()
  })

  it('has two secrets for a while, where whoever makes the new one wants it so', async () => {
    const page = await newPage({ reducedMotion: 'reduce' })
    const email = newAddress()
    const owner = await registerProgram(email)
    const client = await createApplication(owner, 'Rotating', { grantTypes: ['client_credentials'] })
    const works = async (secret: string) => {
      const answer = await fetch(`${client.issuer}/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
      return answer.status === 200
    }
    await signIn(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${client.id}/credentials`))
    await button(page, 'Make a new secret').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('stops working at once').waitFor()
    await dialog.getByText('24 hours', { exact: true }).click()
    await dialog.getByText('works on beside the new one for 24 hours').waitFor()
    await checkEveryView(page, 'application-rotate-overlap')
    await dialog.getByRole('textbox').fill('Rotating')
    await dialog.getByRole('button', { name: 'Make new secret' }).click()
    const shown = page.getByRole('dialog', { name: 'The new secret of Rotating' })
    await shown.getByRole('button', { name: 'Show' }).click()
    const secret = (await shown.getByText(/^[\w-]{30,}$/).textContent()) ?? ''
    await shown.getByRole('button', { name: 'I stored it' }).click()
    await page.getByText('Two secrets work').waitFor()
    expect(await Promise.all([works(client.clientSecret), works(secret)])).toEqual([true, true])
    await checkEveryView(page, 'application-two-secrets')

    await button(page, 'End now').click()
    await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
    await page.getByText('Two secrets work').waitFor({ state: 'detached' })
    expect(await Promise.all([works(client.clientSecret), works(secret)])).toEqual([false, true])
  })

  it('keeps its start address, its APIs and whether it proves possession', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'More settings')
    await signIn(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/settings`))
    await page.getByRole('textbox', { name: /^Start address/ }).fill('https://shop.example/start')
    const api = page.getByRole('textbox', { name: 'API 1' })
    await api.fill('orders')
    await button(page, 'Save').click()
    await page.getByText('Write a whole address, such as https://api.example.com').waitFor()
    expect(await api.evaluate((input) => input === document.activeElement)).toBe(true)
    await api.fill('https://api.example.com')
    await page.getByRole('checkbox', { name: /^Demand DPoP/ }).check()
    await button(page, 'Save').click()
    await page.getByText('Saved').first().waitFor()
    await page.reload()
    expect(await page.getByRole('textbox', { name: /^Start address/ }).inputValue()).toBe('https://shop.example/start')
    expect(await api.inputValue()).toBe('https://api.example.com')
    expect(await page.getByRole('checkbox', { name: /^Demand DPoP/ }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: /^Demand a nonce/ }).isChecked()).toBe(false)
  })

  it('that is an AI agent is stopped and started again from its first page', async () => {
    const page = await newPage({ reducedMotion: 'reduce' })
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Helper', { isAiAgent: true })
    await signIn(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}`))
    await page.getByText('May act', { exact: true }).waitFor()
    await button(page, 'Stop agent').click()
    const dialog = page.getByRole('dialog', { name: 'Stop Helper?' })
    await dialog.getByText('All its tokens end at once').waitFor()
    await dialog.getByRole('button', { name: 'Stop agent' }).click()
    await page.getByText('It has no tokens and gets none.').waitFor()
    await checkEveryView(page, 'application-agent-stopped')
    await button(page, 'Start again').click()
    await page.getByText('May act', { exact: true }).waitFor()
  })

  it('is open to the whole team until it is closed by a switch that asks', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Open')
    await signIn(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/access`))
    await page.getByText(/^Everyone in .* may use it\.$/).waitFor()
    const only = page.getByRole('switch', { name: 'Only people it was assigned to' })
    await only.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click()
    await page.getByText('Nobody may use it').waitFor()
    expect(await only.isChecked()).toBe(true)
    await only.click()
    await page.getByText(/^Everyone in /).waitFor()
  })

  it('can be looked at, and no more, by whoever may not change it', async () => {
    const page = await newPage({ reducedMotion: 'reduce' })
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Look only', { redirectUris: ['https://app.example/cb'] })
    // As the service answers to a role without the permission; it refuses the calls as well.
    let missing = /^applications:write$/
    await page.route('**/api/v1/auth/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as { permissions: string[] }
      const permissions = me.permissions.filter((permission) => !missing.test(permission))
      await route.fulfill({ response: answer, json: { ...me, permissions } })
    })
    await signIn(page, email)
    const application = `/t/${owner.slug}/applications/${id}`
    await page.goto(at(`/t/${owner.slug}/applications`))
    await link(page, 'Look only').waitFor()
    expect(await button(page, 'Add application').count()).toBe(0)
    await page.goto(at(`${application}/settings`))
    await page.getByText('Your role may look at applications').waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    expect(await link(page, 'Try it').count()).toBe(0)
    expect(await link(page, 'Delete').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.goto(at(`/t/${owner.slug}/applications/new`))
    await heading(page, 'Not for your role').waitFor()
    missing = /^applications:/
    await page.goto(at(application))
    await heading(page, 'Not for your role').waitFor()
    expect(await link(page, 'Applications').count()).toBe(0)
  })

  it('that keeps no secret shows none, and one for machines has nobody to sign in', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await openNew(page, 'In the browser')
    await page.getByRole('radio', { name: 'Single-page app' }).check()
    await button(page, 'Create application').click()
    await heading(page, 'In the browser').waitFor()
    await page.getByText('None: the application is public').waitFor()

    await openNew(page, 'At night')
    await page.getByRole('radio', { name: 'Machine to machine' }).check()
    expect(await page.getByRole('textbox', { name: /Redirect/ }).count()).toBe(0)
    await button(page, 'Create application').click()
    await button(page, 'I stored it').click()
    await heading(page, 'At night').waitFor()
    await link(page, 'Try it').click()
    await page.getByText('Nobody signs in here').waitFor()
    await page.getByText('grant_type=client_credentials').waitFor()
  })

  it('shows its administrator which address was asked for and which are registered', async () => {
    const page = await newPage({ reducedMotion: 'reduce' })
    const email = newAddress()
    const owner = await registerProgram(email)
    const { issuer, clientId } = await createApplication(owner, 'Off by one', {
      redirectUris: ['https://app.example/callback'],
    })
    await signIn(page, email)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://app.example/callback/',
      scope: 'openid',
      state: 's',
    })
    // Nobody is sent on: the answer is a page of its own, with a way to the details.
    await page.goto(`${issuer}/authorize?${query}`)
    await heading(page, 'This sign-in cannot go on').waitFor()
    await page.getByRole('link', { name: 'Details for whoever runs the application' }).click()
    await heading(page, 'The application is not set up correctly').waitFor()
    await page.getByText('https://app.example/callback/', { exact: true }).waitFor()
    await page.getByText('https://app.example/callback', { exact: true }).waitFor()
    await page.getByText('They differ by the slash at the end.').waitFor()
    await checkEveryView(page, 'error-redirect-mismatch')
    await button(page, 'Fix in settings').click()
    await heading(page, 'Off by one').waitFor()

    const stranger = await newPage()
    await register(stranger, newAddress())
    await stranger.goto(`${issuer}/authorize?${query}`)
    await stranger.getByRole('link', { name: 'Details for whoever runs the application' }).click()
    await heading(stranger, 'The application is not set up correctly').waitFor()
    expect(await stranger.getByText('https://app.example/callback').count()).toBe(0)
  })
})

async function openNew(page: Page, name: string) {
  await page.getByRole('link', { name: 'Applications' }).first().click()
  await button(page, 'Add application').click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
}

async function tryOut(page: Page, name: string, answer = 'Allow') {
  await openNew(page, name)
  await button(page, 'Create application').click()
  await button(page, 'I stored it').click()
  await button(page, 'Try it now').first().click()
  await button(page, 'Add the try-it address').click()
  await button(page, 'Start the sign-in').click()
  await button(page, answer).click()
  await heading(page, `Trying ${name}`).waitFor()
}
