import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newVisitor, useBrowser } from './browser'
import {
  goodPassword,
  heading,
  newAddress,
  register,
  registerByApi,
  registerByForm,
  signedIn,
  signOut,
  teamSwitcher,
} from './people'

useBrowser()

/** All values that scripts of the page could read later. */
function storedText(page: Page) {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases?.()) ?? []
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases, history.state])
  })
}

function countRefreshes(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/auth/refresh')) calls.push(request.url())
  })
  return calls
}

describe.skipIf(cannotRun)('the session', () => {
  it('leaves no token that a script or another program could read', async () => {
    const page = await newPage()
    const tokens: string[] = []
    // Not by an event: the body is gone with the document, which the sign-in leaves.
    await page.route('**/auth/register', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { accessToken: string; refreshToken?: string }
      tokens.push(body.accessToken)
      expect(body.refreshToken).toBeUndefined()
      await route.fulfill({ response })
    })
    await registerByForm(page, newAddress())
    expect(tokens).toHaveLength(1)
    const stored = await storedText(page)
    expect(stored).not.toContain(tokens[0])
    expect(stored).not.toContain(goodPassword)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const cookies = await page.context().cookies()
    const kept = cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))
    expect(kept).toContainEqual({ name: 'keyward_rt', httpOnly: true, sameSite: 'Strict' })
    expect(kept).toContainEqual({ name: 'keyward_sso', httpOnly: true, sameSite: 'Lax' })
  })

  it('survives a reload with exactly one refresh', async () => {
    const page = await newPage()
    await register(page, newAddress())
    const calls = countRefreshes(page)
    await page.reload()
    await signedIn(page)
    await page.waitForLoadState('networkidle')
    expect(calls).toHaveLength(1)
  })

  it('survives five simultaneous reloads', async () => {
    const visitor = await newVisitor()
    const first = await visitor.newPage()
    await register(first, newAddress())
    const tabs = [first]
    for (let more = 0; more < 4; more += 1) {
      const tab = await visitor.newPage()
      await tab.goto(at('/account'))
      tabs.push(tab)
    }
    await Promise.all(tabs.map((tab) => tab.reload()))
    for (const tab of tabs) await signedIn(tab)
    await Promise.all(tabs.map((tab) => tab.reload()))
    for (const tab of tabs) await signedIn(tab)
  })

  it('waits during an outage at the start of a page instead of showing the sign-in form', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    let rejected = 0
    const paths: string[] = []
    page.on('framenavigated', (frame) => paths.push(new URL(frame.url()).pathname))
    await page.route('**/api/v1/auth/refresh', (route) => {
      rejected += 1
      return rejected <= 2 ? route.fulfill({ status: 503, body: '' }) : route.continue()
    })
    await page.goto(at('/account')).catch(() => {})
    await heading(page, 'Profile').waitFor({ timeout: 15_000 })
    expect(rejected).toBe(3)
    expect(paths).not.toContain('/login')
  })

  it('ends in all tabs at once, and Back shows no data', async () => {
    const visitor = await newVisitor()
    const page = await visitor.newPage()
    const email = newAddress()
    await registerByApi(page, email)
    const other = await visitor.newPage()
    await other.goto(at('/account/teams'))
    await other.goto(at('/account'))
    await other.getByText(email).first().waitFor()
    await page.goto(at('/account'))
    await page.goto(at('/account/sessions'))
    await signOut(page)
    await heading(other, 'You are signed out').waitFor()
    expect(await other.getByText(email).count()).toBe(0)
    await page.goBack()
    await heading(page, /Sign in|You are signed out/).waitFor()
    expect(await page.getByText(email).count()).toBe(0)
    await other.goBack()
    await heading(other, /Sign in|You are signed out/).waitFor()
    expect(await other.getByText(email).count()).toBe(0)
  })

  it('continues on a waiting sign-in page when another tab signs in', async () => {
    const visitor = await newVisitor()
    const waiting = await visitor.newPage()
    await waiting.goto(at('/login?returnTo=/account/teams'))
    await heading(waiting, 'Sign in').waitFor()
    await registerByForm(await visitor.newPage(), newAddress())
    await heading(waiting, 'Teams').waitFor()
  })

  it('requests a sign-in over a form with unsaved input, which is then submitted', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByApi(page, email)
    await page.goto(at('/account/teams'))
    await page.getByRole('textbox', { name: 'Team name' }).fill('Typed before the end')
    await page.context().clearCookies()
    // The access token in memory is still valid; the service responds as if the session had been revoked.
    let rejected = 0
    await page.route('**/api/v1/organizations', (route) => {
      if (route.request().method() !== 'POST' || rejected > 0) return route.continue()
      rejected += 1
      return route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"unauthenticated"}' })
    })
    await page.getByRole('button', { name: 'Create team' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await teamSwitcher(page, 'Typed before the end').waitFor()
  })
})
