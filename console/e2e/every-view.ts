import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe'
import { at, picture, ready } from './browser'

const widths = [1280, 320] as const
const schemes = ['light', 'dark'] as const

/** The colour scheme that each page shows, as an index of `schemes`. */
const shown = new WeakMap<Page, number>()

/**
 * Checks the page in its present state at both widths: no violation of WCAG 2.2 AA, no horizontal scroll. An ordinary run shows each
 * width in one colour scheme, and the two alternate with each check of a page, so that shared parts are seen in every combination. The
 * long tests show all four combinations.
 * @param also further expectations for each view
 */
export async function checkEveryView(page: Page, name: string, also = async () => {}) {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  const first = shown.get(page) ?? 0
  const views = process.env.KEYWARD_LONG
    ? widths.flatMap((width) => schemes.map((_, scheme) => ({ width, scheme })))
    : widths.map((width, index) => ({ width, scheme: (first + index) % schemes.length }))
  for (const { width, scheme } of views) {
    const colorScheme = schemes[scheme] as (typeof schemes)[number]
    await page.setViewportSize({ width, height: 800 })
    if (shown.get(page) !== scheme) await paint(page, colorScheme)
    shown.set(page, scheme)
    await settled(page, colorScheme)
    await picture(page, `${name}-${width}-${colorScheme}`)
    expect(await violations(page), `axe on ${name} at ${width} in ${colorScheme}`).toEqual([])
    const content = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(content, `horizontal scroll on ${name} at ${width}`).toBeLessThanOrEqual(width)
    await also()
  }
  await page.setViewportSize(before)
}

const paint = (page: Page, colorScheme: (typeof schemes)[number]) =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })

/**
 * Waits until the page has the colours: what still fades in is brought to its end. From the top: what lies half under the header by chance
 * is no button too small.
 */
async function settled(page: Page, colorScheme: string) {
  await page.waitForFunction((scheme) => {
    scrollTo(0, 0)
    if (document.documentElement.dataset.mantineColorScheme !== scheme) return false
    const running = document.getAnimations().filter(({ playState }) => playState === 'running')
    for (const one of running) if (one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) one.finish()
    return running.length === 0
  }, colorScheme)
}

/** Opens pages one after the other, the first anew, and checks each in every view, with its parts and its title. */
export async function checkPages(page: Page, paths: string[], name: string) {
  for (const [index, path] of paths.entries()) {
    // A page reads its query only when it is loaded.
    if (index === 0 || path.includes('?') || !(await follow(page, path))) await page.goto(at(path))
    await ready(page)
    await checkEveryView(page, name + path.replace(/[0-9a-f-]{36}/, 'x').replace(/[^a-z]+/g, '-'), async () => {
      expect(await page.getByRole('heading', { level: 1 }).count(), `one h1 on ${path}`).toBe(1)
      expect(await page.getByRole('main').count(), `one main on ${path}`).toBe(1)
    })
    expect(await page.title()).toMatch(/^.+ · .+$/)
  }
}

/** Opens a path with the router of the console, at a fifth of the cost of a load. @returns false on a sign-in page */
function follow(page: Page, path: string): Promise<boolean> {
  return page.evaluate(async (href) => {
    const { __TSR_ROUTER__: router } = window as unknown as {
      __TSR_ROUTER__?: { navigate(to: { href: string }): Promise<void> }
    }
    // Sign-in pages are in another document.
    const isOther =
      /^\/(login|register|setup|auth|forgot|reset|verify|confirm|invitations|mfa|log|consent|error|device|password)/
    if (!router || isOther.test(href)) return false
    await router.navigate({ href })
    return true
  }, path)
}
