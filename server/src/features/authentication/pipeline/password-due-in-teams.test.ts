import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, registerApp, uidOf } from '../../../../test/doubles/relying-party.js'
import {
  expectError,
  joinTeam,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const LONG = 'x'.repeat(100)

describe('a password that does not meet the policy of a team', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const require = async ({ token }: TestUser, policy: object) =>
    expect((await service.api('PUT', '/api/v1/policies/password', { token, body: policy })).status).toBe(200)
  /** A user, who is a member of a team with this policy. */
  async function memberUnder(policy: object, { counts = true } = {}): Promise<{ user: TestUser; strict: TestUser }> {
    const [user, strict] = [await registerUser(service), await registerUser(service)]
    await verifyEmailAddress(service, user)
    await require(strict, policy)
    await joinTeam(service, user, strict.teamId, { counts })
    return { user, strict }
  }
  async function reset(user: TestUser, newPassword: string): Promise<void> {
    const token = await requestToken(service, 'password_reset', user.email)
    const { status, text } = await service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword } })
    expect(status, text).toBe(200)
  }
  const signIn = async ({ email }: TestUser, password: string, teamId?: string) => {
    const body = { email, password, ...(teamId && { teamId }) }
    const answer = await service.api('POST', '/api/v1/auth/login', { body })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const work = (token: string, teamId?: string) =>
    service.api('GET', '/api/v1/settings', { token, ...(teamId && { headers: { 'x-org-id': teamId } }) })
  const change = (token: string, currentPassword: string, newPassword: string, teamId?: string) =>
    service.api('POST', '/api/v1/auth/change-password', {
      token,
      body: { currentPassword, newPassword },
      ...(teamId && { headers: { 'x-org-id': teamId } }),
    })
  const switchTo = (token: string, teamId: string) =>
    service.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId } })

  it('requires a password change only in that team after a reset, until the password is changed there', async () => {
    const { user, strict } = await memberUnder({ minLength: 100 })
    const short = 'x'.repeat(64)
    await reset(user, short)
    const there = await signIn(user, short, strict.teamId)
    expect(there.mustChangePassword).toBe(true)
    expectError(await work(there.accessToken), 403, 'password_change_required')
    expect((await work(there.accessToken, user.teamId)).status).toBe(200)
    const here = await signIn(user, short, user.teamId)
    expect(here).not.toHaveProperty('mustChangePassword')
    expect((await work(here.accessToken)).status).toBe(200)
    for (let node = 0; node < service.urls.length; node++)
      expectError(await work(here.accessToken, strict.teamId), 403, 'password_change_required')
    const rejected = await change(there.accessToken, short, 'y'.repeat(99))
    expect(rejected.body.errors).toEqual([expect.objectContaining({ rule: 'min_length' })])
    expect((await change(there.accessToken, short, LONG)).status).toBe(200)
    expect((await work(there.accessToken)).status).toBe(200)
    expect((await work((await signIn(user, LONG, strict.teamId)).accessToken)).status).toBe(200)
  })

  it('requires no change in a team with a policy that it meets', async () => {
    const { user, strict } = await memberUnder({ minLength: 100 })
    await reset(user, LONG)
    expect((await work((await signIn(user, LONG, strict.teamId)).accessToken)).status).toBe(200)
  })

  it('requires a change in that team after a change in the session of another one', async () => {
    const { user, strict } = await memberUnder({ requireSymbols: true, requireNumbers: true })
    const { accessToken } = await signIn(user, PASSWORD, user.teamId)
    expect((await work(accessToken, strict.teamId)).status).toBe(200)
    const plain = 'a battery without any'
    expect((await change(accessToken, PASSWORD, plain)).status).toBe(200)
    expect((await work(accessToken)).status).toBe(200)
    expectError(await work(accessToken, strict.teamId), 403, 'password_change_required')
    const moved = await switchTo(accessToken, strict.teamId)
    expect([moved.status, moved.body.mustChangePassword]).toEqual([200, true])
    expectError(await work(moved.body.accessToken), 403, 'password_change_required')
    const back = await switchTo(moved.body.accessToken, user.teamId)
    expect(back.body).not.toHaveProperty('mustChangePassword')
    expect((await work(back.body.accessToken)).status).toBe(200)
    expect((await change(back.body.accessToken, plain, `${plain} #1`, strict.teamId)).status).toBe(200)
    expect((await work(back.body.accessToken, strict.teamId)).status).toBe(200)
  })

  it('requires a change in the selected team of the session after a change that names another one', async () => {
    const { user, strict } = await memberUnder({ requireSymbols: true })
    const { accessToken } = await signIn(user, PASSWORD, strict.teamId)
    const plain = 'a battery without any'
    expect((await change(accessToken, PASSWORD, plain, user.teamId)).status).toBe(200)
    expectError(await work(accessToken), 403, 'password_change_required')
    expect((await work(accessToken, user.teamId)).status).toBe(200)
    const { refreshToken } = await signIn(user, plain, strict.teamId)
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })
    expect(refreshed.body.mustChangePassword).toBe(true)
  })

  it('requires a change at a sign-in to an application of that team, and at that of no other', async () => {
    const { user, strict } = await memberUnder({ minLength: 100 })
    const apps = [await registerApp(service, strict), await registerApp(service, user)]
    await reset(user, 'x'.repeat(64))
    const { accessToken: token } = await signIn(user, 'x'.repeat(64), user.teamId)
    const look = () =>
      Promise.all(
        apps.map(async (app) => {
          const uid = uidOf(await authorize(service, app))
          const { status, body } = await service.api('GET', `${app.idp}/interaction/${uid}`, { token })
          return status === 200 ? status : body.code
        }),
      )
    expect(await look()).toEqual(['password_change_required', 200])
    expect((await change(token, 'x'.repeat(64), LONG, strict.teamId)).status).toBe(200)
    expect(await look()).toEqual([200, 200])
  })

  it('limits no session that a mailed link started, and none in a team of the user', async () => {
    const { user, strict } = await memberUnder({ minLength: 128, requireSymbols: true, requireUppercase: true })
    const weak = 'a battery #1 Staple'.padEnd(64, 'x')
    await reset(user, weak)
    // The strict team is the default team by now, and the sign-in names none.
    await signIn(user, weak, strict.teamId)
    const there = await signIn(user, weak)
    expect([there.team.id, there.mustChangePassword]).toEqual([strict.teamId, true])
    const own = await switchTo(there.accessToken, user.teamId)
    expect((await work(own.body.accessToken)).status).toBe(200)
    const token = await requestToken(service, 'magic_link', user.email)
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(body).not.toHaveProperty('mustChangePassword')
    expect((await work(body.accessToken, strict.teamId)).status).toBe(200)
  })

  it('requires no change in a team with an unconfirmed membership', async () => {
    const { user, strict } = await memberUnder({ minLength: 100 }, { counts: false })
    await reset(user, 'a new battery staple')
    const { accessToken } = await signIn(user, 'a new battery staple', strict.teamId)
    expect((await work(accessToken)).status).toBe(200)
  })

  it('ignores a later policy change until the next password change', async () => {
    const { user, strict } = await memberUnder({})
    await reset(user, 'a new battery staple')
    await require(strict, { minLength: 60 })
    expect((await work((await signIn(user, 'a new battery staple', strict.teamId)).accessToken)).status).toBe(200)
    const here = await signIn(user, 'a new battery staple', user.teamId)
    expect((await change(here.accessToken, 'a new battery staple', 'a third battery staple')).status).toBe(200)
    const due = () => signIn(user, 'a third battery staple', strict.teamId)
    expect((await due()).mustChangePassword).toBe(true)
    await require(strict, { minLength: 8 })
    expect((await due()).mustChangePassword).toBe(true)
    expect((await change((await due()).accessToken, 'a third battery staple', 'a fourth battery staple')).status).toBe(
      200,
    )
    const { accessToken } = await signIn(user, 'a fourth battery staple', strict.teamId)
    expect((await work(accessToken)).status).toBe(200)
  })

  it('requires no change because of a team password', async () => {
    const { user, strict } = await memberUnder({ minLength: 100 })
    const temporaryPassword = 't'.repeat(100)
    const given = await service.api('POST', `/api/v1/users/${user.id}/password-reset`, {
      token: strict.token,
      body: { temporaryPassword },
    })
    expect(given.status, given.text).toBe(200)
    const { accessToken } = await signIn(user, temporaryPassword, strict.teamId)
    expect((await change(accessToken, temporaryPassword, LONG)).status).toBe(200)
    expect((await work(accessToken)).status).toBe(200)
    expect((await work((await signIn(user, PASSWORD, user.teamId)).accessToken)).status).toBe(200)
  })
})
