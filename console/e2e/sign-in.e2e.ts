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
  signedIn,
  signIn,
  signOut,
} from './people'

useBrowser()

describe.skipIf(cannotRun)('signing in', () => {
  it('signs in a user who registered and signed out', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await fillSignIn(page, email)
    await signedIn(page)
  })

  it('rejects a wrong password and an unknown email address in the same way, and focuses the password', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await signOut(page)
    await page.goto(at('/login'))
    const refusals: string[] = []
    const boxes: unknown[] = []
    for (const address of [email, newAddress('nobody')]) {
      await page.goto(at('/login'))
      await fillSignIn(page, address, 'not the password')
      const alert = page.getByRole('alert')
      refusals.push((await alert.textContent()) ?? '')
      boxes.push(await field.password(page).boundingBox())
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'password')
      expect(await field.password(page).getAttribute('aria-invalid')).toBe('true')
      expect(await field.email(page).inputValue()).toBe(address)
      expect(await page.getByRole('alert').count()).toBe(1)
    }
    expect(new Set(refusals).size).toBe(1)
    expect(boxes[0]).toEqual(boxes[1])
    await picture(page, 'login-refused')
    expect(await violations(page)).toEqual([])
  })

  it('moves nothing when an error appears', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    const submit = page.getByRole('button', { name: 'Continue', exact: true })
    const place = await submit.boundingBox()
    await fillEmail(page, 'no email address')
    await page.getByRole('alert').waitFor()
    expect(await submit.boundingBox()).toEqual(place)
    await fillEmail(page, newAddress('nobody'))
    await field.password(page).fill('not the password')
    const before = await field.password(page).boundingBox()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await field.password(page).boundingBox()).toEqual(before)
  })

  it('tells a visitor whose new address is taken, and offers to sign in or a link by mail', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await signOut(page)
    await page.goto(at('/register'))
    await field.email(page).fill(email)
    await field.password(page).fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('already an account').waitFor()
    await picture(page, 'register-taken')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Sign in').waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
  })

  it('ticks the password rules off while they are typed, and says which one is missing', async () => {
    const page = await newPage()
    await page.goto(at('/register'))
    await field.email(page).fill(newAddress())
    await field.password(page).fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('Still missing: at least 8 characters.').waitFor()
    expect(await field.password(page).getAttribute('aria-invalid')).toBe('true')
    await field.password(page).fill('long enough now')
    await page.getByRole('listitem').getByText('done').waitFor({ state: 'attached' })
    expect(await page.getByText('Still missing').count()).toBe(0)
  })

  it('gives password managers one form with the right attributes', async () => {
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

  it('centers the text of its button', async () => {
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

  it('shows the password with a button that the keyboard reaches', async () => {
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
    await field.email(page).fill(newAddress('nobody'))
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.getByRole('button', { name: 'Use another address' }).click()
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
  })

  it.each(['//evil.example/', '/\\evil.example/', 'javascript:alert(1)', 'https://evil.example/'])(
    'never leads to %s, wherever it is asked for',
    async (returnTo) => {
      const page = await newPage()
      const email = newAddress()
      await register(page, email)
      await signOut(page)
      await page.goto(at(`/login?returnTo=${encodeURIComponent(returnTo)}`))
      await fillSignIn(page, email)
      await signedIn(page)
      await page.waitForURL(at('/t/**'))
    },
  )

  it('leaves no sign-in page in the history', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await signOut(page)
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

  it('comes back to the page that asked for it', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await signOut(page)
    await page.goto(at('/account/teams'))
    await fillSignIn(page, email)
    await heading(page, 'Teams').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/teams')
  })

  it('passes on whoever is signed in already', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await page.goto(at('/login?returnTo=/account/sessions'))
    await heading(page, 'Devices').waitFor()
    await signOut(page)
    await signIn(page, email)
  })
})
