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

/** Whether the page is in front, as the browser tells it. */
async function show(page: Page, state: 'visible' | 'hidden') {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

describe.skipIf(cannotRun)('the page of SCIM directories', () => {
  it('leads from nothing to a directory that writes, and to its end', { timeout: 120_000 }, async () => {
    const { owner, page, path } = await administrator()
    await createApplication(owner, 'Wiki')
    await page.goto(at('/'))
    await link(page, 'Directory').click()
    await heading(page, 'Directory').waitFor()
    await page.getByText('No token yet.').waitFor()
    await page.getByText('Nothing yet. Every request of a directory').waitFor()
    await checkEveryView(page, 'scim-empty')

    // The steps are those of the directory that is chosen, also for whoever is sent the address.
    await page.getByRole('radio', { name: 'Microsoft Entra ID' }).check()
    await page.getByText('Tenant URL', { exact: true }).waitFor()
    await page.waitForURL('**/directory?from=entra')
    await page.reload()
    await page.getByText(`${scimBase(owner.slug)}?aadOptscim062020`).waitFor()
    await page.getByRole('radio', { name: 'Okta' }).check()
    await button(page, 'Copy SCIM connector base URL').click()
    const base = await page.evaluate(() => navigator.clipboard.readText())
    expect(base).toBe(scimBase(owner.slug))

    await button(page, 'Make a token').click()
    const dialog = page.getByRole('dialog', { name: 'Make a token' })
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Okta')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('')
    await dialog.getByRole('combobox', { name: 'Ends' }).selectOption({ label: 'In a number of days' })
    await dialog.getByRole('textbox', { name: 'Days' }).fill('a week')
    await dialog.getByRole('button', { name: 'Make a token' }).click()
    await dialog.getByText('Give it a name.').waitFor()
    await dialog.getByText('A whole number from 1 to 3650.').waitFor()
    await checkEveryView(page, 'scim-new-token')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Okta of Acme')
    await dialog.getByRole('textbox', { name: 'Days' }).fill('7')

    // A sign-in that is not recent is asked for a proof; whoever thinks better of it has lost nothing that was typed.
    await page.route('**/api/v1/directory/scim/token', (route) =>
      route.fulfill({ status: 403, json: { code: 'reauthentication_required', status: 403 } }),
    )
    await page.keyboard.press('Enter')
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByRole('textbox', { name: 'Password' }).waitFor()
    await page.keyboard.press('Escape')
    await proof.waitFor({ state: 'detached' })
    await dialog.getByText('Confirm that it is you to go on.').waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Okta of Acme')
    await dialog.getByRole('button', { name: 'Make a token' }).click()
    await proof.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    await page.unroute('**/api/v1/directory/scim/token')
    await page.keyboard.press('Enter')

    const secret = page.getByRole('dialog', { name: 'The token of Okta of Acme' })
    await secret.waitFor()
    await page.keyboard.press('Escape')
    await checkEveryView(page, 'scim-token')
    await secret.getByRole('button', { name: 'Show' }).click()
    const token = (await secret.getByText(/^kwscim_/).textContent()) ?? ''
    await secret.getByRole('button', { name: 'I’ve saved it' }).click()
    await secret.waitFor({ state: 'detached' })
    await hasFocus(page, 'Make a token')
    expect(await everything(page)).not.toContain(token)
    expect(await page.evaluate(async () => [document.cookie, ...(await indexedDB.databases())])).toEqual([''])
    await page.getByText('Never used').waitFor()

    await page.getByText('Waiting for the first request of Okta of Acme').waitFor()
    await page.getByText('Nothing comes?').click()
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
    await page.getByText('Nobody came yet.').waitFor()
    await checkEveryView(page, 'scim-connected')

    const person = { userName: newAddress('ann'), name: { givenName: 'Ann', familyName: 'Smith' } }
    const ann = await okta.makeUser(person)
    expect(ann.status).toBe(201)
    expect((await okta.makeGroup({ displayName: 'Staff', members: [{ value: ann.body.id }] })).status).toBe(201)
    expect((await okta.makeUser({ userName: 'nobody' })).status).toBe(400)
    await button(page, 'Refresh').click()
    await page.getByRole('definition').filter({ hasText: '1 person' }).waitFor()
    await page.getByRole('definition').filter({ hasText: '1 group' }).waitFor()
    const refused = page.getByRole('row', { name: /Refused, 400/ })
    await refused.getByText('A value does not fit').waitFor()
    await refused.getByText('invalidValue').waitFor()
    await refused.getByText(/must be an email address/).waitFor()
    await page.getByRole('row', { name: /POST \/Groups .*Done, 201/ }).waitFor()
    await page.getByText('Refused (1)').click()
    await page.waitForURL('**/directory?from=okta&show=refused')
    expect(await page.getByRole('row', { name: /Done/ }).count()).toBe(0)
    await page.reload()
    await refused.waitFor()
    expect(await page.getByRole('row', { name: /Done/ }).count()).toBe(0)
    await checkEveryView(page, 'scim-refused')
    await page.getByText('All (4)').click()
    await checkEveryView(page, 'scim-in-use')
    await link(page, 'Access of Wiki').click()
    await heading(page, 'Wiki').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/access$/)

    await page.goto(path)
    await button(page, 'Revoke Okta of Acme').click()
    const question = page.getByRole('dialog', { name: 'Revoke Okta of Acme?' })
    await question.getByText(/^It was last used (just now|\d+ minutes? ago)\.$/).waitFor()
    await hasFocus(page, 'Cancel')
    await checkEveryView(page, 'scim-revoke')
    await question.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No token works any more').waitFor()
    expect((await okta.makeUser({ userName: newAddress() })).status).toBe(401)
    await page.getByText('1 token that can be used no more').click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await checkEveryView(page, 'scim-revoked')
    expect(await everything(page)).not.toContain(token)
  })

  it('says in words why the first request was refused, and is worked by the keyboard alone', async () => {
    const { owner, page, path } = await administrator()
    const { token } = await owner.post('/directory/scim/token', { name: 'Home-made' })
    await page.goto(path)
    await page.getByText('Waiting for the first request of Home-made').waitFor()
    const directory = scimDirectory(scimBase(owner.slug), String(token))
    expect((await directory.send('GET', '/Users?filter=shoe.size%20eq%204')).status).toBe(400)
    await page.getByText('Home-made reached us, and was refused').first().waitFor()
    await page.getByText('It searched in a way that is not understood.').first().waitFor()
    await checkEveryView(page, 'scim-first-refused')

    await page.goto(path)
    await pressOn(page, button(page, 'Make a token'))
    const dialog = page.getByRole('dialog', { name: 'Make a token' })
    await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
    await page.keyboard.press('Escape')
    await hasFocus(page, 'Make a token')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await page.keyboard.type(' by hand')
    await page.keyboard.press('Enter')
    await pressOn(page, button(page, 'Copy SCIM token'))
    await pressOn(page, button(page, 'Done'))
    await hasFocus(page, 'Make a token')
    await button(page, 'Revoke Okta by hand').waitFor()
    await pressOn(page, button(page, 'Revoke Home-made'))
    await hasFocus(page, 'Cancel')
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await button(page, 'Revoke Home-made').count()).toBe(0)
  })

  it('says what could not be loaded, and tries again', async () => {
    const { owner, page, path } = await administrator()
    await page.route('**/scim/requests', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', status: 503, requestId: 'req_1' } }),
    )
    await page.goto(path)
    await page.getByText('The service is busy or starting.').waitFor()
    await page.getByText('Request req_1').waitFor()
    expect(await violations(page)).toEqual([])
    await page.unroute('**/scim/requests')
    await button(page, 'Try again').click()
    await page.getByText('No token yet.').waitFor()

    // What is known stays while it cannot be read anew.
    const { token } = await owner.post('/directory/scim/token', { name: 'Okta' })
    await scimDirectory(scimBase(owner.slug), String(token)).send('GET', '/Users?count=0')
    await button(page, 'Refresh').click()
    await page.getByRole('row', { name: /Done, 200/ }).waitFor()
    await page.route('**/scim/requests', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', status: 503 } }),
    )
    await button(page, 'Refresh').click()
    await panel(page, 'Last requests').getByText('The service is busy or starting.').waitFor()
    expect(await page.getByRole('row', { name: /Done, 200/ }).count()).toBe(1)
  })

  it('tells somebody who may make no token why there is nothing to see', async () => {
    const email = newAddress()
    const owner = await registerProgram(email)
    const page = await newPage()
    // As the service answers to a role without the permission; it refuses the calls as well.
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
    await heading(page, 'Directory').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await link(page, 'SCIM').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    missing = /^(scim:token|directory:.*)$/
    await page.reload()
    await page.getByText('You don’t have access to directory sync.').waitFor()
    expect(await link(page, 'Directory').count()).toBe(0)
    expect(calls).toEqual([])
  })
})
