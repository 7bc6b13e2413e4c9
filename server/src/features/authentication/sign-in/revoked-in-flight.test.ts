import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  claimsOf,
  expectError,
  invite,
  joinTeam,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { beginStep, enrollApp } from '../../../../test/factories/factors.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'
import { duringRevocation } from '../../../../test/harness/while-ending.js'

describe('a session that is revoked while its request waits for the account', () => {
  let service: TestService
  let owner: TestUser
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    await beginStep(service)
    user = await registerUser(service)
  })

  const post = (path: string, body: unknown) => service.api('POST', `/api/v1/${path}`, { token: user.token, body })
  const switchTeam = () => post('auth/switch-team', { teamId: owner.teamId })
  const state = () =>
    service.sql(
      `SELECT s.id, s.organization_id, s.amr, s.authenticated_at, u.password_set_at, (SELECT count(*)::int FROM memberships WHERE user_id = u.id) AS teams,
         (SELECT count(*)::int FROM one_time_tokens WHERE user_id = u.id AND used_at IS NULL) AS waiting
       FROM users u JOIN sessions s ON s.user_id = u.id WHERE u.id = $1 ORDER BY s.id`,
      [user.id],
    )

  it.skipIf(!SERVER_URL).each<[act: string, request: () => Promise<() => Promise<ApiResponse>>]>([
    [
      'switches to no other team',
      async () => {
        await joinTeam(service, user, owner.teamId)
        return switchTeam
      },
    ],
    [
      'begins no challenge for another team',
      async () => {
        await joinTeam(service, user, owner.teamId)
        await enrollApp(service, user)
        await service.sql("UPDATE sessions SET verified_factor_ids = '{}', amr = '{pwd}' WHERE id = $1", [
          claimsOf(user.token).sid,
        ])
        return switchTeam
      },
    ],
    ['is not renewed by the password', async () => () => post('auth/reauthenticate', { password: user.password })],
    [
      'is not renewed by a code',
      async () => {
        const app = await enrollApp(service, user)
        return () => post('auth/reauthenticate', { code: app.code(1) })
      },
    ],
    [
      'changes no password',
      async () => () =>
        post('auth/change-password', { currentPassword: user.password, newPassword: 'a new battery staple' }),
    ],
    [
      'accepts no invitation',
      async () => {
        const { token } = await invite(service, owner, user.email)
        return () => post('invitations/accept', { token })
      },
    ],
  ])('%s', async (_, prepare) => {
    const request = await prepare()
    const before = await state()
    expectError(await duringRevocation(service, user, request), 401, 'invalid_access_token')
    expect(await state()).toEqual(before)
  })

  it('starts no session after a reset by mail that is concurrent with team switches', async () => {
    const answers: ApiResponse[] = []
    for (let round = 0; round < 8; round++) {
      user = await registerUser(service)
      await joinTeam(service, user, owner.teamId)
      const token = await requestToken(service, 'password_reset', user.email)
      const reset = post('auth/reset-password', { token, newPassword: 'a new battery staple' })
      // Some are in flight when the reset is committed.
      const switches = await atOnce(6, async (index) => {
        await new Promise((resume) => setTimeout(resume, index * 3))
        return switchTeam()
      })
      expect((await reset).status).toBe(200)
      answers.push(...switches)
      for (const { body } of switches.filter(({ status }) => status === 200))
        expect((await service.api('GET', '/api/v1/auth/me', { token: body.accessToken })).status).toBe(401)
    }
    expect([...new Set(answers.map(({ status }) => status))].filter((status) => status !== 200)).toEqual([401])
  })
})
