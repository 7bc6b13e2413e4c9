import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  comparable,
  expectError,
  expectSession,
  logIn,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const MINUTE = 60_000
const WRONG = 'not the password'

describe('the lockout of an account', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const login = ({ email }: Pick<TestUser, 'email'>, password: string, request: object = {}) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password }, ...request })
  const signedIn = (path: string, { token }: TestUser, body: object) =>
    service.api('POST', `/api/v1/auth/${path}`, { token, body })
  const change = (user: TestUser, currentPassword: string) =>
    signedIn('change-password', user, { currentPassword, newPassword: 'a new correct horse' })
  const reauthenticate = (user: TestUser, password: string) => signedIn('reauthenticate', user, { password })

  async function fail(times: number, act: () => ReturnType<typeof login>): Promise<void> {
    for (let time = 0; time < times; time++) expect([401, 403]).toContain((await act()).status)
  }

  it('rejects the right password like a wrong one for 15 minutes after ten failures', async () => {
    const user = await registerUser(service)
    const wrong = await login(user, WRONG)
    await fail(9, () => login(user, WRONG))
    const rejected = await login(user, PASSWORD)
    expectError(rejected, 401, 'invalid_credentials')
    expect(comparable(rejected)).toEqual(comparable(wrong))
    await service.clock.advance(15 * MINUTE - 20_000)
    expectError(await login(user, PASSWORD), 401, 'invalid_credentials')
    await service.clock.advance(25_000)
    expect((await login(user, PASSWORD)).status).toBe(200)
  })

  it('expires at the same time after further attempts', async () => {
    const user = await registerUser(service)
    await fail(10, () => login(user, WRONG))
    await service.clock.advance(14 * MINUTE)
    await fail(12, () => login(user, WRONG))
    await service.clock.advance(MINUTE + 1_000)
    expect((await login(user, PASSWORD)).status).toBe(200)
  })

  it('keeps the account unlocked after nine failures and resets the counter on success', async () => {
    const user = await registerUser(service)
    for (let round = 0; round < 2; round++) {
      await fail(9, () => login(user, WRONG))
      expect((await login(user, PASSWORD)).status).toBe(200)
    }
  })

  it('accepts the password after ten failures within more than 15 minutes', async () => {
    const user = await registerUser(service)
    await fail(9, () => login(user, WRONG))
    await service.clock.advance(15 * MINUTE)
    await fail(9, () => login(user, WRONG))
    expect((await login(user, PASSWORD)).status).toBe(200)
  })

  it('counts failures at sign-in, change-password and reauthentication together, and locks all three', async () => {
    const user = await registerUser(service)
    await fail(4, () => login(user, WRONG))
    await fail(3, () => change(user, WRONG))
    await fail(3, () => reauthenticate(user, WRONG))
    expectError(await login(user, PASSWORD), 401, 'invalid_credentials')
    const right = await change(user, PASSWORD)
    expectError(right, 403, 'wrong_password')
    expect(comparable(await change(user, WRONG))).toEqual(comparable(right))
    expectError(await reauthenticate(user, PASSWORD), 403, 'wrong_password')
    await expectSession(service, user.token, 'active')
  })

  it('resets the failures at all three endpoints with a right password at one of them', async () => {
    const user = await registerUser(service)
    await fail(9, () => login(user, WRONG))
    expect((await reauthenticate(user, PASSWORD)).status).toBe(200)
    await fail(9, () => login(user, WRONG))
    expect((await change(user, PASSWORD)).status).toBe(200)
    await fail(9, () => login(user, WRONG))
    expect((await login(user, 'a new correct horse')).status).toBe(200)
  })

  // A failure and its audit entry are one transaction. If it is rolled back, the response must not reveal the result.
  it('returns the same error for a right and a wrong password if the failure cannot be recorded', async () => {
    const user = await registerUser(service)
    await service.settle()
    await service.sql(
      "CREATE FUNCTION audit_is_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$",
    )
    await service.sql(
      'CREATE TRIGGER audit_is_down BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_is_down()',
    )
    // Without `login`, which fails the test at a status of 500.
    const attempt = async (password: string) => {
      const answer = await fetch(`${service.urls[0]}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: user.email, password }),
      })
      const body = (await answer.json()) as Record<string, unknown>
      return { status: answer.status, cookies: answer.headers.getSetCookie(), body }
    }
    try {
      const [right, wrong] = [await attempt(PASSWORD), await attempt(WRONG)]
      expect([500, 503]).toContain(right.status)
      expect({ ...wrong, body: { ...wrong.body, requestId: '' } }).toEqual({
        ...right,
        body: { ...right.body, requestId: '' },
      })
    } finally {
      await service.sql('DROP TRIGGER audit_is_down ON audit_entries')
      await service.sql('DROP FUNCTION audit_is_down')
    }
    await fail(10, () => login(user, WRONG))
    expectError(await login(user, PASSWORD), 401, 'invalid_credentials')
  })

  it('locks no other account', async () => {
    const [user, other] = [await registerUser(service), await registerUser(service)]
    await fail(10, () => login(user, WRONG))
    await logIn(service, other)
  })

  it('locks the account after many concurrent failures, and records each', async () => {
    const user = await registerUser(service)
    const answers = await atOnce(CONCURRENT, () => login(user, WRONG))
    for (const answer of answers) expectError(answer, 401, 'invalid_credentials')
    expectError(await login(user, PASSWORD), 401, 'invalid_credentials')
    const failures = await service.sql(
      `SELECT 1 FROM audit_entries WHERE user_id = $1 AND action = 'user.login' AND result = 'FAILURE'`,
      [user.id],
    )
    expect(failures).toHaveLength(CONCURRENT + 1)
  })

  it('records the lock once for many concurrent failures', async () => {
    const user = await registerUser(service)
    await atOnce(CONCURRENT, () => login(user, WRONG))
    const locks = await service.sql("SELECT 1 FROM audit_entries WHERE user_id = $1 AND action = 'user.locked'", [
      user.id,
    ])
    expect(locks).toHaveLength(1)
  })

  it('unlocks the account after a reset by mail', async () => {
    const user = await registerUser(service)
    await fail(10, () => login(user, WRONG))
    const body = {
      token: await requestToken(service, 'password_reset', user.email),
      newPassword: 'a new correct horse',
    }
    expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
    expect((await login(user, body.newPassword)).status).toBe(200)
  })

  describe('by failures of another client, for a known device', () => {
    /** Signs in from a browser in cookie mode, which gets a device cookie. */
    async function browserOf(user: TestUser) {
      const { status, cookies } = await login(user, PASSWORD, { console: true })
      expect(status).toBe(200)
      return { console: true, cookies: { keyward_device: cookies.keyward_device?.value ?? '' } }
    }

    it('accepts the device and preserves its cookie', async () => {
      const user = await registerUser(service)
      const browser = await browserOf(user)
      await fail(10, () => login(user, WRONG))
      expectError(await login(user, PASSWORD), 401, 'invalid_credentials')
      const { status, cookies } = await login(user, PASSWORD, browser)
      expect({ status, device: cookies.keyward_device?.value }).toEqual({
        status: 200,
        device: browser.cookies.keyward_device,
      })
    })

    it('locks the device after its own failures, and no other browser', async () => {
      const user = await registerUser(service)
      const browser = await browserOf(user)
      await fail(10, () => login(user, WRONG, browser))
      expectError(await login(user, PASSWORD, browser), 401, 'invalid_credentials')
      expect((await login(user, PASSWORD)).status).toBe(200)
    })

    it('unlocks the device after a reset', async () => {
      const user = await registerUser(service)
      const browser = await browserOf(user)
      await fail(10, () => login(user, WRONG, browser))
      const body = {
        token: await requestToken(service, 'password_reset', user.email),
        newPassword: 'a new correct horse',
      }
      expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
      expect((await login(user, body.newPassword, browser)).status).toBe(200)
    })

    it('locks an account on a device that never signed in to it', async () => {
      const [user, other] = [await registerUser(service), await registerUser(service)]
      const browser = await browserOf(other)
      await fail(5, () => login(user, WRONG, browser))
      await fail(5, () => login(user, WRONG))
      expectError(await login(user, PASSWORD, browser), 401, 'invalid_credentials')
      const invented = { console: true, cookies: { keyward_device: 'A'.repeat(43) } }
      expectError(await login(user, PASSWORD, invented), 401, 'invalid_credentials')
    })
  })
})
