import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { ApiResponse } from '../harness/api.js'
import { tokenIn } from '../harness/mailbox.js'
import type { TestService } from '../harness/service.js'
import { LONG } from '../harness/some-of.js'
import { copyRegistration, storeRegistration, type TestUser } from './copied-user.js'

export type { TestUser } from './copied-user.js'

export const PASSWORD = 'correct horse battery staple'

export const newName = (name: string): string => `${name}-${randomBytes(5).toString('hex')}`
export const newEmail = (name = 'user'): string => `${newName(name)}@example.com`

/**
 * Registers an account with its own team. With default options it copies the rows of the service's first such registration, without
 * the verification mail. `overHttp` is for tests of the registration itself.
 */
export async function registerUser(
  service: TestService,
  options: { email?: string; password?: string; overHttp?: boolean } = {},
): Promise<TestUser> {
  if (Object.keys(options).length > 0) return registerOverHttp(service, options)
  const state = { verified: false, factor: 'none' } as const
  const email = newEmail()
  const copied = await copyRegistration(service, email, state)
  if (copied) return copied.user
  const user = await registerOverHttp(service, { email })
  await storeRegistration(service, user, state)
  return user
}

/**
 * Registers an account that has verified its email address with the mailed link. Copies the rows of the service's first such account, at a
 * sixth of the cost.
 */
export async function registerVerifiedUser(service: TestService): Promise<TestUser> {
  const state = { verified: true, factor: 'none' } as const
  const email = newEmail()
  const copied = await copyRegistration(service, email, state)
  if (copied) return copied.user
  const user = await registerOverHttp(service, { email })
  await verifyEmailAddress(service, user)
  await storeRegistration(service, user, state)
  return user
}

async function registerOverHttp(
  { api }: TestService,
  { email = newEmail(), password = PASSWORD }: { email?: string; password?: string },
): Promise<TestUser> {
  const { status, body } = await api('POST', '/api/v1/auth/register', { body: { email, password } })
  expect(status, JSON.stringify(body)).toBe(201)
  return toTestUser(email, password, body)
}

// biome-ignore lint/suspicious/noExplicitAny: a Session of the API
const toTestUser = (email: string, password: string, { user, team, accessToken, refreshToken }: any): TestUser => ({
  email,
  password,
  id: user.id,
  teamId: team.id,
  token: accessToken,
  refreshToken,
})

/** Signs the user in again. */
export async function logIn(
  { api }: TestService,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
): Promise<TestUser> {
  const { status, body } = await api('POST', '/api/v1/auth/login', { body: { email, password } })
  expect(status, JSON.stringify(body)).toBe(200)
  return toTestUser(email, password, body)
}

/** Onboards the first administrator and signs them in with the mailed link. */
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

/** Returns the token in the newest mail of a kind. */
export async function mailedToken(service: TestService, kind: string, email: string): Promise<string> {
  const mail = (await service.mails(email)).findLast((candidate) => candidate.kind === kind)
  if (!mail) {
    const warnings = service.logLines.filter((line) => /"level":[45]0/.test(line)).slice(-3)
    throw new Error(`No ${kind} mail for ${email}. The last warnings: ${warnings.join('\n') || 'none'}`)
  }
  return tokenIn(mail)
}

/** Verifies the email address of a registered user with the mailed link. Requests a link if none was mailed. */
export async function verifyEmailAddress(service: TestService, user: TestUser): Promise<void> {
  const wasMailed = (await service.mails(user.email)).some(({ kind }) => kind === 'verify_email')
  if (!wasMailed) await service.api('POST', '/api/v1/auth/verify-email/resend', { token: user.token })
  const token = await mailedToken(service, 'verify_email', user.email)
  const { status } = await service.api('POST', '/api/v1/auth/verify-email', { token: user.token, body: { token } })
  expect(status).toBe(200)
}

/** Requests a link and returns the token in the mail. */
export async function requestToken(
  service: TestService,
  kind: 'magic_link' | 'password_reset',
  email: string,
): Promise<string> {
  const path = kind === 'magic_link' ? '/api/v1/auth/magic-link' : '/api/v1/auth/forgot-password'
  const { status, text } = await service.api('POST', path, { body: { email } })
  expect(status, text).toBe(200)
  return mailedToken(service, kind, email)
}

/** Inserts a membership directly, without the rules for joining a team. */
export async function joinTeam(
  { sql, clock }: TestService,
  { id }: Pick<TestUser, 'id'>,
  teamId: string,
  { role = 'MEMBER', counts = true } = {},
): Promise<void> {
  await sql(
    `INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $2, $3, 'active', $4, $5, $5)`,
    [id, teamId, role, counts, clock.now()],
  )
}

/** Marks an email domain of the team as verified, without a DNS lookup. */
export async function verifyDomain({ sql, clock }: TestService, teamId: string, domain: string): Promise<void> {
  await sql(
    `INSERT INTO team_domains (organization_id, domain, token, verified_at, created_at) VALUES ($1, $2, 'x', $3, $3)`,
    [teamId, domain, clock.now()],
  )
}

