import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpState } from '../../../test/dump.js'
import {
  claimsOf,
  expectRefusal,
  joinTeam,
  logIn,
  mailedToken,
  registerUser,
  type TestUser,
} from '../../../test/factories.js'
import { startService, type TestService } from '../../../test/service.js'

const DAY = 86_400_000

describe('a session that one team vouches for', () => {
  let service: TestService
  let user: TestUser
  let vouching: TestUser
  let session: { accessToken: string; refreshToken: string }
  let proof: string
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    vouching = await registerUser(service)
    proof = await mailedToken(service, 'verify_email', user.email)
    await joinTeam(service, user, vouching.teamId, { role: 'OWNER' })
    session = await openConfined(user, vouching.teamId)
    await service.settle()
  })
  afterAll(() => service.close())

  /** Signs in and confines the session, as the sign-in by a team's own provider does. */
  async function openConfined({ email, password }: TestUser, teamId: string) {
    const { body } = await service.api('POST', '/api/v1/auth/login', { body: { email, password, teamId } })
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [
      claimsOf(body.accessToken).sid,
      teamId,
    ])
    return body
  }

  type Refused = [what: string, method: string, path: () => string, more?: () => object]
  const REFUSED: Refused[] = [
    ['the other team by x-org-id', 'GET', () => '/auth/me', () => ({ headers: { 'x-org-id': user.teamId } })],
    [
      'the list of teams of the other team',
      'GET',
      () => '/organizations',
      () => ({ headers: { 'x-org-id': user.teamId } }),
    ],
    ['the other team by path', 'GET', () => `/organizations/${user.teamId}`],
    ['the other team by switching', 'POST', () => '/auth/switch-team', () => ({ body: { teamId: user.teamId } })],
    ['a team of its own making', 'POST', () => '/organizations', () => ({ body: { name: 'New' } })],
    ['the settings of the instance', 'PUT', () => '/settings', () => ({ body: { name: 'Mine' } })],
    ['the configuration of the instance', 'PUT', () => '/config', () => ({ body: { mfaRequired: true } })],
    ['the sessions of the account', 'GET', () => '/auth/sessions'],
    ['another session of the account', 'DELETE', () => `/auth/sessions/${claimsOf(user.token).sid}`],
    ['all other sessions of the account', 'DELETE', () => '/auth/sessions'],
    [
      'the password',
      'POST',
      () => '/auth/change-password',
      () => ({ body: { currentPassword: user.password, newPassword: 'of another team' } }),
    ],
    ['the proof of the address', 'POST', () => '/auth/verify-email', () => ({ body: { token: proof } })],
  ]

  it.each(REFUSED)('does not open %s', async (_, method, path, more = () => ({})) => {
    const before = await dumpState(service)
    const answer = await service.api(method, `/api/v1${path()}`, { token: session.accessToken, ...more() })
    expectRefusal(answer, 403, 'team_sign_in_required')
    expect(await dumpState(service)).toEqual(before)
  })

  it('opens its own team by token, header, path and switching', async () => {
    const token = session.accessToken
    const headers = { 'x-org-id': vouching.teamId }
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token, headers })
    expect(me).toMatchObject({ team: { id: vouching.teamId }, instanceAdmin: false, session: { confined: true } })
    expect((await service.api('GET', `/api/v1/organizations/${vouching.teamId}`, { token })).status).toBe(200)
    const switched = await service.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId: vouching.teamId } })
    expect(switched.status).toBe(200)
    session = switched.body
  })

  it('lists its own team alone', async () => {
    const { body } = await service.api('GET', '/api/v1/organizations', { token: session.accessToken })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([vouching.teamId])
  })

  it('answers for the team of strangers as any session does', async () => {
    const stranger = await registerUser(service)
    const token = session.accessToken
    const byHeader = await service.api('GET', '/api/v1/auth/me', { token, headers: { 'x-org-id': stranger.teamId } })
    expectRefusal(byHeader, 403, 'not_a_member')
    expectRefusal(
      await service.api('GET', `/api/v1/organizations/${stranger.teamId}`, { token }),
      404,
      'organization_not_found',
    )
  })

  it('is refreshed within its team, and not once another team stands in its place', async () => {
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', {
      body: { refreshToken: session.refreshToken },
    })
    expect(refreshed.body.team.id).toBe(vouching.teamId)
    session = refreshed.body
    const home = (teamId: string) =>
      service.sql('UPDATE sessions SET organization_id = $2 WHERE id = $1', [claimsOf(session.accessToken).sid, teamId])
    await home(user.teamId)
    expectRefusal(
      await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: session.refreshToken } }),
      401,
      'invalid_refresh_token',
    )
    await home(vouching.teamId)
    expect(
      (await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: session.refreshToken } })).status,
    ).toBe(200)
  })

  it('reaches the account when no other membership of the user counts', async () => {
    const only = await registerUser(service)
    await joinTeam(service, only, vouching.teamId, { counts: false })
    const { accessToken: token } = await openConfined(only, only.teamId)
    expect((await service.api('GET', '/api/v1/auth/sessions', { token })).status).toBe(200)
    const body = { currentPassword: only.password, newPassword: 'a new correct horse' }
    expect((await service.api('POST', '/api/v1/auth/change-password', { token, body })).status).toBe(200)
    await logIn(service, { email: only.email, password: body.newPassword })
  })

  it('is what a temporary password opens: of the team that gave it, for seven days', async () => {
    const made = await registerUser(service)
    const { email, password } = made
    await joinTeam(service, made, vouching.teamId)
    await service.sql('UPDATE passwords SET given_by_team_id = $2, confined_team_id = $2 WHERE user_id = $1', [
      made.id,
      vouching.teamId,
    ])
    const login = (teamId?: string) =>
      service.api('POST', '/api/v1/auth/login', { body: { email, password, ...(teamId && { teamId }) } })
    const { body } = await login()
    expect(body).toMatchObject({ mustChangePassword: true, team: { id: vouching.teamId } })
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: body.accessToken })
    expect(me).toMatchObject({ mustChangePassword: true, session: { confined: true } })
    expectRefusal(await login(made.teamId), 403, 'team_sign_in_required')
    await service.clock.advance(7 * DAY)
    expectRefusal(await login(), 401, 'invalid_credentials')
  })
})
