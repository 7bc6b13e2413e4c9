import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectOAuthError, isActive, refresh, registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  atOnce,
  CONCURRENT,
  expectError,
  expectSession,
  invite,
  joinTeam,
  logIn,
  makePolicy,
  onboardAdmin,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { entriesOf } from '../../../../test/harness/audit-entries.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

describe('DELETE /auth/me', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    await onboardAdmin(service)
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerVerifiedUser(service)
    // The clock moves by weeks: the session must be as recent as that of a user who has just signed in.
    Object.assign(user, await logIn(service, user))
  })

  const requestDeletion = ({ token }: Pick<TestUser, 'token'>) => service.api('DELETE', '/api/v1/auth/me', { token })
  const signIn = ({ email, password }: Pick<TestUser, 'email' | 'password'>, teamId?: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password, ...(teamId && { teamId }) } })
  const accountOf = async ({ id }: Pick<TestUser, 'id'>) =>
    (
      await service.sql<{ email: string; deletion_scheduled_at: Date | null }>(
        'SELECT email, deletion_scheduled_at FROM users WHERE id = $1',
        [id],
      )
    )[0]
  const passTime = async (milliseconds: number) => {
    await service.clock.advance(milliseconds)
    await service.settle()
  }
  const entries = (id: string, action: string) =>
    entriesOf<{ team_id: string | null; metadata: Record<string, unknown> }>(
      service,
      'SELECT team_id, metadata FROM audit_entries WHERE resource = $1 AND action = $2 ORDER BY id',
      [`user:${id}`, action],
    )
  const kindsOfMails = async (email: string) => (await service.mails(email)).map(({ kind }) => kind)
  const teamExists = async (id: string) =>
    (await service.sql('SELECT 1 FROM organizations WHERE id = $1', [id])).length > 0
  /** A team of another user in which the user is the only owner. */
  async function ownedTeam(role = 'MEMBER'): Promise<TestUser> {
    const colleague = await registerUser(service)
    await service.sql('UPDATE memberships SET role = $2 WHERE organization_id = $1', [colleague.teamId, role])
    await joinTeam(service, user, colleague.teamId, { role: 'OWNER' })
    return colleague
  }

  it('ends every session, grant and API token at once, and deletes the account with its own team after 14 days', async () => {
    const app = await registerApp(service, user)
    const tokens = await tokensFor(service, app, user, { scope: 'openid offline_access' })
    const { body: apiToken } = await service.api('POST', '/api/v1/api-tokens', {
      token: user.token,
      body: { name: 'CI', scopes: ['org:read'] },
    })
    const other = await logIn(service, user)
    const { status, body } = await requestDeletion(user)
    expect([status, body.message]).toEqual([200, expect.any(String)])
    expect(Date.parse(body.deletionScheduledAt) - service.clock.ms()).toBeGreaterThan(14 * DAY - HOUR)
    for (const { token } of [user, other]) await expectSession(service, token, 'revoked')
    expect(await isActive(service, tokens.access_token)).toBe(false)
    expectOAuthError(await refresh(service, app, tokens.refresh_token), 'invalid_grant')
    expect((await service.api('GET', '/api/v1/org', { token: apiToken.token })).status).toBe(401)

    await passTime(14 * DAY - HOUR)
    expect(await accountOf(user)).toBeDefined()
    await passTime(3 * HOUR)
    expect(await accountOf(user)).toBeUndefined()
    expect(await teamExists(user.teamId)).toBe(false)
    expectError(await signIn(user), 401, 'invalid_credentials')
    // The erasure has destroyed the key of the email address.
    expect(await entries(user.id, 'user.deleted')).toEqual([{ team_id: null, metadata: {} }])
    expect(await entries(user.id, 'user.personal_data_erased')).toMatchObject([
      { team_id: null, metadata: { keys: [expect.any(String)] } },
    ])
    expect((await kindsOfMails(user.email)).slice(-2)).toEqual(['deletion_requested', 'account_deleted'])
    // The email address is free.
    await registerUser(service, { email: user.email })
  })

  it('mails the date and how to cancel', async () => {
    const { body } = await requestDeletion(user)
    const mail = (await service.mails(user.email)).at(-1)
    expect(mail?.kind).toBe('deletion_requested')
    expect(mail?.text).toContain(body.deletionScheduledAt.slice(0, 16).replace('T', ' '))
    expect(mail?.text).toMatch(/sign in before that time/i)
    expect(mail?.link).toBe('http://localhost:3000/login')
  })

  it.each(['password', 'link'])('gets cancelled by a sign-in with a %s', async (method) => {
    await requestDeletion(user)
    await passTime(13 * DAY)
    const answer =
      method === 'password'
        ? await signIn(user)
        : await service.api('POST', '/api/v1/auth/verify', {
            body: { token: await requestToken(service, 'magic_link', user.email) },
          })
    expect([answer.status, answer.body.deletionCancelled]).toEqual([200, true])
    expect(await accountOf(user)).toEqual({ email: user.email, deletion_scheduled_at: null })
    expect(await entries(user.id, 'user.deletion_cancelled')).toEqual([
      { team_id: null, metadata: { scheduledAt: expect.any(String) } },
    ])
    await passTime(30 * DAY)
    expect(await accountOf(user)).toBeDefined()
    expect((await signIn(user)).body).not.toHaveProperty('deletionCancelled')
  })

  it('continues after a wrong password and after a sign-in that a team controls', async () => {
    const hostile = await registerUser(service)
    const password = 'handed over by the help desk'
    await addUser(service, hostile, { email: user.email, temporaryPassword: password })
    await requestDeletion(user)
    expectError(await signIn({ ...user, password: 'wrong password' }), 401, 'invalid_credentials')
    const { status, body } = await signIn({ ...user, password }, hostile.teamId)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('deletionCancelled')
    expect((await accountOf(user))?.deletion_scheduled_at).not.toBeNull()
    await passTime(14 * DAY + 2 * HOUR)
    expect(await accountOf(user)).toBeUndefined()
    expect(await teamExists(hostile.teamId)).toBe(true)
  })

  it('removes the memberships that teams added meanwhile, and records each in the log of the team', async () => {
    const [company, hostile] = [await registerUser(service), await registerUser(service)]
    await joinTeam(service, user, company.teamId)
    await logIn(service, user)
    Object.assign(user, await logIn(service, user))
    await requestDeletion(user)
    await addUser(service, hostile, { email: user.email, role: 'owner' })
    await passTime(14 * DAY + 2 * HOUR)
    expect(await accountOf(user)).toBeUndefined()
    const removed = await entries(user.id, 'member.removed')
    expect(removed.map(({ team_id }) => team_id).toSorted()).toEqual([company.teamId, hostile.teamId].toSorted())
    for (const { metadata } of removed) expect(metadata).toMatchObject({ left: true })
  })

  it('rejects the last owner of a team with other members, and names the team', async () => {
    const colleague = await ownedTeam()
    const answer = await requestDeletion(user)
    expectError(answer, 409, 'last_owner_of_teams')
    expect(answer.body.teams).toEqual([{ id: colleague.teamId, name: expect.any(String) }])
    expect(answer.body.detail).toContain(answer.body.teams[0].name)
    await expectSession(service, user.token, 'active')
    expect(await accountOf(user)).toEqual({ email: user.email, deletion_scheduled_at: null })
    // A pending or unconfirmed owner does not administer the team.
    await service.sql("UPDATE memberships SET role = 'OWNER', counts = false WHERE user_id = $1", [colleague.id])
    expectError(await requestDeletion(user), 409, 'last_owner_of_teams')
    await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [colleague.id])
    expect((await requestDeletion(user)).status).toBe(200)
  })

  it('ignores a team that made the user an owner without their confirmation', async () => {
    const hostile = await registerUser(service)
    await addUser(service, hostile, { email: user.email, role: 'owner' })
    const activated = await service.api('PUT', `/api/v1/users/${user.id}`, {
      token: hostile.token,
      body: { status: 'active' },
    })
    expect(activated.status).toBe(200)
    await service.sql("UPDATE memberships SET role = 'MEMBER' WHERE user_id = $1 AND organization_id = $2", [
      hostile.id,
      hostile.teamId,
    ])
    expect((await requestDeletion(user)).status).toBe(200)
  })

  it('postpones the deletion once if the user has become the last owner, and then passes the ownership on', async () => {
    const colleague = await ownedTeam('OWNER')
    expect((await requestDeletion(user)).status).toBe(200)
    await service.sql("UPDATE memberships SET role = 'ORG_ADMIN' WHERE user_id = $1 AND organization_id = $2", [
      colleague.id,
      colleague.teamId,
    ])
    await passTime(14 * DAY + 2 * HOUR)
    expect(await accountOf(user)).toBeDefined()
    expect(await entries(user.id, 'user.deletion_postponed')).toEqual([
      { team_id: null, metadata: expect.objectContaining({ teams: [colleague.teamId] }) },
    ])
    const mail = (await service.mails(user.email)).at(-1)
    expect([mail?.kind, mail?.text]).toEqual(['deletion_postponed', expect.stringMatching(/last owner of “/)])
    await passTime(2 * HOUR)
    expect(await entries(user.id, 'user.deletion_postponed')).toHaveLength(1)

    await passTime(14 * DAY)
    expect(await accountOf(user)).toBeUndefined()
    expect(
      await service.sql('SELECT user_id, role FROM memberships WHERE organization_id = $1', [colleague.teamId]),
    ).toEqual([{ user_id: colleague.id, role: 'OWNER' }])
  })

  it('keeps a suspended account, which could otherwise register again', async () => {
    await requestDeletion(user)
    await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id])
    await passTime(15 * DAY)
    expect(await accountOf(user)).toBeDefined()
    await service.sql("UPDATE users SET status = 'active' WHERE id = $1", [user.id])
    await passTime(2 * HOUR)
    expect(await accountOf(user)).toBeUndefined()
  })

  it('keeps a suspension by a team after the deletion', async () => {
    const company = await registerUser(service)
    await joinTeam(service, user, company.teamId)
    const { status } = await service.api('PUT', `/api/v1/users/${user.id}`, {
      token: company.token,
      body: { status: 'suspended' },
    })
    expect(status).toBe(200)
    Object.assign(user, await logIn(service, user))
    await requestDeletion(user)
    await passTime(14 * DAY + 2 * HOUR)
    expect(await accountOf(user)).toBeUndefined()
    const removed = await service.sql('SELECT email FROM removed_members WHERE organization_id = $1', [company.teamId])
    expect(removed).toEqual([{ email: user.email }])
  })

  it('rejects an unverified account that another team added, whose password a third party may have set', async () => {
    const [registrant, company] = [await registerUser(service), await registerUser(service)]
    await addUser(service, company, { email: registrant.email, firstName: 'Ada' })
    Object.assign(registrant, await logIn(service, registrant))
    expectError(await requestDeletion(registrant), 403, 'email_not_verified')
    expect((await accountOf(registrant))?.deletion_scheduled_at).toBeNull()
    await expectSession(service, registrant.token, 'active')
    await verifyEmailAddress(service, registrant)
    expect((await requestDeletion(await logIn(service, registrant))).status).toBe(200)
  })

  it('cancels the deletion of an unverified account that another team added meanwhile', async () => {
    const [registrant, company] = [await registerUser(service), await registerUser(service)]
    Object.assign(registrant, await logIn(service, registrant))
    expect((await requestDeletion(registrant)).status).toBe(200)
    await addUser(service, company, { email: registrant.email, firstName: 'Ada' })
    await passTime(14 * DAY + 2 * HOUR)
    expect(await accountOf(registrant)).toEqual({ email: registrant.email, deletion_scheduled_at: null })
    expect(await entries(registrant.id, 'user.deletion_cancelled')).toHaveLength(1)
    const { token } = await logIn(service, company)
    const { status, body } = await service.api('GET', `/api/v1/users/${registrant.id}`, { token })
    expect([status, body.firstName]).toEqual([200, 'Ada'])
    expect(await kindsOfMails(registrant.email)).not.toContain('account_deleted')
  })

  it('ends with the first verification by an invitation', async () => {
    const [registrant, company] = [await registerUser(service), await registerUser(service)]
    const { token } = await invite(service, company, registrant.email)
    expect((await requestDeletion(registrant)).status).toBe(200)
    const body = { token, password: 'a password of the owner' }
    expect((await service.api('POST', '/api/v1/invitations/accept', { body })).status).toBe(200)
    expect((await accountOf(registrant))?.deletion_scheduled_at).toBeNull()
    await passTime(14 * DAY + 2 * HOUR)
    expect(await accountOf(registrant)).toBeDefined()
  })

  it('ends with a password reset, also if no team admits the sign-in', async () => {
    await requestDeletion(user)
    const token = await requestToken(service, 'password_reset', user.email)
    const newPassword = 'a password of the owner'
    const { status } = await service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword } })
    expect(status).toBe(200)
    expect((await accountOf(user))?.deletion_scheduled_at).toBeNull()
    expect(await entries(user.id, 'user.deletion_cancelled')).toHaveLength(1)
  })

  it('ignores a team whose sign-in policy denies the user, who can appoint no other owner there', async () => {
    const hostile = await ownedTeam('OWNER')
    await makePolicy(service, hostile, {
      type: 'SIGN_ON',
      resource: 'sign-in',
      actions: ['login'],
      effect: 'DENY',
      conditions: { email: user.email },
    })
    await service.sql("UPDATE memberships SET role = 'MEMBER' WHERE user_id = $1", [hostile.id])
    expect((await requestDeletion(user)).status).toBe(200)
  })

  it('rejects a session that is restricted to a team', async () => {
    const hostile = await registerUser(service)
    const password = 'handed over by the help desk'
    await addUser(service, hostile, { email: user.email, temporaryPassword: password })
    const { body } = await signIn({ ...user, password }, hostile.teamId)
    expectError(await requestDeletion({ token: body.accessToken }), 403, 'team_sign_in_required')
    expect((await accountOf(user))?.deletion_scheduled_at).toBeNull()
  })

  it('requires a recent sign-in', async () => {
    await service.clock.advance(16 * 60_000)
    const { token } = user
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
    expectError(await requestDeletion({ token: refreshed.body.accessToken ?? token }), 403, 'reauthentication_required')
    expect((await accountOf(user))?.deletion_scheduled_at).toBeNull()
  })

  it('rejects the last owner of the team that administers the instance', async () => {
    const [instance] = await service.sql<{ id: string }>('SELECT instance_team_id AS id FROM instance_settings')
    const [admin] = await service.sql<{ email: string }>(
      'SELECT u.email FROM users u JOIN memberships m ON m.user_id = u.id WHERE m.organization_id = $1',
      [instance?.id],
    )
    const token = await requestToken(service, 'magic_link', admin?.email ?? '')
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expectError(await requestDeletion({ token: body.accessToken }), 409, 'instance_team')
  })

  it('accepts exactly one of many concurrent requests', async () => {
    const answers = await atOnce(CONCURRENT, () => requestDeletion(user))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 401, 'invalid_access_token')
    expect(await entries(user.id, 'user.deletion_requested')).toHaveLength(1)
  })

  it('ends in a session or in a deletion if the user signs in when the deletion is due', async () => {
    await requestDeletion(user)
    await service.clock.advance(14 * DAY + 2 * HOUR)
    const [answers] = await Promise.all([atOnce(10, () => signIn(user)), service.settle()])
    const account = await accountOf(user)
    if (account) expect(account.deletion_scheduled_at).toBeNull()
    for (const { status, body } of answers)
      if (status === 200 && account)
        expect((await service.api('GET', '/api/v1/auth/me', { token: body.accessToken })).status).toBe(200)
    expect(await entries(user.id, 'user.deleted')).toHaveLength(account ? 0 : 1)
  })

  it('keeps the account of a user who signed in at a node of an earlier release, which cancels nothing', async () => {
    await requestDeletion(user)
    const [scheduled] = await service.sql(
      'SELECT deletion_requested_at, deletion_scheduled_at FROM users WHERE id = $1',
      [user.id],
    )
    await passTime(DAY)
    expect((await signIn(user)).body.deletionCancelled).toBe(true)
    await service.sql('UPDATE users SET deletion_requested_at = $2, deletion_scheduled_at = $3 WHERE id = $1', [
      user.id,
      ...Object.values(scheduled ?? {}),
    ])
    await passTime(14 * DAY)
    expect(await accountOf(user)).toEqual({ email: user.email, deletion_scheduled_at: null })
  })

  it('completes each deletion exactly once in concurrent runs of the job', async () => {
    const users = [user, await registerUser(service), await registerUser(service)]
    for (const one of users) expect((await requestDeletion(one)).status).toBe(200)
    await service.settle()
    await service.sql(
      `INSERT INTO jobs (id, kind, payload, run_at, attempts, created_at)
       SELECT gen_random_uuid(), 'accounts.delete_due', '{}', $1, 0, $1 FROM generate_series(1, 6)`,
      [new Date(service.clock.ms() + 14 * DAY + HOUR)],
    )
    await service.clock.advance(14 * DAY + 2 * HOUR)
    await Promise.all([service.settle(), service.settle(), service.settle()])
    await service.sql("DELETE FROM jobs WHERE kind = 'accounts.delete_due' AND unique_name IS NULL")
    for (const one of users) {
      expect(await accountOf(one)).toBeUndefined()
      expect(await entries(one.id, 'user.deleted')).toHaveLength(1)
    }
  })

  it('completes a deletion after a restart, exactly once', async () => {
    await requestDeletion(user)
    await service.settle()
    await service.restart()
    await service.clock.advance(14 * DAY + 2 * HOUR)
    await service.restart()
    await service.settle()
    await passTime(2 * HOUR)
    expect(await accountOf(user)).toBeUndefined()
    expect(await entries(user.id, 'user.deleted')).toHaveLength(1)
    expect((await kindsOfMails(user.email)).filter((kind) => kind === 'account_deleted')).toHaveLength(1)
  })

  it('lets a new account of the email address accept an invitation that was sent before', async () => {
    const company = await registerUser(service)
    await requestDeletion(user)
    await passTime(10 * DAY)
    Object.assign(company, await logIn(service, company))
    const { token } = await invite(service, company, user.email)
    await passTime(4 * DAY + 2 * HOUR)
    expect(await accountOf(user)).toBeUndefined()
    const { status, body } = await service.api('POST', '/api/v1/invitations/accept', {
      body: { token, password: PASSWORD },
    })
    expect(status).toBe(200)
    expect(body.user.id).not.toBe(user.id)
  })
})