/** Inserts accounts with these IDs and their memberships of the team directly, thousands at once. */
export async function joinMany(
  { sql }: TestService,
  ids: string[],
  teamId: string,
  status: 'active' | 'suspended' = 'active',
): Promise<void> {
  // The search index is created afterwards. Updating it row by row takes ten times as long.
  const [index] = await sql<{ written: string }>(
    "SELECT pg_get_indexdef('memberships_search_keys'::regclass) AS written",
  )
  await sql('DROP INDEX memberships_search_keys')
  for (let start = 0; start < ids.length; start += 500) {
    const some = ids.slice(start, start + 500)
    await sql(
      `INSERT INTO users (id, email, status, self_registered, created_at, updated_at)
       SELECT id, id || '@example.com', 'active', false, now(), now() FROM unnest($1::uuid[]) id`,
      [some],
    )
    await sql(
      `INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       SELECT gen_random_uuid(), id, $2, 'MEMBER', $3, false, now(), now() FROM unnest($1::uuid[]) id`,
      [some, teamId, status],
    )
  }
  // On a loaded machine this exceeds the statement timeout of the service.
  const patient = (statement = '') => sql(`BEGIN; SET LOCAL statement_timeout = 60000; ${statement}; COMMIT`)
  await patient(index?.written)
  // Until autovacuum runs, the database plans as if the tables were still small.
  await patient('ANALYZE')
}

/** Creates an application in the user's team and returns the response body. */
export async function registerApplication(
  { api }: TestService,
  { token }: Pick<TestUser, 'token'>,
  fields: Record<string, unknown> = {},
): Promise<ApiResponse['body']> {
  const { status, body } = await api('POST', '/api/v1/applications', {
    token,
    body: { name: 'App', type: 'OIDC', ...fields },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** Creates a policy in the user's team and returns the response body. */
export async function makePolicy(
  { api }: TestService,
  { token }: Pick<TestUser, 'token'>,
  fields: Record<string, unknown> = {},
): Promise<ApiResponse['body']> {
  const { status, body } = await api('POST', '/api/v1/policies', {
    token,
    body: { name: 'Read', resource: 'documents/*', actions: ['read'], ...fields },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** Inserts a group of the team directly. */
export async function makeGroup({ sql, clock }: TestService, teamId: string, name = newName('group')): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO groups (id, organization_id, name, created_at, updated_at) VALUES (gen_random_uuid(), $1, $2, $3, $3) RETURNING id`,
    [teamId, name, clock.now()],
  )
  return row?.id ?? ''
}

/** Decodes the claims of an access token without verifying it. */
export const claimsOf = (token: string): Record<'sub' | 'sid' | 'team', string> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** Fails unless the session is valid (or revoked) on every node. */
export async function expectSession(service: TestService, token: string, state: 'active' | 'revoked'): Promise<void> {
  const fetchMe = (node: number) => service.api('GET', '/api/v1/auth/me', { token, node })
  const answers = await atOnce(service.urls.length, fetchMe)
  for (const answer of answers) {
    if (state === 'active') expect(answer.status).toBe(200)
    else expectError(answer, 401, 'invalid_access_token')
  }
}

/** Fails unless the response is a problem document with this status and code. */
export function expectError({ status, headers, body }: ApiResponse, expectedStatus: number, code: string): void {
  expect({ status, code: body?.code }, JSON.stringify(body)).toEqual({ status: expectedStatus, code })
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
  if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer /)
}

/** Returns a response without values that differ between requests, to compare indistinguishable responses. */
export const comparable = ({ status, headers, body }: ApiResponse) => ({
  status,
  body: { ...body, requestId: '' },
  headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')),
})

/**
 * The number of requests that race each other. The embedded database of the tests handles one statement at a time, so that more of them wait
 * longer and interleave no differently.
 */
export const CONCURRENT = LONG || process.env.DATABASE_URL ? 50 : 16

/** Runs `act` `count` times concurrently. */
export const atOnce = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

/** Returns the response to a request that is repeated at once while the service is overloaded. */
export async function patiently(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  }
}

/** Adds a user to the caller's team with `POST /users` and returns the response body. */
export async function addUser(
  { api }: TestService,
  { token }: Pick<TestUser, 'token'>,
  fields: Record<string, unknown> = {},
): Promise<ApiResponse['body']> {
  const { status, body } = await api('POST', '/api/v1/users', { token, body: { email: newEmail(), ...fields } })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** Adds a user with a role to the caller's team and signs them in with a temporary password. */
export async function addColleague(service: TestService, owner: TestUser, role = 'member'): Promise<TestUser> {
  const email = newEmail()
  await addUser(service, owner, { email, role, temporaryPassword: PASSWORD })
  return logIn(service, { email, password: PASSWORD })
}

/** Invites the email address to the caller's team (or `teamId`) and returns the token in the mail with the invitation. */
export async function invite(
  service: TestService,
  { token, teamId }: Pick<TestUser, 'token' | 'teamId'>,
  email: string,
  role = 'MEMBER',
): Promise<{ id: string; token: string }> {
  const { status, body } = await service.api('POST', `/api/v1/organizations/${teamId}/members/invite`, {
    token,
    body: { email, role },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return { id: body.id, token: await invitationToken(service, email) }
}

/** Returns the token in the newest invitation of an email address. */
export async function invitationToken(service: TestService, email: string): Promise<string> {
  const mail = (await service.mails(email)).findLast(({ kind }) => kind === 'invitation')
  if (!mail) throw new Error(`No invitation for ${email}`)
  return new URL(mail.link).pathname.split('/').at(-1) ?? ''
}
