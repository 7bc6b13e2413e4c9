import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newVisitor, picture, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { countMails, mailedLink } from './mails'
import {
  field,
  fillEmail,
  fillSignIn,
  goodPassword,
  heading,
  newAddress,
  register,
  registerByApi,
  signedIn,
  signIn,
  signOut,
} from './people'
import { registerProgram } from './programs'

useBrowser()

async function confirmAddress(page: Awaited<ReturnType<typeof newPage>>, email: string) {
  await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await heading(page, 'Your address is confirmed').waitFor()
}

describe.skipIf(cannotRun)('a sign-in link', () => {
  it('signs in by itself in the browser that asked for it, and leaves no token in the address', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await confirmAddress(page, email)
    await page.goto(at('/account'))
    await signOut(page)
    await page.goto(at('/login'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await heading(page, 'Check your email').waitFor()
    await picture(page, 'link-sent')
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await signedIn(page)
    expect(page.url()).not.toContain('token')
  })

  it('sends nothing until the click in any other browser, where a mail scanner may have opened it', async () => {
    const asking = await newPage()
    const email = newAddress()
    await register(asking, email)
    await confirmAddress(asking, email)
    await asking.goto(at('/account'))
    await signOut(asking)
    await asking.goto(at('/login/link'))
    await field.email(asking).fill(email)
    await asking.getByRole('button', { name: 'Send the link' }).click()
    await heading(asking, 'Check your email').waitFor()
    const link = await mailedLink(service.outbox, email, '/auth/verify')

    const page = await newPage()
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    await page.goto(link)
    const button = page.getByRole('button', { name: 'Yes, sign me in' })
    await button.waitFor()
    await page.waitForTimeout(500)
    expect(posts).toEqual([])
    expect(page.url()).toBe(at('/auth/verify'))
    await picture(page, 'verify')
    await button.click()
    await signedIn(page)

    const again = await newPage()
    await again.goto(link)
    await again.getByRole('button', { name: 'Yes, sign me in' }).click()
    await heading(again, 'This link no longer works').waitFor()
    await picture(again, 'verify-spent')
  })

  it('says the same for an address that nobody has', async () => {
    const page = await newPage()
    const email = newAddress('nobody')
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('can sign in here, a link is on its way').waitFor()
    expect(countMails(service.outbox, email)).toBe(0)
  })

  it('tells what it took from an account that somebody had prepared, and lets its owner delete it', async () => {
    const intruder = await newPage()
    const email = newAddress('owner')
    await register(intruder, email)
    const page = await newPage()
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await heading(page, 'One thing before you go on').waitFor()
    await page.getByText('The password was removed.').waitFor()
    await picture(page, 'cleaned')
    await page.getByRole('button', { name: 'I did not create this account' }).click()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await heading(page, 'The account is deleted').waitFor()
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await page.getByRole('alert').waitFor()
  })
})

describe.skipIf(cannotRun)('a forgotten password', () => {
  it('is replaced by the mailed link, and the old one opens nothing', async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await confirmAddress(page, email)
    await page.goto(at('/account'))
    await signOut(page)
    await page.goto(at('/login'))
    await fillEmail(page, email)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    expect(await field.email(page).inputValue()).toBe(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your email').waitFor()
    const link = await mailedLink(service.outbox, email, '/reset-password')
    await page.goto(link)
    expect(page.url()).toBe(at('/reset-password'))
    expect(await page.locator('input[autocomplete=username]').inputValue()).toBe(email)
    await picture(page, 'reset')
    await field.newPassword(page).fill('another good password')
    await page.keyboard.press('Enter')
    await heading(page, 'Your password is changed').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(page, email, goodPassword)
    await page.getByRole('alert').waitFor()
    await field.password(page).fill('another good password')
    await page.keyboard.press('Enter')
    await signedIn(page)

    const again = await newPage()
    await again.goto(link)
    await heading(again, 'This link no longer works').waitFor()
  })

  it('shows the rules of the teams of the user', async () => {
    const email = newAddress()
    const owner = await registerProgram(email)
    await owner.put('/policies/password', { minLength: 15 })
    const page = await newPage()
    await page.goto(at('/forgot-password'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await mailedLink(service.outbox, email, '/reset-password'))
    await page.getByText('At least 15 characters').waitFor()
    await checkEveryView(page, 'reset-rules')
    await field.newPassword(page).fill('fourteen chars')
    await page.keyboard.press('Enter')
    await page.locator('p[data-error]').first().waitFor()
    await field.newPassword(page).fill('fifteen characters')
    await page.keyboard.press('Enter')
    await heading(page, 'Your password is changed').waitFor()
  })
})

describe.skipIf(cannotRun)('the proof of an address', () => {
  it('is a click of whoever is signed in to that account', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByApi(page, email)
    await page.goto(at('/account'))
    await page.getByText('Not confirmed').waitFor()
    const first = await mailedLink(service.outbox, email, '/verify-email')
    await page.getByRole('button', { name: 'Send the confirmation mail' }).click()
    await page.getByText('The link in it works for 24 hours.').first().waitFor()
    const second = await mailedLink(service.outbox, email, '/verify-email', [first])
    await page.goto(second)
    await picture(page, 'verify-email')
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await heading(page, 'Your address is confirmed').waitFor()
    await page.getByRole('button', { name: 'Go to your account' }).click()
    await page.getByText('Confirmed', { exact: true }).waitFor()
  })

  it('asks to sign in first, and keeps the link over the sign-in', async () => {
    const email = newAddress()
    await registerProgram(email)
    const page = await newPage()
    await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await page.getByRole('button', { name: 'Sign in to confirm' }).click()
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await heading(page, 'Your address is confirmed').waitFor()
  })

  it('can be denied by whoever reads the mail, which frees the address', async () => {
    const email = newAddress()
    await registerProgram(email)
    const page = await newPage()
    await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await page.getByRole('button', { name: 'This was not me' }).click()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await heading(page, 'The account is deleted').waitFor()
    await register(page, email)
  })

  it('is refused to somebody else’s account, with a way to the right one', async () => {
    const email = newAddress()
    await registerProgram(email)
    const other = await (await newVisitor()).newPage()
    const otherEmail = newAddress('other')
    await register(other, otherEmail)
    await other.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await other.getByRole('button', { name: 'Confirm address' }).click()
    await other.getByText(`You are signed in as ${otherEmail}`).waitFor()
    await other.getByRole('button', { name: 'Sign out and use the other account' }).click()
    await heading(other, 'You are signed out').waitFor()
    await signIn(other, email)
  })
})
