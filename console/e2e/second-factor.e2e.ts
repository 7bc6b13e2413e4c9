import { describe, expect, it } from 'vitest'
import { authenticatorApp } from './authenticator-app'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { addApp, atTheChallenge, backupField, codeField, confirm } from './factor-pages'
import { field, fillSignIn, goodPassword, newAddress, registerByApi, signedIn, signOut } from './people'

useBrowser()

describe.skipIf(cannotRun)('an authenticator app', () => {
  it('adds an app with its key and a code, and requires that the backup codes are copied or saved', {
    timeout: 90_000,
  }, async () => {
    const page = await newPage()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await registerByApi(page, newAddress())
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
    await checkEveryView(page, 'authenticator-setup')
    await dialog.getByRole('button', { name: 'Copy secret key' }).click()
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    const groups = await dialog.locator('code span').allTextContents()
    expect(groups.join('')).toBe(secret)
    expect(groups.slice(0, -1).every((group) => group.length === 4)).toBe(true)
    const app = authenticatorApp(secret)
    const code = dialog.getByRole('textbox', { name: 'Code from the app' })
    await code.fill(app.wrongCode())
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('The code is incorrect').waitFor()
    await code.fill(await app.code())
    await page.keyboard.press('Enter')

    const codes = page.getByRole('dialog', { name: 'Your backup codes' })
    await codes.waitFor()
    const shown = await codes.getByRole('list', { name: 'backup codes' }).getByRole('listitem').allTextContents()
    expect(new Set(shown).size).toBe(10)
    await checkEveryView(page, 'backup-codes')
    await page.keyboard.press('Escape')
    expect(await codes.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    await codes.getByRole('button', { name: 'Copy backup codes' }).click()
    expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toEqual(shown)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      codes.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('backup-codes.txt')
    expect(await codes.getByRole('checkbox', { name: 'I’ve saved these codes' }).isChecked()).toBe(true)
    await codes.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Authenticator app added').first().waitFor()
    expect(await page.content()).not.toContain(shown[0])
    await page.getByText('10 of 10 left').waitFor()
    await page.getByRole('button', { name: 'End other sessions' }).waitFor()
    await checkEveryView(page, 'security-protected')
  })

  it('names several apps, and turns off two-step verification with the last one', {
    timeout: 90_000,
  }, async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/security'))
    await addApp(page)
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Authenticator app added').first().waitFor()
    // The number of the next one depends on the list.
    await page.getByText('1 added').waitFor()
    await addApp(page)
    await page.getByText('Authenticator app 2').waitFor()
    await page.getByRole('button', { name: 'Rename Authenticator app 2' }).click()
    const renaming = page.getByRole('dialog', { name: 'Rename' })
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Old phone')
    await checkEveryView(page, 'rename-factor')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Old phone' }).click()
    const removing = page.getByRole('dialog', { name: 'Remove Old phone?' })
    await removing.getByText('Remaining methods: 1 authenticator app.').waitFor()
    await removing.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Old phone removed').first().waitFor()
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    const last = page.getByRole('dialog', { name: 'Remove Authenticator app?' })
    await last.getByText('your password or a link by email').waitFor()
    await checkEveryView(page, 'remove-last-factor')
    await last.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No authenticator apps yet.').waitFor()
    expect(await page.getByText('Backup codes', { exact: true }).count()).toBe(0)
  })

  it('deletes an unconfirmed app', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    const [removal] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'DELETE'),
      page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click(),
    ])
    expect(removal.status()).toBe(200)
    await page.getByText('No authenticator apps yet.').waitFor()
  })
})

describe.skipIf(cannotRun)('two-step verification', () => {
  it('turns off with the password, after listing what is removed', { timeout: 60_000 }, async () => {
    const { page, email, app } = await atTheChallenge('/account/security')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('button', { name: 'Turn off', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn off two-step verification?' })
    await dialog.getByText('1 authenticator app is removed.').waitFor()
    await dialog.getByText('10 backup codes stop working.').waitFor()
    await checkEveryView(page, 'turn-off')
    await field.password(page).fill('not the password')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await field.password(page).fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByText('Two-step verification is off').first().waitFor()
    await signOut(page)
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await signedIn(page)
  })

  it('verifies every sign-in until the user limits it to unusual ones', {
    timeout: 90_000,
  }, async () => {
    const { page, email, app } = await atTheChallenge('/account/security')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    const choice = page.getByRole('switch', { name: 'Verify only unusual sign-ins' })
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

  it('generates new backup codes that replace the old ones', { timeout: 60_000 }, async () => {
    const { page, email, app, backupCodes } = await atTheChallenge('/account/security')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('button', { name: 'Generate new codes' }).click()
    await page
      .getByRole('dialog', { name: 'Generate new backup codes?' })
      .getByRole('button', { name: 'Generate new codes' })
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
    await page.getByRole('button', { name: 'Backup code' }).click()
    await backupField(page).fill(backupCodes[0] ?? '')
    await confirm(page).click()
    await page.getByRole('alert').waitFor()
    await backupField(page).fill(shown[0] ?? '')
    await confirm(page).click()
    await signedIn(page)
  })
})

describe.skipIf(cannotRun)('remembered devices', () => {
  it('lists a remembered device with its session, and forgets it', { timeout: 60_000 }, async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/sessions'))
    // Listed once: with its session.
    await page.getByText('Remembered device', { exact: true }).waitFor()
    expect(await page.getByRole('heading', { name: 'Remembered devices' }).count()).toBe(0)
    await page.getByRole('button', { name: /^Forget / }).click()
    await page
      .getByText(/ is no longer remembered$/)
      .first()
      .waitFor()
    await page.getByText('No remembered devices.').waitFor()
    await checkEveryView(page, 'devices-forgotten')
  })
})
