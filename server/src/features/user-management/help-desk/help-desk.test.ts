import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  atOnce,
  expectError,
  expectSession,
  logIn,
  mailedToken,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import {
  beginLogIn,
  completeChallengeWithCode,
  enrollApp,
  enrollPasskey,
  startApp,
} from '../../../../test/factories/factors.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const GIVEN = 'given by the help desk'

describe('the help desk', () => {
  let service: TestService
  let owner: TestUser
  let helper: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
    await verifyEmailAddress(service, owner)
    helper = await addColleague(service, owner)
    await service.sql("UPDATE memberships SET role = 'HELP_DESK_ADMIN' WHERE user_id = $1", [helper.id])
  })
  afterAll(() => service.close())

  const help = (id: string, path: string, body?: unknown, by = helper) =>
    service.api('POST', `/api/v1/users/${id}/${path}`, { token: by.token, body })
  const login = (user: { email: string }, password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password } })

  it('mails a link to choose a password to any member, and changes nothing yet', async () => {
    const { status, body } = await help(owner.id, 'password-reset', {})
    expect([status, body]).toEqual([200, { message: expect.any(String) }])
    const token = await mailedToken(service, 'password_reset', owner.email)
    await expectSession(service, owner.token, 'active')
    const chosen = await service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword: PASSWORD } })
    expect(chosen.status).toBe(200)
    owner = await logIn(service, owner)
  })

  it('sets a temporary password, ends all sessions and notifies the user, who must change it at the next sign-in', async () => {
    const user = await addColleague(service, owner)
    const other = await logIn(service, user)
    expect((await help(user.id, 'password-reset', { temporaryPassword: GIVEN })).status).toBe(200)
    for (const { token } of [user, other]) await expectSession(service, token, 'revoked')
    expectError(await login(user, user.password), 401, 'invalid_credentials')
    expect((await login(user, GIVEN)).body).toMatchObject({ mustChangePassword: true })
    const mail = (await service.mails(user.email)).find(({ kind }) => kind === 'password_given')
    expect(mail?.text).toContain('temporary password')
    expect(mail?.text).not.toContain(GIVEN)
  })

  it('unlocks the account when setting a temporary password', async () => {
    const user = await addColleague(service, owner)
    for (let turn = 0; turn < 10; turn++) await login(user, 'wrong wrong wrong')
    expectError(await login(user, user.password), 401, 'invalid_credentials')
    await help(user.id, 'password-reset', { temporaryPassword: GIVEN })
    expect((await login(user, GIVEN)).status).toBe(200)
  })

  it("rejects a password that violates the policy, and one for the caller's own account", async () => {
    const user = await addColleague(service, owner)
    expectError(await help(user.id, 'password-reset', { temporaryPassword: 'x' }), 400, 'password_policy')
    expectError(await help(helper.id, 'password-reset', { temporaryPassword: GIVEN }), 403, 'forbidden')
    expectError(await help(user.id, 'password-reset', { temporaryPassword: 7 }), 400, 'invalid_request')
    await expectSession(service, user.token, 'active')
  })

  it.each(['DELETE sessions', 'POST sessions/revoke'])('ends the sessions in the team with %s', async (row) => {
    const user = await addColleague(service, owner)
    const other = await logIn(service, user)
    const path = `/api/v1/users/${user.id}`
    const { body } = await service.api('GET', `${path}/sessions`, { token: helper.token })
    expect(body.data).toHaveLength(2)
    expect(body.data[0]).toMatchObject({ current: false, method: 'password', team: { id: owner.teamId } })
    const [method = '', end] = row.split(' ')
    const ended = await service.api(method, `${path}/${end}`, { token: helper.token })
    expect([ended.status, ended.body.ended]).toEqual([200, 2])
    for (const { token } of [user, other]) await expectSession(service, token, 'revoked')
    expect((await service.api('GET', `${path}/sessions`, { token: helper.token })).body.data).toEqual([])
    expect((await logIn(service, user)).id).toBe(user.id)
  })

  it('mails another welcome link to a pending user, which expires when the earlier one is redeemed', async () => {
    const user = await addUser(service, owner)
    const old = await mailedToken(service, 'welcome', user.email)
    expect((await help(user.id, 'invite/resend', undefined, owner)).status).toBe(200)
    const token = await mailedToken(service, 'welcome', user.email)
    const verify = (token: string) => service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect((await verify(old)).status).toBe(200)
    expectError(await verify(token), 400, 'invalid_token')
    expectError(await help(user.id, 'invite/resend', undefined, owner), 409, 'not_pending')
  })

  describe('POST /users/{id}/mfa/reset', () => {
    beforeAll(async () => {
      owner = await logIn(service, owner)
      helper = await logIn(service, helper)
    })

    const factorsOf = async ({ id }: Pick<TestUser, 'id'>) =>
      (await service.sql('SELECT id FROM factors WHERE user_id = $1', [id])).length
    /** Creates a colleague with an authenticator app, a passkey, backup codes and a pending enrollment. */
    async function withFactors(by = owner) {
      const user = await addColleague(service, by)
      const app = await enrollApp(service, user)
      const { authenticator } = await enrollPasskey(service, user)
      await startApp(service, user)
      return { user, app, authenticator }
    }

    it('removes all factors, backup codes, pending enrollments and passkeys; the password then suffices', async () => {
      const { user, app, authenticator } = await withFactors()
      const waiting = await beginLogIn(service, user)
      await service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', { token: user.token, body: { enabled: true } })
      const { status, body } = await help(user.id, 'mfa/reset')
      expect([status, body]).toEqual([200, { message: expect.any(String), removed: 2 }])
      expect(await factorsOf(user)).toBe(0)
      expect((await login(user, PASSWORD)).body).toMatchObject({
        accessToken: expect.any(String),
        mfa: { enabled: false },
      })
      expect((await completeChallengeWithCode(service, waiting.mfaToken, app.code())).status).not.toBe(200)
      const { body: options } = await service.api('POST', '/api/v1/auth/passkey/options')
      const credential = authenticator.get(options)
      expectError(
        await service.api('POST', '/api/v1/auth/passkey/verify', { body: { credential } }),
        401,
        'passkey_invalid',
      )
      const mfa = await service.api('GET', '/api/v1/auth/mfa/status', { token: (await logIn(service, user)).token })
      expect(mfa.body).toEqual({ enabled: false, adaptive: false, backupCodesLeft: 0, methods: [] })
    })

    it('notifies the user and records it in the log of the team', async () => {
      const { user } = await withFactors()
      await help(user.id, 'mfa/reset')
      const mails = (await service.mails(user.email)).filter(({ subject }) => /factors were reset/.test(subject))
      expect(mails).toMatchObject([{ kind: 'factor_changed' }])
      expect(mails[0]?.text).toContain('An administrator of')
      const entries = await service.sql(
        "SELECT user_id, team_id, result, metadata FROM audit_entries WHERE action = 'user.factors_reset' AND resource = $1",
        [`user:${user.id}`],
      )
      expect(entries).toEqual([
        { user_id: helper.id, team_id: owner.teamId, result: 'SUCCESS', metadata: { removed: 2 } },
      ])
    })

    it('sends no mail without factors, and counts each factor once across concurrent resets', async () => {
      const plain = await addColleague(service, owner)
      expect((await help(plain.id, 'mfa/reset')).body).toMatchObject({ removed: 0 })
      expect((await service.mails(plain.email)).filter(({ kind }) => kind === 'factor_changed')).toEqual([])
      const { user } = await withFactors()
      const answers = await atOnce(5, () => help(user.id, 'mfa/reset'))
      expect(answers.map(({ body }) => body.removed).sort()).toEqual([0, 0, 0, 0, 2])
      const mails = (await service.mails(user.email)).filter(({ subject }) => /factors were reset/.test(subject))
      expect(mails).toHaveLength(1)
    })

    it('accepts an API token with users:credentials and all permissions of the target', async () => {
      const { user } = await withFactors()
      const reset = async (...scopes: string[]) => {
        const body = { name: 'Desk', scopes }
        const made = await service.api('POST', '/api/v1/api-tokens', { token: owner.token, body })
        return help(user.id, 'mfa/reset', undefined, made.body)
      }
      const before = await factorsOf(user)
      expectError(await reset('users:read', 'users:write', 'org:read'), 403, 'forbidden')
      // The token has no org:read, so the member has more permissions than the token.
      expectError(await reset('users:credentials'), 403, 'role_protected')
      expect(await factorsOf(user)).toBe(before)
      expect((await reset('users:credentials', 'org:read')).body.removed).toBe(2)
    })

    it.each<[who: string, code: string, status: number, act: () => Promise<{ id: string; by?: TestUser }>]>([
      [
        'a member with a higher role',
        'role_protected',
        403,
        async () => {
          const { user } = await withFactors()
          await service.sql("UPDATE memberships SET role = 'ORG_ADMIN' WHERE user_id = $1", [user.id])
          return { id: user.id }
        },
      ],
      [
        'a user of another team',
        'user_not_found',
        404,
        async () => {
          const user = await registerUser(service)
          await enrollApp(service, user)
          return { id: user.id, by: owner }
        },
      ],
      ['an unknown ID', 'user_not_found', 404, async () => ({ id: '00000000-0000-7000-8000-000000000000' })],
      [
        "the caller's own account",
        'forbidden',
        403,
        async () => {
          const { user } = await withFactors()
          await service.sql("UPDATE memberships SET role = 'HELP_DESK_ADMIN' WHERE user_id = $1", [user.id])
          return { id: user.id, by: user }
        },
      ],
      [
        'a caller without users:credentials',
        'forbidden',
        403,
        async () => ({ id: (await withFactors()).user.id, by: await addColleague(service, owner) }),
      ],
    ])('rejects %s', async (_, code, status, act) => {
      const { id, by } = await act()
      const before = await dumpState(service)
      expectError(await help(id, 'mfa/reset', undefined, by), status, code)
      expect(await dumpState(service)).toEqual(before)
    })
  })
})
