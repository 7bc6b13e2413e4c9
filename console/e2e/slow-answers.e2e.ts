import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, useBrowser } from './browser'
import { goodPassword, heading } from './people'
import { useTeamOfPeople } from './team-of-people'

useBrowser()

/** Responds to matching requests only after `deliver` was called. @param respond default: the service responds */
async function holdBack(page: Page, url: RegExp, method: string, respond = (route: Route) => route.fallback()) {
  let deliver = () => {}
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve
  })
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await delivered
    return respond(route)
  })
  return deliver
}

describe.skipIf(cannotRun)('pages whose requests are slow or fail', () => {
  const { ann, open } = useTeamOfPeople()

  it('selects no rows of an earlier search while the present one is loading', async () => {
    const page = await open('/users')
    await page.getByRole('link', { name: 'Bob Burr' }).waitFor()
    const deliver = await holdBack(page, /\/api\/v1\/users\?/, 'GET')
    const table = page.locator('table[aria-label="Users"]')
    await page.getByRole('searchbox', { name: 'Search name or email' }).fill(ann)
    await page.waitForURL(/q=/)
    await page.locator('table[aria-busy="true"]').waitFor()
    expect(await table.locator('tbody').evaluate((body) => (body as HTMLElement).inert)).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Select all on this page' }).isDisabled()).toBe(true)
    expect(await page.getByText(/^1–\d+ of \d+$/).count(), 'a range of other rows').toBe(0)
    deliver()
    await page.getByRole('checkbox', { name: 'Select Ann Ames' }).check()
    await page.getByText('1 selected').waitFor()
  })

  it('reports the failure of an action whose dialog was closed meanwhile', async () => {
    const page = await open('/users')
    await page.getByRole('link', { name: 'Bob Burr' }).click()
    const details = page.getByRole('complementary', { name: 'Bob Burr' })
    const deliver = await holdBack(page, /\/api\/v1\/users\/[^/]+$/, 'PUT', (route) =>
      route.fulfill({ status: 503, json: { status: 503, code: 'unavailable' } }),
    )
    const dialog = page.getByRole('dialog')
    await details.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.locator('[aria-busy="true"]').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    deliver()
    await page.getByRole('alert').getByText('That didn’t work').waitFor()
  })

  it('keeps what was typed in a dialog when the session ends', async () => {
    const page = await open('/users')
    await page.getByRole('button', { name: 'Invite users' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite users' })
    const addresses = dialog.getByRole('textbox', { name: 'Email addresses' })
    await addresses.fill('first@example.com, second@example.com')
    // A click beside the dialog would lose as much.
    await page.mouse.click(5, 5)
    await page.context().clearCookies()
    await page.route(/\/api\/v1\//, (route) =>
      route.request().url().includes('/auth/login') ? route.fallback() : route.fulfill({ status: 401, json: {} }),
    )
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByRole('textbox', { name: 'Password' }).waitFor()
    await page.unroute(/\/api\/v1\//)
    await again.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    await page.getByText('2 invitations sent').first().waitFor()
  })

  it('leads from old links of a list back to its rows', async () => {
    const page = await open('/users?sort=-unknown')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Ann Ames' }).waitFor()
    await page.goto(at(`${new URL(page.url()).pathname}?page=7`))
    await heading(page, 'Users').waitFor()
    await page.getByRole('link', { name: 'Ann Ames' }).waitFor()
    expect(page.url()).not.toContain('page=')
  })
})
