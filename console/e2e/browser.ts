import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium as engine,
  type Page,
  type Request,
} from 'playwright-core'
import { afterEach, beforeAll, expect, inject } from 'vitest'
import { chromium } from './service'

/** Errors that no page of any test may cause. */
interface Complaints {
  policy: string[]
  console: string[]
}

const services = inject('services')
// The runner counts its workers from one.
const found = services?.[Number(process.env.VITEST_POOL_ID) - 1] ?? null
if (services && !found) throw new Error(`No service was started for worker ${process.env.VITEST_POOL_ID}.`)

/** The running service. Read it inside tests only, which are skipped without one. */
export const service = found ?? { url: 'http://unused.invalid', outbox: '' }
export const cannotRun = found === null

/** A visitor that later tests reuse, without the state of earlier tests. */
interface KeptVisitor {
  context: BrowserContext
  /** stays open, which keeps the process with the compiled scripts */
  keeper: Page
  debug: CDPSession
}

let browser: Browser | undefined
/** Few tests have more visitors at once, and each has a process. */
const mostKept = 2
const kept: KeptVisitor[] = []
/** The number of visitors that the running test uses. */
let taken = 0
const complaints: Complaints = { policy: [], console: [] }

// Chromium logs each rejected request, and each request while the network is down. The test verifies these itself.
const refusedCall =
  /^Failed to load resource: (the server responded with a status of (400|401|403|404|409|412|422|429|503)|net::ERR_INTERNET_DISCONNECTED)/

/**
 * Features that Playwright disables (another list replaces its own), and two preloaded pages per window of Chromium's address bar, which
 * cost more than a page of the console.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]

/**
 * Call once in each test file: starts the browser of the worker, and fails each test in which a page violated its policy or logged an
 * error.
 */
export function useBrowser() {
  beforeAll(async () => {
    if (cannotRun) return
    // Playwright ends it with the process.
    if (browser?.isConnected()) return
    browser = await engine.launch({
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--process-per-site',
        // Tests leave a page before its optimized code pays off.
        '--js-flags=--no-opt --no-maglev',
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    })
  })
  afterEach(async ({ task }) => {
    const failure = task.result?.errors?.[0]
    if (failure) failure.message += await describePages()
    const { policy, console } = complaints
    complaints.policy = []
    complaints.console = []
    taken = 0
    const ours = new Set(kept.map(({ context }) => context))
    await Promise.all([
      ...kept.map(forget),
      ...(browser?.contexts() ?? []).filter((context) => !ours.has(context)).map((context) => context.close()),
    ])
    expect(policy, 'violations of the content security policy').toEqual([])
    expect(console, 'errors in the console').toEqual([])
  })
}

/** Pending requests of each page. */
const unanswered = new WeakMap<Page, Set<Request>>()

function watchRequests(page: Page) {
  const open = new Set<Request>()
  unanswered.set(page, open)
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Describes the state of each page, for the message of a failed test: a slow machine may not repeat the failure. */
async function describePages(): Promise<string> {
  const keepers = new Set(kept.map(({ keeper }) => keeper))
  const pages = (browser?.contexts() ?? []).flatMap((context) => context.pages()).filter((page) => !keepers.has(page))
  const descriptions = await Promise.all(
    pages.map(async (page) => {
      const state = Promise.all([
        page.evaluate(() => ({ focus: document.activeElement?.outerHTML.slice(0, 200), isOnline: navigator.onLine })),
        page.locator('body').ariaSnapshot(),
      ]).then(([state, text]) => ({ ...state, text: text.slice(-600) }))
      const late = new Promise((resolve) => setTimeout(resolve, 5_000, 'no answer'))
      const pending = [...(unanswered.get(page) ?? [])].map((request) => `${request.method()} ${request.url()}`)
      const answer = await Promise.race([state, late]).catch(String)
      return `\npage ${page.url()}: ${JSON.stringify({ pending, page: answer })}`
    }),
  )
  return descriptions.join('')
}

/** Time without requests after which a page is ready. */
const quietMs = 150

/** Waits until the page has its heading and no pending requests. */
export async function ready(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  let quietSince = Date.now()
  while (Date.now() - quietSince < quietMs) {
    await new Promise((resolve) => setTimeout(resolve, 25))
    if (unanswered.get(page)?.size) quietSince = Date.now()
  }
  await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'))
}

/**
 * A user with their own cookies, storage and tabs. Anything else that a test changes for all pages of a visitor (scripts, clock) needs
 * `newSeparateVisitor`.
 */
export async function newVisitor(): Promise<BrowserContext> {
  const next = taken
  taken += 1
  if (next >= mostKept) return newSeparateVisitor()
  kept[next] ??= await keep(await newSeparateVisitor())
  return kept[next].context
}

export async function newPage(): Promise<Page> {
  const visitor = await newVisitor()
  const keeper = kept.find(({ context }) => context === visitor)?.keeper
  if (!keeper) return visitor.newPage()
  // In the process of the keeper. A page that Playwright creates begins in a process of its own, which costs a tenth of a second.
  const opened = visitor.waitForEvent('page')
  await keeper.evaluate(() => {
    const tab = window.open('about:blank')
    if (tab) tab.opener = null
  })
  return opened
}

interface VisitorOptions extends BrowserContextOptions {
  /** whether the console loads the code of other pages while idle; 0.4 s of processor time per document */
  preloadsPages?: boolean
}

/** A visitor for this test only. It loads and compiles everything again, at twice the cost. */
export async function newSeparateVisitor({ preloadsPages = false, ...options }: VisitorOptions = {}) {
  if (!browser) throw new Error('useBrowser() was not called.')
  // Without motion: a menu that is still fading in does not have its final contrast.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  // Enough for a machine under full load; passing tests do not wait.
  context.setDefaultTimeout(30_000)
  await context.exposeBinding('reportViolation', (_, text: string) => complaints.policy.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { reportViolation } = window as unknown as { reportViolation(text: string): void }
      reportViolation(`${location.pathname}: ${event.effectiveDirective} ${event.blockedURI}`)
    })
  })
  if (!preloadsPages)
    await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  context.on('console', (message) => {
    if (message.type() === 'error' && !refusedCall.test(message.text())) complaints.console.push(message.text())
  })
  context.on('page', watchRequests)
  context.on('weberror', (error) => complaints.console.push(String(error.error())))
  return context
}

async function keep(context: BrowserContext): Promise<KeptVisitor> {
  const keeper = await context.newPage()
  await keeper.goto(at('/favicon.svg'))
  return { context, keeper, debug: await context.newCDPSession(keeper) }
}

/** Resets a visitor: tabs, cookies, storage, permissions. */
async function forget({ context, keeper, debug }: KeptVisitor) {
  await Promise.all(context.pages().map((page) => page !== keeper && page.close()))
  await context.clearPermissions()
  await context.clearCookies()
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers'
  await debug.send('Storage.clearDataForOrigin', { origin: service.url, storageTypes })
}

export function at(path: string) {
  return service.url + path
}

/** Takes a screenshot if E2E_SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string) {
  const folder = process.env.E2E_SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
