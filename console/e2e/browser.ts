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

/** What every page of every test must be free of. */
interface Complaints {
  policy: string[]
  console: string[]
}

const services = inject('services')
// The runner counts its workers from one.
const found = services?.[Number(process.env.VITEST_POOL_ID) - 1] ?? null
if (services && !found) throw new Error(`No service was started for worker ${process.env.VITEST_POOL_ID}.`)

/** The running service; only to be read inside tests, which are skipped where there is none. */
export const service = found ?? { url: 'http://unused.invalid', outbox: '' }
export const cannotRun = found === null

/** A visitor that later tests get too, without what the test before them left. */
interface KeptVisitor {
  context: BrowserContext
  /** stays open, so that the process with the compiled scripts of our pages stays */
  keeper: Page
  debug: CDPSession
}

let browser: Browser | undefined
/** Few tests have more visitors at once than these, and each has a process. */
const mostKept = 2
const kept: KeptVisitor[] = []
/** How many of them the running test uses. */
let taken = 0
const complaints: Complaints = { policy: [], console: [] }

// Chromium reports each rejected request, and each request while a test has the network down. The test verifies whether that is right.
const refusedCall =
  /^Failed to load resource: (the server responded with a status of (400|401|403|404|409|412|422|429|503)|net::ERR_INTERNET_DISCONNECTED)/

/**
 * What Playwright disables; its list counts no more once there is another one. Then the pages that Chromium keeps ready for its own
 * address bar: in headless mode too it loads two of them for each window, at more cost than a page of ours.
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

/** Call once in each test file: starts the browser of the worker, and fails each test in which a page broke its policy or logged an error. */
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
        // A page is left before its optimized code would pay off.
        '--js-flags=--no-opt --no-maglev',
        `--disable-features=${disabledFeatures.join(',')}`,
      ],
    })
  })
  afterEach(async () => {
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

/** Requests of each page that no answer has come to. */
const unanswered = new WeakMap<Page, Set<Request>>()

function watchRequests(page: Page) {
  const open = new Set<Request>()
  unanswered.set(page, open)
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** How long a page that is ready asks for nothing. */
const quietMs = 150

/** Waits until the page has its heading and whatever it asked the service for. */
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
 * A user with their own cookies, storage and tabs. Anything else that a test changes for every page of a visitor (scripts, clock) needs
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
  return (await newVisitor()).newPage()
}

/** A visitor of this test alone: it has to load and to compile everything anew, at twice the cost of a page. */
export async function newSeparateVisitor(options: BrowserContextOptions = {}) {
  if (!browser) throw new Error('useBrowser() was not called.')
  // Without motion: a menu that is still fading in has not the contrast that it will have.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  // Long enough for a machine whose cores are all taken; what passes does not wait for it.
  context.setDefaultTimeout(30_000)
  await context.exposeBinding('reportViolation', (_, text: string) => complaints.policy.push(text))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { reportViolation } = window as unknown as { reportViolation(text: string): void }
      reportViolation(`${location.pathname}: ${event.effectiveDirective} ${event.blockedURI}`)
    })
  })
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

/** Takes from a visitor what a test left: tabs, cookies, storage, permissions. */
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

/** A picture for people, where E2E_SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string) {
  const folder = process.env.E2E_SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
