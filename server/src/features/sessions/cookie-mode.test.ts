import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  claimsOf,
  expectError,
  expectSession,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
} from '../../../test/factories/factories.js'
import type { ApiResponse } from '../../../test/harness/api.js'
import { dumpDatabase } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const THIRTY_DAYS = 'Max-Age=2592000; '
const attributes = ({ cookies }: ApiResponse) =>
  Object.fromEntries(Object.entries(cookies).map(([name, cookie]) => [name, cookie.attributes]))
const values = ({ cookies }: ApiResponse) =>
  Object.fromEntries(Object.entries(cookies).map(([name, cookie]) => [name, cookie.value]))

describe('cookie mode', () => {
  let service: TestService
  let email: string
  beforeAll(async () => {
    service = await startService()
    email = (await registerUser(service)).email
  })
  afterAll(() => service.close())

  const post = (path: string, body: unknown, request: object = { console: true }) =>
    service.api('POST', `/api/v1/auth/${path}`, { body, ...request })
  const logIn = (more: object = {}, request?: object) => post('login', { email, password: PASSWORD, ...more }, request)
  const refreshWith = (cookies: Record<string, string>, request: object = { console: true }) =>
    post('refresh', {}, { ...request, cookies })

  it('sets HttpOnly cookies over http: SameSite=Strict for the refresh token, Lax for the identity providers', async () => {
    const answer = await logIn()
    expect(answer.status).toBe(200)
    expect(attributes(answer)).toEqual({
      keyward_rt: `${THIRTY_DAYS}Path=/; HttpOnly; SameSite=Strict`,
      keyward_sso: `${THIRTY_DAYS}Path=/; HttpOnly; SameSite=Lax`,
      keyward_device: 'Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax',
    })
    const { keyward_rt, keyward_sso } = values(answer)
    for (const value of [keyward_rt, keyward_sso]) expect(value).toMatch(/^[\w-]{43}$/)
    expect(keyward_sso).not.toBe(keyward_rt)
  })

  it.each([
    ['registration', async () => post('register', { email: newEmail(), password: PASSWORD })],
    ['a password', async () => logIn()],
    [
      'a mailed link',
      async () =>
        post('verify', { token: await requestToken(service, 'magic_link', (await registerUser(service)).email) }),
    ],
    ['a refresh', async () => refreshWith({ keyward_rt: values(await logIn()).keyward_rt as string })],
    [
      'a team switch',
      async () => {
        const { body } = await logIn()
        return post('switch-team', { teamId: body.team.id }, { console: true, token: body.accessToken })
      },
    ],
  ])('returns no refresh token in the body after %s', async (_, signIn) => {
    const answer = await signIn()
    expect(answer.body).toMatchObject({ accessToken: expect.any(String), expiresIn: 900, tokenType: 'Bearer' })
    expect(answer.body).not.toHaveProperty('refreshToken')
    expect(answer.cookies.keyward_rt?.value).toMatch(/^[\w-]{43}$/)
    expect(answer.text).not.toContain(answer.cookies.keyward_rt?.value)
  })

  it('stores both cookies only as their SHA-256', async () => {
    const cookies = values(await logIn())
    const dump = JSON.stringify(await dumpDatabase(service))
    for (const value of Object.values(cookies)) {
      expect(dump).not.toContain(value)
      expect(dump).toContain(createHash('sha256').update(value).digest('hex'))
    }
  })

  it('refreshes by the cookie and rotates it, and keeps the one of the identity providers', async () => {
    const before = values(await logIn())
    const answer = await refreshWith(before)
    expect(answer.status).toBe(200)
    expect(answer.cookies.keyward_rt?.value).not.toBe(before.keyward_rt)
    // The same value with the new lifetime of the session.
    expect(answer.cookies.keyward_sso?.value).toBe(before.keyward_sso)
    await expectSession(service, answer.body.accessToken, 'active')
  })

  it('prefers the token in the body to the cookie', async () => {
    const cookies = values(await logIn())
    const user = await registerUser(service)
    const { body } = await post('refresh', { refreshToken: user.refreshToken }, { console: true, cookies })
    expect(body.user.email).toBe(user.email)
    expect((await refreshWith(cookies)).body.user.email).toBe(email)
  })

  it('sets session cookies without `remember`, also on later responses', async () => {
    const answer = await logIn({ remember: false })
    const forSession = {
      keyward_rt: 'Path=/; HttpOnly; SameSite=Strict',
      keyward_sso: 'Path=/; HttpOnly; SameSite=Lax',
    }
    expect(attributes(answer)).toMatchObject(forSession)
    const refreshed = await refreshWith(values(answer))
    expect(attributes(refreshed)).toEqual(forSession)
    const switched = await post(
      'switch-team',
      { teamId: answer.body.team.id },
      { console: true, token: answer.body.accessToken },
    )
    expect(attributes(switched)).toEqual({ keyward_rt: forSession.keyward_rt })
  })

  it('requires the header: without it the refresh cookie is neither set nor read', async () => {
    const without = await logIn({}, {})
    expect(without.body.refreshToken).toMatch(/^[\w-]{43}$/)
    expect(Object.keys(without.cookies)).toEqual(['keyward_sso'])
    const cookies = values(await logIn())
    const rejected = await refreshWith(cookies, {})
    expectError(rejected, 401, 'invalid_refresh_token')
    expect(rejected.cookies).toEqual({})
    expectError(await post('logout', {}, { cookies }), 401, 'unauthorized')
    expect((await refreshWith(cookies)).status).toBe(200)
  })

  it('clears an invalid refresh cookie', async () => {
    for (const keyward_rt of ['A'.repeat(43), '%E0%A4%A']) {
      const answer = await refreshWith({ keyward_rt, keyward_sso: 'x' })
      expectError(answer, 401, 'invalid_refresh_token')
      expect(attributes(answer)).toEqual({
        keyward_rt: 'Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
        keyward_sso: 'Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
      })
    }
  })

  it.each([
    ['the cookie alone', false],
    ['the access token', true],
  ])('signs out by %s and clears both cookies', async (_, byBearer) => {
    const signedIn = await logIn()
    const token = signedIn.body.accessToken
    const cookies = values(signedIn)
    const answer = await post('logout', {}, { console: true, ...(byBearer ? { token } : { cookies }) })
    expect(answer.status).toBe(200)
    expect(values(answer)).toEqual({ keyward_rt: '', keyward_sso: '' })
    await expectSession(service, token, 'revoked')
    expectError(await refreshWith(cookies), 401, 'invalid_refresh_token')
    const audit = await service.sql("SELECT 1 FROM audit_entries WHERE action = 'user.logout' AND resource = $1", [
      `session:${claimsOf(token).sid}`,
    ])
    expect(audit).toHaveLength(1)
  })

  it('clears the cookies of a browser without an active session', async () => {
    for (const cookies of [{}, { keyward_rt: 'A'.repeat(43) }])
      expect((await post('logout', {}, { console: true, cookies })).status).toBe(200)
  })

  it('accepts the cookie on no other route', async () => {
    const cookies = values(await logIn())
    for (const path of ['/api/v1/auth/me', '/api/v1/auth/sessions', '/api/v1/organizations', '/api/v1/settings'])
      expectError(await service.api('GET', path, { console: true, cookies }), 401, 'unauthorized')
  })
})

