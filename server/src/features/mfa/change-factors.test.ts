import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../test/factories/authenticator.js'
import { claimsOf, expectError, registerUser, type TestUser } from '../../../test/factories/factories.js'
import {
  type App,
  beginLogIn,
  completeChallengeWithCode,
  enrollApp,
  startApp,
} from '../../../test/factories/factors.js'
import type { ApiResponse } from '../../../test/harness/api.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { SERVER_URL } from '../../../test/harness/test-database.js'
import { duringRevocation } from '../../../test/harness/while-ending.js'

describe('a change of a second factor', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerUser(service)
  })

  const call = (by: Pick<TestUser, 'token'>, method: string, path: string, body?: unknown) =>
    service.api(method, `/api/v1/auth/mfa/${path}`, { token: by.token, ...(body !== undefined && { body }) })

  it('requires a session that has verified a factor', async () => {
    const app: App = await enrollApp(service, user)
    const { mfaToken } = await beginLogIn(service, user)
    const { body } = await completeChallengeWithCode(service, mfaToken, app.code())
    const other = { ...user, token: body.accessToken }
    // The state after a sign-in for which adaptive sign-in required no factor.
    await service.sql("UPDATE sessions SET amr = '{pwd}', verified_factor_ids = '{}' WHERE id = $1", [
      claimsOf(other.token).sid,
    ])
    const acts = (by: TestUser) => [
      () => call(by, 'POST', 'enroll/totp', {}),
      () => call(by, 'POST', 'backup-codes/regenerate'),
      () => call(by, 'POST', 'adaptive/toggle', { enabled: true }),
      () => call(by, 'PATCH', `methods/${app.methodId}`, { name: 'Mine' }),
      () => call(by, 'DELETE', `methods/${app.methodId}`),
    ]
    for (const act of acts(other)) expectError(await act(), 403, 'second_factor_required')
    const reauthenticate = (body: unknown) =>
      service.api('POST', '/api/v1/auth/reauthenticate', { token: other.token, body })
    expect((await reauthenticate({ password: user.password })).status).toBe(200)
    expectError(await call(other, 'DELETE', `methods/${app.methodId}`), 403, 'second_factor_required')
    expect((await reauthenticate({ code: app.code(1) })).status).toBe(200)
    for (const act of acts(other)) expect((await act()).status).toBe(200)
  })

  describe.skipIf(!SERVER_URL)('in a session that ends while the request waits', () => {
    it.each<[act: string, request: () => Promise<() => Promise<ApiResponse>>]>([
      [
        'the enrollment of a passkey',
        async () => {
          const { body } = await call(user, 'GET', 'passkey/options')
          const credential = createAuthenticator().create(body)
          return () => call(user, 'POST', 'passkey/enroll', { credential })
        },
      ],
      ['the start of an enrollment', async () => () => call(user, 'POST', 'enroll/totp', {})],
      [
        'the completion of an enrollment',
        async () => {
          const app = await startApp(service, user)
          return () => call(user, 'POST', 'enroll/verify', { methodId: app.methodId, code: app.code() })
        },
      ],
      [
        'the removal of all factors',
        async () => {
          await enrollApp(service, user)
          return () => call(user, 'POST', 'disable', { password: user.password })
        },
      ],
    ])('rejects %s', async (_, request) => {
      const act = await request()
      const storedFactors = () =>
        service.sql('SELECT id, verified_at FROM factors WHERE user_id = $1 ORDER BY id', [user.id])
      const before = await storedFactors()
      expectError(await duringRevocation(service, user, act), 401, 'invalid_access_token')
      expect(await storedFactors()).toEqual(before)
    })
  })
})
