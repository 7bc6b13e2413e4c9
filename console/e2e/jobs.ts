import type { Locator, Page } from 'playwright-core'
import { pressOn, tabTo } from './keyboard'

/** How a user operates the console, on which screen. */
export interface Way {
  name: string
  width: number
  scheme: 'light' | 'dark'
  /** Activates a button, link, checkbox or radio button. */
  press(target: Locator): Promise<void>
  /** Activates an entry of the open menu. */
  pick(entry: Locator): Promise<void>
  /** Chooses an option of a select. */
  choose(select: Locator, option: string): Promise<void>
}

const MOST_ENTRIES = 20

/** Moves through the open menu or list of options until `entry` is the current one. */
async function arrowTo(page: Page, entry: Locator, isCurrent: (element: Element) => boolean): Promise<void> {
  await entry.waitFor()
  for (let moves = 0; moves < MOST_ENTRIES; moves += 1) {
    if (await entry.evaluate(isCurrent)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`Arrow keys do not reach ${entry}`)
}

const keyboard = (page: Page): Pick<Way, 'press' | 'pick' | 'choose'> => ({
  async press(target) {
    const role = await target.evaluate((element) => (element instanceof HTMLInputElement ? element.type : ''))
    await pressOn(page, target, role === 'checkbox' || role === 'radio' ? ' ' : 'Enter')
  },
  async pick(entry) {
    await arrowTo(page, entry, (element) => element === document.activeElement)
    await page.keyboard.press('Enter')
  },
  async choose(select, option) {
    await tabTo(page, select)
    await page.keyboard.press('ArrowDown')
    const wanted = page.getByRole('option', { name: option, exact: true })
    await arrowTo(page, wanted, (element) => element.hasAttribute('data-combobox-selected'))
    await page.keyboard.press('Enter')
  },
})

const mouse = (page: Page): Pick<Way, 'press' | 'pick' | 'choose'> => ({
  press: (target) => target.click(),
  pick: (entry) => entry.click(),
  async choose(select, option) {
    await select.click()
    await page.getByRole('option', { name: option, exact: true }).click()
  },
})

const INPUTS = { keyboard, mouse }

interface Screen {
  input: keyof typeof INPUTS
  width: number
  scheme: Way['scheme']
}

/** The ordinary run has the two that differ in everything; the long tests have every combination. */
export const SCREENS: Screen[] = process.env.KEYWARD_LONG
  ? (['keyboard', 'mouse'] as const).flatMap((input) =>
      [1280, 375].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ input, width, scheme }))),
    )
  : [
      { input: 'keyboard', width: 1280, scheme: 'light' },
      { input: 'mouse', width: 375, scheme: 'dark' },
    ]

/** Shows the page on this screen. Returns how it is operated there. */
export async function operate(page: Page, { input, width, scheme }: Screen): Promise<Way> {
  await page.setViewportSize({ width, height: 812 })
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  return { name: `${input} at ${width} px in ${scheme}`, width, scheme, ...INPUTS[input](page) }
}
