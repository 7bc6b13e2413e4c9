import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { pressOn } from './keyboard'
import { fillSignIn, heading, newAddress, registerByApi, signedIn, signOut } from './people'
import { plugIn, type VirtualAuthenticator } from './virtual-authenticator'

useBrowser()

const byPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** Adds a passkey on the security page, and saves the backup codes of the first factor. */
async function addPasskey(page: Page) {
  await page.goto(at('/account/security'))
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Passkey added').first().waitFor()
}

/** Touches the authenticator at the next request, not at the autofill request of the sign-in form. */
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

/** Opens the sign-in page, and waits for its autofill request. */
async function openSignIn(page: Page, path = '/login') {
  await Promise.all([page.waitForResponse('**/passkey/options'), page.goto(at(path))])
  await byPasskey(page).waitFor()
}

/** A signed-out user with a passkey on `authenticator`. */
async function withPasskey(options: Parameters<typeof plugIn>[1] = {}) {
  const page = await newPage()
  const authenticator = await plugIn(page, options)
  const email = newAddress('modern')
  await registerByApi(page, email)
  await addPasskey(page)
  // Untouched from here on: a sign-in form would be answered immediately.
  await authenticator.touched(false)
  await signOut(page)
  return { page, authenticator, email }
}

describe.skipIf(cannotRun)('a passkey', () => {
  it('signs in with the button, while the form waits for autofill', {
    timeout: 60_000,
  }, async () => {
    const { page, authenticator } = await withPasskey()
    await openSignIn(page, '/login?returnTo=/account/teams')
    await touchAtTheNext(page, authenticator)
    await byPasskey(page).click()
    await heading(page, 'Teams').waitFor()
  })

  it('signs in by keyboard', { timeout: 60_000 }, async () => {
    const { page, authenticator } = await withPasskey()
    await openSignIn(page)
    await touchAtTheNext(page, authenticator)
    await pressOn(page, byPasskey(page))
    await signedIn(page)
  })

  it('signs in with autofill, without a click', { timeout: 60_000 }, async () => {
    const { page, authenticator } = await withPasskey()
    await authenticator.touched(true)
    await page.goto(at('/login?returnTo=/account/sessions'))
    await heading(page, 'Sessions').waitFor()
  })

  it('cancels the autofill request when the sign-in page is left', { timeout: 60_000 }, async () => {
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

  it('offers the passkey first after a password', { timeout: 60_000 }, async () => {
    const { page, authenticator, email } = await withPasskey()
    await page.goto(at('/login?returnTo=/account/teams'))
    await fillSignIn(page, email)
    await heading(page, 'Confirm it’s you').waitFor()
    await page.getByRole('button', { name: 'Backup code' }).waitFor()
    await checkEveryView(page, 'mfa-passkey')
    await authenticator.touched(true)
    await page.getByRole('button', { name: 'Continue with passkey' }).click()
    await heading(page, 'Teams').waitFor()
  })

  it('lists, renames and removes a passkey, also in the browser', {
    timeout: 90_000,
  }, async () => {
    const { page, authenticator } = await withPasskey({ synced: true })
    await authenticator.touched(true)
    await page.goto(at('/login?returnTo=/account/security'))
    await heading(page, 'Security').waitFor()
    const panel = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Passkeys', exact: true }) })
    await panel.getByText('Synced').waitFor()
    await panel.getByText('Last used just now').waitFor()
    await page.getByText('With a passkey', { exact: true }).first().waitFor()
    await checkEveryView(page, 'security-passkey')
    await panel.getByRole('button', { name: /^Rename / }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
    await page.keyboard.press('Enter')
    await panel.getByText('Laptop').waitFor()
    await panel.getByRole('button', { name: 'Remove Laptop' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Laptop?' })
    await dialog.getByText('your password or a link by email').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Laptop removed').first().waitFor()
    await expect.poll(async () => (await authenticator.credentials()).length).toBe(0)
  })

  it('confirms the identity of the user, and turns off two-step verification', {
    timeout: 90_000,
  }, async () => {
    const page = await newPage()
    await plugIn(page)
    await registerByApi(page, newAddress())
    await addPasskey(page)
    // As if the sign-in were older than fifteen minutes.
    const body = '{"code":"reauthentication_required"}'
    await page.route(
      '**/mfa/backup-codes/regenerate',
      (route) => route.fulfill({ status: 403, contentType: 'application/problem+json', body }),
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Generate new codes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' })
    await proof.getByRole('button', { name: 'Use a passkey' }).waitFor()
    await proof.getByRole('textbox', { name: 'Password' }).waitFor()
    await checkEveryView(page, 'reauthenticate')
    await proof.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Turn off', exact: true }).click()
    await page.getByText('1 passkey is removed.').waitFor()
    await page.getByRole('button', { name: 'Turn off with a passkey' }).click()
    await page.getByText('Two-step verification is off').first().waitFor()
    await page.getByText('No passkeys yet.').waitFor()
  })

  it('rejects a second passkey on the same device', { timeout: 60_000 }, async () => {
    const page = await newPage()
    await plugIn(page)
    await registerByApi(page, newAddress())
    await addPasskey(page)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('alert').getByText('already has a passkey of your account').waitFor()
  })

  it('shows a hint if no passkey was created or used', { timeout: 60_000 }, async () => {
    const page = await newPage()
    const authenticator = await plugIn(page)
    await registerByApi(page, newAddress())
    await addPasskey(page)
    // Without a recognized fingerprint, it fails like a cancelled dialog.
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

describe.skipIf(cannotRun)('an authenticator without user verification', () => {
  it('serves as second factor only', { timeout: 60_000 }, async () => {
    const { page, authenticator, email } = await withPasskey({ verifies: false })
    await authenticator.touched(true)
    await page.goto(at('/login'))
    await byPasskey(page).click()
    await page.getByText('No passkey was used.').first().waitFor()
    await fillSignIn(page, email)
    await heading(page, 'Confirm it’s you').waitFor()
    await page.getByRole('button', { name: 'Continue with passkey' }).click()
    await signedIn(page)
  })
})

describe.skipIf(cannotRun)('a cloned authenticator', () => {
  it('rejects a clone by its counter', { timeout: 60_000 }, async () => {
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
    // Once: the form repeats its request after a rejection.
    await page.route('**/passkey/verify', async (route) => {
      await copy.touched(false)
      await route.continue()
    })
    await byPasskey(page).click()
    await page.getByRole('alert').getByText('This passkey was not accepted.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })
})
