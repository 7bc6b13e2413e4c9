import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, joinTeam, logIn, registerUser, requestToken, type TestUser } from '../../../test/factories.js'
import { startService, type TestService } from '../../../test/service.js'

describe('a password that an administrator gave', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    const team = await registerUser(service)
    user = await registerUser(service)
    await joinTeam(service, user, team.teamId)
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id <> $2', [user.id, team.teamId])
    await service.sql('UPDATE passwords SET given_by_team_id = $2, confined_team_id = $2 WHERE user_id = $1', [
      user.id,
      team.teamId,
    ])
  })
  afterAll(() => service.close())

  const change = (token: string, newPassword: string) =>
    service.api('POST', '/api/v1/auth/change-password', {
      token,
      body: { currentPassword: user.password, newPassword },
    })

  it('does not become good by being set again', async () => {
    const { token } = await logIn(service, user)
    const refused = await change(token, user.password)
    expectRefusal(refused, 400, 'password_policy')
    expect(refused.body.errors).toEqual([{ path: '/newPassword', rule: 'unchanged', message: expect.any(String) }])
    const { body } = await service.api('GET', '/api/v1/auth/me', { token })
    expect(body.mustChangePassword).toBe(true)
  })

  it('is replaced by one of the user, which need not be changed, and opens that team alone until they set one by mail', async () => {
    const { token } = await logIn(service, user)
    expect((await change(token, 'a password of my own')).status).toBe(200)
    const own = await logIn(service, { email: user.email, password: 'a password of my own' })
    const { body } = await service.api('GET', '/api/v1/auth/me', { token: own.token })
    expect(body).toMatchObject({ mustChangePassword: false, session: { confined: true } })
    const mailed = await requestToken(service, 'password_reset', user.email)
    const reset = { token: mailed, newPassword: 'a password by my own proof' }
    expect((await service.api('POST', '/api/v1/auth/reset-password', { body: reset })).status).toBe(200)
    const free = await logIn(service, { email: user.email, password: reset.newPassword })
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: free.token })
    expect(me.session.confined).toBe(false)
  })
})
