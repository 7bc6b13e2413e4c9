import type { Page } from 'playwright-core'
import { at } from './browser'

export const goodPassword = 'correct horse battery'

let people = 0

export function newAddress(name = 'person') {
  people += 1
  return `${name}-${Date.now()}-${people}@example.com`
}

export const field = {
  email: (page: Page) => page.getByRole('textbox', { name: 'Email', exact: true }),
  password: (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true }),
  currentPassword: (page: Page) => page.getByRole('textbox', { name: 'Current password', exact: true }),
  newPassword: (page: Page) => page.getByRole('textbox', { name: 'New password', exact: true }),
}

export function heading(page: Page, name: string | RegExp) {
  return page.getByRole('heading', { level: 1, name })
}

/** The heading of the consent page of an application. The sign-in page has the same heading, but lists no permissions. */
export const consentTo = (page: Page, application: string) =>
  page
    .getByRole('main')
    .filter({ has: page.getByRole('heading', { level: 2, name: 'Permissions' }) })
    .getByRole('heading', { level: 1, name: `Sign in to ${application}`, exact: true })

/** The page of the signed-in area has come up. */
export async function signedIn(page: Page) {
  await page.getByRole('button', { name: /^Account of / }).waitFor()
}

/** The button with the name of the team whose pages are open. */
export const teamSwitcher = (page: Page, name: string) =>
  page.getByRole('button', { name: `Switch team: ${name}`, exact: true })

/** The name of the team whose pages are open. */
export async function currentTeam(page: Page): Promise<string> {
  const text = await page.getByRole('button', { name: /^Switch team/ }).textContent()
  return (text ?? '').replace(/^Switch team: /, '')
}

/** Registers by the interface: the page has the cookies of the session, and has not been opened yet. */
export const registerByApi = (page: Page, email: string) => open(page, 'register', { email })

/** Signs in by the interface: the page has the cookies of the session, and has not been opened yet. */
export const signInByApi = (page: Page, email: string, teamId?: string) =>
  open(page, 'login', { email, ...(teamId && { teamId }) })

async function open(page: Page, how: 'register' | 'login', data: { email: string; teamId?: string }) {
  const answer = await page.request.post(at(`/api/v1/auth/${how}`), {
    // Only the console is given cookies, and only at the address of the service.
    headers: { 'X-Keyward-Console': '1', Origin: new URL(at('/')).origin },
    data: { ...data, password: goodPassword },
  })
  if (!answer.ok()) throw new Error(`${how}: ${answer.status()} ${await answer.text()}`)
}

/** Registers without the form, and opens the console. */
export async function register(page: Page, email: string) {
  await registerByApi(page, email)
  await page.goto(at('/'))
  await signedIn(page)
}

export async function registerByForm(page: Page, email: string, password = goodPassword) {
  await page.goto(at('/register'))
  await field.email(page).fill(email)
  await field.password(page).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await signedIn(page)
}

/** Signs in without the form, and opens the console. */
export async function signIn(page: Page, email: string) {
  await signInByApi(page, email)
  await page.goto(at('/'))
  await signedIn(page)
}

export async function signInByForm(page: Page, email: string) {
  await page.goto(at('/login'))
  await fillSignIn(page, email)
  await signedIn(page)
}

/** Fills in the first step of the sign-in form and continues. */
export async function fillEmail(page: Page, email: string) {
  await field.email(page).waitFor()
  if (!(await field.email(page).isEditable())) await page.getByRole('button', { name: 'Change email' }).click()
  await field.email(page).fill(email)
  await field.email(page).press('Enter')
}

export async function fillSignIn(page: Page, email: string, password = goodPassword) {
  await fillEmail(page, email)
  await field.password(page).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account of / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'You are signed out').waitFor()
}
