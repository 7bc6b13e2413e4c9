import type { Page } from 'playwright-core'
import { heading } from './people'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true })

/** Everything scripts of the page could read, as text. */
export const everything = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state]),
  )

export async function openNew(page: Page, name: string) {
  await page.getByRole('link', { name: 'Applications' }).first().click()
  await button(page, 'Add application').click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
}

export async function tryOut(page: Page, name: string, answer = 'Allow') {
  await openNew(page, name)
  await button(page, 'Create application').click()
  await button(page, 'I’ve saved it').click()
  await button(page, 'Try it now').first().click()
  await button(page, 'Add the try-it address').click()
  await button(page, 'Start the sign-in').click()
  await button(page, answer).click()
  await heading(page, `Trying ${name}`).waitFor()
}
