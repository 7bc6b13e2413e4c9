import { beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { startDevice } from './device-client'
import { checkEveryView } from './every-view'
import { fillSignIn, heading, newAddress, signInByApi } from './people'
import { createApplication, type Program, registerProgram } from './programs'
import type { Client } from './relying-party'

useBrowser()

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

describe.skipIf(cannotRun)('sign-in on a device without a keyboard', () => {
  const email = newAddress('viewer')
  let owner: Program
  let television: Client
  beforeAll(async () => {
    owner = await registerProgram(email)
    television = await createApplication(owner, 'Television', { grantTypes: [deviceGrant, 'refresh_token'] })
  })

  it('requests the code, shows the requesting device and approves it', { timeout: 90_000 }, async () => {
    const device = await startDevice(television)
    expect(device.verificationUri).toBe(at('/device'))
    const page = await newPage()
    await page.goto(device.verificationUri)
    // A sign-in comes first, then the page returns.
    await fillSignIn(page, email)
    await heading(page, 'Connect a device').waitFor()
    const code = page.getByRole('textbox', { name: 'Code' })
    await page.getByText('Never enter a code from someone else').waitFor()
    await checkEveryView(page, 'device-code')
    await code.fill('1234')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Enter a code of eight letters').waitFor()
    await expect.poll(() => code.evaluate((input) => input === document.activeElement)).toBe(true)
    await code.fill('BBBB-BBBB')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The code is incorrect, already used, or has expired').waitFor()
    expect(await code.getAttribute('aria-invalid')).toBe('true')
    await checkEveryView(page, 'device-code-wrong')

    // Typed in lowercase, without the hyphen.
    await code.fill(device.userCode.toLowerCase().replace('-', ' '))
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in to Television on a device').waitFor()
    await page.getByText('Does your device show this code?').waitFor()
    await page.getByText(device.userCode, { exact: true }).waitFor()
    await page.getByText('Television/1.0').waitFor()
    await page.getByText('Your email address').waitFor()
    const [approve, deny] = await Promise.all(
      ['Approve', 'Deny'].map((name) => page.getByRole('button', { name, exact: true }).boundingBox()),
    )
    expect(approve?.width).toBeCloseTo(deny?.width ?? 0, 0)
    expect(approve?.height).toBe(deny?.height)
    await checkEveryView(page, 'device-approve')
    expect(await device.ask()).toMatchObject({ error: 'authorization_pending' })
    await page.getByRole('button', { name: 'Approve' }).click()
    await heading(page, 'Device connected').waitFor()
    await page.getByText('Return to your device').waitFor()
    await checkEveryView(page, 'device-approved')
    expect(await device.untilAnswered()).toHaveProperty('access_token')

    await page.getByRole('link', { name: 'Review connected apps' }).click()
    await page.getByRole('button', { name: 'Remove access of Television' }).waitFor()
  })

  it('keeps a code of the URL through the sign-in, and always requires consent', {
    timeout: 60_000,
  }, async () => {
    const device = await startDevice(television)
    const page = await newPage()
    await page.goto(device.verificationUriComplete)
    await fillSignIn(page, email)
    await heading(page, 'Connect a device').waitFor()
    expect(await page.getByRole('textbox', { name: 'Code' }).inputValue()).toBe(device.userCode)
    await page.getByRole('button', { name: 'Continue' }).click()
    // Consent is required again, although it was granted before.
    await page.getByText('Does your device show this code?').waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    await heading(page, 'Device not connected').waitFor()
    await checkEveryView(page, 'device-denied')
    expect(await device.untilAnswered()).toMatchObject({ error: 'access_denied' })
  })

  it('returns to the code form, and forgets an answered code', async () => {
    const [first, second] = [await startDevice(television), await startDevice(television)]
    const page = await newPage()
    await signInByApi(page, email)
    await page.goto(first.verificationUriComplete)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Enter another code' }).click()
    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill(second.userCode)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(second.userCode, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    await heading(page, 'Device not connected').waitFor()
    await page.getByRole('link', { name: 'Connect another device' }).click()
    await code.fill(second.userCode)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The code is incorrect, already used, or has expired').waitFor()
  })

  it('marks an AI agent, and shows the team’s descriptions of its own scopes', async () => {
    const agent = await createApplication(owner, 'Helper', {
      isAiAgent: true,
      grantTypes: [deviceGrant, 'refresh_token'],
    })
    await owner.post(`/applications/${agent.id}/oidc-config/scopes`, {
      name: 'orders:read',
      description: 'See your orders',
    })
    const device = await startDevice(agent, 'openid orders:read')
    const page = await newPage()
    await signInByApi(page, email)
    await page.goto(device.verificationUriComplete)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('AI agent', { exact: true }).waitFor()
    await page.getByText('See your orders').waitFor()
    await checkEveryView(page, 'device-agent')
  })
})
