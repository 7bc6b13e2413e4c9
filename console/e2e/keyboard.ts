import type { Locator, Page } from 'playwright-core'

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

export async function pressOn(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}
