import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { heading, newAddress, signInByApi } from './people'
import { createApplication, joinByInvitation, type Program, registerProgram, signInToTeam } from './programs'

useBrowser()

/** Sign-ins of the last weeks, which no test can make: the chart draws them in place of the real counts. */
const days = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.UTC(2026, 9, 25 + index)).toISOString().slice(0, 10),
  success: index % 7 < 2 ? 110 + index : 360 + ((index * 37) % 60),
  failure: index > 25 ? 12 * (index - 25) : index % 4,
  denied: 0,
}))

describe.skipIf(cannotRun)('the overview of a team', () => {
  const [admin, helper] = [newAddress('admin'), newAddress('helper')]
  let owner: Program

  const overview = async (email: string) => {
    const page = await newPage()
    await signInByApi(page, email, owner.teamId)
    await page.goto(at(`/t/${owner.slug}`))
    await heading(page, 'Overview').waitFor()
    return page
  }

  beforeAll(async () => {
    owner = await registerProgram(admin)
  })

  const part = (page: Page, name: string) =>
    page.locator('section', { has: page.getByRole('heading', { level: 2, name, exact: true }) })

  it('lists what to set up in a new team', async () => {
    const page = await overview(admin)
    await page.getByRole('heading', { name: 'Next steps' }).waitFor()
    await page.getByText('1 admin without two-step verification').waitFor()
    await page.getByText('No failed sign-ins yet').waitFor()
    await checkEveryView(page, 'overview-new')
  })

  it('shows the sign-ins, the second factors and what needs attention, and leads to the users behind a number', async () => {
    await createApplication(owner, 'The Shop')
    await joinByInvitation(owner, await registerProgram(helper), helper, 'HELP_DESK_ADMIN')
    await expect(signInToTeam(helper, 'a wrong password', owner.teamId)).rejects.toThrow('401')

    const page = await overview(admin)
    await part(page, 'Failed sign-ins').getByText('1', { exact: true }).waitFor()
    await part(page, 'Recent failed sign-ins').getByText(helper).waitFor()
    await part(page, 'Needs attention').getByText('2 admins without two-step verification').waitFor()
    const coverage = part(page, 'Two-step coverage').last()
    await coverage.getByRole('listitem').filter({ hasText: 'None' }).getByText('100%').waitFor()
    await page.getByRole('link', { name: 'View all 1' }).waitFor()

    // The text equivalent of the chart has a row for each day.
    const table = page.getByRole('table', { name: 'Sign-ins by day' })
    expect(await table.getByRole('row').count()).toBe(31)
    await page.getByText('7 days', { exact: true }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(8)
    expect(page.url()).toContain('days=7')

    await coverage.getByRole('link', { name: /^Review \d users?$/ }).click()
    await heading(page, 'Users').waitFor()
    expect(new URL(page.url()).searchParams.get('mfa')).toBe('none')
    await page.getByRole('table').getByText(helper).first().waitFor()
  })

  it('draws the sign-ins of weeks, with the numbers of a day at the pointer', async () => {
    const page = await newPage()
    await page.route('**/api/v1/audit/stats?**', (route) =>
      route.fulfill({ json: { totalEvents: 0, byAction: [], byResult: [], byDay: days } }),
    )
    await signInByApi(page, admin, owner.teamId)
    await page.goto(at(`/t/${owner.slug}`))
    const chart = page.getByRole('figure')
    // The setup steps above move it until they are loaded.
    await page.getByRole('heading', { name: 'Next steps' }).waitFor()
    await chart.hover()
    await page.getByText(/day, (October|November) \d+, 2026$/).waitFor()
    await chart.getByText('UTC', { exact: true }).waitFor()
    expect(await chart.getByRole('columnheader').first().textContent()).toBe('Day (UTC)')
    // A line for each series, through all 30 days, and an area below the first.
    const paths = await chart
      .locator('svg g[data-tone] path')
      .evaluateAll((all) => all.map((path) => path.getAttribute('d')))
    expect(paths.length).toBe(3)
    for (const path of paths) expect(path?.match(/C/g)?.length).toBe(29)
    await checkEveryView(page, 'overview')
  })

  it('offers to repeat what could not be loaded, and shows the rest', async () => {
    const page = await newPage()
    let isBroken = true
    const failing = ['**/api/v1/audit/stats?**', '**/api/v1/users?**', '**/api/v1/organizations/*/invitations?**']
    for (const url of failing)
      await page.route(url, (route) => (isBroken ? route.fulfill({ status: 400, json: {} }) : route.continue()))
    await signInByApi(page, admin, owner.teamId)
    await page.goto(at(`/t/${owner.slug}`))
    for (const name of ['Sign-ins', 'Two-step coverage', 'Needs attention'])
      await part(page, name).last().getByRole('button', { name: 'Try again' }).waitFor()
    expect(await page.getByText('Everything is in order').count()).toBe(0)
    await page.getByRole('link', { name: 'View all 1' }).waitFor()
    await checkEveryView(page, 'overview-not-loaded')
    isBroken = false
    for (const name of ['Sign-ins', 'Two-step coverage', 'Needs attention'])
      await part(page, name).last().getByRole('button', { name: 'Try again' }).click()
    await part(page, 'Needs attention').getByText('2 admins without two-step verification').waitFor()
    await part(page, 'Two-step coverage').last().getByText('100%').waitFor()
    await page.getByRole('figure').waitFor()
  })

  it('leads from unprotected administrators to the same users', async () => {
    const page = await overview(admin)
    await part(page, 'Needs attention')
      .getByRole('listitem')
      .filter({ hasText: '2 admins without' })
      .getByRole('link', { name: 'Review' })
      .click()
    await heading(page, 'Users').waitFor()
    await page.getByRole('table').getByText(helper).first().waitFor()
    expect(await page.getByRole('table').getByRole('row').count()).toBe(3)
    expect(new URL(page.url()).searchParams.get('roleExact')).toContain('OWNER')
  })

  it('shows a help desk administrator the users, and nothing of the audit log', async () => {
    const page = await overview(helper)
    await part(page, 'Two-step coverage').first().waitFor()
    await page.getByRole('link', { name: 'View all 1' }).waitFor()
    expect(await page.getByRole('figure').count()).toBe(0)
    expect(await page.getByText('Recent failed sign-ins').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Create application' }).count()).toBe(0)
    await checkEveryView(page, 'overview-help-desk')
  })
})
