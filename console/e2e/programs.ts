import type { Page } from 'playwright-core'
import { authenticatorApp } from './authenticator-app'
import { at, service } from './browser'
import { invitationLink } from './mails'
import { fillSignIn, goodPassword, signedIn, signIn, signOut } from './people'
import type { Client } from './relying-party'

/** A person by the API, as a program would act for them. */
export interface Program {
  teamId: string
  slug: string
  /** its access token */
  token: string
  get(path: string): Promise<Record<string, unknown>>
  post(path: string, body: object): Promise<Record<string, unknown>>
  put(path: string, body: object): Promise<Record<string, unknown>>
  patch(path: string, body: object): Promise<Record<string, unknown>>
}

async function call(url: string, method: string, path: string, body: object | undefined, token?: string) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const found = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(found)}`)
  return found
}

/** Registers `email`, who so gets a team of their own, without a browser. */
export async function registerProgram(email: string, url = service.url): Promise<Program> {
  return programOf(url, await call(url, 'POST', '/auth/register', { email, password: goodPassword }))
}

/** Signs in to a team by a password that opens this team alone. */
export const signInToTeam = async (
  email: string,
  password: string,
  teamId: string,
  url = service.url,
): Promise<Program> => programOf(url, await call(url, 'POST', '/auth/login', { email, password, teamId }))

function programOf(url: string, session: Record<string, unknown>): Program {
  const { id, slug } = session.team as { id: string; slug: string }
  const token = String(session.accessToken)
  return {
    teamId: id,
    slug,
    token,
    get: (path) => call(url, 'GET', path, undefined, token),
    post: (path, body) => call(url, 'POST', path, body, token),
    put: (path, body) => call(url, 'PUT', path, body, token),
    patch: (path, body) => call(url, 'PATCH', path, body, token),
  }
}

/** Signs in, by the password and one of the backup codes. */
export async function signInProgram(email: string, backupCode: string) {
  const { mfaToken } = await call(service.url, 'POST', '/auth/login', { email, password: goodPassword })
  await call(service.url, 'POST', '/auth/mfa/verify-challenge', { mfaToken, code: backupCode, isBackupCode: true })
}

/** Gives the account of `owner` an authenticator app. @returns the app, and the backup codes that came with it */
export async function protect(owner: Program) {
  const begun = await owner.post('/auth/mfa/enroll/totp', {})
  const app = authenticatorApp(String(begun.secret))
  const done = await owner.post('/auth/mfa/enroll/verify', { methodId: begun.methodId, code: await app.code(2) })
  return { app, backupCodes: (done.backupCodes ?? begun.backupCodes) as string[] }
}

/** Makes `member`, whose email address is `email`, a confirmed member of the team of `owner`. */
export async function joinByInvitation(
  owner: Program,
  member: Program,
  email: string,
  role = 'MEMBER',
  { outbox } = service,
) {
  await owner.post(`/organizations/${owner.teamId}/members/invite`, { email, role })
  const link = await invitationLink(outbox, email, [])
  await member.post('/invitations/accept', { token: new URL(link).pathname.split('/').at(-1) })
}

/**
 * Opens a session that has verified no factor, although the account has one: by the adaptive choice, in a browser that is known. Enrolling
 * the first factor ends the sessions from before.
 */
export async function signInWithoutFactor(page: Page, program: Program, email: string, backupCode: string) {
  await program.post('/auth/mfa/adaptive/toggle', { enabled: true })
  await page.context().clearCookies()
  await page.goto(at('/login'))
  await fillSignIn(page, email)
  await page.getByRole('button', { name: 'Backup code' }).click()
  await page.getByRole('textbox').fill(backupCode)
  await page.keyboard.press('Enter')
  await signedIn(page)
  await signOut(page)
  await signIn(page, email)
}

export async function createApplication(owner: Program, name: string, settings: object = {}): Promise<Client> {
  const made = await owner.post('/applications', { name, type: 'OIDC', ...settings })
  return {
    id: String(made.id),
    issuer: `${service.url}/api/v1/sso/oidc-idp/${owner.teamId}/${made.id}`,
    clientId: String(made.clientId),
    clientSecret: String(made.clientSecret),
  }
}
