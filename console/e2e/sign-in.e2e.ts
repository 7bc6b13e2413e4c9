import { describe, expect, it } from 'vitest'
import { violations } from './axe'
import { at, cannotRun, newPage, picture, useBrowser } from './browser'
import { field, fillSignIn, goodPassword, heading, newAddress, register, signedIn, signIn, signOut } from './people'

useBrowser()

describe.skipIf(cannotRun)('signing in', () => {
  it('works for whoever registered and signed out', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await fillSignIn(page, email)
    await signedIn(page)
  })

  it('refuses a wrong password and an unknown address with the same text, keeps the email and goes to the password', async () => {
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
      expect(await field.email(page).inputValue()).toBe(address)
      expect(await page.getByRole('alert').count()).toBe(1)
    }
    expect(new Set(refusals).size).toBe(1)
    expect(boxes[0]).toEqual(boxes[1])
    await picture(page, 'login-refused')
    expect(await violations(page)).toEqual([])
  })

  it('moves nothing when a refusal appears', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    const before = await field.password(page).boundingBox()
    await fillSignIn(page, newAddress('nobody'), 'not the password')
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
    await page.getByRole('alert').getByText('already exists').waitFor()
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
    await page.getByText('Missing: at least 8 characters.').waitFor()
    expect(await field.password(page).getAttribute('aria-invalid')).toBe('true')
    await field.password(page).fill('long enough now')
    await page.getByRole('listitem').getByText('done').waitFor({ state: 'attached' })
    expect(await page.getByText('Missing:').count()).toBe(0)
  })

  it('gives password managers one form with the right attributes', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    await field.password(page).waitFor()
    expect(await page.locator('form').count()).toBe(1)
    expect(await field.email(page).getAttribute('autocomplete')).toBe('username webauthn')
    expect(await field.email(page).getAttribute('type')).toBe('email')
    expect(await field.password(page).getAttribute('autocomplete')).toBe('current-password')
    expect(await field.password(page).getAttribute('type')).toBe('password')
    await page.goto(at('/register'))
    expect(await field.password(page).getAttribute('autocomplete')).toBe('new-password')
    expect(await field.password(page).getAttribute('passwordrules')).toContain('minlength: 8')
  })

  it('has the words of its button in the middle of it', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })
    const middles = await submit.evaluate((button) => {
      const words = document.createRange()
      words.selectNode(document.createTreeWalker(button, NodeFilter.SHOW_TEXT).nextNode() ?? button)
      return [button, words].map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2)
    })
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThan(3)
  })

  it('shows the password by a button that the keyboard reaches', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    await field.password(page).fill('secret')
    await page.keyboard.press('Tab')
    const show = page.getByRole('button', { name: 'Show password' })
    expect(await show.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    expect(await show.getAttribute('aria-pressed')).toBe('true')
    expect(await field.password(page).getAttribute('type')).toBe('text')
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
