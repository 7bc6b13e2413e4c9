import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { tokenIn } from './mailbox.js'
import type { TestService } from './service.js'

export const PASSWORD = 'correct horse battery staple'

export const newEmail = (name = 'user'): string => `${name}-${randomBytes(5).toString('hex')}@example.com`

export interface TestUser {
  email: string
  password: string
  id: string
  teamId: string
  token: string
  refreshToken: string
}

/** Registers an account with a team of its own. */
export async function registerUser(
  { api }: TestService,
  { email = newEmail(), password = PASSWORD } = {},
): Promise<TestUser> {
  const { status, body } = await api('POST', '/api/v1/auth/register', { body: { email, password } })
  expect(status, JSON.stringify(body)).toBe(201)
  return {
    email,
    password,
    id: body.user.id,
    teamId: body.team.id,
    token: body.accessToken,
    refreshToken: body.refreshToken,
  }
}

/** Signs the user in once more. */
export async function logIn(
  { api }: TestService,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
): Promise<TestUser> {
  const { status, body } = await api('POST', '/api/v1/auth/login', { body: { email, password } })
  expect(status, JSON.stringify(body)).toBe(200)
  return {
    email,
    password,
    id: body.user.id,
    teamId: body.team.id,
    token: body.accessToken,
    refreshToken: body.refreshToken,
  }
}

/** Names the first administrator and signs them in by the mailed link. */
export async function onboardAdmin(service: TestService, email = newEmail('admin')): Promise<TestUser> {
  const { status } = await service.api('POST', '/api/v1/onboard', { body: { adminEmail: email } })
  expect(status).toBe(200)
  const [mail] = await service.mails(email)
  expect(mail).toBeDefined()
  const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token: mail && tokenIn(mail) } })
  return {
    email,
    password: '',
    id: body.user.id,
    teamId: body.team.id,
    token: body.accessToken,
    refreshToken: body.refreshToken,
  }
}

/** Proves the address of a registered user by the mailed link. */
export async function proveAddress(service: TestService, user: TestUser): Promise<void> {
  const mail = (await service.mails(user.email)).findLast(({ kind }) => kind === 'verify_email')
  const { status } = await service.api('POST', '/api/v1/auth/verify-email', {
    token: user.token,
    body: { token: mail && tokenIn(mail) },
  })
  expect(status).toBe(200)
}

/** Asks for a link and answers the token in the mail. */
export async function requestToken(
  service: TestService,
  kind: 'magic_link' | 'password_reset',
  email: string,
): Promise<string> {
  await service.api('POST', kind === 'magic_link' ? '/api/v1/auth/magic-link' : '/api/v1/auth/forgot-password', {
    body: { email },
  })
  const mail = (await service.mails(email)).findLast((candidate) => candidate.kind === kind)
  if (!mail) throw new Error(`No ${kind} mail came for ${email}`)
  return tokenIn(mail)
}

/** `count` times at once. */
export const atOnce = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))
