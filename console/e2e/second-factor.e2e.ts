import { describe, expect, it } from 'vitest'
import { authenticatorApp } from './authenticator-app'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { addApp, atTheChallenge, backupField, codeField, confirm } from './factor-pages'
import { field, fillSignIn, goodPassword, newAddress, registerByApi, signedIn, signOut } from './people'

useBrowser()

describe.skipIf(cannotRun)('an authenticator app', () => {
  it('is set up by its key and a code, and gives backup codes that cannot be lost by a slip', {
    timeout: 90_000,
  }, async () => {
    const page = await newPage()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await registerByApi(page, newAddress())
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Add an app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
    await checkEveryView(page, 'authenticator-setup')
    await dialog.getByRole('button', { name: 'Copy secret key' }).click()
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    const groups = await dialog.locator('code span').allTextContents()
    expect(groups.join('')).toBe(secret)
    expect(groups.slice(0, -1).every((group) => group.length === 4)).toBe(true)
    const app = authenticatorApp(secret)
    const code = dialog.getByRole('textbox', { name: 'Code that the app shows now' })
    await code.fill(app.wrongCode())
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('That code is not right').waitFor()
    await code.fill(await app.code())
    await page.keyboard.press('Enter')

    const codes = page.getByRole('dialog', { name: 'Your backup codes' })
    await codes.waitFor()
    const shown = await codes.getByRole('list', { name: 'backup codes' }).getByRole('listitem').allTextContents()
    expect(new Set(shown).size).toBe(10)
    await checkEveryView(page, 'backup-codes')
    await codes.getByRole('button', { name: 'Copy backup codes' }).click()
    expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toEqual(shown)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      codes.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('backup-codes.txt')
    await page.keyboard.press('Escape')
    expect(await codes.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    await codes.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await codes.getByRole('button', { name: 'Done' }).click()
    await page.getByText('The authenticator app is added.').first().waitFor()
    expect(await page.content()).not.toContain(shown[0])
    await page.getByText('10 of 10 left').waitFor()
    await page.getByRole('button', { name: 'Sign out other devices' }).waitFor()
    await checkEveryView(page, 'security-protected')
  })

  it('may be one of several, each with a name; without the last one nothing is asked for any more', {
    timeout: 90_000,
  }, async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/security'))
    await addApp(page)
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('The authenticator app is added.').first().waitFor()
    await addApp(page)
    await page.getByText('Authenticator app 2').waitFor()
    await page.getByRole('button', { name: 'Rename Authenticator app 2' }).click()
    const renaming = page.getByRole('dialog', { name: 'Rename' })
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Old phone')
    await checkEveryView(page, 'rename-factor')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Old phone' }).click()
    const removing = page.getByRole('dialog', { name: 'Remove Old phone?' })
    await removing.getByText('What is left: 1 authenticator app.').waitFor()
    await removing.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Old phone is removed.').first().waitFor()
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    const last = page.getByRole('dialog', { name: 'Remove Authenticator app?' })
    await last.getByText('your password and links by email').waitFor()
    await checkEveryView(page, 'remove-last-factor')
    await last.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('You have no authenticator app yet.').waitFor()
    expect(await page.getByText('Backup codes', { exact: true }).count()).toBe(0)
  })

  it('leaves nothing behind when it is begun with and not confirmed', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Add an app' }).click()
    const [removal] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'DELETE'),
      page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click(),
    ])
    expect(removal.status()).toBe(200)
    await page.getByText('You have no authenticator app yet.').waitFor()
  })
})

describe.skipIf(cannotRun)('two-step sign-in', () => {
  it('is turned off for the password, after saying what goes', { timeout: 60_000 }, async () => {
    const { page, email, app } = await atTheChallenge('/account/security')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('button', { name: 'Turn off', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn off two-step sign-in?' })
    await dialog.getByText('1 authenticator app is removed.').waitFor()
    await dialog.getByText('10 backup codes stop working.').waitFor()
    await checkEveryView(page, 'turn-off')
    await field.password(page).fill('not the password')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await field.password(page).fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByText('Two-step sign-in is off.').first().waitFor()
    await signOut(page)
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await signedIn(page)
  })

  it('is asked for at each sign-in until its owner wants it asked at unusual ones only', {
    timeout: 90_000,
  }, async () => {
    const { page, email, app } = await atTheChallenge('/account/security')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    const choice = page.getByRole('switch', { name: 'Ask more when a sign-in looks unusual' })
    expect(await choice.isChecked()).toBe(false)
    await choice.click()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[role=switch]')?.checked)
    await page.reload()
    await choice.waitFor()
    expect(await choice.isChecked()).toBe(true)
    await signOut(page)
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await signedIn(page)
  })

  it('gives a new set of backup codes, which ends the old one', { timeout: 60_000 }, async () => {
    const { page, email, app, backupCodes } = await atTheChallenge('/account/security')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('button', { name: 'Make a new set' }).click()
    await page
      .getByRole('dialog', { name: 'Make new backup codes?' })
      .getByRole('button', { name: 'Make a new set' })
      .click()
    const codes = page.getByRole('dialog', { name: 'Your backup codes' })
    await codes.getByRole('checkbox', { name: 'I’ve saved these codes' }).waitFor()
    const shown = await codes.getByRole('listitem').allTextContents()
    expect(shown).toHaveLength(backupCodes.length)
    expect(shown.filter((code) => backupCodes.includes(code))).toEqual([])
    await codes.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await codes.getByRole('button', { name: 'Done' }).click()
    await signOut(page)
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Use a backup code' }).click()
    await backupField(page).fill(backupCodes[0] ?? '')
    await confirm(page).click()
    await page.getByRole('alert').waitFor()
    await backupField(page).fill(shown[0] ?? '')
    await confirm(page).click()
    await signedIn(page)
  })
})

describe.skipIf(cannotRun)('remembered devices', () => {
  it('are listed with where they were, and can be forgotten', { timeout: 60_000 }, async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/sessions'))
    await page.getByRole('button', { name: /^Forget / }).click()
    await page
      .getByText(/ is forgotten\.$/)
      .first()
      .waitFor()
    await page.getByText('No device is remembered.').waitFor()
    await checkEveryView(page, 'devices-forgotten')
  })
})
