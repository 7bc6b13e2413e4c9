import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  claimsOf,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  mailedToken,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('a restricted session', () => {
  let service: TestService
  let user: TestUser
  let asserting: TestUser
  let session: { accessToken: string; refreshToken: string }
  let proof: string
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    asserting = await registerUser(service)
    proof = await mailedToken(service, 'verify_email', user.email)
    await joinTeam(service, user, asserting.teamId, { role: 'OWNER' })
    session = await openRestricted(user, asserting.teamId)
    await service.settle()
  })
  afterAll(() => service.close())

  /** Signs in and restricts the session, like a sign-in by a team's provider. */
  async function openRestricted({ email, password }: TestUser, teamId: string) {
    const { body } = await service.api('POST', '/api/v1/auth/login', { body: { email, password, teamId } })
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [
      claimsOf(body.accessToken).sid,
      teamId,
    ])
    return body
  }

  type Rejected = [what: string, method: string, path: () => string, more?: () => object]
  const REJECTED: Rejected[] = [
    ['the other team by x-org-id', 'GET', () => '/auth/me', () => ({ headers: { 'x-org-id': user.teamId } })],
    [
      'the list of teams of the other team',
      'GET',
      () => '/organizations',
      () => ({ headers: { 'x-org-id': user.teamId } }),
    ],
    ['the other team by path', 'GET', () => `/organizations/${user.teamId}`],
    ['the other team by switching', 'POST', () => '/auth/switch-team', () => ({ body: { teamId: user.teamId } })],
    ['a new team', 'POST', () => '/organizations', () => ({ body: { name: 'New' } })],
    ['the settings of the instance', 'PUT', () => '/settings', () => ({ body: { name: 'Mine' } })],
    ['the configuration of the instance', 'PUT', () => '/config', () => ({ body: { mfaRequired: true } })],
    ['the verification of the email address', 'POST', () => '/auth/verify-email', () => ({ body: { token: proof } })],
  ]

  it.each(REJECTED)('receives an error for %s', async (_, method, path, more = () => ({})) => {
    const before = await dumpState(service)
    const answer = await service.api(method, `/api/v1${path()}`, { token: session.accessToken, ...more() })
    expectError(answer, 403, 'team_sign_in_required')
    expect(await dumpState(service)).toEqual(before)
  })

  it('accesses its own team by token, header, path and switch', async () => {
    const token = session.accessToken
    const headers = { 'x-org-id': asserting.teamId }
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token, headers })
    expect(me).toMatchObject({ team: { id: asserting.teamId }, instanceAdmin: false, session: { confined: true } })
    expect((await service.api('GET', `/api/v1/organizations/${asserting.teamId}`, { token })).status).toBe(200)
    const switched = await service.api('POST', '/api/v1/auth/switch-team', {
      token,
      body: { teamId: asserting.teamId },
    })
    expect(switched.status).toBe(200)
    session = switched.body
  })

  it('lists only its own team', async () => {
    const { body } = await service.api('GET', '/api/v1/organizations', { token: session.accessToken })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([asserting.teamId])
  })

  it("returns the same errors as any session for another user's team", async () => {
    const outsider = await registerUser(service)
    const token = session.accessToken
    const byHeader = await service.api('GET', '/api/v1/auth/me', { token, headers: { 'x-org-id': outsider.teamId } })
    expectError(byHeader, 403, 'not_a_member')
    expectError(
      await service.api('GET', `/api/v1/organizations/${outsider.teamId}`, { token }),
      404,
      'organization_not_found',
    )
  })

  it('refreshes within its team, and not if another team is selected', async () => {
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', {
      body: { refreshToken: session.refreshToken },
    })
    expect(refreshed.body.team.id).toBe(asserting.teamId)
    session = refreshed.body
    const home = (teamId: string) =>
      service.sql('UPDATE sessions SET organization_id = $2 WHERE id = $1', [claimsOf(session.accessToken).sid, teamId])
    await home(user.teamId)
    expectError(
      await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: session.refreshToken } }),
      401,
      'invalid_refresh_token',
    )
    await home(asserting.teamId)
    expect(
      (await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: session.refreshToken } })).status,
    ).toBe(200)
  })

  it('lists and ends only the sessions with the same restriction', async () => {
    const { accessToken: token } = await openRestricted(user, asserting.teamId)
    const other = await openRestricted(user, asserting.teamId)
    const ids = async () =>
      (await service.api('GET', '/api/v1/auth/sessions', { token })).body.data.map(({ id }: { id: string }) => id)
    expect(await ids()).toContain(claimsOf(other.accessToken).sid)
    expect(await ids()).not.toContain(claimsOf(user.token).sid)
    const end = (id = '') => service.api('DELETE', `/api/v1/auth/sessions${id}`, { token })
    expectError(await end(`/${claimsOf(user.token).sid}`), 404, 'session_not_found')
    expect((await end()).status).toBe(200)
    expect(await ids()).toEqual([claimsOf(token).sid])
    await expectSession(service, user.token, 'active')
  })

  it('changes no password of the account', async () => {
    const { accessToken: token } = await openRestricted(user, asserting.teamId)
    const body = { currentPassword: user.password, newPassword: 'of another team' }
    expect((await service.api('POST', '/api/v1/auth/change-password', { token, body })).status).toBe(200)
    await logIn(service, user)
    await expectSession(service, user.token, 'active')
  })
})
