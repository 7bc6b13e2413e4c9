import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isActive, registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  addColleague,
  addUser,
  claimsOf,
  expectError,
  expectSession,
  invite,
  joinTeam,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { beginStep, completeChallengeWithCode, enrollApp, enrollPasskey } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('POST /users/{id}/lock-down', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
    await verifyEmailAddress(service, owner)
  })
  afterAll(() => service.close())

  const lockDown = (id: string, { token }: Pick<TestUser, 'token'> = owner) =>
    service.api('POST', `/api/v1/users/${id}/lock-down`, { token })
  const logInTo = (user: TestUser, teamId?: string) =>
    service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password, ...(teamId && { teamId }) },
    })
  /** Returns a user with an own team who is a confirmed member of the owner's team, signed in there. */
  const member = async (role = 'MEMBER'): Promise<TestUser> => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId, { role })
    const { body } = await logInTo(user, owner.teamId)
    return { ...user, token: body.accessToken, refreshToken: body.refreshToken }
  }

  it('revokes sessions, grants, API and SCIM tokens in this team, and records their numbers in one entry', async () => {
    const user = await member('ORG_ADMIN')
    const app = await registerApp(service, owner)
    const tokens = await tokensFor(service, app, user, { scope: 'openid offline_access' })
    const post = (path: string, body: object) => service.api('POST', `/api/v1/${path}`, { token: user.token, body })
    const { body: api } = await post('api-tokens', { name: 'CI', scopes: ['org:read'] })
    const { body: scim } = await post('directory/scim/token', {})
    const { status, body } = await lockDown(user.id)
    const counts = {
      sessionsEnded: 1,
      grantsRevoked: 1,
      apiTokensRevoked: 1,
      scimTokensRevoked: 1,
      runsCancelled: 0,
      invitationsRevoked: 0,
      factorsRemoved: 0,
      teamPasswordRemoved: false,
    }
    expect([status, body]).toEqual([200, { message: expect.any(String), ...counts }])
    await expectSession(service, user.token, 'revoked')
    expect(await isActive(service, tokens.access_token)).toBe(false)
    expect((await service.api('GET', '/api/v1/org', { token: api.token })).status).toBe(401)
    const users = await service.api('GET', `/scim/v2/${owner.teamId}/Users`, { token: scim.token })
    expect(users.status).toBe(401)
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=user.locked_down', owner)
    expect(log.data[0]).toMatchObject({ userId: owner.id, resource: `user:${user.id}`, metadata: counts })
    expect((await service.api('GET', `/api/v1/users/${user.id}`, owner)).body.status).toBe('active')
  })

  it('requires a new own password for this team, and for no other', async () => {
    const user = await member()
    await service.clock.advance(1_000)
    await lockDown(user.id)
    const there = await logInTo(user, owner.teamId)
    expect(there.body).toMatchObject({ mustChangePassword: true, team: { id: owner.teamId } })
    const own = await logInTo(user, user.teamId)
    expect(own.body.mustChangePassword).toBeUndefined()
    // A session that began elsewhere meets the requirement when it switches.
    const switched = await service.api('POST', '/api/v1/auth/switch-team', {
      token: own.body.accessToken,
      body: { teamId: owner.teamId },
    })
    expect(switched.body.mustChangePassword).toBe(true)
    await service.clock.advance(1_000)
    const changed = await service.api('POST', '/api/v1/auth/change-password', {
      token: there.body.accessToken,
      body: { currentPassword: user.password, newPassword: `${PASSWORD} two` },
    })
    expect(changed.status).toBe(200)
    const again = await logInTo({ ...user, password: `${PASSWORD} two` }, owner.teamId)
    expect(again.status).toBe(200)
    expect(again.body.mustChangePassword).toBeUndefined()
  })

  it('removes the team password, which then signs in no longer', async () => {
    const user = await addColleague(service, owner)
    expect((await lockDown(user.id)).body).toMatchObject({ teamPasswordRemoved: true })
    expectError(await logInTo(user, owner.teamId), 401, 'invalid_credentials')
    const temporaryPassword = `${PASSWORD} again`
    const reset = await service.api('POST', `/api/v1/users/${user.id}/password-reset`, {
      token: owner.token,
      body: { temporaryPassword },
    })
    expect(reset.status).toBe(200)
    await logIn(service, { ...user, password: temporaryPassword })
  })

  it('removes the passkey of this team, which then signs in no longer, and keeps the own factors', async () => {
    await beginStep(service)
    const user = await member()
    const own = await enrollApp(service, await logIn(service, user))
    const begun = await logInTo(user, owner.teamId)
    const { body } = await completeChallengeWithCode(service, begun.body.mfaToken, own.code(1))
    const restricted = { token: body.accessToken }
    const restrict = 'UPDATE sessions SET confined_team_id = $2 WHERE id = $1'
    await service.sql(restrict, [claimsOf(restricted.token).sid, owner.teamId])
    const { authenticator } = await enrollPasskey(service, restricted)
    const signInByPasskey = async () => {
      const { body: options } = await service.api('POST', '/api/v1/auth/passkey/options')
      const credential = authenticator.get(options)
      return service.api('POST', '/api/v1/auth/passkey/verify', { body: { credential } })
    }
    const entered = await signInByPasskey()
    expect([entered.status, entered.body.team.id]).toEqual([200, owner.teamId])
    expect((await lockDown(user.id)).body).toMatchObject({ factorsRemoved: 1 })
    await expectSession(service, entered.body.accessToken, 'revoked')
    expectError(await signInByPasskey(), 401, 'passkey_invalid')
    const types = await service.sql('SELECT DISTINCT type FROM factors WHERE user_id = $1 ORDER BY type', [user.id])
    expect(types.map(({ type }) => type)).toEqual(['BACKUP_CODE', 'TOTP'])
    expect((await logInTo(user, owner.teamId)).body).toMatchObject({
      mfaRequired: true,
      mfaMethods: ['TOTP', 'BACKUP_CODE'],
    })
    expect((await logInTo(user, user.teamId)).body.mfaRequired).toBe(true)
  })

  it('revokes the pending invitations that the member sent in this team, and no others', async () => {
    const user = await member('ORG_ADMIN')
    const inviteTo = async (teamId: string, token: string): Promise<string> =>
      (await invite(service, { token, teamId }, newEmail('invited'))).id
    const own = await logInTo(user, user.teamId)
    const theirs = await inviteTo(owner.teamId, user.token)
    const kept = [await inviteTo(owner.teamId, owner.token), await inviteTo(user.teamId, own.body.accessToken)]
    expect((await lockDown(user.id)).body).toMatchObject({ invitationsRevoked: 1 })
    const rows = await service.sql('SELECT id, status FROM invitations WHERE id = ANY($1)', [[theirs, ...kept]])
    const statuses = Object.fromEntries(rows.map(({ id, status }) => [id, status]))
    expect(statuses).toEqual({ [theirs]: 'REVOKED', ...Object.fromEntries(kept.map((id) => [id, 'PENDING'])) })
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=invitation.revoked', owner)
    expect(log.data).toEqual([expect.objectContaining({ userId: owner.id, resource: `invitation:${theirs}` })])
  })

  it('changes nothing in other teams', async () => {
    const user = await member()
    const other = await logIn(service, user)
    await service.api('POST', '/api/v1/auth/switch-team', { token: other.token, body: { teamId: user.teamId } })
    const elsewhere = (await logInTo(user, user.teamId)).body.accessToken
    const { body: api } = await service.api('POST', '/api/v1/api-tokens', {
      token: elsewhere,
      body: { name: 'Own', scopes: ['org:read'] },
    })
    const { body } = await lockDown(user.id)
    expect(body).toMatchObject({ apiTokensRevoked: 0 })
    await expectSession(service, elsewhere, 'active')
    expect((await service.api('GET', '/api/v1/org', { token: api.token })).status).toBe(200)
  })

  it('protects users with more permissions and the own account, and knows no user of another team', async () => {
    const helper = await addColleague(service, owner)
    await service.sql("UPDATE memberships SET role = 'HELP_DESK_ADMIN' WHERE user_id = $1", [helper.id])
    expectError(await lockDown(owner.id, helper), 403, 'role_protected')
    expectError(await lockDown(helper.id, helper), 403, 'forbidden')
    const foreign = await addUser(service, await registerUser(service))
    expectError(await lockDown(foreign.id), 404, 'user_not_found')
    await expectSession(service, owner.token, 'active')
  })
})
