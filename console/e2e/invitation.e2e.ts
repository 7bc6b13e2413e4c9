import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { invitationLink } from './mails'
import { field, fillSignIn, goodPassword, heading, newAddress, registerByApi, signedIn } from './people'
import { registerProgram } from './programs'

useBrowser()

/** @param before known invitations of the address: waits for another one */
async function invite(email: string, role: string, before: string[] = []) {
  const owner = await registerProgram(newAddress('inviter'))
  await owner.put(`/organizations/${owner.teamId}`, { name: 'Lighthouse' })
  await owner.post(`/organizations/${owner.teamId}/members/invite`, { email, role })
  return { owner, link: await invitationLink(service.outbox, email, before) }
}

describe.skipIf(cannotRun)('an invitation', () => {
  it('shows the invitation and creates an account in the team; the link works once and leaves the URL', async () => {
    const email = newAddress('colleague')
    const { link } = await invite(email, 'APP_ADMIN')
    const page = await newPage()
    await page.goto(link)
    await heading(page, 'Join Lighthouse').waitFor()
    await page.getByText('Application admin').waitFor()
    expect(page.url()).toBe(at('/invitations/link'))
    await checkEveryView(page, 'invitation')
    await page.getByRole('textbox', { name: 'Choose a password' }).fill(goodPassword)
    await page.keyboard.press('Enter')
    await signedIn(page)
    await page
      .getByRole('button', { name: /^Switch team.*Lighthouse|Lighthouse/ })
      .first()
      .waitFor()

    const again = await newPage()
    await again.goto(link)
    await heading(again, 'This invitation is no longer valid').waitFor()
    await checkEveryView(again, 'invitation-spent')
  })

  it('signs in a user with an account, returns, and joins with that session', async () => {
    const email = newAddress('known')
    const account = await newPage()
    await registerByApi(account, email)
    const { link } = await invite(email, 'VIEWER')
    // A signed-in user joins with one click.
    await account.goto(link)
    await account.getByRole('button', { name: 'Join Lighthouse' }).click()
    await signedIn(account)

    const { link: second } = await invite(email, 'MEMBER', [link])
    const page = await newPage()
    await page.goto(second)
    await heading(page, 'Join Lighthouse').waitFor()
    await page.getByRole('textbox', { name: 'Choose a password' }).fill('some other password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('already has an account').waitFor()
    await page.getByRole('button', { name: 'Sign in with this account' }).click()
    expect(await field.email(page).inputValue()).toBe(email)
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Join Lighthouse' }).click()
    await signedIn(page)
  })

  it('has the name and the color of the team', async () => {
    const { owner, link } = await invite(newAddress('colored'), 'MEMBER')
    await owner.put(`/organizations/${owner.teamId}`, { primaryColor: '#0e7f76' })
    const page = await newPage()
    await page.goto(link)
    await heading(page, 'Join Lighthouse').waitFor()
    const submit = page.getByRole('button', { name: 'Create account and join' })
    expect(await submit.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe('rgb(14, 127, 118)')
  })

  it('offers to switch accounts, and keeps the invitation', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress('other'))
    const { link } = await invite(newAddress('meant'), 'MEMBER')
    await page.goto(link)
    await page.getByRole('alert').getByText('You are signed in as').waitFor()
    await page.getByRole('button', { name: 'Go to start page' }).waitFor()
    await checkEveryView(page, 'invitation-other')
    await page.getByRole('button', { name: 'Sign out and use the other account' }).click()
    await page.getByRole('textbox', { name: 'Choose a password' }).waitFor()
    expect(page.url()).toBe(at('/invitations/link'))
  })

  it('shows the password rules of the team before the first submit', async () => {
    const email = newAddress('ruled')
    const { owner, link } = await invite(email, 'MEMBER')
    await owner.put('/policies/password', { minLength: 14, requireNumbers: true })
    const page = await newPage()
    await page.goto(link)
    await page.getByText('14 characters or more').waitFor()
    await page.getByText('number').first().waitFor()
    await checkEveryView(page, 'invitation-rules')
    await page.getByRole('textbox', { name: 'Choose a password' }).fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Missing: A number').waitFor()
    expect(page.url()).toBe(at('/invitations/link'))
    await page.getByRole('textbox', { name: 'Choose a password' }).fill(`${goodPassword} 42`)
    await page.keyboard.press('Enter')
    await signedIn(page)
  })
})
