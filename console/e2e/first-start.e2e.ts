import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cannotRun, newPage, picture, useBrowser } from './browser'
import { mailedLink } from './mails'
import { field, heading, newAddress, signedIn } from './people'
import { type Service, startService } from './service'

useBrowser()

describe.skipIf(cannotRun)('a service that nobody has set up', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.stop())

  const at = (path: string) => service.url + path

  it('leads every page to /setup, with a way to sign in and to register', async () => {
    const page = await newPage()
    for (const path of ['/', '/account', '/t/anything']) {
      await page.goto(at(path))
      await page.waitForURL('**/setup')
    }
    await picture(page, 'setup')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await heading(page, 'Sign in').waitFor()
    await page.getByRole('link', { name: 'Set it up now' }).click()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create your account').waitFor()
  })

  it('is set up by one address and the mailed link, in the same browser without another click', async () => {
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

  it('then says that it is set up, and shows everybody the sign-in page', async () => {
    const page = await newPage()
    await page.goto(at('/setup'))
    await heading(page, 'This service is set up').waitFor()
    await page.goto(at('/account'))
    await field.password(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })
})
