import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, expectSession, logIn, PASSWORD, registerUser, requestToken } from '../../factories/factories.js'
import { startService, type TestService } from '../../harness/service.js'

const MINUTE = 60_000

describe('a restart of every node', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const refresh = (refreshToken: string) => service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })
  const verify = (token: string) => service.api('POST', '/api/v1/auth/verify', { body: { token } })

  it('keeps active sessions valid and revoked ones revoked', async () => {
    const user = await registerUser(service)
    const ended = await logIn(service, user)
    await service.api('POST', '/api/v1/auth/logout', { token: ended.token })
    await service.restart()
    await expectSession(service, user.token, 'active')
    await expectSession(service, ended.token, 'revoked')
    expectError(await refresh(ended.refreshToken), 401, 'invalid_refresh_token')
    expect((await refresh(user.refreshToken)).status).toBe(200)
  })

  it('keeps the state of a refresh token family: the same successor for 30 seconds, then its revocation', async () => {
    const user = await registerUser(service)
    const { body: first } = await refresh(user.refreshToken)
    await service.restart()
    const { body: again } = await refresh(user.refreshToken)
    expect(again.refreshToken).toBe(first.refreshToken)
    await service.clock.advance(31_000)
    await service.restart()
    expectError(await refresh(user.refreshToken), 401, 'invalid_refresh_token')
    await service.restart()
    expectError(await refresh(first.refreshToken), 401, 'invalid_refresh_token')
    await expectSession(service, first.accessToken, 'revoked')
  })

  it('keeps failure counters and locked accounts', async () => {
    const user = await registerUser(service)
    const login = (password: string) =>
      service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password } })
    for (let failure = 0; failure < 9; failure++) await login('wrong')
    await service.restart()
    await login('wrong')
    await service.restart()
    expectError(await login(PASSWORD), 401, 'invalid_credentials')
    await service.clock.advance(15 * MINUTE)
    expect((await login(PASSWORD)).status).toBe(200)
  })

  it('keeps a link valid and a redeemed link redeemed', async () => {
    const { email } = await registerUser(service)
    const token = await requestToken(service, 'magic_link', email)
    await service.restart()
    expect((await verify(token)).status).toBe(200)
    await service.restart()
    expectError(await verify(token), 400, 'invalid_token')
  })
})
