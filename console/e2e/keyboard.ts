import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

const mostStops = 80

/** Presses Tab until `target` has the focus. */
export async function tabTo(page: Page, target: Locator) {
  await target.waitFor()
  for (let stops = 0; stops < mostStops; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** Waits until `target` has the focus: it moves after a dialog or a menu has closed. */
export async function expectFocus(target: Locator) {
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  await expect.poll(isFocused, { message: `${target} has the focus` }).toBe(true)
}

export async function pressOn(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}
