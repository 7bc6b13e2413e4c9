import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe'
import { at, picture, ready } from './browser'

const widths = [1280, 320] as const
const schemes = ['light', 'dark'] as const

/** The color scheme of each page, as an index of `schemes`. */
const shown = new WeakMap<Page, number>()

interface View {
  width: (typeof widths)[number]
  scheme: number
  /** whether axe runs; a page has no horizontal scroll in any view */
  runsAxe: boolean
}

/** Every combination in the long tests. */
const everyCombination = widths.flatMap((width) => schemes.map((_, scheme) => ({ width, scheme, runsAxe: true })))

/** Both widths, one in light and one in dark, in turn, so that shared parts are seen in all combinations. */
function viewsOfPage(page: Page): View[] {
  const first = shown.get(page) ?? 0
  return widths.map((width, index) => ({ width, scheme: (first + index) % schemes.length, runsAxe: true }))
}

/** Both widths, one of them with axe: each run selects a combination for every name, by its seed. */
function viewsOfState(name: string): View[] {
  const choice = createHash('sha256').update(`${process.env.KEYWARD_TEST_SEED} ${name}`).digest()[0] ?? 0
  return widths.map((width, index) => ({ width, scheme: (choice >> 1) % 2, runsAxe: choice % 2 === index }))
}

/**
 * Checks a state of the page, such as an open dialog: no violation of WCAG 2.2 AA, no horizontal scroll. The long tests check all four
 * combinations of width and color scheme.
 * @param also further expectations for each view
 */
export const checkEveryView = (page: Page, name: string, also?: () => Promise<void>) =>
  check(page, name, process.env.KEYWARD_LONG ? everyCombination : viewsOfState(name), also)

async function check(page: Page, name: string, views: View[], also = async () => {}) {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const { width, scheme, runsAxe } of views) {
    const colorScheme = schemes[scheme] as (typeof schemes)[number]
    await page.setViewportSize({ width, height: 800 })
    if (shown.get(page) !== scheme) await paint(page, colorScheme)
    shown.set(page, scheme)
    await settled(page, colorScheme)
    await picture(page, `${name}-${width}-${colorScheme}`)
    if (runsAxe) expect(await violations(page), `axe on ${name} at ${width} in ${colorScheme}`).toEqual([])
    const content = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(content, `horizontal scroll on ${name} at ${width}`).toBeLessThanOrEqual(width)
    await also()
  }
  await page.setViewportSize(before)
}

const paint = (page: Page, colorScheme: (typeof schemes)[number]) =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })

/**
 * Waits until the page has its colors: transitions are completed. Scrolls to the top, because a button under the header has no full target
 * size.
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

/** Opens pages one after the other, the first in a new document, and checks each in every view, with its parts and its title. */
export async function checkPages(page: Page, paths: string[], name: string) {
  for (const [index, path] of paths.entries()) {
    // A page reads its query only when it loads.
    if (index === 0 || path.includes('?') || !(await follow(page, path))) await page.goto(at(path))
    await ready(page)
    const views = process.env.KEYWARD_LONG ? everyCombination : viewsOfPage(page)
    await check(page, name + path.replace(/[0-9a-f-]{36}/, 'x').replace(/[^a-z]+/g, '-'), views, async () => {
      expect(await page.getByRole('heading', { level: 1 }).count(), `one h1 on ${path}`).toBe(1)
      expect(await page.getByRole('main').count(), `one main on ${path}`).toBe(1)
    })
    expect(await page.title()).toMatch(/^.+ · .+$/)
  }
}

/** Navigates with the router of the console, at a fifth of the cost of a load. @returns false on a sign-in page */
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
