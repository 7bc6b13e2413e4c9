import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe'
import { at, picture, ready } from './browser'

/**
 * Small and wide, light and dark, each next to one that shares its width or its colours. What depends on neither colour is checked once
 * for each width, what depends on colours in each view.
 */
const views = [
  { width: 1280, colorScheme: 'light', about: 'colours' },
  { width: 1280, colorScheme: 'dark', about: 'all' },
  { width: 320, colorScheme: 'dark', about: 'colours' },
  { width: 320, colorScheme: 'light', about: 'all' },
] as const

/**
 * The page as it stands, small and wide, light and dark: no violation of WCAG 2.2 AA, nothing wider than the screen.
 * @param also what else has to hold in each view
 */
export async function checkEveryView(page: Page, name: string, also = async () => {}) {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const view of views) {
    const { width, colorScheme, about } = view
    await show(page, view)
    await picture(page, `${name}-${width}-${colorScheme}`)
    expect(await violations(page, about), `axe on ${name} at ${width} in ${colorScheme}`).toEqual([])
    const content = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(content, `horizontal scroll on ${name} at ${width}`).toBeLessThanOrEqual(width)
    await also()
  }
  await page.setViewportSize(before)
}

async function show(page: Page, { width, colorScheme }: (typeof views)[number]) {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.waitForFunction(
    (scheme) =>
      document.documentElement.dataset.mantineColorScheme === scheme &&
      // What still fades in has not the colours that it will have.
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    colorScheme,
  )
}

/** Opens a page and checks it in every view, with its parts and its title. */
export async function checkPage(page: Page, path: string, name: string) {
  await page.goto(at(path))
  await ready(page)
  await checkEveryView(page, name + path.replace(/[0-9a-f-]{36}/, 'x').replace(/[^a-z]+/g, '-'), async () => {
    expect(await page.getByRole('heading', { level: 1 }).count(), `one h1 on ${path}`).toBe(1)
    expect(await page.getByRole('main').count(), `one main on ${path}`).toBe(1)
  })
  expect(await page.title()).toMatch(/^.+ · .+$/)
}
