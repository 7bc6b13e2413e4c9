/// <reference lib="es2024.string" />
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { certifiedKey } from '../../server/test/metadata-server'
import { violations } from './axe'
import { at, cannotRun, newPage, newVisitor, picture, useBrowser } from './browser'
import { heading, newAddress, register, signIn } from './people'
import { createApplication, registerProgram } from './programs'
import { scimBase, scimDirectory } from './scim-directory'

useBrowser()

const signedOutPages = [
  '/login',
  '/register',
  '/setup',
  '/login/link',
  '/auth/verify?token=x',
  '/auth/sso/callback?token=x',
  '/auth/sso/callback?error=sso_token_invalid&requestId=req_1&token=x',
  '/auth/sso/callback?error=of_a_later_version&requestId=req_1',
  '/auth/sso/callback?test=no-such-run&provider=no-such-provider',
  '/forgot-password',
  '/reset-password?token=x&email=a@example.com',
  '/verify-email?token=x',
  '/confirm-email?token=x',
  '/invitations/no-such-invitation',
  '/mfa',
  '/logged-out',
  '/logged-out?error=sso_logout_incomplete',
  '/logged-out?error=of_a_later_version&requestId=req_1',
  '/login?saml=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000:no-request-of-this-id',
  '/login?saml=https://evil.example',
  '/logout',
  '/logout?resume=no-such-request',
  '/consent',
  '/error?code=invalid_token&requestId=req_1',
  '/error?code=invalid_redirect_uri&requestId=req_1&clientId=c&redirectUri=https://app.example/cb',
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
/** Below the team and the application that a test makes. */
const teamPages = ['', '/applications', '/applications/new', '/applications/no-such-application']
const applicationPages = ['', '/settings', '/credentials', '/access', '/tokens', '/try', '/danger', '/no-such-tab']

/** Of one that speaks SAML. */
const samlPages = ['', '/settings', '/access', '/saml', '/danger']

/** Of a directory that writes by SCIM. */
const scimPages = ['', '?from=entra', '?show=refused']

const providersPages = ['/sso', '/sso/new', '/sso/no-such-provider']
const providerPages = [
  '',
  '/settings',
  '/attributes',
  '/sign-ins',
  '/danger',
  '/no-such-tab',
  '/sign-ins/no-such-sign-in',
  '/tests/no-such-test',
]

/** Below the page of directories. */
const ldapPages = ['/ldap', '/ldap/settings', '/ldap/runs', '/ldap/runs/no-such-run', '/ldap/no-such-page']

const views = [320, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

async function check(page: Page, path: string, name: string) {
  await page.goto(at(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await picture(page, name + path.replace(/[0-9a-f-]{36}/, 'x').replace(/[^a-z]+/g, '-'))
  expect(await violations(page), `axe on ${path}`).toEqual([])
  const [content, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(content, `horizontal scroll on ${path}`).toBeLessThanOrEqual(room ?? 0)
  expect(await page.getByRole('heading', { level: 1 }).count(), `one h1 on ${path}`).toBe(1)
  expect(await page.getByRole('main').count(), `one main on ${path}`).toBe(1)
  expect(await page.title()).toMatch(/^.+ · .+$/)
}

describe.skipIf(cannotRun).each(views)('at $width px in $colorScheme', ({ width, colorScheme }) => {
  // Without motion: a menu that is still fading in has the contrast of a ghost.
  const options = { viewport: { width, height: 720 }, colorScheme, reducedMotion: 'reduce' } as const
  const name = `${width}-${colorScheme}`

  it('every page for visitors breaks no rule of WCAG 2.2 AA and does not scroll sideways', {
    timeout: 90_000,
  }, async () => {
    const page = await newPage(options)
    for (const path of signedOutPages) await check(page, path, name)
  })

  it('every page for members breaks no rule of WCAG 2.2 AA and does not scroll sideways', {
    timeout: 90_000,
  }, async () => {
    const page = await newPage(options)
    await register(page, newAddress('a-rather-long-name-of-somebody'))
    for (const path of signedInPages) await check(page, path, name)
    await page.goto(at('/account'))
    await page.getByRole('button', { name: /^Account of / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    expect(await violations(page), 'axe on the account menu').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Switch team/ }).click()
    await page.getByRole('menuitem', { name: 'All teams' }).waitFor()
    expect(await violations(page), 'axe on the team menu').toEqual([])
  })
})

describe.skipIf(cannotRun).each(views)('applications at $width px in $colorScheme', ({ width, colorScheme }) => {
  it('break no rule of WCAG 2.2 AA and do not scroll sideways', { timeout: 120_000 }, async () => {
    const page = await newPage({ viewport: { width, height: 720 }, colorScheme, reducedMotion: 'reduce' })
    const email = newAddress()
    const owner = await registerProgram(email)
    await signIn(page, email)
    const team = `/t/${owner.slug}`
    const name = `${width}-${colorScheme}-team`
    await check(page, `${team}/applications`, `${name}-empty`)
    const settings = {
      description: 'Where customers buy, with a description that is rather long and so needs more than one line.',
      redirectUris: ['https://shop.example/signed-in/with/a/rather/long/path/that/never/ends?tenant=everything'],
      logoUrl: 'https://shop.invalid/logo.png',
    }
    const { id } = await createApplication(owner, 'The-shop-with-an-uncommonly-long-name-without-spaces', settings)
    await createApplication(owner, 'Robot', { isAiAgent: true })
    await createApplication(owner, 'At night', { grantTypes: ['client_credentials'] })
    // A logo that does not load is no fault of the page.
    await page.route('https://shop.invalid/**', (route) =>
      route.fulfill({ status: 200, contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    )
    for (const path of teamPages) await check(page, team + path, name)
    for (const path of applicationPages) await check(page, `${team}/applications/${id}${path}`, name)
    const saml = await owner.post('/applications', {
      name: 'A-payroll-with-an-uncommonly-long-name-without-spaces',
      type: 'SAML',
      samlSpEntityId: 'https://payroll.example/with/a/rather/long/path/that/never/ends/and/goes/on/and/on/metadata',
      samlSpAcsUrl: 'https://payroll.example/with/a/rather/long/path/that/never/ends/and/goes/on/and/on/acs',
      samlAllowIdpInitiated: true,
      samlAttributeMapping: { 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'email' },
    })
    for (const path of samlPages) await check(page, `${team}/applications/${saml.id}${path}`, `${name}-saml`)
  })
})

describe.skipIf(cannotRun).each(views)('sign-in providers at $width px in $colorScheme', ({ width, colorScheme }) => {
  it('break no rule of WCAG 2.2 AA and do not scroll sideways', { timeout: 120_000 }, async () => {
    const page = await newPage({ viewport: { width, height: 720 }, colorScheme, reducedMotion: 'reduce' })
    const email = newAddress()
    const owner = await registerProgram(email)
    await signIn(page, email)
    const team = `/t/${owner.slug}`
    const name = `${width}-${colorScheme}-team`
    await check(page, `${team}/sso`, `${name}-empty`)
    const { id } = await owner.post('/sso/providers', {
      name: 'A-provider-with-an-uncommonly-long-name-without-spaces',
      type: 'GENERIC_OIDC',
      protocol: 'OIDC',
      oidcIssuer: 'https://login.example.com/with/a/rather/long/path/that/never/ends/and/goes/on/and/on',
      oidcClientId: 'client',
      oidcClientSecret: 'secret',
      allowedDomains: ['example.com', 'a-domain-that-is-rather-long.example.com'],
      attributeMapping: { 'https://login.example.com/claims/department-of-the-person': 'department' },
    })
    await owner.post(`/organizations/${owner.teamId}/domains`, { domain: 'example.com' })
    for (const path of providersPages) await check(page, team + path, name)
    for (const path of providerPages) await check(page, `${team}/sso/${id}${path}`, name)
    const { certificate } = certifiedKey('A provider with an uncommonly long name that needs more than one line', {
      until: 9,
    })
    const saml = await owner.post('/sso/providers', {
      name: 'Another-provider-with-an-uncommonly-long-name-without-spaces',
      type: 'VENDORA',
      protocol: 'SAML2',
      samlEntityId: 'https://login.example.com/with/a/rather/long/path/that/never/ends/and/goes/on/and/on',
      samlSsoUrl: 'https://login.example.com/with/a/rather/long/path/that/never/ends/and/goes/on/and/on/sso',
      samlCertificate: certificate,
    })
    for (const path of ['', ...providerPages.map((page) => `/${saml.id}${page}`)])
      await check(page, `${team}/sso${path}`, `${name}-saml`)
  })
})

describe.skipIf(cannotRun).each(views)('a directory by SCIM at $width px in $colorScheme', ({ width, colorScheme }) => {
  it('breaks no rule of WCAG 2.2 AA and does not scroll sideways', { timeout: 60_000 }, async () => {
    const page = await newPage({ viewport: { width, height: 720 }, colorScheme, reducedMotion: 'reduce' })
    const email = newAddress('a-rather-long-name-of-somebody')
    const owner = await registerProgram(email)
    await signIn(page, email)
    const team = `/t/${owner.slug}/directory`
    const name = `${width}-${colorScheme}-scim`
    await check(page, team, `${name}-empty`)
    const named = (what: string) => `${what}-with-an-uncommonly-long-name-without-spaces`
    const { token } = await owner.post('/directory/scim/token', { name: named('A-directory'), expiresInDays: 9 })
    await createApplication(owner, named('The-shop'))
    const directory = scimDirectory(scimBase(owner.slug), String(token))
    await directory.makeUser({ userName: newAddress('ann') })
    await directory.makeUser({ userName: named('nobody') })
    await directory.send('GET', `/Users?filter=${'externalId%20pr%20or%20'.repeat(20)}externalId%20pr`)
    await owner.post('/directory/scim/token', { name: named('Another') })
    for (const path of scimPages) await check(page, team + path, name)
  })
})

describe.skipIf(cannotRun).each(views)('directories at $width px in $colorScheme', ({ width, colorScheme }) => {
  it('break no rule of WCAG 2.2 AA and do not scroll sideways', { timeout: 120_000 }, async () => {
    const page = await newPage({ viewport: { width, height: 720 }, colorScheme, reducedMotion: 'reduce' })
    const email = newAddress()
    const owner = await registerProgram(email)
    await signIn(page, email)
    const team = `/t/${owner.slug}/directory`
    const name = `${width}-${colorScheme}-team`
    for (const path of ldapPages) await check(page, team + path, `${name}-empty`)
    const dn =
      'ou=a-part-of-the-company-with-an-uncommonly-long-name,ou=another-one-without-any-spaces,dc=example,dc=com'
    await owner.post('/directory/ldap/config', {
      ldapUrl: 'ldap://a-directory-with-an-uncommonly-long-name-without-spaces.invalid:10389',
      ldapBaseDn: dn,
      ldapBindDn: `cn=reader,${dn}`,
      ldapBindPassword: 'secret',
      ldapUserFilter: '(&(objectCategory=person)(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
      attributeMapping: { 'extensionAttribute15-with-an-uncommonly-long-name-of-its-own': 'department' },
      scheduleMinutes: 45,
      startTls: true,
    })
    const { runId } = await owner.post('/directory/ldap/sync', {})
    for (const path of [...ldapPages, `/ldap/runs/${runId}`]) await check(page, team + path, name)
  })
})

describe.skipIf(cannotRun)('every page', () => {
  it('puts the focus on its heading when a link led to it, and names the window', async () => {
    const page = await newPage()
    await page.goto(at('/login'))
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await heading(page, 'Forgot your password?').waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    expect(await page.title()).toMatch(/^Forgot your password\? · /)
  })

  it('lets the keyboard skip the header', async () => {
    const page = await newPage()
    await register(page, newAddress())
    await page.goto(at('/account/sessions'))
    await heading(page, 'Devices').waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })

  it('works at 400 % zoom of a 1280 px window, signed in', async () => {
    const page = await newPage({ viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 })
    await register(page, newAddress())
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Change password' }).scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })

  it('answers 404 for an address that has no page, with the page that says so', async () => {
    const page = await newPage()
    const answer = await page.goto(at('/no-such-page'))
    expect(answer?.status()).toBe(404)
    await heading(page, 'Page not found').waitFor()
  })

  it('opened under another spelling of loopback goes to the configured address, token and all', async () => {
    const page = await newPage()
    await page.goto(at('/auth/verify?token=x').replace('localhost', '127.0.0.1'))
    await page.waitForURL(at('/auth/verify'))
    await page.getByRole('button', { name: 'Yes, sign me in' }).waitFor()
  })
})

describe.skipIf(cannotRun)('the weight of /login', () => {
  it('is at most 170 kB of script and 15 kB of style, compressed', async () => {
    const page = await (await newVisitor()).newPage()
    const weight = { js: 0, css: 0 }
    const reads: Promise<void>[] = []
    page.on('response', (answer) => {
      const kind = new URL(answer.url()).pathname.match(/\.(js|css)$/)?.[1] as 'js' | 'css' | undefined
      if (!kind) return
      const read = async () => {
        const bytes = gzipSync(await answer.body()).length
        // Not in one statement with the wait: it would add to what the sum was before.
        weight[kind] += bytes
      }
      reads.push(read())
    })
    await page.goto(at('/login'), { waitUntil: 'networkidle' })
    await Promise.all(reads)
    process.stdout.write(`/login: ${weight.js} bytes of script, ${weight.css} bytes of style (gzip)\n`)
    expect(weight.js).toBeGreaterThan(0)
    expect(weight.js).toBeLessThanOrEqual(170_000)
    expect(weight.css).toBeLessThanOrEqual(15_000)
  })
})
