import type { Page } from 'playwright-core'
import { heading } from './people'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true })

/** A link of the breadcrumb, whose name has the separator. */
export const crumb = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name })

/** Returns everything that scripts of the page could read. */
export const everything = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state]),
  )

export async function openNew(page: Page, name: string) {
  await page.getByRole('link', { name: 'Applications' }).first().click()
  await button(page, 'Create application').click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
}

export async function tryOut(page: Page, name: string, answer = 'Allow') {
  await openNew(page, name)
  await button(page, 'Create application').click()
  await button(page, 'I’ve saved it').click()
  await button(page, 'Try sign-in').click()
  await button(page, 'Add callback URL').click()
  await button(page, 'Start sign-in').click()
  await button(page, answer).click()
  await heading(page, `Trying ${name}`).waitFor()
}
