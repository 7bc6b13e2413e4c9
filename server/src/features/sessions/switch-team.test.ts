import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  claimsOf,
  comparable,
  expectError,
  joinTeam,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('POST /auth/switch-team', () => {
  let service: TestService
  let user: TestUser
  let other: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    other = await registerUser(service)
    await joinTeam(service, user, other.teamId)
  })
  afterAll(() => service.close())

  const switchTo = (teamId: string) =>
    service.api('POST', '/api/v1/auth/switch-team', { token: user.token, body: { teamId } })

  it('returns the same session with the other team and the role there', async () => {
    const { status, body } = await switchTo(other.teamId.toUpperCase())
    expect(status).toBe(200)
    expect(body).toMatchObject({
      expiresIn: 900,
      tokenType: 'Bearer',
      refreshToken: expect.any(String),
      user: { id: user.id, teamId: other.teamId, role: 'MEMBER' },
    })
    expect(claimsOf(body.accessToken)).toMatchObject({ sid: claimsOf(user.token).sid, team: other.teamId })
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: body.accessToken })
    expect(me.team.id).toBe(other.teamId)
  })

  it('keeps access tokens for the previous team valid', async () => {
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    expect(me.team.id).toBe(user.teamId)
  })

  it("returns the same error for another user's team as for an unknown team", async () => {
    const outsider = await registerUser(service)
    const foreign = await switchTo(outsider.teamId)
    expectError(foreign, 403, 'not_a_member')
    for (const id of [randomUUID(), 'no id', '']) expect(comparable(await switchTo(id))).toEqual(comparable(foreign))
  })

  it('accepts a suspended team only for members who may reactivate it', async () => {
    await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = ANY($1::uuid[])", [
      [user.teamId, other.teamId],
    ])
    expectError(await switchTo(other.teamId), 403, 'team_suspended')
    expect((await switchTo(user.teamId)).status).toBe(200)
  })
})
