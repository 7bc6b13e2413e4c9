import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe'
import { at, cannotRun, newPage, picture, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import {
  field,
  fillEmail,
  fillSignIn,
  goodPassword,
  heading,
  newAddress,
  register,
  registerByApi,
  registerByForm,
  signedIn,
  signInByForm,
  signOut,
} from './people'
import { registerProgram } from './programs'

useBrowser()

/** Returns the position and size once the fonts are loaded and two frames have shown the same layout. */
const placeOf = (target: Locator) =>
  target.evaluate(async (element) => {
    await document.fonts.ready
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const box = () => JSON.stringify(element.getBoundingClientRect())
    for (let before = ''; before !== box(); await frame()) before = box()
    return box()
  })

describe.skipIf(cannotRun)('sign-in', () => {
  it('signs in a user who registered and signed out', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByForm(page, email)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(page, email)
    await signedIn(page)
  })

  it('reports the sign-out although a request notices the end of the session first', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await page.route('**/api/v1/sso/logout', async (route) => {
      const response = await route.fetch()
      const rejected = page.waitForResponse('**/api/v1/auth/refresh')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('anybody')
      expect((await rejected).status()).toBe(401)
      await page.waitForTimeout(500)
      await route.fulfill({ response })
    })
    await signOut(page)
  })

  it('shows the same error for a wrong password and an unknown email, and focuses the password', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerProgram(email)
    const errors: string[] = []
    const boxes: unknown[] = []
    for (const address of [email, newAddress('unknown')]) {
      await page.goto(at('/login'))
      await fillSignIn(page, address, 'not the password')
      const alert = page.getByRole('alert')
      errors.push((await alert.textContent()) ?? '')
      boxes.push(await field.password(page).boundingBox())
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password')
      expect(await field.password(page).getAttribute('aria-invalid')).toBe('true')
      expect(await field.email(page).inputValue()).toBe(address)
      expect(await page.getByRole('alert').count()).toBe(1)
    }
    expect(new Set(errors).size).toBe(1)
    expect(boxes[0]).toEqual(boxes[1])
    await picture(page, 'login-rejected')
    expect(await violations(page)).toEqual([])
  })

  it.each([
    ['without a provider', []],
    ['with a provider whose team has not verified the domain', [{ id: 'any', name: 'Any', automatic: false }]],
  ])('moves nothing when an error appears: %s', async (_, providers) => {
    const page = await newPage()
    // Other tests have providers for the domain.
    await page.route('**/api/v1/sso/discover*', (route) => route.fulfill({ json: { providers } }))
    await page.goto(at('/login'))
    const submit = page.getByRole('button', { name: 'Continue', exact: true })
    const place = await placeOf(submit)
    await fillEmail(page, 'no email address')
    await page.getByRole('alert').waitFor()
    expect(await placeOf(submit)).toEqual(place)
    await fillEmail(page, newAddress('unknown'))
    await field.password(page).fill('not the password')
    const before = await placeOf(field.password(page))
    // Not the response to too many failures of all tests, whose text needs two lines.
    await page.route('**/api/v1/auth/login', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        json: { type: 'about:blank', title: 'Unauthorized', status: 401, code: 'invalid_credentials' },
      }),
    )
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The email or password is incorrect.').waitFor()
    expect(await placeOf(field.password(page))).toEqual(before)
    expect(await page.getByRole('button', { name: 'Continue with single sign-on' }).count()).toBe(providers.length)
  })

  it('reports that the email has an account, and offers to sign in or a link by email', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerProgram(email)
    await page.goto(at('/register'))
    await field.email(page).fill(email)
    await field.password(page).fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('already exists').waitFor()
    await picture(page, 'register-taken')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Sign in').waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
  })

  it('checks off the password rules while typing, and names a missing one', async () => {
    const page = await newPage()
    await page.goto(at('/register'))
    await field.email(page).fill(newAddress())
    await field.password(page).fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('Missing: 8 characters or more.').waitFor()
    expect(await field.password(page).getAttribute('aria-invalid')).toBe('true')
    await field.password(page).fill('long enough now')
    await page.getByRole('listitem').getByText('done').waitFor({ state: 'attached' })
    expect(await page.getByText('Missing:').count()).toBe(0)
  })

  it('offers password managers one form with the correct attributes', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    const hiddenPassword = page.locator('input[type=password][autocomplete=current-password]')
    expect(await hiddenPassword.count()).toBe(1)
    await hiddenPassword.fill('from a password manager')
    await fillEmail(page, newAddress())
    await field.password(page).waitFor()
    expect(await field.password(page).inputValue()).toBe('from a password manager')
    expect(await page.locator('form').count()).toBe(1)
    expect(await hiddenPassword.count()).toBe(1)
    expect(await field.email(page).getAttribute('autocomplete')).toBe('username webauthn')
    expect(await field.email(page).getAttribute('type')).toBe('email')
    expect(await field.password(page).getAttribute('autocomplete')).toBe('current-password')
    expect(await field.password(page).getAttribute('type')).toBe('password')
    await page.goto(at('/register'))
    expect(await field.password(page).getAttribute('autocomplete')).toBe('new-password')
    expect(await field.password(page).getAttribute('passwordrules')).toContain('minlength: 8')
  })

  it('accepts values that a password manager fills in without an event', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerProgram(email)
    await page.goto(at('/login'))
    const fillSilently = (name: string, value: string) =>
      page.locator(`input[name=${name}]`).evaluate((input, text) => {
        if (input instanceof HTMLInputElement) input.value = text
      }, value)
    await field.email(page).waitFor()
    await fillSilently('email', email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await field.password(page).waitFor()
    await fillSilently('password', goodPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signedIn(page)
  })

  it('centers the labels of buttons', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    const submit = page.getByRole('button', { name: 'Continue', exact: true })
    const middles = await submit.evaluate((button) => {
      const words = document.createRange()
      words.selectNode(document.createTreeWalker(button, NodeFilter.SHOW_TEXT).nextNode() ?? button)
      return [button, words].map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2)
    })
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThan(3)
  })

  it('shows the password with a button that is reachable by keyboard', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    await fillEmail(page, newAddress())
    await field.password(page).fill('secret')
    await page.keyboard.press('Tab')
    const show = page.getByRole('button', { name: 'Show password' })
    expect(await show.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    expect(await show.getAttribute('aria-pressed')).toBe('true')
    expect(await field.password(page).getAttribute('type')).toBe('text')
  })

  it('returns to the email address with Back and Change, and to the password with Forward', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    const email = newAddress()
    await fillEmail(page, email)
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password')
    expect(await field.email(page).isEditable()).toBe(false)
    expect(page.url()).toBe(at('/login'))
    await page.goBack()
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
    await page.goForward()
    await field.password(page).waitFor()
    await page.getByRole('button', { name: 'Change email' }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email')
    await fillEmail(page, email)
    await field.password(page).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
  })

  it('keeps the email address while its providers are looked up', async () => {
    const page = await newPage()
    let respond = () => {}
    const isDue = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.route('**/sso/discover?*', async (route) => {
      await isDue
      await route.continue()
    })
    await page.goto(at('/login'))
    const email = newAddress()
    await fillEmail(page, email)
    await page.locator('button[type=submit][data-loading]').waitFor()
    await page.keyboard.type('.another.example')
    respond()
    await field.password(page).waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
  })

  it('shows both steps in a card of 400 px without scrolling, and breaks no rule of WCAG 2.2 AA', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    const check = async (name: string) => {
      const card = await page.locator('main').boundingBox()
      expect(card?.width).toBe(400)
      expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(800)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(800)
      await checkEveryView(page, name)
    }
    await field.email(page).waitFor()
    await check('login-email')
    await fillEmail(page, newAddress())
    await field.password(page).waitFor()
    await check('login-password')
  })

  it('emails a sign-in link to the entered address with one click', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    await field.email(page).fill(newAddress('unknown'))
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.getByRole('button', { name: 'Use another email' }).click()
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
  })

  it.each(['//evil.example/', '/\\evil.example/', 'javascript:alert(1)', 'https://evil.example/'])(
    'never leads to %s',
    async (returnTo) => {
      const page = await newPage()
      const email = newAddress()
      await registerProgram(email)
      await page.goto(at(`/login?returnTo=${encodeURIComponent(returnTo)}`))
      await fillSignIn(page, email)
      await signedIn(page)
      await page.waitForURL(at('/t/**'))
    },
  )

  it('leaves no sign-in page in the history', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerProgram(email)
    await page.goto(at('/register'))
    await heading(page, 'Create your account').waitFor()
    const entries = await page.evaluate(() => history.length)
    await page.goto(at('/login?returnTo=/account'))
    await fillSignIn(page, email)
    await signedIn(page)
    // The console took the place of the first step; the second one may be left as a forward entry.
    expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(entries + 2)
    const paths: string[] = []
    page.on('framenavigated', (frame) => paths.push(new URL(frame.url()).pathname))
    await page.evaluate(() => history.back())
    // The registration redirects a user with a session.
    await page.waitForURL(at('/t/**'))
    await signedIn(page)
    expect(paths).not.toContain('/login')
  })

  it('returns to the requesting page', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerProgram(email)
    await page.goto(at('/account/teams'))
    await fillSignIn(page, email)
    await heading(page, 'Teams').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/teams')
  })

  it('reports on the page after a sign-out that the user is signed in again', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByApi(page, email)
    await page.goto(at('/logged-out'))
    await heading(page, 'You are signed in').waitFor()
    await page.getByText(email).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign out of').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await heading(page, 'You are signed out').waitFor()
  })

  it('forwards a signed-in user', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByApi(page, email)
    await page.goto(at('/login?returnTo=/account/sessions'))
    await heading(page, 'Sessions').waitFor()
    await signOut(page)
    await signInByForm(page, email)
  })
})
