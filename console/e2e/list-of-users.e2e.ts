import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, ready, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { heading, newAddress, registerByApi, signInByApi } from './people'
import { useTeamOfPeople } from './team-of-people'

useBrowser()

describe.skipIf(cannotRun)('the list of users and their details on each display', () => {
  const { admin, owner, create, open } = useTeamOfPeople()

  it('filters with taps on a touch screen', async () => {
    const touch = await newSeparateVisitor({ viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true })
    const page = await touch.newPage()
    await signInByApi(page, admin, owner().teamId)
    await page.goto(at(`/t/${owner().slug}/users`))
    await page.getByRole('button', { name: 'Filter' }).tap()
    for (const [filter, choice] of [
      ['Role', 'Help desk'],
      ['Status', 'Suspended'],
    ] as const) {
      await page.getByRole('menuitem', { name: filter }).tap()
      await page.getByRole('menuitem', { name: choice }).waitFor()
      // As a user who reads the choices.
      await page.waitForTimeout(700)
    }
    await page.getByRole('menuitem', { name: 'Suspended' }).tap()
    await page.getByRole('button', { name: 'Remove filter Status' }).waitFor()
    expect(new URL(page.url()).searchParams.get('status')).toBe('suspended')
  })

  it('keeps the position of the list while details open, change and close', async () => {
    const page = await open('/users')
    await ready(page)
    // The team has too few users for a list that scrolls.
    await page.evaluate(() => {
      for (const row of document.querySelectorAll<HTMLElement>('tbody tr')) row.style.height = '400px'
    })
    const names = (await page.getByRole('rowheader').getByRole('link').allTextContents()).slice(-2)
    const [before = '', last = ''] = names
    const row = page.getByRole('link', { name: last, exact: true })
    await row.scrollIntoViewIfNeeded()
    const position = await page.evaluate(() => scrollY)
    expect(position).toBeGreaterThan(0)
    const expectPosition = () => expect.poll(() => page.evaluate(() => scrollY)).toBe(position)
    const length = await page.evaluate(() => history.length)
    await row.click()
    const details = page.getByRole('complementary', { name: last })
    await details.waitFor()
    await ready(page)
    await expectPosition()
    await page.evaluate(() => scrollTo(0, 0))
    await details.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('complementary', { name: before }).waitFor()
    await ready(page)
    const box = await page.getByRole('row', { name: before }).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800)
    await page.evaluate((y) => scrollTo(0, y), position)
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: before }).waitFor({ state: 'detached' })
    await ready(page)
    await expectPosition()
    expect(await page.evaluate(() => history.length)).toBe(length)
  })

  it('closes details that cover the list with Back', async () => {
    const page = await open('/users')
    await page.setViewportSize({ width: 375, height: 812 })
    await ready(page)
    const list = page.url()
    const links = page.getByRole('rowheader').getByRole('link')
    const [first = '', second = ''] = await links.allTextContents()
    await links.first().click()
    const details = page.getByRole('dialog')
    await page.getByRole('dialog', { name: first }).waitFor()
    await details.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('dialog', { name: second }).waitFor()
    await page.goBack()
    await details.waitFor({ state: 'detached' })
    expect(page.url()).toBe(list)
    const length = await page.evaluate(() => history.length)
    for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await links.first().click()
      await details.waitFor()
      await close()
      await details.waitFor({ state: 'detached' })
      expect(page.url()).toBe(list)
      expect(await page.evaluate(() => history.length)).toBe(length)
    }
  })

  it('closes a menu of the details with Escape, then the details, and returns the focus to the row', async () => {
    const page = await open('/users')
    await page.getByRole('link', { name: 'Ann Ames' }).click()
    const details = page.getByRole('complementary', { name: 'Ann Ames' })
    await details.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Change role' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Change role' }).waitFor({ state: 'detached' })
    await details.waitFor()
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: 'Ann Ames' }).evaluate((link) => link === document.activeElement)).toBe(
      true,
    )
  })

  it('works on a phone: navigation in a drawer, rows open their details over the page', async () => {
    const page = await newPage()
    const email = newAddress('phone')
    await registerByApi(page, email)
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto(at('/'))
    await signedInOnPhone(page)
    // A screen reader does not leave the dialog, so its menus are inside.
    const navigation = page.getByRole('dialog', { name: 'Navigation' })
    for (const button of [/^Account of/, /^Switch team/]) {
      await navigation.getByRole('button', { name: button }).click()
      await navigation.getByRole('menu').waitFor()
      await navigation.getByRole('menuitem').last().click({ trial: true })
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await heading(page, 'Users').waitFor()
    await page.getByRole('dialog', { name: 'Navigation' }).waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Users' }).getByRole('link').first().click()
    const sheet = page.getByRole('dialog', { name: email })
    await sheet.getByRole('heading', { name: 'Profile' }).waitFor()
    await expect
      .poll(async () => Object.values((await sheet.boundingBox()) ?? {}).map(Math.round))
      .toEqual([0, 0, 375, 812])
    await checkEveryView(page, 'user-sheet')
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Users' }).getByRole('link').first().click()
    await sheet.getByRole('link', { name: 'Open page' }).click()
    await heading(page, email).waitFor()
    expect(page.url()).toMatch(/\/users\/[0-9a-f-]{36}$/)
  })

  it('fits long names and the bulk bar on a phone, and colors all of a selected row', async () => {
    const email = newAddress('an-address-that-does-not-fit-in-one-line')
    await create(email, 'Wolfeschlegelsteinhausenbergerdorff', 'Zeus')
    const page = await open('/users?q=zeus')
    await page.setViewportSize({ width: 375, height: 812 })
    const row = page.getByRole('row', { name: 'Wolfeschlegelsteinhausenbergerdorff Zeus' })
    await row.waitFor()
    for (const text of ['Wolfeschlegelsteinhausenbergerdorff Zeus', email]) {
      const line = row.getByText(text).first()
      const overflow = await line.evaluate((element) => getComputedStyle(element).textOverflow)
      expect(overflow, text).toBe('ellipsis')
    }
    const before = await row.evaluate((element) => getComputedStyle(element).backgroundColor)
    await row.getByRole('checkbox').check()
    expect(await row.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(before)
    expect(await row.evaluate((element) => element.getBoundingClientRect().width)).toBe(375)
    const bar = page.getByRole('region', { name: 'Actions' })
    await bar.getByText('1 selected').waitFor()
    await checkEveryView(page, 'users-selected-on-a-phone', () => expectInsideWindow(page, bar))
    await bar.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Send password reset' }).waitFor()
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Clear selection' }).click()
    await bar.waitFor({ state: 'detached' })
  })

  it('selects rows and reaches the footer of the list at 400 % zoom', async () => {
    const page = await open('/users')
    await page.setViewportSize({ width: 320, height: 200 })
    for (const name of ['Bob Burr', 'Ann Ames', admin])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('region', { name: 'Actions' }).getByText('3 selected').waitFor()
    await page.getByRole('combobox', { name: 'Rows' }).click()
    await page.getByRole('option', { name: '25', exact: true }).waitFor()
  })

  it('marks the current page, the current row and selected rows with forced colors', async () => {
    const page = await open('/users')
    await page.emulateMedia({ forcedColors: 'active' })
    const navigation = page.getByRole('navigation').first()
    await expectOtherStyle(
      navigation.getByRole('link', { name: 'Users' }),
      navigation.getByRole('link', { name: 'Groups' }),
      'backgroundColor',
    )
    const [bob, ann] = ['Bob Burr', 'Ann Ames'].map((name) => page.getByRole('row', { name })) as [Locator, Locator]
    await bob.getByRole('checkbox').check()
    await expectOtherStyle(bob.getByRole('checkbox'), ann.getByRole('checkbox'), 'backgroundColor')
    await bob.getByRole('link').click()
    await page.getByRole('complementary', { name: 'Bob Burr' }).waitFor()
    await expectOtherStyle(bob.getByRole('cell').first(), ann.getByRole('cell').first(), 'borderInlineStartWidth')
    await page.getByRole('link', { name: 'Open page' }).click()
    await heading(page, 'Bob Burr').waitFor()
    const [current, other] = [page.locator('main nav a[aria-current]'), page.locator('main nav a:not([aria-current])')]
    await expectOtherStyle(current.last(), other.last(), 'borderBottomColor')
    await page.emulateMedia({ forcedColors: 'none' })
  })
})

async function expectOtherStyle(marked: Locator, other: Locator, property: keyof CSSStyleDeclaration) {
  const read = (element: Element, name: keyof CSSStyleDeclaration) => String(getComputedStyle(element)[name])
  expect(await marked.evaluate(read, property), String(property)).not.toBe(await other.evaluate(read, property))
}

async function expectInsideWindow(page: Page, element: Locator) {
  const box = await element.boundingBox()
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
  const inner = await element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(inner, 'nothing overflows').toBeLessThanOrEqual(0)
}

async function signedInOnPhone(page: Awaited<ReturnType<typeof newPage>>) {
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('dialog', { name: 'Navigation' }).waitFor()
}
