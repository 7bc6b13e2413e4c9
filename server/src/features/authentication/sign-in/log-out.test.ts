import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, expectSession, logIn, registerUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const MINUTE = 60_000

describe('POST /auth/logout and POST /auth/reauthenticate', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const post = (path: string, token?: string, body?: object) =>
    service.api('POST', `/api/v1/auth/${path}`, { token, body })

  it('ends this session and no other at sign-out', async () => {
    const user = await registerUser(service)
    const other = await logIn(service, user)
    const { status, body } = await post('logout', user.token)
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.any(String) } })
    await expectSession(service, user.token, 'revoked')
    expectError(await post('refresh', undefined, { refreshToken: user.refreshToken }), 401, 'invalid_refresh_token')
    await expectSession(service, other.token, 'active')
  })

  it('rejects a second sign-out, and one without a session', async () => {
    const user = await registerUser(service)
    await post('logout', user.token)
    expectError(await post('logout', user.token), 401, 'invalid_access_token')
    expectError(await post('logout'), 401, 'unauthorized')
  })

  it('renews the authentication time of this session alone', async () => {
    const user = await registerUser(service)
    const other = await logIn(service, user)
    const provenAt = async (token: string) =>
      Date.parse((await service.api('GET', '/api/v1/auth/me', { token })).body.authenticatedAt)
    const [before, otherBefore] = [await provenAt(user.token), await provenAt(other.token)]
    await service.clock.advance(10 * MINUTE)
    const { status, body } = await post('reauthenticate', user.token, { password: user.password })
    expect(status).toBe(200)
    expect(Date.parse(body.authenticatedAt)).toBe(await provenAt(user.token))
    expect(await provenAt(user.token)).toBeGreaterThanOrEqual(before + 10 * MINUTE)
    expect(await provenAt(other.token)).toBe(otherBefore)
  })

  it('renews and ends nothing with a wrong password', async () => {
    const user = await registerUser(service)
    const { body: before } = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    for (const password of ['wrong', ''])
      expectError(await post('reauthenticate', user.token, { password }), 403, 'wrong_password')
    const { body: after } = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    expect(after.authenticatedAt).toBe(before.authenticatedAt)
  })
})
