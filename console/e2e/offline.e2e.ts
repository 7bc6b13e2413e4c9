import { describe, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, useBrowser } from './browser'
import { heading, newAddress, registerByApi, signedIn } from './people'

useBrowser()

describe.skipIf(cannotRun)('the console while the network is down', () => {
  it('keeps the page, shows a banner, and opens the requested page when the network returns', async () => {
    const page = await (await newSeparateVisitor()).newPage()
    await registerByApi(page, newAddress('offline'))
    await page.goto(at('/account'))
    await signedIn(page)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByText('You are offline.').waitFor()
    await heading(page, 'Profile').waitFor()
    await page.context().setOffline(false)
    await heading(page, 'Sessions').waitFor()
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await page.getByText('This device').first().waitFor()
  })

  it('retries a failed read when the network returns', async () => {
    const page = await (await newSeparateVisitor()).newPage()
    await registerByApi(page, newAddress('offline'))
    await page.goto(at('/account/sessions'))
    await page.getByText('This device').first().waitFor()
    await page.goto(at('/account/teams'))
    await heading(page, 'Teams').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await heading(page, 'My applications').waitFor()
    await page.getByText('No applications yet.').waitFor()
  })

  it('reads and writes while only the browser reports that it is offline', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress('loopback'))
    await page.goto(at('/account'))
    await heading(page, 'Profile').waitFor()
    // As on a machine without a network, where the service still responds.
    await page.evaluate(() => window.dispatchEvent(new Event('offline')))
    await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.mantine-Notification-root', { hasText: /^Saved$/ }).waitFor()
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByText('This device').first().waitFor()
  })
})
