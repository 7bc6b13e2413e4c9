import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable, expectRefusal, joinTeam, logIn, registerUser, type TestUser } from '../../../test/factories.js'
import { startService, type TestService } from '../../../test/service.js'

describe('the team that a sign-in opens', () => {
  let service: TestService
  let user: TestUser
  let other: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const logInTo = (teamId: string, password = user.password) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password, teamId } })
  const setStatus = (teamId: string, status: string) =>
    service.sql('UPDATE organizations SET status = $2 WHERE id = $1', [teamId, status])

  /** A user who is owner of a team of their own and member of another. */
  async function memberOfTwo(): Promise<void> {
    user = await registerUser(service)
    other = await registerUser(service)
    await joinTeam(service, user, other.teamId)
  }

  it('is the one asked for, with the role there', async () => {
    await memberOfTwo()
    for (const wanted of [other.teamId, other.teamId.toUpperCase()]) {
      const { status, body } = await logInTo(wanted)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        user: { teamId: other.teamId, role: 'MEMBER' },
        team: { id: other.teamId, role: 'MEMBER' },
      })
    }
  })

  it('answers for the team of others as for one that does not exist, and only after the right password', async () => {
    await memberOfTwo()
    const stranger = await registerUser(service)
    const foreign = await logInTo(stranger.teamId)
    expectRefusal(foreign, 403, 'not_a_member')
    for (const unknown of [randomUUID(), 'no id'])
      expect(comparable(await logInTo(unknown))).toEqual(comparable(foreign))
    expectRefusal(await logInTo(stranger.teamId, 'wrong'), 401, 'invalid_credentials')
    expectRefusal(await logInTo(other.teamId, 'wrong'), 401, 'invalid_credentials')
    expect(foreign.cookies).toEqual({})
    const sessions = await service.sql('SELECT 1 FROM sessions WHERE user_id = $1', [user.id])
    expect(sessions).toHaveLength(1)
  })

  it('is never one in which the membership is suspended', async () => {
    await memberOfTwo()
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      other.teamId,
    ])
    expectRefusal(await logInTo(other.teamId), 403, 'not_a_member')
    expect((await logIn(service, user)).teamId).toBe(user.teamId)
  })

  it('without a wish, is the one last used, else the one joined first', async () => {
    await memberOfTwo()
    await logInTo(other.teamId)
    expect((await logIn(service, user)).teamId).toBe(other.teamId)
    await service.sql('UPDATE memberships SET last_used_at = NULL WHERE user_id = $1', [user.id])
    expect((await logIn(service, user)).teamId).toBe(user.teamId)
  })

  it('is a suspended one only for those who may reactivate it', async () => {
    await memberOfTwo()
    await setStatus(other.teamId, 'SUSPENDED')
    expectRefusal(await logInTo(other.teamId), 403, 'team_suspended')
    await setStatus(user.teamId, 'SUSPENDED')
    expect((await logInTo(user.teamId)).status).toBe(200)
    await service.sql("UPDATE memberships SET role = 'ORG_ADMIN' WHERE user_id = $1", [user.id])
    expectRefusal(await logInTo(user.teamId), 403, 'team_suspended')
    const { email, password } = user
    const withoutWish = await service.api('POST', '/api/v1/auth/login', { body: { email, password } })
    expectRefusal(withoutWish, 403, 'team_suspended')
  })

  it('without a wish, passes over a suspended one', async () => {
    await memberOfTwo()
    await logInTo(other.teamId)
    await setStatus(other.teamId, 'SUSPENDED')
    expect((await logIn(service, user)).teamId).toBe(user.teamId)
  })

  it('is a new default team for a user without any', async () => {
    await memberOfTwo()
    await service.sql('DELETE FROM memberships WHERE user_id = $1', [user.id])
    const { status, body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    })
    expect(status).toBe(200)
    expect(body.team).toMatchObject({ role: 'OWNER', name: `${user.email.split('@')[0]}'s team` })
    expect([user.teamId, other.teamId]).not.toContain(body.team.id)
    expect((await logIn(service, user)).teamId).toBe(body.team.id)
  })

  it('is not a new one for a user whom their only team does not let in', async () => {
    const suspended = await registerUser(service)
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1", [suspended.id])
    const body = { email: suspended.email, password: suspended.password }
    expectRefusal(await service.api('POST', '/api/v1/auth/login', { body }), 403, 'account_suspended')
    const teams = await service.sql('SELECT id FROM memberships WHERE user_id = $1', [suspended.id])
    expect(teams).toHaveLength(1)
  })
})
