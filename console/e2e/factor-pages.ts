import type { Page } from 'playwright-core'
import { type AuthenticatorApp, authenticatorApp } from './authenticator-app'
import { at, newPage } from './browser'
import { fillSignIn, heading, newAddress } from './people'
import { protect, registerProgram } from './programs'

export const codeField = (page: Page) => page.getByRole('textbox', { name: '6-digit code' })
export const backupField = (page: Page) => page.getByRole('textbox', { name: 'Backup code' })
export const confirm = (page: Page) => page.getByRole('button', { name: 'Verify', exact: true })

/** A user with an authenticator app, and a page that requires a code. */
export async function atTheChallenge(path = '/login') {
  const email = newAddress('careful')
  const { app, backupCodes } = await protect(await registerProgram(email))
  const page = await newPage()
  await page.goto(at(path))
  await fillSignIn(page, email)
  await heading(page, 'Enter your code').waitFor()
  return { page, email, app, backupCodes }
}

/** Adds an authenticator app on the security page, including its first code. */
export async function addApp(page: Page): Promise<AuthenticatorApp> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  const app = authenticatorApp((await dialog.locator('code').textContent()) ?? '')
  await dialog.getByRole('textbox', { name: 'Code from the app' }).fill(await app.code())
  await page.keyboard.press('Enter')
  return app
}
