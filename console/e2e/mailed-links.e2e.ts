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
  registerByApi,
  signedIn,
  signIn,
} from './people'
import { registerProgram } from './programs'

useBrowser()

async function confirmAddress(page: Awaited<ReturnType<typeof newPage>>, email: string) {
  await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
  await page.getByRole('button', { name: 'Verify email' }).click()
  await heading(page, 'Email verified').waitFor()
}

describe.skipIf(cannotRun)('a sign-in link', () => {
  it('signs in automatically in the browser that requested the link, and removes the token from the URL', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByApi(page, email)
    await confirmAddress(page, email)
    await page.context().clearCookies()
    await page.goto(at('/login'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await heading(page, 'Check your email').waitFor()
    await picture(page, 'link-sent')
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await signedIn(page)
    expect(page.url()).not.toContain('token')
  })

  it('sends nothing before the click in any other browser, where a mail scanner may have opened it', async () => {
    const asking = await newPage()
    const email = newAddress()
    await registerByApi(asking, email)
    await confirmAddress(asking, email)
    await asking.context().clearCookies()
    await asking.goto(at('/login/link'))
    await field.email(asking).fill(email)
    await asking.getByRole('button', { name: 'Send link' }).click()
    await heading(asking, 'Check your email').waitFor()
    const link = await mailedLink(service.outbox, email, '/auth/verify')

    const page = await newPage()
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    await page.goto(link)
    const button = page.getByRole('button', { name: 'Sign in' })
    await button.waitFor()
    await page.waitForTimeout(500)
    expect(posts).toEqual([])
    expect(page.url()).toBe(at('/auth/verify'))
    await picture(page, 'verify')
    await button.click()
    await signedIn(page)

    const again = await newPage()
    await again.goto(link)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await heading(again, 'This link is no longer valid').waitFor()
    await picture(again, 'verify-spent')
  })

  it('shows the same message for an unknown email address', async () => {
    const page = await newPage()
    const email = newAddress('unknown')
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('can sign in here, a link is on its way').waitFor()
    expect(countMails(service.outbox, email)).toBe(0)
  })

  it('lists what was removed from a planted account, and lets its owner delete it', async () => {
    const email = newAddress('owner')
    await registerProgram(email)
    const page = await newPage()
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await heading(page, 'Review your account').waitFor()
    await page.getByText('The password was removed.').waitFor()
    await picture(page, 'cleaned')
    await page.getByRole('button', { name: 'I did not create this account' }).click()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await heading(page, 'Account deleted').waitFor()
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await page.getByRole('alert').waitFor()
  })
})

describe.skipIf(cannotRun)('a forgotten password', () => {
  it('replaces the password with the mailed link', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByApi(page, email)
    await confirmAddress(page, email)
    await page.context().clearCookies()
    await page.goto(at('/login'))
    await fillEmail(page, email)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    expect(await field.email(page).inputValue()).toBe(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await heading(page, 'Check your email').waitFor()
    const link = await mailedLink(service.outbox, email, '/reset-password')
    await page.goto(link)
    expect(page.url()).toBe(at('/reset-password'))
    expect(await page.locator('input[autocomplete=username]').inputValue()).toBe(email)
    await picture(page, 'reset')
    await field.newPassword(page).fill('another good password')
    await page.keyboard.press('Enter')
    await heading(page, 'Password changed').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await fillSignIn(page, email, goodPassword)
    await page.getByRole('alert').waitFor()
    await field.password(page).fill('another good password')
    await page.keyboard.press('Enter')
    await signedIn(page)

    const again = await newPage()
    await again.goto(link)
    await heading(again, 'This link is no longer valid').waitFor()
  })

  it('shows the password rules of the user’s teams', async () => {
    const email = newAddress()
    const owner = await registerProgram(email)
    await owner.put('/policies/password', { minLength: 15 })
    const page = await newPage()
    await page.goto(at('/forgot-password'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await mailedLink(service.outbox, email, '/reset-password'))
    await page.getByText('15 characters or more').waitFor()
    await checkEveryView(page, 'reset-rules')
    await field.newPassword(page).fill('fourteen chars')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Missing: 15 characters or more').waitFor()
    await field.newPassword(page).fill('fifteen characters')
    await page.keyboard.press('Enter')
    await heading(page, 'Password changed').waitFor()
  })
})

describe.skipIf(cannotRun)('verification of an email address', () => {
  it('requires a click of the signed-in user', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByApi(page, email)
    await page.goto(at('/account'))
    await page.getByText('Not verified').waitFor()
    const first = await mailedLink(service.outbox, email, '/verify-email')
    await page.getByRole('button', { name: 'Send verification email' }).click()
    await page.getByText('It expires in 24 hours.').waitFor()
    const second = await mailedLink(service.outbox, email, '/verify-email', [first])
    await page.goto(second)
    await picture(page, 'verify-email')
    await page.getByRole('button', { name: 'Verify email' }).click()
    await heading(page, 'Email verified').waitFor()
    await page.getByRole('button', { name: 'Go to profile' }).click()
    await page.getByText('Verified', { exact: true }).waitFor()
  })

  it('requires a sign-in first, and keeps the link', async () => {
    const email = newAddress()
    await registerProgram(email)
    const page = await newPage()
    await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await page.getByRole('button', { name: 'Sign in to verify' }).click()
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Verify email' }).click()
    await heading(page, 'Email verified').waitFor()
  })

  it('deletes an account that the owner of the email address did not create', async () => {
    const email = newAddress()
    await registerProgram(email)
    const page = await newPage()
    await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await page.getByRole('button', { name: 'I did not create this account' }).click()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await heading(page, 'Account deleted').waitFor()
    await registerProgram(email)
  })

  it('rejects another account, and offers to switch', async () => {
    const email = newAddress()
    await registerProgram(email)
    const other = await (await newVisitor()).newPage()
    const otherEmail = newAddress('other')
    await registerByApi(other, otherEmail)
    await other.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await other.getByRole('button', { name: 'Verify email' }).click()
    await other.getByText(`You are signed in as ${otherEmail}`).waitFor()
    await other.getByRole('button', { name: 'I did not create the other account' }).waitFor()
    await other.getByRole('button', { name: 'Sign out and use the other account' }).click()
    await heading(other, 'You are signed out').waitFor()
    await signIn(other, email)
  })
})
