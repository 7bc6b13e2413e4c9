import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinTeam, onboardAdmin, registerUser, requestToken } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('the creator of a team', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const creatorOf = async (teamId: string) =>
    (await service.sql<{ by: string | null }>('SELECT created_by AS by FROM organizations WHERE id = $1', [teamId]))[0]
      ?.by

  it('stores the creator at registration, onboarding, POST /organizations and a sign-in without a team', async () => {
    const user = await registerUser(service)
    expect(await creatorOf(user.teamId)).toBe(user.id)
    const admin = await onboardAdmin(service)
    expect(await creatorOf(admin.teamId)).toBe(admin.id)
    const created = await service.api('POST', '/api/v1/organizations', { token: user.token, body: { name: 'Second' } })
    expect(await creatorOf(created.body.id)).toBe(user.id)
    await service.sql('DELETE FROM memberships WHERE user_id = $1', [user.id])
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    })
    expect([body.team.id === user.teamId, await creatorOf(body.team.id)]).toEqual([false, user.id])
  })

  it('clears the creator when the first verification of the email address sets the team aside', async () => {
    const [user, other] = [await registerUser(service), await registerUser(service)]
    await joinTeam(service, other, user.teamId, { role: 'OWNER' })
    const token = await requestToken(service, 'magic_link', user.email)
    expect((await service.api('POST', '/api/v1/auth/verify', { body: { token } })).status).toBe(200)
    expect(await creatorOf(user.teamId)).toBeNull()
  })
})
