import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, useBrowser } from './browser'
import { checkEveryView, checkPages } from './every-view'
import { heading, newAddress, registerByApi } from './people'

useBrowser()

const signedOutPages = [
  '/login',
  '/register',
  '/setup',
  '/login/link',
  '/auth/verify?token=x',
  '/auth/sso/callback?token=x',
  '/auth/sso/callback?error=sso_token_invalid&requestId=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000&token=x',
  '/auth/sso/callback?error=of_a_later_version&requestId=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000',
  '/auth/sso/callback?test=no-such-run&provider=no-such-provider',
  '/forgot-password',
  '/reset-password?token=x&email=a@example.com',
  '/verify-email?token=x',
  '/confirm-email?token=x',
  '/invitations/no-such-invitation',
  '/mfa',
  '/logged-out',
  '/logged-out?error=sso_logout_incomplete',
  '/logged-out?error=of_a_later_version&requestId=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000',
  '/login?saml=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000:no-request-of-this-id',
  '/login?saml=https://evil.example',
  '/logout',
  '/logout?resume=no-such-request',
  '/consent',
  '/error?code=invalid_token&requestId=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000',
  '/error?code=invalid_redirect_uri&requestId=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000&clientId=c&redirectUri=https://app.example/cb',
  '/no-such-page',
]
const signedInPages = [
  '/',
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/apps',
  '/device',
  '/device?user_code=BCDF-GHJK',
  '/device?result=approved',
  '/device?result=denied',
  '/account/teams',
  '/password-due',
  '/mfa/enroll',
  '/t/no-such-team',
  '/try/callback',
  '/auth/sso/callback?test=no-such-run&provider=no-such-provider',
  '/consent?saml=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000:no-request-of-this-id',
]
describe.skipIf(cannotRun)('each width and color scheme', () => {
  it('shows all public pages without WCAG 2.2 AA violations or horizontal scroll', {
    timeout: 180_000,
  }, async () => {
    const page = await newPage()
    await checkPages(page, signedOutPages, 'visitor')
  })

  it('shows all account pages without WCAG 2.2 AA violations or horizontal scroll', {
    timeout: 180_000,
  }, async () => {
    const page = await newPage()
    await registerByApi(page, newAddress('a-rather-long-name-of-a-user'))
    await checkPages(page, signedInPages, 'member')
    await page.goto(at('/account'))
    await page.getByRole('button', { name: /^Account of / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await checkEveryView(page, 'account-menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Switch team/ }).click()
    await page.getByRole('menuitem', { name: 'All teams' }).waitFor()
    await checkEveryView(page, 'team-menu')
  })
})

describe.skipIf(cannotRun)('every page', () => {
  it('focuses the heading after a navigation, and sets the title of the window', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create your account').waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    expect(await page.title()).toMatch(/^Create your account · /)
  })

  it('skips the header by keyboard', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/sessions'))
    await heading(page, 'Sessions').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })

  it('works at 400 % zoom of a 1280 px window, signed in', async () => {
    const visitor = await newSeparateVisitor({ viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 })
    const page = await visitor.newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Change password' }).scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })

  it('responds 404 to an unknown URL, with an error page', async () => {
    const page = await newPage()
    const answer = await page.goto(at('/no-such-page'))
    expect(answer?.status()).toBe(404)
    await heading(page, 'Page not found').waitFor()
  })

  it('redirects another spelling of loopback to the configured URL, with the token', async () => {
    const page = await newPage()
    await page.goto(at('/auth/verify?token=x').replace('localhost', '127.0.0.1'))
    await page.waitForURL(at('/auth/verify'))
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })
})
