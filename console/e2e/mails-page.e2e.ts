import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { mailedLink } from './mails'
import { heading, newAddress, registerByApi, signedIn } from './people'

useBrowser()

/** The administrator of the instance, whom the setup of the tests appointed. */
const ADMIN = 'first-admin@example.com'

async function signInAdmin() {
  const page = await newPage()
  const first = await mailedLink(service.outbox, ADMIN, '/auth/verify')
  await page.request.post(at('/api/v1/auth/magic-link'), { data: { email: ADMIN } })
  await page.goto(await mailedLink(service.outbox, ADMIN, '/auth/verify', [first]))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signedIn(page)
  return page
}

describe.skipIf(cannotRun)('the mails of a local instance', () => {
  it('lists the mails with their text and links for administrators', async () => {
    const email = newAddress('reader')
    await registerByApi(await newPage(), email)
    const link = await mailedLink(service.outbox, email, '/verify-email')
    const page = await signInAdmin()
    await page.getByRole('link', { name: 'Mails' }).click()
    await heading(page, 'Mails').waitFor()
    await page.getByRole('link', { name: email }).first().waitFor()
    await checkEveryView(page, 'mails')
    await page.getByRole('link', { name: email }).first().press('Enter')
    const details = page.getByRole('complementary')
    await details.getByRole('link', { name: link }).waitFor()
    expect(page.url()).toContain('open=')
    await checkEveryView(page, 'mail-drawer')
    await details.getByRole('link', { name: 'Open page' }).click()
    await page.getByRole('link', { name: link }).waitFor()
    expect(await page.getByRole('link', { name: link }).getAttribute('href')).toBe(link)
    await checkEveryView(page, 'mail')
    await page.reload()
    await page.getByRole('link', { name: link }).waitFor()
    await page.goto(at('/instance/mails/no-such-mail'))
    await page.getByRole('alert').waitFor()
  })

  it('hides the mails from other users', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account'))
    await signedIn(page)
    await page.getByRole('link', { name: 'Security', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Mails' }).count()).toBe(0)
    await page.goto(at('/instance/mails'))
    await page.getByText('Only instance administrators can read mails here').waitFor()
    await checkEveryView(page, 'mails-forbidden')
  })
})
