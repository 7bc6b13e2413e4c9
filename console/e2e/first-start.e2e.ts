import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cannotRun, newPage, picture, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { mailedLink } from './mails'
import { field, heading, newAddress, signedIn } from './people'
import { type Service, startService } from './service'

useBrowser()

describe.skipIf(cannotRun)('the printed setup link', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.stop())

  it('rejects an invalid link, explains how to get a new one and offers the setup by email', async () => {
    const page = await newPage()
    await page.goto(`${service.url}/setup#token=${'x'.repeat(43)}`)
    await page.getByRole('textbox', { name: 'Your email' }).fill(newAddress('admin'))
    await page.getByRole('textbox', { name: 'Team name' }).fill('Acme')
    await page.keyboard.press('Enter')
    await heading(page, 'This setup link is no longer valid').waitFor()
    await page.getByText('Restart the service').waitFor()
    await checkEveryView(page, 'setup-link-expired')
    await page.getByRole('button', { name: 'Set up by email instead' }).click()
    await page.getByText('open the setup link that the service printed').waitFor()
    await checkEveryView(page, 'setup-by-mail')
  })

  it('creates the administrator and the team, and opens its overview', async () => {
    const page = await newPage()
    const link = await service.setupLink()
    await page.goto(`${service.url}/setup`)
    await page.getByText('open the setup link that the service printed').waitFor()
    // In the same tab, the link changes only the fragment of the URL.
    await page.goto(link)
    await page.getByRole('textbox', { name: 'Team name' }).waitFor()
    expect(page.url()).toBe(`${service.url}/setup`)
    await page.getByRole('textbox', { name: 'Your email' }).fill(newAddress('admin'))
    await page.keyboard.press('Enter')
    await page.getByText('Enter a team name.').waitFor()
    await checkEveryView(page, 'setup-link')
    await page.getByRole('textbox', { name: 'Team name' }).fill('Acme')
    await page.keyboard.press('Enter')
    await signedIn(page)
    await page.getByRole('button', { name: /^Switch team.*Acme/ }).waitFor()
    expect(page.url()).toContain('/t/acme')
    await page.goto(link)
    await heading(page, 'Setup is complete').waitFor()
  })
})

describe.skipIf(cannotRun)('a service without an administrator', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.stop())

  const at = (path: string) => service.url + path

  it('redirects every page to /setup, which links to the sign-in and registration', async () => {
    const page = await newPage()
    for (const path of ['/', '/account', '/t/anything']) {
      await page.goto(at(path))
      await page.waitForURL('**/setup')
    }
    await picture(page, 'setup')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await heading(page, 'Sign in').waitFor()
    await page.getByRole('link', { name: 'Set up this service' }).click()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create your account').waitFor()
  })

  it('creates the administrator with a mailed link, in the same browser without a click', async () => {
    const page = await newPage()
    const email = newAddress('admin')
    await page.goto(at('/setup'))
    await page.getByRole('textbox', { name: 'Your email' }).fill(email)
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await heading(page, 'Check your email').waitFor()
    expect(await page.getByText('outbox').count()).toBeGreaterThan(0)
    await picture(page, 'setup-sent')
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await signedIn(page)
    expect(page.url()).toContain('/t/')
    expect(page.url()).not.toContain('token')
    await picture(page, 'first-overview')
  })

  it('shows the sign-in page to all users after the setup', async () => {
    const page = await newPage()
    await page.goto(at('/setup'))
    await heading(page, 'Setup is complete').waitFor()
    await page.goto(at('/account'))
    await field.email(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })
})
