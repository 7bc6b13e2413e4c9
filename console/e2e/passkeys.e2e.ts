import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { pressOn } from './keyboard'
import { fillSignIn, heading, newAddress, registerByApi, signedIn, signOut } from './people'
import { plugIn, type VirtualAuthenticator } from './virtual-authenticator'

useBrowser()

const byPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** Adds a passkey by the security page, and stores the backup codes that come with the first factor. */
async function addPasskey(page: Page) {
  await page.goto(at('/account/security'))
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The passkey is added.').first().waitFor()
}

/** Touches the authenticator from the next question on: not the one that the sign-in form asks by itself. */
async function touchAtTheNext(page: Page, authenticator: VirtualAuthenticator) {
  await page.route(
    '**/options',
    async (route) => {
      await authenticator.touched(true)
      await route.continue()
    },
    { times: 1 },
  )
}

/** Opens the sign-in page, and waits until its form asks for a passkey by itself. */
async function openSignIn(page: Page, path = '/login') {
  await Promise.all([page.waitForResponse('**/passkey/options'), page.goto(at(path))])
  await byPasskey(page).waitFor()
}

/** A person whose account has a passkey on `authenticator`, signed out. */
async function withPasskey(options: Parameters<typeof plugIn>[1] = {}) {
  const page = await newPage()
  const authenticator = await plugIn(page, options)
  const email = newAddress('modern')
  await registerByApi(page, email)
  await addPasskey(page)
  // Untouched from here on: a sign-in form would be answered the moment it opens.
  await authenticator.touched(false)
  await signOut(page)
  return { page, authenticator, email }
}

