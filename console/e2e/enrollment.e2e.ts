import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticatorApp } from './authenticator-app'
import { cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { mailedLink } from './mails'
import { field, fillSignIn, goodPassword, heading, newAddress, signedIn, signOut } from './people'
import { type Service, startService } from './service'
import { plugIn } from './virtual-authenticator'

useBrowser()

describe.skipIf(cannotRun)('a service that requires two-step verification', () => {
  let service: Service
  let administrator: string
  const at = (path: string) => service.url + path

  async function call(method: string, path: string, body: object) {
    const answer = await fetch(at(`/api/v1${path}`), {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(administrator && { Authorization: `Bearer ${administrator}` }),
      },
      body: JSON.stringify(body),
    })
    const found = (await answer.json()) as Record<string, string>
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(found)}`)
    return found
  }

  beforeAll(async () => {
    service = await startService()
    const adminEmail = newAddress('admin')
    await call('POST', '/onboard', { adminEmail })
    const link = new URL(await mailedLink(service.outbox, adminEmail, '/auth/verify'))
    administrator = (await call('POST', '/auth/verify', { token: link.searchParams.get('token') })).accessToken ?? ''
    // The requirement applies to the administrator too, who has a factor already.
    const begun = await call('POST', '/auth/mfa/enroll/totp', {})
    const code = await authenticatorApp(begun.secret ?? '').code()
    await call('POST', '/auth/mfa/enroll/verify', { methodId: begun.methodId, code })
  })
  afterAll(() => service?.stop())

  const ask = (mfaGracePeriodDays: number) => call('PUT', '/config', { mfaRequired: true, mfaGracePeriodDays })

  async function register(page: Page, email: string) {
    await page.goto(at('/register'))
    await field.email(page).fill(email)
    await field.password(page).fill(goodPassword)
    await page.getByRole('button', { name: 'Create account' }).click()
  }

  it('shows the remaining days, and skips the setup until the next browser session', {
    timeout: 90_000,
  }, async () => {
    await ask(7)
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await heading(page, 'Protect your account').waitFor()
    await page.getByText('You have 7 days left').waitFor()
    await checkEveryView(page, 'enroll-grace')
    await page.getByRole('button', { name: 'Skip for now' }).click()
    await signedIn(page)
    await page.goto(at('/account'))
    await page.getByText('Required in 7 days.').waitFor()
    await checkEveryView(page, 'check-up-grace')
    await page.goto(at('/home'))
    await page.getByRole('heading', { name: /^Set up two-step verification by / }).waitFor()
    await checkEveryView(page, 'home-grace')
    await signOut(page)
    await page.goto(at('/login?returnTo=/account/teams'))
    await fillSignIn(page, email)
    await heading(page, 'Teams').waitFor()

    const another = await newPage()
    await another.goto(at('/login?returnTo=/account/teams'))
    await fillSignIn(another, email)
    await heading(another, 'Protect your account').waitFor()
  })

  it('requires the setup after the grace period, and keeps the destination', {
    timeout: 90_000,
  }, async () => {
    await ask(7)
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await page.getByRole('button', { name: 'Skip for now' }).click()
    await signedIn(page)
    await signOut(page)
    await ask(0)
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await heading(page, 'Protect your account').waitFor()
    await page.getByText('Set up two-step verification to continue.').waitFor()
    expect(await page.getByRole('button', { name: 'Skip for now' }).count()).toBe(0)
    await checkEveryView(page, 'enroll-now')
    for (const path of ['/', '/account/sessions', '/account/security']) {
      await page.goto(at(path))
      await heading(page, 'Protect your account').waitFor()
    }
    await page.getByRole('button', { name: 'Use an authenticator app' }).click()
    await heading(page, 'Set up an authenticator app').waitFor()
    await checkEveryView(page, 'enroll-authenticator')
    const app = authenticatorApp((await page.locator('code').textContent()) ?? '')
    await page.getByRole('textbox', { name: 'Code from the app' }).fill(await app.code())
    await page.keyboard.press('Enter')
    await heading(page, 'Your backup codes').waitFor()
    await checkEveryView(page, 'enroll-codes')
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await heading(page, 'Security').waitFor()
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alert').getByText('Add another method before you remove the last one').waitFor()
  })

  it('accepts a passkey, and offers to sign out instead', { timeout: 60_000 }, async () => {
    await ask(0)
    const page = await newPage()
    await plugIn(page)
    await register(page, newAddress())
    await heading(page, 'Protect your account').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'You are signed out').waitFor()

    await register(page, newAddress())
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await signedIn(page)
  })
})
