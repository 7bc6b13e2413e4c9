import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, everything, link } from './application-pages'
import { violations } from './axe'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { pressOn } from './keyboard'
import { goodPassword, heading, newAddress, signInByApi } from './people'
import { createApplication, registerProgram } from './programs'
import { scimBase, scimDirectory } from './scim-directory'

useBrowser()

async function administrator() {
  const email = newAddress('admin')
  const owner = await registerProgram(email)
  const page = await newPage()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInByApi(page, email)
  return { owner, page, path: at(`/t/${owner.slug}/directory`) }
}

const panel = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })

const hasFocus = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.activeElement?.textContent === wanted, text)

/** Simulates the visibility of the page. */
async function show(page: Page, state: 'visible' | 'hidden') {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

describe.skipIf(cannotRun)('the SCIM directory', () => {
  it('connects a directory, shows its requests and revokes its token', { timeout: 120_000 }, async () => {
    const { owner, page, path } = await administrator()
    await createApplication(owner, 'Wiki')
    await page.goto(at('/'))
    await link(page, 'Directory sync').click()
    await heading(page, 'Directory sync').waitFor()
    await page.getByRole('heading', { name: 'Connect a directory' }).waitFor()
    await checkEveryView(page, 'scim-empty')

    // The URL contains the choice, so that a link shows the same instructions.
    await page.getByRole('radio', { name: 'Microsoft Entra ID' }).check()
    await page.waitForURL('**/directory?from=entra')
    await page.reload()
    await button(page, 'Continue').click()
    await page.getByText('Tenant URL', { exact: true }).waitFor()
    await page.getByText(`${scimBase(owner.slug)}?aadOptscim062020`).waitFor()
    await checkEveryView(page, 'scim-configure')
    await button(page, 'Back').click()
    await page.getByRole('radio', { name: 'Okta' }).check()
    await button(page, 'Continue').click()
    await button(page, 'Copy SCIM connector base URL').click()
    const base = await page.evaluate(() => navigator.clipboard.readText())
    expect(base).toBe(scimBase(owner.slug))

    await button(page, 'Create token').click()
    const dialog = page.getByRole('dialog', { name: 'Create token' })
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Okta')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('')
    await dialog.getByRole('combobox', { name: 'Expiry' }).click()
    await page.getByRole('option', { name: 'Custom' }).click()
    await dialog.getByRole('textbox', { name: 'Days' }).fill('a week')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByText('Enter a whole number from 1 to 3650.').waitFor()
    await checkEveryView(page, 'scim-new-token')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Okta of Acme')
    await dialog.getByRole('textbox', { name: 'Days' }).fill('7')

    // An old session requires a reauthentication. Closing its dialog keeps the typed values.
    await page.route('**/api/v1/directory/scim/token', (route) =>
      route.fulfill({ status: 403, json: { code: 'reauthentication_required', status: 403 } }),
    )
    await page.keyboard.press('Enter')
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' })
    await proof.getByRole('textbox', { name: 'Password' }).waitFor()
    await page.keyboard.press('Escape')
    await proof.waitFor({ state: 'detached' })
    await dialog.getByText('Confirm your identity to continue.').waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Okta of Acme')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await proof.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    await page.unroute('**/api/v1/directory/scim/token')
    await page.keyboard.press('Enter')

    const secret = page.getByRole('dialog', { name: 'Token of Okta of Acme' })
    await secret.waitFor()
    await page.keyboard.press('Escape')
    await checkEveryView(page, 'scim-token')
    await secret.getByRole('button', { name: 'Show' }).click()
    const token = (await secret.getByText(/^kwscim_/).textContent()) ?? ''
    await secret.getByRole('button', { name: 'I’ve saved it' }).click()
    await secret.waitFor({ state: 'detached' })
    await hasFocus(page, 'Create token')
    expect(await everything(page)).not.toContain(token)
    expect(await page.evaluate(async () => [document.cookie, ...(await indexedDB.databases())])).toEqual([''])
    await page.getByText('Never used').waitFor()

    await button(page, 'Continue').click()
    await page.getByText('Waiting for the first request from Okta of Acme').waitFor()
    await page.getByText('No request received?').click()
    await checkEveryView(page, 'scim-waiting')
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/scim/requests')) asked += 1
    })
    await page.waitForRequest('**/scim/requests')
    await show(page, 'hidden')
    await page.waitForTimeout(500)
    const before = asked
    await page.waitForTimeout(6_000)
    expect(asked).toBe(before)
    await show(page, 'visible')
    await page.waitForRequest('**/scim/requests')

    const okta = scimDirectory(base, token)
    expect((await okta.send('GET', '/ServiceProviderConfig')).status).toBe(200)
    await page.getByText('Okta of Acme is connected').first().waitFor()
    await page.getByText('No users yet.').waitFor()
    await checkEveryView(page, 'scim-connected')

    const person = { userName: newAddress('ann'), name: { givenName: 'Ann', familyName: 'Smith' } }
    const ann = await okta.createUser(person)
    expect(ann.status).toBe(201)
    expect((await okta.createGroup({ displayName: 'Staff', members: [{ value: ann.body.id }] })).status).toBe(201)
    expect((await okta.createUser({ userName: 'not-an-email' })).status).toBe(400)
    await button(page, 'Refresh').click()
    await page.getByRole('definition').filter({ hasText: '1 user' }).waitFor()
    await page.getByRole('definition').filter({ hasText: '1 group' }).waitFor()
    const rejected = page.getByRole('row', { name: /Rejected \(400\)/ })
    await rejected.getByText('A value is missing, too long').waitFor()
    await rejected.getByText('invalidValue').waitFor()
    await rejected.getByText(/must be an email address/).waitFor()
    await page.getByRole('row', { name: /POST \/Groups .*Success \(201\)/ }).waitFor()
    await page.getByText('Rejected (1)').click()
    await page.waitForURL('**/directory?from=okta&show=rejected')
    expect(await page.getByRole('row', { name: /Success/ }).count()).toBe(0)
    await page.reload()
    await rejected.waitFor()
    expect(await page.getByRole('row', { name: /Success/ }).count()).toBe(0)
    await checkEveryView(page, 'scim-rejected')
    await page.getByText('All (4)').click()
    await checkEveryView(page, 'scim-in-use')
    await link(page, 'Access to Wiki').click()
    await heading(page, 'Wiki').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/access$/)

    await page.goto(path)
    await button(page, 'Revoke Okta of Acme').click()
    const question = page.getByRole('dialog', { name: 'Revoke Okta of Acme?' })
    await question.getByText(/^Last used (just now|\d+ minutes? ago)\.$/).waitFor()
    await hasFocus(page, 'Cancel')
    await checkEveryView(page, 'scim-revoke')
    await question.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No token is active').waitFor()
    expect((await okta.createUser({ userName: newAddress() })).status).toBe(401)
    await page.getByText('1 expired or revoked token').click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await checkEveryView(page, 'scim-revoked')
    expect(await everything(page)).not.toContain(token)
  })

  it('explains a rejected first request, and works with the keyboard alone', async () => {
    const { owner, page, path } = await administrator()
    const { token } = await owner.post('/directory/scim/token', { name: 'Home-made' })
    await page.goto(path)
    await page.getByText('Waiting for the first request from Home-made').waitFor()
    const directory = scimDirectory(scimBase(owner.slug), String(token))
    expect((await directory.send('GET', '/Users?filter=shoe.size%20eq%204')).status).toBe(400)
    await page.getByText('The first request from Home-made was rejected').first().waitFor()
    await page.getByText('The filter isn’t supported.').first().waitFor()
    await checkEveryView(page, 'scim-first-rejected')

    await page.goto(path)
    await pressOn(page, button(page, 'Create token'))
    const dialog = page.getByRole('dialog', { name: 'Create token' })
    await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
    await page.keyboard.press('Escape')
    await hasFocus(page, 'Create token')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await page.keyboard.type(' by hand')
    await page.keyboard.press('Enter')
    await pressOn(page, button(page, 'Copy SCIM token'))
    await pressOn(page, button(page, 'Done'))
    await hasFocus(page, 'Create token')
    await button(page, 'Revoke Okta by hand').waitFor()
    await pressOn(page, button(page, 'Revoke Home-made'))
    await hasFocus(page, 'Cancel')
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await button(page, 'Revoke Home-made').count()).toBe(0)
  })

  it('shows a failed request, and loads again', async () => {
    const { owner, page, path } = await administrator()
    await page.route('**/scim/requests', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', status: 503, requestId: 'req_1' } }),
    )
    await page.goto(path)
    await page.getByText('The service is busy or starting.').waitFor()
    await page.getByText('Request ID req_1').waitFor()
    expect(await violations(page)).toEqual([])
    await page.unroute('**/scim/requests')
    await button(page, 'Try again').click()
    await page.getByRole('heading', { name: 'Connect a directory' }).waitFor()

    // The loaded data stays when a refresh fails.
    const { token } = await owner.post('/directory/scim/token', { name: 'Okta' })
    await scimDirectory(scimBase(owner.slug), String(token)).send('GET', '/Users?count=0')
    await page.reload()
    await page.getByRole('row', { name: /Success \(200\)/ }).waitFor()
    await page.route('**/scim/requests', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', status: 503 } }),
    )
    await button(page, 'Refresh').click()
    await panel(page, 'Last requests').getByText('The service is busy or starting.').waitFor()
    expect(await page.getByRole('row', { name: /Success \(200\)/ }).count()).toBe(1)
  })

  it('explains a missing permission, and sends no request', async () => {
    const email = newAddress()
    const owner = await registerProgram(email)
    const page = await newPage()
    // Simulates a role without the permission. The service rejects the calls of such a role as well.
    let missing = /^scim:token$/
    await page.route('**/api/v1/auth/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as { permissions: string[] }
      const permissions = me.permissions.filter((permission) => !missing.test(permission))
      await route.fulfill({ response: answer, json: { ...me, permissions } })
    })
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/directory/scim/')) calls.push(request.url())
    })
    await signInByApi(page, email)
    await page.goto(at(`/t/${owner.slug}/directory`))
    await page.getByText('You don’t have access to directory sync.').waitFor()
    await heading(page, 'Directory sync').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await link(page, 'SCIM').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    missing = /^(scim:token|directory:.*)$/
    await page.reload()
    await page.getByText('You don’t have access to directory sync.').waitFor()
    expect(await link(page, 'Directory sync').count()).toBe(0)
    expect(calls).toEqual([])
  })
})