describe.skipIf(cannotRun)('a passkey', () => {
  it('signs in by the button on the sign-in page, with nothing typed, while the same form waits for autofill', {
    timeout: 60_000,
  }, async () => {
    const { page, authenticator } = await withPasskey()
    await openSignIn(page, '/login?returnTo=/account/teams')
    await touchAtTheNext(page, authenticator)
    await byPasskey(page).click()
    await heading(page, 'Teams').waitFor()
  })

  it('signs in by the keyboard alone', { timeout: 60_000 }, async () => {
    const { page, authenticator } = await withPasskey()
    await openSignIn(page)
    await touchAtTheNext(page, authenticator)
    await pressOn(page, byPasskey(page))
    await signedIn(page)
  })

  it('signs in by autofill without a click', { timeout: 60_000 }, async () => {
    const { page, authenticator } = await withPasskey()
    await authenticator.touched(true)
    await page.goto(at('/login?returnTo=/account/sessions'))
    await heading(page, 'Devices').waitFor()
  })

  it('is not waited for any more when the sign-in page is left', { timeout: 60_000 }, async () => {
    const { page } = await withPasskey()
    await page.addInitScript(() => {
      const signals: (AbortSignal | undefined)[] = []
      const ask = navigator.credentials.get.bind(navigator.credentials)
      navigator.credentials.get = (options) => {
        signals.push(options?.signal)
        return ask(options)
      }
      Object.assign(window, { asked: () => signals.map((signal) => signal?.aborted) })
    })
    const asked = () => page.evaluate(() => (window as unknown as { asked(): boolean[] }).asked())
    await openSignIn(page)
    await expect.poll(asked).toEqual([false])
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create your account').waitFor()
    expect(await asked()).toEqual([true])
  })

  it('is the second step after a password, first of all ways', { timeout: 60_000 }, async () => {
    const { page, authenticator, email } = await withPasskey()
    await page.goto(at('/login?returnTo=/account/teams'))
    await fillSignIn(page, email)
    await heading(page, 'Confirm with your passkey').waitFor()
    await page.getByRole('button', { name: 'Use a backup code' }).waitFor()
    await checkEveryView(page, 'mfa-passkey')
    await authenticator.touched(true)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await heading(page, 'Teams').waitFor()
  })

  it('is listed with where it is and when it was used, can be renamed, and is forgotten by the browser when it is removed', {
    timeout: 90_000,
  }, async () => {
    const { page, authenticator } = await withPasskey({ synced: true })
    await authenticator.touched(true)
    await page.goto(at('/login?returnTo=/account/security'))
    await heading(page, 'Security').waitFor()
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Passkeys', exact: true }) })
    await panel.getByText('Synced').waitFor()
    await panel.getByText('Last used just now').waitFor()
    await page.getByText('With a passkey, just now').waitFor()
    await checkEveryView(page, 'security-passkey')
    await panel.getByRole('button', { name: /^Rename / }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
    await page.keyboard.press('Enter')
    await panel.getByText('Laptop').waitFor()
    await panel.getByRole('button', { name: 'Remove Laptop' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Laptop?' })
    await dialog.getByText('your password and links by email').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Laptop is removed.').first().waitFor()
    await expect.poll(async () => (await authenticator.credentials()).length).toBe(0)
  })

  it('proves who is sitting here before the account is changed, and turns two-step sign-in off', {
    timeout: 90_000,
  }, async () => {
    const page = await newPage()
    await plugIn(page)
    await registerByApi(page, newAddress())
    await addPasskey(page)
    // As if the sign-in were older than a quarter of an hour.
    const body = '{"code":"reauthentication_required"}'
    await page.route(
      '**/mfa/backup-codes/regenerate',
      (route) => route.fulfill({ status: 403, contentType: 'application/problem+json', body }),
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Make a new set' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new set' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await proof.getByRole('textbox', { name: 'Password' }).waitFor()
    await checkEveryView(page, 'reauthenticate')
    await proof.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Turn off', exact: true }).click()
    await page.getByText('1 passkey is removed.').waitFor()
    await page.getByRole('button', { name: 'Turn off with a passkey' }).click()
    await page.getByText('Two-step sign-in is off.').first().waitFor()
    await page.getByText('You have no passkey yet.').waitFor()
  })

  it('is made once for each device', { timeout: 60_000 }, async () => {
    const page = await newPage()
    await plugIn(page)
    await registerByApi(page, newAddress())
    await addPasskey(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('alert').getByText('has a passkey of your account already').waitFor()
  })

  it('that is not made or not used is a hint, not an error', { timeout: 60_000 }, async () => {
    const page = await newPage()
    const authenticator = await plugIn(page)
    await registerByApi(page, newAddress())
    await addPasskey(page)
    // Asked for a fingerprint it does not know, it refuses, as when its dialog is cancelled.
    await authenticator.recognises(false)
    await signOut(page)
    await page.goto(at('/login'))
    const before = await byPasskey(page).boundingBox()
    await byPasskey(page).click()
    await page.getByText('No passkey was used.').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await byPasskey(page).boundingBox()).toEqual(before)
    await checkEveryView(page, 'login-passkey-cancelled')
  })
})

describe.skipIf(cannotRun)('an authenticator that cannot tell who touches it', () => {
  it('is a second factor, and opens nothing by itself', { timeout: 60_000 }, async () => {
    const { page, authenticator, email } = await withPasskey({ verifies: false })
    await authenticator.touched(true)
    await page.goto(at('/login'))
    await byPasskey(page).click()
    await page.getByText('No passkey was used.').first().waitFor()
    await fillSignIn(page, email)
    await heading(page, 'Confirm with your passkey').waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await signedIn(page)
  })
})

describe.skipIf(cannotRun)('a copy of an authenticator', () => {
  it('is noticed by its counter, and opens nothing', { timeout: 60_000 }, async () => {
    const { page, authenticator } = await withPasskey()
    const [copied] = await authenticator.credentials()
    if (!copied) throw new Error('The authenticator holds no passkey.')
    await authenticator.touched(true)
    await page.goto(at('/login'))
    await signedIn(page)
    const [used] = await authenticator.credentials()
    expect(used?.signCount).toBeGreaterThan(copied.signCount)
    await authenticator.touched(false)
    await signOut(page)
    await authenticator.remove()
    const copy = await plugIn(page, { touched: false })
    await copy.put({ ...copied, signCount: 0 })
    await openSignIn(page)
    await touchAtTheNext(page, copy)
    // Once: the form asks again by itself when it was refused.
    await page.route('**/passkey/verify', async (route) => {
      await copy.touched(false)
      await route.continue()
    })
    await byPasskey(page).click()
    await page.getByRole('alert').getByText('This passkey was not accepted.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })
})
