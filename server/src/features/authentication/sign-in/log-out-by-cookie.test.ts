import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('POST /auth/logout in cookie mode', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  it('ends the session for any team that the request names', async () => {
    const outsider = await registerUser(service)
    const headers = { 'x-org-id': outsider.teamId }
    expect((await service.api('POST', '/api/v1/auth/logout', { token: user.token, headers })).status).toBe(200)
    expectError(await service.api('GET', '/api/v1/auth/me', { token: user.token }), 401, 'invalid_access_token')
  })

  it('accepts the cookie of a browser with an expired access token', async () => {
    const body = { email: user.email, password: user.password }
    const { cookies } = await service.api('POST', '/api/v1/auth/login', { body, console: true })
    const cookie = { keyward_rt: cookies.keyward_rt?.value ?? '' }
    const out = await service.api('POST', '/api/v1/auth/logout', { console: true, token: 'over', cookies: cookie })
    expect(out.status).toBe(200)
    expect(out.cookies.keyward_rt?.value).toBe('')
    expectError(
      await service.api('POST', '/api/v1/auth/refresh', { console: true, body: {}, cookies: cookie }),
      401,
      'invalid_refresh_token',
    )
  })
})
