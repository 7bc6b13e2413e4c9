import { describe, expect, it } from 'vitest'
import { button } from './application-pages'
import { violations } from './axe'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { pressOn } from './keyboard'
import { newAddress, signInByApi } from './people'
import { createApplication, joinByInvitation, registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('the access to an application', () => {
  async function teamWithUsers(name: string) {
    const email = newAddress('owner')
    const owner = await registerProgram(email)
    const application = await createApplication(owner, name)
    await owner.post('/users', { email: newAddress('ann'), firstName: 'Ann', lastName: 'Ames' })
    await owner.post('/users', { email: newAddress('bob'), firstName: 'Bob', lastName: 'Burr' })
    const group = await owner.post('/groups', { name: 'Finance' })
    return { email, owner, group, path: at(`/t/${owner.slug}/applications/${application.id}/access`) }
  }

  it('assigns, explains and removes access with the keyboard', { timeout: 60_000 }, async () => {
    const { email, path } = await teamWithUsers('Payroll')
    const page = await newPage()
    await page.setViewportSize({ width: 1280, height: 800 })
    await signInByApi(page, email)
    await page.goto(path)
    const users = page.getByRole('table', { name: 'Users with access' })
    await users.getByRole('link', { name: 'Bob Burr' }).waitFor()
    await pressOn(page, button(page, 'Assign users'))
    const dialog = page.getByRole('dialog', { name: 'Assign users' })
    await dialog.getByText('The first assignment limits access').waitFor()
    await page.keyboard.type('ann')
    await page.getByRole('option', { name: /^Ann Ames/ }).waitFor()
    await page.getByRole('option', { name: /^Bob Burr/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await checkEveryView(page, 'application-access-assign')
    await pressOn(page, dialog.getByRole('button', { name: 'Assign', exact: true }))
    await page.getByText('1 assignment added').waitFor()
    await page.getByText('1 user or group is assigned. Other users can’t sign in.').waitFor()
    await users.getByRole('cell', { name: 'Direct', exact: true }).waitFor()
    await users.getByRole('link', { name: 'Bob Burr' }).waitFor({ state: 'detached' })
    await checkEveryView(page, 'application-access')

    await pressOn(page, button(page, 'Check access').first())
    const check = page.getByRole('dialog', { name: 'Check access' })
    await check.getByRole('combobox', { name: 'User' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('bob')
    await page.getByRole('option', { name: /^Ann Ames/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await check.getByText('Bob Burr can’t open this application').waitFor()
    await check.getByText('Not assigned').waitFor()
    await checkEveryView(page, 'application-access-check')
    await page.keyboard.press('Escape')
    await check.waitFor({ state: 'detached' })

    await pressOn(page, button(page, 'Actions for Ann Ames'))
    // The last item, which the arrow keys reach from the first one, too.
    await page.getByRole('menuitem', { name: 'Remove' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('End')
    await page.getByRole('menuitem', { name: 'Remove' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }))
    await page.getByText('Ann Ames was removed').waitFor()
    await page.getByText('No users have access.').waitFor()
  })

  it('assigns a group on a phone and shows its members', async () => {
    const { email, owner, group, path } = await teamWithUsers('Expenses')
    const [ann] = (await owner.get('/users?search=ann')).data as { id: string }[]
    await owner.put(`/groups/${group.id}/users`, { userIds: [ann?.id] })
    const page = await newPage()
    await page.setViewportSize({ width: 375, height: 812 })
    await signInByApi(page, email)
    await page.goto(path)
    await button(page, 'Assign groups').click()
    const dialog = page.getByRole('dialog', { name: 'Assign groups' })
    await dialog.getByRole('combobox', { name: 'Groups' }).click()
    await page.getByRole('option', { name: 'Finance' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByText('1 assignment added').waitFor()
    await page.getByText('1 member', { exact: true }).waitFor()
    await page
      .getByRole('table', { name: 'Users with access' })
      .getByText(/· via Finance$/)
      .waitFor()
    await button(page, 'Actions for Ann Ames').click()
    await page.getByRole('menuitem', { name: 'Check access' }).click()
    const check = page.getByRole('dialog', { name: 'Check access of Ann Ames' })
    await check.getByText('Ann Ames can open this application').waitFor()
    await check.getByText('Assigned via Finance').waitFor()
    await page.keyboard.press('Escape')
    await check.waitFor({ state: 'detached' })
    await button(page, 'Assign users').click()
    await page.getByRole('combobox', { name: 'Users' }).fill('bob')
    await page.getByRole('option', { name: /^Bob Burr/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click()
    await button(page, 'Actions for Bob Burr').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Bob Burr was removed').waitFor()
    await button(page, 'Remove Finance').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No groups are assigned.').waitFor()
  })

  it('shows access without buttons to a role that may only read', async () => {
    const { owner, path } = await teamWithUsers('Archive')
    const viewer = newAddress('viewer')
    const member = await registerProgram(viewer)
    await joinByInvitation(owner, member, viewer)
    const [user] = (await owner.get(`/users?search=${viewer}`)).data as { id: string }[]
    await owner.put(`/users/${user?.id}`, { role: 'viewer' })
    const page = await newPage()
    await signInByApi(page, viewer, owner.teamId)
    await page.goto(path)
    await page.getByText('You can view applications but not change them.').waitFor()
    await page.getByRole('table', { name: 'Users with access' }).getByRole('link', { name: 'Ann Ames' }).waitFor()
    expect(await page.getByRole('switch', { name: 'Require assignment' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^(Assign|Remove)/ }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
  })
})
