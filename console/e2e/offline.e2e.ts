import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, useBrowser } from './browser'
import { heading, newAddress, registerByApi } from './people'

useBrowser()

/** The chunks of scripts that a page has loaded, by area. */
const loadedChunks = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /assets\/([\w-]+)-[\w-]{8}\.js$/.exec(name)?.[1])
      .filter((name) => name !== undefined),
  )

describe.skipIf(cannotRun)('the code of pages', () => {
  it('loads while the browser is idle, so that a page opens while the network is down', async () => {
    const page = await (await newSeparateVisitor({ preloadsPages: true })).newPage()
    await registerByApi(page, newAddress('idle'))
    await page.goto(at('/'))
    await heading(page, 'Overview').waitFor()
    expect(await loadedChunks(page)).not.toContain('applications')
    const areas = ['users', 'groups', 'applications', 'sign-in-providers', 'directory', 'team-settings', 'account']
    await expect.poll(() => loadedChunks(page), { timeout: 20_000 }).toEqual(expect.arrayContaining(areas))
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Applications' }).click()
    await heading(page, 'Applications').waitFor()
  })

  it('loads again when a page is opened, if it failed to load while idle', async () => {
    const page = await (await newSeparateVisitor({ preloadsPages: true })).newPage()
    await registerByApi(page, newAddress('failed'))
    let failures = 0
    const isGroups = /\/assets\/groups-[\w-]{8}\.js$/
    await page.route(isGroups, (route) => {
      failures += 1
      // As from a proxy while the service restarts.
      return route.fulfill({ status: 503, body: '' })
    })
    await page.goto(at('/'))
    await expect.poll(() => loadedChunks(page), { timeout: 20_000 }).toContain('team-settings')
    await expect.poll(() => failures).toBeGreaterThan(0)
    await page.unroute(isGroups)
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Groups/ })
      .click()
    await heading(page, 'Groups').waitFor()
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
  })

  it('comes in at most seventy files, one of them for the area', async () => {
    const page = await newPageThatLoadsAnew()
    await registerByApi(page, newAddress('files'))
    await page.goto(at('/'))
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Users/ })
      .first()
      .click()
    await heading(page, 'Users').waitFor()
    const chunks = await loadedChunks(page)
    expect(chunks.length).toBeLessThanOrEqual(70)
    expect(chunks.filter((name) => name === 'users')).toHaveLength(1)
    expect(chunks).not.toContain('groups')
    // An icon that is not loaded is missing without an error.
    expect(await page.getByRole('navigation').locator('a:not(:has(svg))').count()).toBe(0)
    expect(await page.locator('[data-list-footer] button:not(:has(svg))').count()).toBe(0)
  })

  it('loads only when it is needed if the user saves data', async () => {
    const page = await newPageThatLoadsAnew()
    await registerByApi(page, newAddress('saving'))
    await page.goto(at('/'))
    await heading(page, 'Overview').waitFor()
    await page.waitForTimeout(4_000)
    expect(await loadedChunks(page)).not.toContain('applications')
  })
})

/** A page of a visitor who has loaded nothing, and whose browser saves data: it loads the code of a page when it is opened. */
const newPageThatLoadsAnew = async () => (await newSeparateVisitor()).newPage()

describe.skipIf(cannotRun)('the console while the network is down', () => {
  it('keeps the page, shows a banner, and opens the requested page when the network returns', async () => {
    const page = await newPageThatLoadsAnew()
    await registerByApi(page, newAddress('offline'))
    await page.goto(at('/'))
    const groups = page.getByRole('link', { name: 'Groups' })
    await groups.waitFor()
    await page.context().setOffline(true)
    await groups.click()
    await page.getByText('You are offline.').waitFor()
    await heading(page, 'Overview').waitFor()
    await page.context().setOffline(false)
    await heading(page, 'Groups').waitFor()
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await page.getByText('No groups yet').first().waitFor()
  })

  it('retries a failed read when the network returns', async () => {
    const page = await (await newSeparateVisitor()).newPage()
    await registerByApi(page, newAddress('offline'))
    await page.goto(at('/account/sessions'))
    await page.getByText('This device').first().waitFor()
    await page.goto(at('/account/teams'))
    await heading(page, 'Teams').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await heading(page, 'My applications').waitFor()
    await page.getByText('No applications yet.').waitFor()
  })

  it('reads and writes while only the browser reports that it is offline', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress('loopback'))
    await page.goto(at('/account'))
    await heading(page, 'Profile').waitFor()
    // As on a machine without a network, where the service still responds.
    await page.evaluate(() => window.dispatchEvent(new Event('offline')))
    await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.mantine-Notification-root', { hasText: /^Saved$/ }).waitFor()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByText('This device').first().waitFor()
  })
})
