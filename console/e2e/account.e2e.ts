import { describe, expect, it } from 'vitest'
import { violations } from './axe'
import { at, cannotRun, newPage, picture, useBrowser } from './browser'
import { field, fillSignIn, heading, newAddress, register, registerByApi, signedIn, signIn, signOut } from './people'

useBrowser()

describe.skipIf(cannotRun)('the account', () => {
  it('changes its password, keeps this session and ends the others', async () => {
    const email = newAddress()
    const page = await newPage()
    await register(page, email)
    const elsewhere = await newPage()
    await signIn(elsewhere, email)
    await page.goto(at('/account/security'))
    await field.currentPassword(page).fill('not my password')
    await field.newPassword(page).fill('a brand new password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('not your current password').waitFor()
    await field.currentPassword(page).fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByText('Password changed.').first().waitFor()
    expect(await field.newPassword(page).inputValue()).toBe('')
    await page.reload()
    await heading(page, 'Security').waitFor()
    await elsewhere.reload()
    await heading(elsewhere, 'Sign in').waitFor()
    await fillSignIn(elsewhere, email, 'a brand new password')
    await signedIn(elsewhere)
  })

  it('lists its devices, and ends one and all others', async () => {
    const email = newAddress()
    const page = await newPage()
    await register(page, email)
    const others = [await newPage(), await newPage(), await newPage()]
    for (const other of others) await signIn(other, email)
    await page.goto(at('/account/sessions'))
    const signedInNow = page.locator('section', { has: page.getByRole('heading', { name: 'Signed in' }) })
    await signedInNow.getByText('This device').waitFor()
    expect(await signedInNow.getByRole('listitem').count()).toBe(4)
    await picture(page, 'devices')
    await page
      .getByRole('button', { name: /^Sign out .* on / })
      .first()
      .click()
    await page.getByText('One device was signed out.').first().waitFor()
    await page.getByRole('button', { name: 'Sign out 2 other devices' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 sessions end at once').waitFor()
    await picture(page, 'devices-dialog')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Sign out 2 other devices' }).click()
    await page.getByText('2 devices were signed out.').first().waitFor()
    expect(await signedInNow.getByRole('listitem').count()).toBe(1)
    for (const other of others) {
      await other.goto(at('/account'))
      await heading(other, 'Sign in').waitFor()
    }
  })

  it('makes a team, opens it, and switches between its teams by the menu and by the address', async () => {
    const page = await newPage()
    await register(page, newAddress())
    const first = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    const firstUrl = page.url()
    await page.goto(at('/account/teams'))
    const name = `Rockets ${Date.now()}`
    await page.getByRole('textbox', { name: 'Team name' }).fill(name)
    await page.getByRole('button', { name: 'Create team' }).click()
    await heading(page, name).waitFor()
    const teamUrl = page.url()
    await page.getByText('Super admin').waitFor()
    await page.getByRole('button', { name: /^Switch team/ }).click()
    await picture(page, 'team-menu')
    await page.getByRole('menuitem', { name: first }).click()
    await heading(page, first).waitFor()
    expect(page.url()).toBe(firstUrl)
    await page.goto(teamUrl)
    await heading(page, name).waitFor()
    await page.goto(at('/account/teams'))
    await page.getByRole('button', { name: `Make default: ${name}` }).click()
    await page.getByText(`${name} opens when you sign in.`).first().waitFor()
    await page.goto(at('/'))
    await heading(page, name).waitFor()
  })

  it('sends each tab’s own team with its calls', async () => {
    const page = await newPage()
    await register(page, newAddress())
    const first = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await page.goto(at('/account/teams'))
    await page.getByRole('textbox', { name: 'Team name' }).fill('Second team')
    await page.getByRole('button', { name: 'Create team' }).click()
    await heading(page, 'Second team').waitFor()
    const asked: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().includes('/stats/active-sessions')) asked.push(request.headers()['x-org-id'])
    })
    await page.reload()
    await page.getByText('Active people').waitFor()
    await page.getByRole('button', { name: /^Switch team/ }).click()
    await page.getByRole('menuitem', { name: first }).click()
    await heading(page, first).waitFor()
    await page.getByText('Active people').waitFor()
    await page.waitForTimeout(300)
    expect(new Set(asked).size).toBe(2)
    expect(asked).not.toContain(undefined)
  })

  it('asks before something typed is thrown away', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/teams'))
    await page.getByRole('textbox', { name: 'Team name' }).fill('half a na')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      dialog.dismiss()
    })
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.waitForTimeout(300)
    expect(asked).toHaveLength(1)
    expect(new URL(page.url()).pathname).toBe('/account/teams')
    expect(await page.getByRole('textbox', { name: 'Team name' }).inputValue()).toBe('half a na')
  })

  it('remembers light or dark in this browser, from the first paint on', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account'))
    await page.getByText('Dark', { exact: true }).click()
    await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark')
    await page.goto(at('/account'), { waitUntil: 'commit' })
    await page.waitForFunction(() => document.body !== null)
    expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe('dark')
    await signedIn(page)
    await signOut(page)
  })
})
