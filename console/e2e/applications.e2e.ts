import { describe, expect, it } from 'vitest'
import { button, link, openNew } from './application-pages'
import { violations } from './axe'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { heading, newAddress, register, signIn, signInByApi } from './people'
import { createApplication, registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('an application', () => {
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
    await signInByApi(page, email)
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
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Precious')
    await signInByApi(page, email)
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
    await dialog.getByText('Type exactly').waitFor()
    await dialog.getByRole('textbox').fill('Precious')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'The new secret of Precious' }).waitFor()
    await button(page, 'I’ve saved it').click()
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
    const page = await newPage()
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
    await signInByApi(page, email)
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
    await shown.getByRole('button', { name: 'I’ve saved it' }).click()
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
    await signInByApi(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/settings`))
    await page.getByRole('textbox', { name: /^Start address/ }).fill('https://shop.example/start')
    const api = page.getByRole('textbox', { name: 'API 1' })
    await api.fill('orders')
    await button(page, 'Save').click()
    await page.getByText('Write the whole address, such as https://api.example.com').waitFor()
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
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Helper', { isAiAgent: true })
    await signInByApi(page, email)
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
    await signInByApi(page, email)
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
    const page = await newPage()
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
    await button(page, 'I’ve saved it').click()
    await heading(page, 'At night').waitFor()
    await link(page, 'Try it').click()
    await page.getByText('Nobody signs in here').waitFor()
    await page.getByText('grant_type=client_credentials').waitFor()
  })
})
