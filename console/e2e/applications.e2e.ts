import { describe, expect, it } from 'vitest'
import { button, link, openNew } from './application-pages'
import { violations } from './axe'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { expectFocus } from './keyboard'
import { heading, newAddress, register, signInByApi } from './people'
import { createApplication, registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('application pages', () => {
  it('validates redirect URLs in the form and shows errors of the service at the field', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await openNew(page, 'URLs')
    const urls = page.getByRole('textbox', { name: 'Redirect URLs' })
    await urls.fill('https://app.example/cb#top')
    await page.keyboard.press('Tab')
    await page.getByText('Remove # and everything after it.').waitFor()
    expect(await urls.getAttribute('aria-invalid')).toBe('true')
    await urls.fill('https://app.example/cb\nhttps://app.example/*')
    await button(page, 'Create application').click()
    await page.getByText('https://app.example/*: Wildcards are not allowed').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    expect(await urls.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await violations(page)).toEqual([])
    // An error that only the service can find.
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
    await urls.fill('https://app.example/cb\nhttps://other.example/cb')
    await button(page, 'Create application').click()
    await page.getByText('Not this one.').waitFor()
    const described = (await urls.getAttribute('aria-describedby'))?.split(' ').filter(Boolean) ?? []
    const texts = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).textContent()))
    expect(texts).toContain('Not this one.')
  })

  it('saves settings and asks before unsaved changes are lost', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Settings', { redirectUris: ['https://app.example/cb'] })
    await signInByApi(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/settings`))
    const save = button(page, 'Save')
    expect(await save.count()).toBe(0)
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed')
    await page.getByRole('textbox', { name: /^Description/ }).fill('For customers')
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
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await heading(page, 'Renamed').waitFor()
    await page.reload()
    expect(await page.getByRole('checkbox', { name: /^offline_access/ }).isChecked()).toBe(false)
    expect(await page.getByRole('textbox', { name: /^Description/ }).inputValue()).toBe('For customers')
    expect(await page.getByRole('textbox', { name: 'Redirect URLs', exact: true }).inputValue()).toBe(
      'https://app.example/cb',
    )
    await page.getByRole('textbox', { name: 'Name' }).fill('Another name')
    await page.getByText('1 unsaved change').waitFor()
    await checkEveryView(page, 'application-settings-unsaved')
    await page.route(`**/api/v1/applications/${id}`, (route) =>
      route.fulfill({ status: 409, json: { code: 'limit_reached' } }),
    )
    await save.click()
    const problem = page.getByRole('alert').getByText('The limit is reached')
    await problem.waitFor()
    const bottom = await problem.evaluate((element) => element.getBoundingClientRect().bottom)
    expect(bottom, 'visible without scrolling').toBeLessThan(page.viewportSize()?.height ?? 0)
    await expectFocus(save)
    await button(page, 'Discard').click()
    const name = page.getByRole('textbox', { name: 'Name' })
    expect(await name.inputValue()).toBe('Renamed')
    await expectFocus(name)
  })

  it('counts what was typed while settings are saved as unsaved', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Busy', { redirectUris: ['https://app.example/cb'] })
    await signInByApi(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/settings`))
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(`**/api/v1/applications/${id}`, async (route) => {
      if (route.request().method() !== 'GET') await held
      await route.continue()
    })
    await page.getByRole('textbox', { name: /^Description/ }).fill('First')
    await button(page, 'Save').click()
    await page.getByRole('textbox', { name: /^Description/ }).fill('Second')
    release()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByText('1 unsaved change').waitFor()
    expect((await owner.get(`/applications/${id}`)).description).toBe('First')
    await button(page, 'Save').click()
    await button(page, 'Save').waitFor({ state: 'detached' })
    expect((await owner.get(`/applications/${id}`)).description).toBe('Second')
  })

  it('rotates the secret and deletes the application only after its name was typed', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Precious')
    await signInByApi(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/credentials`))
    await button(page, 'Rotate secret').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('stops working at once').waitFor()
    expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate((one) => one === document.activeElement)).toBe(
      true,
    )
    await checkEveryView(page, 'application-rotate')
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Rotate secret')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    await dialog.getByText('Type exactly').waitFor()
    await dialog.getByRole('textbox').fill('Precious')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New client secret of Precious' }).waitFor()
    await button(page, 'I’ve saved it').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.textContent === 'Rotate secret')

    await button(page, 'Delete application').click()
    await page.getByRole('dialog').getByRole('textbox').fill('Precious')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete application' }).click()
    await heading(page, 'Applications').waitFor()
    await page.getByText('No applications yet').waitFor()
  })

  it('keeps the previous secret valid for the chosen time', async () => {
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
    await button(page, 'Rotate secret').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('stops working at once').waitFor()
    await dialog.getByText('24 hours', { exact: true }).click()
    await dialog.getByText('stays valid for 24 hours').waitFor()
    await checkEveryView(page, 'application-rotate-overlap')
    await dialog.getByRole('textbox').fill('Rotating')
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    const shown = page.getByRole('dialog', { name: 'New client secret of Rotating' })
    await shown.getByRole('button', { name: 'Show' }).click()
    const secret = (await shown.getByText(/^[\w-]{30,}$/).textContent()) ?? ''
    await shown.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('Two client secrets are valid').waitFor()
    expect(await Promise.all([works(client.clientSecret), works(secret)])).toEqual([true, true])
    await checkEveryView(page, 'application-two-secrets')

    await button(page, 'Revoke previous secret').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke previous secret' }).click()
    await page.getByText('Two client secrets are valid').waitFor({ state: 'detached' })
    expect(await Promise.all([works(client.clientSecret), works(secret)])).toEqual([false, true])
  })

  it('saves the launch URL, the resources and DPoP', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'More settings')
    await signInByApi(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/settings`))
    await page.getByRole('textbox', { name: /^Launch URL/ }).fill('https://shop.example/start')
    const api = page.getByRole('textbox', { name: 'Resources (APIs)' })
    await api.fill('orders')
    await button(page, 'Save').click()
    await page.getByText('orders: Enter the full URL, such as https://api.example.com').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    expect(await api.evaluate((input) => input === document.activeElement)).toBe(true)
    await api.fill('https://api.example.com')
    await page.getByRole('checkbox', { name: 'Require DPoP' }).check()
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.reload()
    expect(await page.getByRole('textbox', { name: /^Launch URL/ }).inputValue()).toBe('https://shop.example/start')
    expect(await api.inputValue()).toBe('https://api.example.com')
    expect(await page.getByRole('checkbox', { name: 'Require DPoP' }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Require a server-provided nonce' }).isChecked()).toBe(false)
  })

  it('stops and starts an AI agent', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Helper', { isAiAgent: true })
    await signInByApi(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}`))
    await page.getByText('Active', { exact: true }).waitFor()
    await button(page, 'Stop agent').click()
    const dialog = page.getByRole('dialog', { name: 'Stop Helper?' })
    await dialog.getByText('Revokes all its tokens at once').waitFor()
    await dialog.getByRole('button', { name: 'Stop agent' }).click()
    await page.getByText('All its tokens are revoked').waitFor()
    await checkEveryView(page, 'application-agent-stopped')
    await button(page, 'Start agent').click()
    await page.getByText('Active', { exact: true }).waitFor()
  })

  it('opens an application to the team or to assigned users only', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Open')
    await signInByApi(page, email)
    await page.goto(at(`/t/${owner.slug}/applications/${id}/access`))
    await page.getByText(/^All members of .* can sign in\.$/).waitFor()
    const only = page.getByRole('switch', { name: 'Require assignment' })
    await only.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Require assignment' }).click()
    await page.getByText('Not assigned yet: no user can sign in.').waitFor()
    expect(await only.isChecked()).toBe(true)
    await only.click()
    await page.getByText(/^All members of /).waitFor()
  })

  it('shows applications read-only without the permission to change them', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id } = await createApplication(owner, 'Read-only', { redirectUris: ['https://app.example/cb'] })
    // The response of the service to a role without the permission. The service rejects the writes, too.
    let missing = /^applications:write$/
    await page.route('**/api/v1/auth/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as { permissions: string[] }
      const permissions = me.permissions.filter((permission) => !missing.test(permission))
      await route.fulfill({ response: answer, json: { ...me, permissions } })
    })
    await signInByApi(page, email)
    const application = `/t/${owner.slug}/applications/${id}`
    await page.goto(at(`/t/${owner.slug}/applications`))
    await link(page, 'Read-only').waitFor()
    expect(await button(page, 'Create application').count()).toBe(0)
    await page.goto(at(`${application}/settings`))
    await page.getByText('You can view applications but not change them.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
    expect(
      await page.getByRole('button', { name: /^(Save|Try sign-in|Rotate secret|Delete application)$/ }).count(),
    ).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.goto(at(`/t/${owner.slug}/applications/new`))
    await heading(page, 'No access').waitFor()
    missing = /^applications:/
    await page.goto(at(application))
    await heading(page, 'No access').waitFor()
    expect(await link(page, 'Applications').count()).toBe(0)
  })

  it('creates public clients without a secret and machine clients without users', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await openNew(page, 'In the browser')
    await page.getByRole('radio', { name: 'Single-page app' }).check()
    await button(page, 'Create application').click()
    await heading(page, 'In the browser').waitFor()
    await page.getByText('None. This public client uses PKCE.').waitFor()

    await openNew(page, 'At night')
    await page.getByRole('radio', { name: 'Machine to machine' }).check()
    expect(await page.getByRole('textbox', { name: /Redirect/ }).count()).toBe(0)
    await button(page, 'Create application').click()
    await button(page, 'I’ve saved it').click()
    await heading(page, 'At night').waitFor()
    await button(page, 'Get a token').click()
    await page.getByText('This application signs in no users.').waitFor()
    await page.getByText('grant_type=client_credentials').waitFor()
  })
})
