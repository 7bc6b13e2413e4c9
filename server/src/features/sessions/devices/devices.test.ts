import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  expectError,
  expectSession,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { completeChallengeWithCode, enrollApp } from '../../../../test/factories/factors.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0'

describe('the known browsers of an account', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerUser(service)
  })

  /** A browser with its cookies. */
  interface Browser {
    agent: string
    cookies: Record<string, string>
  }
  const browser = (agent = CHROME): Browser => ({ agent, cookies: {} })
  /** Signs in in cookie mode and stores the device cookie. Returns the body. */
  async function logIn(by: Browser, { email, password } = user) {
    const { status, body, text, cookies } = await service.api('POST', '/api/v1/auth/login', {
      console: true,
      cookies: by.cookies,
      headers: { 'user-agent': by.agent },
      body: { email, password },
    })
    expect(status, text).toBe(200)
    if (cookies.keyward_device) by.cookies = { keyward_device: cookies.keyward_device.value }
    return body
  }
  const list = async (token = user.token, cookies: Record<string, string> = {}) => {
    const { status, body } = await service.api('GET', '/api/v1/auth/devices', { token, cookies })
    expect(status).toBe(200)
    return body.data
  }
  const forget = (id: string, token = user.token) => service.api('DELETE', `/api/v1/auth/devices/${id}`, { token })

  it('lists them by last use, and marks the current one', async () => {
    const [chrome, firefox] = [browser(), browser(FIREFOX)]
    await logIn(firefox)
    await service.clock.advance(MINUTE)
    const { accessToken } = await logIn(chrome)
    const data = await list(accessToken, chrome.cookies)
    const common = {
      id: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
      lastSeenAt: expect.stringMatching(/Z$/),
    }
    const ipAddress = expect.stringMatching(/127\.0\.0\.1|::1/)
    expect(data).toEqual([
      { ...common, device: 'Chrome on Linux', userAgent: CHROME, current: true, ipAddress },
      { ...common, device: 'Firefox on Windows', userAgent: FIREFOX, current: false, ipAddress },
    ])
    expect(JSON.stringify(data)).not.toContain(chrome.cookies.keyward_device)
    for (const { current } of await list(accessToken)) expect(current).toBe(false)
  })

  it('updates an existing entry at each sign-in', async () => {
    const chrome = browser()
    await logIn(chrome)
    const [first] = await list()
    await service.clock.advance(5 * MINUTE)
    await logIn(chrome)
    const [second, ...others] = await list()
    expect(others).toEqual([])
    expect(second).toEqual({ ...first, lastSeenAt: expect.any(String) })
    expect(Date.parse(second.lastSeenAt) - Date.parse(first.lastSeenAt)).toBeGreaterThanOrEqual(5 * MINUTE)
  })

  it('records no API client, and no browser without the factor of an account that has one', async () => {
    await service.api('POST', '/api/v1/auth/login', { body: user })
    expect(await list()).toEqual([])
    await enrollApp(service, user)
    expect((await logIn(browser())).mfaRequired).toBe(true)
    expect(await list()).toEqual([])
  })

  it('lists them per account, also for accounts that share a browser', async () => {
    const other = await registerUser(service)
    const chrome = browser()
    await logIn(chrome)
    await logIn(chrome, other)
    const [[own], [theirs]] = [await list(), await list(other.token)]
    expect(own.id).not.toBe(theirs.id)
    expect((await forget(own.id)).status).toBe(200)
    expect(await list()).toEqual([])
    expect(await list(other.token)).toHaveLength(1)
  })

  it('removes one, keeps its sessions and records the removal', async () => {
    const [chrome, firefox] = [browser(), browser(FIREFOX)]
    const { accessToken } = await logIn(chrome)
    await logIn(firefox)
    const { id } = (await list()).find(({ device }: { device: string }) => device === 'Chrome on Linux')
    const { status, body } = await forget(id)
    expect([status, body]).toEqual([200, { message: expect.any(String) }])
    expect((await list()).map(({ device }: { device: string }) => device)).toEqual(['Firefox on Windows'])
    await expectSession(service, accessToken, 'active')
    const entries = await service.sql(
      "SELECT result, resource FROM audit_entries WHERE user_id = $1 AND action = 'user.device_forgotten'",
      [user.id],
    )
    expect(entries).toEqual([{ result: 'SUCCESS', resource: `device:${id}` }])
    expectError(await forget(id), 404, 'device_not_found')
  })

  it('removes one once across concurrent requests', async () => {
    await logIn(browser())
    const [{ id }] = await list()
    const answers = await atOnce(10, () => forget(id))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
  })

  it('skips adaptive challenges on them, and challenges again after the removal', async () => {
    const app = await enrollApp(service, user)
    const toggled = await service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', {
      token: user.token,
      body: { enabled: true },
    })
    expect(toggled.status).toBe(200)
    const chrome = browser()
    const begun = await logIn(chrome)
    expect(begun.mfaRequired).toBe(true)
    const answer = await completeChallengeWithCode(service, begun.mfaToken, app.code(), {
      console: true,
      headers: { 'user-agent': CHROME },
    })
    expect(answer.status).toBe(200)
    chrome.cookies = { keyward_device: answer.cookies.keyward_device?.value ?? '' }

    expect((await logIn(chrome)).accessToken).toBeDefined()
    expect((await logIn(browser())).mfaRequired).toBe(true)
    const [{ id }] = await list()
    expect((await forget(id)).status).toBe(200)
    expect((await logIn(chrome)).mfaRequired).toBe(true)
  })

  it('locks a removed browser when others caused the lock', async () => {
    const chrome = browser()
    await logIn(chrome)
    for (let failure = 0; failure < 10; failure++)
      await service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password: 'not the password' } })
    await logIn(chrome)
    const [{ id }] = await list()
    expect((await forget(id)).status).toBe(200)
    const answer = await service.api('POST', '/api/v1/auth/login', {
      console: true,
      cookies: chrome.cookies,
      body: user,
    })
    expectError(answer, 401, 'invalid_credentials')
  })

  it('returns the same error for a browser of another account as for an unknown one', async () => {
    const outsider = await registerUser(service)
    const chrome = browser()
    await logIn(chrome)
    const [{ id }] = await list()
    expect(await list(outsider.token, chrome.cookies)).toEqual([])
    const before = await dumpState(service)
    for (const foreign of [id, '00000000-0000-7000-8000-000000000000', 'no-id', '%00', id.toUpperCase()])
      expectError(await forget(foreign, outsider.token), 404, 'device_not_found')
    expect(await dumpState(service)).toEqual(before)
    const wanted = { name: 'Script', scopes: ['org:read'] }
    const { body } = await service.api('POST', '/api/v1/api-tokens', { token: user.token, body: wanted })
    expectError(await service.api('GET', '/api/v1/auth/devices', { token: body.token }), 403, 'session_required')
    expectError(await forget(id, body.token), 403, 'session_required')
  })

  it('lists a malformed user agent as a plain string', async () => {
    const odd = browser('<script>alert(1)</script> ünd')
    await service.api('POST', '/api/v1/auth/login', {
      console: true,
      headers: { 'user-agent': Buffer.from(odd.agent).toString('latin1') },
      body: user,
    })
    expect((await list())[0]).toMatchObject({ device: expect.any(String) })
  })
})
