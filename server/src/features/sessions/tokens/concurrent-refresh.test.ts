import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimsOf, logIn, registerUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('a session with concurrent refreshes and team switches', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it('has exactly one unused refresh token', async () => {
    const user = await registerUser(service)
    const { body: team } = await service.api('POST', '/api/v1/organizations', {
      token: user.token,
      body: { name: 'Second' },
    })
    for (let round = 0; round < 5; round++) {
      const { token, refreshToken } = await logIn(service, user)
      const refresh = () => service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })
      const change = (teamId: string) => service.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId } })
      const acts = [refresh, () => change(team.id), refresh, () => change(user.teamId), () => change(team.id), refresh]
      for (const { status } of await Promise.all(acts.map((act) => act()))) expect(status).toBe(200)
      const [line] = await service.sql<{ active: number }>(
        'SELECT count(*)::int AS active FROM refresh_tokens WHERE session_id = $1 AND used_at IS NULL',
        [claimsOf(token).sid],
      )
      expect(line?.active).toBe(1)
    }
  })
})
