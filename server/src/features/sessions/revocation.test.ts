import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  claimsOf,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const NEW_PASSWORD = 'a new correct horse'

interface Scene {
  user: TestUser
  /** Another session of the same user, in the same team. */
  other: TestUser
}
type Cause = [what: string, act: (service: TestService, scene: Scene) => Promise<unknown>]

const post = (service: TestService, path: string, token: string, body?: object) =>
  service.api('POST', `/api/v1${path}`, { token, body })

/** Each ends the session `user`; those of the first list do not end `other`. */
const ENDS_ONE: Cause[] = [
  ['its sign-out', (service, { user }) => post(service, '/auth/logout', user.token)],
  ['its sign-out with that of its provider', (service, { user }) => post(service, '/sso/logout', user.token)],
  [
    'its end in the list',
    (service, { user, other }) =>
      service.api('DELETE', `/api/v1/auth/sessions/${claimsOf(user.token).sid}`, { token: other.token }),
  ],
  [
    'the end of all others',
    (service, { other }) => service.api('DELETE', '/api/v1/auth/sessions', { token: other.token }),
  ],
  [
    'a password change in another session',
    (service, { other }) =>
      post(service, '/auth/change-password', other.token, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
  ],
]

const member =
  (change: string): Cause[1] =>
  (service, { user }) =>
    service.sql(`${change} WHERE user_id = $1 AND organization_id = $2`, [user.id, user.teamId])
const ENDS_ALL: Cause[] = [
  [
    'a password reset',
    async (service, { user }) => {
      const token = await requestToken(service, 'password_reset', user.email)
      return service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword: NEW_PASSWORD } })
    },
  ],
  [
    'the suspension of the account',
    (service, { user }) => service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id]),
  ],
  ['the deletion of the account', (service, { user }) => service.sql('DELETE FROM users WHERE id = $1', [user.id])],
  ['the suspension of the membership', member("UPDATE memberships SET status = 'suspended'")],
  ['the deletion of the membership', member('DELETE FROM memberships')],
  [
    'the suspension of the team',
    (service, { user }) => service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [user.teamId]),
  ],
  [
    'the deletion of the team',
    (service, { user }) => service.sql('DELETE FROM organizations WHERE id = $1', [user.teamId]),
  ],
]

describe('the next request on every node', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  /** Two sessions of a member of another user's team, each accepted by every node before. */
  async function scene(): Promise<Scene> {
    const [user, owner] = [await registerUser(service), await registerUser(service)]
    await joinTeam(service, user, owner.teamId)
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, user.teamId])
    const sessions = { user: await logIn(service, user), other: await logIn(service, user) }
    for (const { token } of Object.values(sessions)) await expectSession(service, token, 'active')
    return sessions
  }

  async function expectRevoked({ token, refreshToken }: TestUser): Promise<void> {
    await expectSession(service, token, 'revoked')
    for (const node of service.urls.keys()) {
      const answer = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken }, node })
      expectError(answer, 401, 'invalid_refresh_token')
    }
  }

  it.each(ENDS_ONE)('fails in a session and with its refresh tokens, and in no other, after %s', async (_, act) => {
    const { user, other } = await scene()
    await act(service, { user, other })
    await expectRevoked(user)
    await expectSession(service, other.token, 'active')
    const { status } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: other.refreshToken } })
    expect(status).toBe(200)
  })

  it.each(ENDS_ALL)('fails in every session of the user and with every refresh token after %s', async (_, act) => {
    const { user, other } = await scene()
    await act(service, { user, other })
    await expectRevoked(user)
    await expectRevoked(other)
  })

  it('succeeds in a suspended team for members who may reactivate it', async () => {
    const owner = await registerUser(service)
    await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [owner.teamId])
    await expectSession(service, owner.token, 'active')
    const { status } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: owner.refreshToken } })
    expect(status).toBe(200)
  })

  it('fails after the suspension of another team in that one alone', async () => {
    const [user, owner] = [await registerUser(service), await registerUser(service)]
    await joinTeam(service, user, owner.teamId)
    await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [owner.teamId])
    await expectSession(service, user.token, 'active')
    const headers = { 'x-org-id': owner.teamId }
    expectError(await service.api('GET', '/api/v1/auth/me', { token: user.token, headers }), 403, 'team_suspended')
  })

  it('has the permissions of a lower role', async () => {
    const user = await registerUser(service)
    const put = () => service.api('PUT', '/api/v1/settings', { token: user.token, body: { name: 'Name' } })
    expect((await put()).status).toBe(200)
    await service.sql("UPDATE memberships SET role = 'MEMBER' WHERE user_id = $1", [user.id])
    for (const _ of service.urls) expectError(await put(), 403, 'forbidden')
  })
})
