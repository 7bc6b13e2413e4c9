import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe'
import { picture } from './browser'

/** The page as it stands, small and wide, light and dark: no violation of WCAG 2.2 AA, nothing wider than the screen. */
export async function checkEveryView(page: Page, name: string) {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const width of [320, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForFunction(
        (scheme) => document.documentElement.dataset.mantineColorScheme === scheme,
        colorScheme,
      )
      // What still fades in has not the colours that it will have.
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
      await picture(page, `${name}-${width}-${colorScheme}`)
      expect(await violations(page), `axe on ${name} at ${width} in ${colorScheme}`).toEqual([])
      const content = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(content, `horizontal scroll on ${name} at ${width}`).toBeLessThanOrEqual(width)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
}