describe('cookies over https', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { BASE_URL: 'https://id.example.com' } })
  })
  afterAll(() => service.close())

  it('sets Secure and the prefix __Host-, and ignores other names', async () => {
    const headers = { 'x-keyward-console': '1', origin: 'https://id.example.com', 'sec-fetch-site': 'same-origin' }
    const body = { email: newEmail(), password: PASSWORD }
    const answer = await service.api('POST', '/api/v1/auth/register', { body, headers })
    expect(attributes(answer)).toEqual({
      '__Host-keyward_rt': `${THIRTY_DAYS}Path=/; HttpOnly; Secure; SameSite=Strict`,
      '__Host-keyward_sso': `${THIRTY_DAYS}Path=/; HttpOnly; Secure; SameSite=Lax`,
      '__Host-keyward_browser_session': `${THIRTY_DAYS}Path=/; HttpOnly; Secure; SameSite=None`,
      '__Host-keyward_device': 'Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax',
    })
    const refresh = answer.cookies['__Host-keyward_rt']?.value as string
    const planted = await service.api('POST', '/api/v1/auth/refresh', { headers, cookies: { keyward_rt: refresh } })
    expectError(planted, 401, 'invalid_refresh_token')
    const own = await service.api('POST', '/api/v1/auth/refresh', {
      headers,
      cookies: { '__Host-keyward_rt': refresh },
    })
    expect(own.status).toBe(200)
  })
})
