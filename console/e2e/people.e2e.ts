import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, ready, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { expectFocus, pressOn } from './keyboard'
import { heading, newAddress, registerByApi, signedIn, signInByApi } from './people'
import { useTeamOfPeople } from './team-of-people'

useBrowser()

describe.skipIf(cannotRun)('the pages about people', () => {
  const { admin, member, ann, bob, owner, create, open } = useTeamOfPeople()

  it('finds users, keeps the search in the URL and opens their details beside the list', async () => {
    const page = await open('/users')
    await page.getByRole('link', { name: 'Ann Ames' }).waitFor()
    await checkEveryView(page, 'users')
    await page.getByRole('searchbox', { name: 'Search name or email' }).fill('bob')
    await page.getByRole('link', { name: 'Ann Ames' }).waitFor({ state: 'detached' })
    expect(page.url()).toContain('q=bob')
    await page.getByRole('link', { name: 'Bob Burr' }).click()
    const details = page.getByRole('complementary', { name: 'Bob Burr' })
    await details.getByText(bob).waitFor()
    await details.getByText('No active sessions').waitFor()
    await checkEveryView(page, 'user-drawer')
    await page.reload()
    await details.getByText(bob).waitFor()
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
  })

  it('suspends and activates a user with three clicks', async () => {
    const page = await open('/users')
    await page.getByRole('link', { name: 'Bob Burr' }).click()
    const details = page.getByRole('complementary', { name: 'Bob Burr' })
    await details.getByRole('button', { name: 'Suspend' }).click()
    await checkEveryView(page, 'user-suspend')
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('Bob Burr was suspended').waitFor()
    await details.getByText('Suspended', { exact: true }).waitFor()
    await details.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('Bob Burr was activated').waitFor()
  })

  it('invites several addresses at once with the keyboard, and lists and revokes their invitations', async () => {
    const page = await open('/users')
    const [first, second] = [newAddress('first'), newAddress('second')]
    const invite = page.getByRole('button', { name: 'Invite users' })
    await pressOn(page, invite)
    const dialog = page.getByRole('dialog', { name: 'Invite users' })
    await expectFocus(dialog.getByRole('textbox', { name: 'Email addresses' }))
    await page.keyboard.press('Escape')
    await expectFocus(invite)
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: 'Email addresses' }).fill('no address')
    await pressOn(page, dialog.getByRole('button', { name: 'Send invitation' }))
    await dialog.getByText('“no” is not a valid email address.').waitFor()
    await checkEveryView(page, 'invite-users')
    await dialog.getByRole('textbox', { name: 'Email addresses' }).fill(`${first}, ${second}`)
    await pressOn(page, dialog.getByRole('button', { name: 'Send invitation' }))
    await page.getByText('2 invitations sent').waitFor()
    await page.getByRole('link', { name: 'Invitations' }).click()
    await page.getByRole('rowheader', { name: first }).waitFor()
    await checkEveryView(page, 'invitations')
    await page.getByRole('button', { name: `Actions for ${first}` }).click()
    await page.getByRole('menuitem', { name: 'Resend' }).click()
    await page.getByText('Invitation sent again').waitFor()
    const actions = page.getByRole('button', { name: `Actions for ${second}` })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await expectFocus(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }))
    await page.keyboard.press('Escape')
    await expectFocus(actions)
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Invitation revoked').waitFor()
    await page.getByRole('row', { name: second }).getByText('Revoked', { exact: true }).waitFor()
  })

  it('edits what the team stores about a user, changes the role and removes the user', async () => {
    const email = newAddress('cid')
    await create(email, 'Cid', 'Cole')
    const page = await open('/users')
    await page.getByRole('link', { name: 'Cid Cole' }).click({ modifiers: ['Control'] })
    await page.goto(`${at(`/t/${owner().slug}/users`)}?q=cid`)
    await page.getByRole('link', { name: 'Cid Cole' }).click()
    await page.getByRole('link', { name: 'Open page' }).click()
    await heading(page, 'Cid Cole').waitFor()
    await checkEveryView(page, 'user')
    await page.getByRole('button', { name: 'Edit profile' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Department' }).fill('Finance')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Finance').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Change role' }).click()
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Viewer' }).click()
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await page.getByText('Role changed').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove from team' }).click()
    await dialog.getByRole('button', { name: 'Remove from team' }).click()
    await page.getByText('Cid Cole was removed').waitFor()
    await heading(page, 'Users').waitFor()
  })

  it('changes several users at once and reports who failed', async () => {
    const page = await open('/users')
    await page.getByRole('checkbox', { name: 'Select Bob Burr' }).check()
    await page.getByRole('checkbox', { name: `Select ${admin}` }).check()
    await page.getByRole('region', { name: 'Actions' }).getByText('2 selected').waitFor()
    await checkEveryView(page, 'users-selected')
    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend' })
    await dialog.getByText('2 users are selected.').waitFor()
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByText('1 user changed, 1 failed').waitFor()
    await dialog.getByText(`${admin}:`).waitFor()
    await checkEveryView(page, 'users-bulk-result')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('row', { name: 'Bob Burr' }).getByText('Suspended', { exact: true }).waitFor()
    // The changed users are no longer selected.
    await page.getByRole('region', { name: 'Actions' }).waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select Bob Burr' }).check()
    await page.getByRole('button', { name: /^Select all \d/ }).click()
    await page.getByText(/^All \d+ selected$/).waitFor()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByRole('region', { name: 'Actions' }).waitFor({ state: 'detached' })
  })

  it('filters by status, sorts by name and hides a column', async () => {
    const page = await open('/users')
    await page.getByRole('button', { name: 'Filter' }).click()
    // A pointer on the name of a filter opens its choices beside it.
    await page.getByRole('menuitem', { name: 'Status' }).hover()
    await page.getByRole('menuitem', { name: 'Suspended' }).waitFor()
    await page.getByRole('menuitem', { name: 'Status' }).focus()
    await page.keyboard.press('ArrowRight')
    await expectFocus(page.getByRole('menuitem', { name: 'Active' }))
    await page.keyboard.press('ArrowLeft')
    await expectFocus(page.getByRole('menuitem', { name: 'Status' }))
    await page.getByRole('menuitem', { name: 'Status' }).click()
    await page.getByRole('menuitem', { name: 'Suspended' }).click()
    await page.getByRole('link', { name: 'Ann Ames' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('status')).toBe('suspended')
    await page.getByRole('button', { name: 'Remove filter Status' }).click()
    await expectFocus(page.getByRole('button', { name: 'Filter' }))
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Email' }).uncheck()
    await page.getByRole('columnheader', { name: 'Email' }).waitFor({ state: 'detached' })
  })

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

  it('explains access, schedules a leave date and locks an account down', async () => {
    await owner().post('/applications', { name: 'Wiki', type: 'OIDC', redirectUris: ['https://wiki.example.com/cb'] })
    const page = await open('/users?q=ames')
    await page.getByRole('link', { name: 'Ann Ames' }).click()
    await page.getByRole('button', { name: 'Check access' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Application' }).click()
    await page.getByRole('option', { name: 'Wiki' }).click()
    await dialog.getByText('Ann Ames can open this application').waitFor()
    await checkEveryView(page, 'check-access')
    await page.keyboard.press('Escape')
    const more = page.getByRole('complementary', { name: 'Ann Ames' }).getByRole('button', { name: 'More actions' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Schedule leave date' }).click()
    await dialog.getByLabel('Leave date').fill('2020-01-01')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a date in the future.').waitFor()
    await dialog.getByLabel('Leave date').fill('2090-01-01')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2090-01-01').waitFor()
    await more.click()
    await page.getByRole('menuitem', { name: 'Lock down account' }).click()
    await dialog.getByRole('button', { name: 'Lock down account' }).click()
    await page.getByText('Ann Ames was locked down').waitFor()
  })

  it('jumps to a user and to a page with Ctrl+K', async () => {
    const page = await open('')
    const search = page.getByPlaceholder('Search users, groups, applications and pages')
    await page.keyboard.press('Control+k')
    await search.waitFor()
    await page.getByRole('option', { name: 'Invite users' }).waitFor()
    await checkEveryView(page, 'palette')
    await search.fill('ames')
    await page.getByRole('option', { name: ann, selected: true }).waitFor()
    const announced = await search.getAttribute('aria-activedescendant')
    expect(await page.locator(`#${announced}`).textContent()).toContain(ann)
    await page.keyboard.press('Enter')
    await heading(page, 'Ann Ames').waitFor()
    await search.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await search.fill('invit')
    await page.getByRole('option', { name: 'Overview' }).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: 'Invitations', selected: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Invite users', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Invite users' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Invite users' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await search.fill('invite')
    await page.getByRole('option', { name: 'Overview' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Invite users' }).waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await heading(page, 'Users').waitFor()
    expect(await page.getByRole('dialog').count(), 'a reload opens no dialog again').toBe(0)
    await page.route('**/api/v1/search?*', (route) => route.fulfill({ status: 403, json: { status: 403 } }))
    await page.keyboard.press('Control+k')
    await search.fill('ames')
    await page.getByRole('alert').getByText('The search failed').waitFor()
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

  it('offers a member neither these pages nor their links, and lands on the applications', async () => {
    const page = await newPage()
    await signInByApi(page, member, owner().teamId)
    await page.goto(at('/'))
    await heading(page, 'My applications').waitFor()
    await checkEveryView(page, 'home')
    await page.goto(at(`/t/${owner().slug}`))
    await signedIn(page)
    expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0)
    const rejected: string[] = []
    page.on('response', (answer) => void (answer.status() === 403 && rejected.push(answer.url())))
    for (const path of ['users', 'users/unknown', 'users/unknown/security', 'groups', 'groups/unknown']) {
      await page.goto(at(`/t/${owner().slug}/${path}`))
      await heading(page, 'No access').waitFor()
      await page.getByText(`You don’t have access to ${path.split('/')[0]}.`).waitFor()
    }
    expect(rejected).toEqual([])
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

  it('shows the status, role and email address of a user above the tabs', async () => {
    const page = await open(`/users?q=${member}`)
    await page.getByRole('link', { name: member }).click()
    await page.getByRole('link', { name: 'Open page' }).click()
    await heading(page, member).waitFor()
    const header = page.getByRole('main').locator('header')
    await header.getByText('Active', { exact: true }).waitFor()
    await header.getByText('Member', { exact: true }).waitFor()
    await header.getByRole('button', { name: 'Copy email address' }).waitFor()
    const tabs = page.getByRole('navigation', { name: `Pages of ${member}` })
    await tabs.getByRole('link', { name: 'Security' }).click()
    const titles = page.getByRole('main').getByRole('heading', { level: 2 })
    await page.getByRole('heading', { level: 2, name: /^Sessions/ }).waitFor()
    expect((await titles.allInnerTexts()).map((title) => title.replace(/\s*\d*$/, ''))).toEqual([
      'Two-step verification',
      'Password',
      'Sessions',
      'Leave date',
      'Lock down account',
    ])
    await checkEveryView(page, 'user-security')
    await page.getByRole('button', { name: 'Send password reset' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await tabs.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('heading', { level: 2, name: 'Activity' }).waitFor()
    await checkEveryView(page, 'user-activity')
  })

  it('groups the sessions of a user by device, and names their events', async () => {
    const page = await open('/users')
    await page.getByRole('link', { name: admin }).click()
    const details = page.getByRole('complementary', { name: admin })
    await details.getByText(/^\d+ sessions?$/).waitFor()
    await details
      .getByText(/^Signed in/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Open page' }).click()
    await page.getByRole('link', { name: 'Security', exact: true }).click()
    await page.getByRole('heading', { name: /^Sessions \d+$/ }).waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Chrome' })
      .getByText(/^\d+ sessions? · /)
      .waitFor()
  })

  it('lists an application that is open to everyone in the team in the access of each user', async () => {
    const { id } = (await owner().post('/applications', {
      name: 'Handbook',
      type: 'OIDC',
      redirectUris: ['https://handbook.example.com/cb'],
    })) as { id: string }
    const { data } = (await owner().get('/users?search=ames')) as { data: { id: string }[] }
    const user = String(data[0]?.id)
    const page = await open(`/users/${user}/access`)
    const line = page.getByRole('listitem').filter({ hasText: 'Handbook' })
    await line.getByText('Everyone in the team').waitFor()
    await checkEveryView(page, 'user-access')
    await owner().put(`/applications/${id}/users`, { userIds: [user] })
    await page.reload()
    await line.getByText('Direct').waitFor()
    await owner().put(`/users/${user}`, { status: 'suspended' })
    await page.goto(at(`/t/${owner().slug}/applications/${id}/access`))
    const row = page.getByRole('table', { name: 'Users with access' }).getByRole('row', { name: 'Ann Ames' })
    await row.getByText('Suspended', { exact: true }).waitFor()
    await checkEveryView(page, 'application-access-suspended')
    await owner().put(`/users/${user}`, { status: 'active' })
  })

  it('counts users and pending invitations in the sidebar', async () => {
    await owner().post(`/organizations/${owner().teamId}/members/invite`, {
      email: newAddress('counted'),
      role: 'MEMBER',
    })
    const { total } = (await owner().get('/users?limit=1')) as { total: number }
    const page = await open('/groups')
    await page.getByRole('link', { name: 'Users', exact: true }).getByText(String(total), { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Invitations', exact: true }).getByText(/^\d+$/).waitFor()
  })

  it('wraps no entry of the menu of a user, and separates the dangerous ones', async () => {
    const page = await open('/users?q=ames')
    await page.getByRole('link', { name: 'Ann Ames' }).click()
    await page.getByRole('complementary', { name: 'Ann Ames' }).getByRole('button', { name: 'More actions' }).click()
    const entries = page.getByRole('menuitem')
    await entries.filter({ hasText: 'Remove from team' }).waitFor()
    const heights = await entries.evaluateAll((all) => all.map((entry) => entry.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThan(48)
    expect(new Set(heights).size, 'the same height').toBe(1)
    expect((await entries.allInnerTexts()).slice(-2)).toEqual(['Lock down account', 'Remove from team'])
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
