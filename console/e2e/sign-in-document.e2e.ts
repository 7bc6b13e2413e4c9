import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, useBrowser } from './browser'
import { field, heading, newAddress } from './people'
import { createApplication, registerProgram } from './programs'
import { startRelyingParty } from './relying-party'

useBrowser()

/** Pages whose first view depends only on the boot data and the query. */
const renderedPages: readonly [path: string, title: string, text?: string][] = [
  ['/login', 'Sign in'],
  ['/login?returnTo=/account/security', 'Sign in'],
  ['/register', 'Create your account'],
  ['/login/link', 'Sign in by email'],
  ['/forgot-password', 'Forgot your password?'],
  ['/logged-out', 'You are signed out'],
  ['/error?code=access_denied', 'We couldn’t sign you in', 'You canceled the sign-in'],
  ['/no-such-page', 'Page not found'],
]

/** Collects the scripts and styles that the page loads. */
function collectFiles(page: Page) {
  const files: Promise<{ name: string; body: Buffer }>[] = []
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname
    if (/\.(js|css|woff2)$/.test(name)) files.push(response.body().then((body) => ({ name, body })))
  })
  return async () => Promise.all(files)
}

/** Waits until the page is hydrated. @returns milliseconds since the navigation */
const usable = (page: Page) =>
  page
    .waitForFunction(() => performance.getEntriesByName('usable')[0]?.startTime)
    .then((handle) => handle.jsonValue() as Promise<number>)

describe.skipIf(cannotRun)('a sign-in page from the server', () => {
  it('contains the form without script', async () => {
    const page = await (await newSeparateVisitor({ javaScriptEnabled: false })).newPage()
    await page.goto(at('/login'))
    await heading(page, 'Sign in').waitFor()
    expect(await field.email(page).getAttribute('autocomplete')).toBe('username webauthn')
    const box = await page.getByRole('button', { name: 'Continue', exact: true }).boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(40)
  })

  it.each(renderedPages)('hydrates %s without errors', async (path, title, text = '') => {
    const page = await newPage()
    await page.addInitScript(() => {
      // Before the scripts of the page run, which are deferred.
      document.addEventListener('readystatechange', () => {
        const heading = document.querySelector('h1')
        if (document.readyState === 'interactive' && heading) heading.dataset.isFromServer = ''
      })
    })
    await page.goto(at(path))
    await usable(page)
    await heading(page, title).waitFor()
    await page.locator('main', { hasText: text }).waitFor()
    expect(await page.locator('h1[data-is-from-server]').count()).toBe(1)
    expect(await page.locator('[data-style], #rendered-styles').count()).toBe(0)
  })

  it('never mixes the data of requests that are rendered at the same time', async () => {
    const shop = await startRelyingParty()
    try {
      const names = ['First', 'Second', 'Third', 'Fourth']
      const clients = await Promise.all(
        names.map(async (name) =>
          createApplication(await registerProgram(newAddress()), name, { redirectUris: [shop.redirectUri] }),
        ),
      )
      const visitors = await Promise.all(clients.map(() => newSeparateVisitor()))
      const pages = await Promise.all(
        clients.map(async (client, index) => {
          const response = await visitors[index]?.request.get(shop.signIn(client))
          return (await response?.text()) ?? ''
        }),
      )
      for (const [index, html] of pages.entries()) {
        const heading = /<h1[^>]*>([^<]*)</.exec(html)?.[1]
        expect(heading).toBe(`Sign in to ${names[index]}`)
        expect(names.filter((name) => html.includes(name))).toEqual([names[index]])
      }
    } finally {
      shop.stop()
    }
  })

  it('leaves the page to the browser if it sent a session cookie', async () => {
    const page = await newPage()
    const response = await page.request.get(at('/login'), { headers: { cookie: 'keyward_sso=x' } })
    expect(await response.text()).toContain('<div id="root"></div>')
  })

  it('submits what was submitted before the page was hydrated', async () => {
    const page = await newPage()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(at('/forgot-password'), { waitUntil: 'commit' })
    await field.email(page).fill('early@example.com')
    await field.email(page).press('Enter')
    release()
    await heading(page, 'Check your email').waitFor()
  })
})

describe.skipIf(cannotRun)('the files of /login', () => {
  it('weigh at most 135 kB of script and 15 kB of style, compressed', async () => {
    const page = await (await newSeparateVisitor()).newPage()
    const files = collectFiles(page)
    await page.goto(at('/login'), { waitUntil: 'networkidle' })
    const weigh = (kind: string, loaded: Awaited<ReturnType<typeof files>>) =>
      loaded.filter(({ name }) => name.endsWith(kind)).reduce((sum, { body }) => sum + gzipSync(body).length, 0)
    const loaded = await files()
    const [js, css] = [weigh('.js', loaded), weigh('.css', loaded)]
    process.stdout.write(`/login: ${js} bytes of script, ${css} bytes of style (gzip)\n`)
    expect(js).toBeGreaterThan(0)
    expect(js).toBeLessThanOrEqual(135_000)
    expect(css).toBeLessThanOrEqual(15_000)
  })

  it('contain one font, and neither the router nor the queries of the console', async () => {
    const page = await (await newSeparateVisitor()).newPage()
    const files = collectFiles(page)
    await page.goto(at('/login'), { waitUntil: 'networkidle' })
    const loaded = await files()
    expect(loaded.filter(({ name }) => name.endsWith('.woff2'))).toHaveLength(1)
    expect(await page.evaluate(() => document.fonts.check('1rem "Inter Variable"'))).toBe(true)
    const text = loaded.filter(({ name }) => name.endsWith('.js')).map(({ body }) => String(body))
    // Not the whole text in the message of a failure.
    expect(/__TSR_ROUTER__|QueryClient/.exec(text.join())?.[0]).toBeUndefined()
  })
})
