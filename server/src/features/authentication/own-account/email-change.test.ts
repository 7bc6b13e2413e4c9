import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  addUser,
  atOnce,
  CONCURRENT,
  comparable,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  mailedToken,
  makeGroup,
  newEmail,
  registerApplication,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { readMails } from '../../../../test/harness/mailbox.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'
import type { UserId } from '../../../platform/ids.js'
import { lockUser } from '../../users/index.js'

let service: TestService
let user: TestUser
beforeAll(async () => {
  // This test sends many failed confirmations from one IP address.
  service = await startService({ env: { LIMIT_MAILS: '100' } })
})
afterAll(() => service.close())
beforeEach(async () => {
  user = await registerUser(service, { overHttp: true })
})

const ask = (email: string, { token } = user) =>
  service.api('POST', '/api/v1/auth/me/email', { token, body: { email } })
const confirm = (token: string, by: TestUser = user) =>
  service.api('POST', '/api/v1/auth/confirm-email', { token: by.token, body: { token } })
const askFor = async (email: string) => {
  expect((await ask(email)).status).toBe(200)
  return mailedToken(service, 'change_email', email)
}
const kindsTo = async (email: string) => (await service.mails(email)).map(({ kind }) => kind)
const addressOf = async () => (await service.api('GET', '/api/v1/auth/me', { token: user.token })).body.user.email

describe('a change of the email address', () => {
  it('takes effect by the link to the new one, verifies it, keeps sessions, and notifies the old one', async () => {
    const other = await logIn(service, user)
    const to = newEmail('new')
    const token = await askFor(to)
    expect(await addressOf()).toBe(user.email)
    expect((await confirm(token)).status).toBe(200)
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    expect([me.user.email, me.emailVerified]).toEqual([to, true])
    await expectSession(service, other.token, 'active')
    expect(await kindsTo(user.email)).toEqual(expect.arrayContaining(['email_change_asked', 'email_changed']))
    expectError(
      await service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } }),
      401,
      'invalid_credentials',
    )
    await logIn(service, { email: to, password: user.password })
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=user.email_changed', { token: user.token })
    expect(body.data[0]).toMatchObject({ resource: `user:${user.id}`, metadata: { from: user.email, to } })
    // The old email address is available again.
    await registerUser(service, { email: user.email })
  })

  it('returns the same response for an email address with an account, and notifies only its owner', async () => {
    const taken = await registerUser(service)
    const free = await ask(newEmail('free'))
    const answer = await ask(taken.email)
    expect(comparable(answer)).toEqual(comparable(free))
    expect(await kindsTo(taken.email)).toContain('address_in_use')
    expect(await kindsTo(taken.email)).not.toContain('change_email')
  })

  it('revokes every link that was mailed to the old one', async () => {
    const reset = await requestToken(service, 'password_reset', user.email)
    const proof = await mailedToken(service, 'verify_email', user.email)
    const magic = await requestToken(service, 'magic_link', user.email)
    await confirm(await askFor(newEmail('new')))
    for (const [path, body] of [
      ['reset-password', { token: reset, newPassword: 'another good password' }],
      ['verify', { token: magic }],
      ['verify-email', { token: proof }],
    ] as const)
      expectError(await service.api('POST', `/api/v1/auth/${path}`, { token: user.token, body }), 400, 'invalid_token')
  })

  it('requires a session of the account itself, and rejects another account without using the link', async () => {
    const to = newEmail('mistyped')
    const token = await askFor(to)
    const outsider = await registerUser(service)
    expectError(await confirm(token, outsider), 403, 'wrong_account')
    expectError(await service.api('POST', '/api/v1/auth/confirm-email', { body: { token } }), 401, 'unauthorized')
    expect((await confirm(token)).status).toBe(200)
  })

  it('accepts only the newest link, once, for a day, and not after another change', async () => {
    const first = await askFor(newEmail('first'))
    const second = await askFor(newEmail('second'))
    expectError(await confirm(first), 400, 'invalid_token')
    expect((await confirm(second)).status).toBe(200)
    expectError(await confirm(second), 400, 'invalid_token')

    user = await registerUser(service, { overHttp: true })
    const stale = await askFor(newEmail('stale'))
    await service.sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, newEmail('elsewhere')])
    expectError(await confirm(stale), 400, 'invalid_token')

    user = await registerUser(service, { overHttp: true })
    const late = await askFor(newEmail('late'))
    await service.clock.advance(24 * 3_600_000 + 1)
    user = await logIn(service, user)
    expectError(await confirm(late), 400, 'invalid_token')
    await service.sql('DELETE FROM throttle_counters')
  })

  it('takes effect once across many concurrent confirmations', async () => {
    const token = await askFor(newEmail('raced'))
    const answers = await atOnce(CONCURRENT, () => confirm(token))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    for (const status of statuses) expect([200, 400, 429]).toContain(status)
    await service.sql('DELETE FROM throttle_counters')
  })

  it('fails if another account took the email address meanwhile, also concurrently', async () => {
    const to = newEmail('contested')
    const token = await askFor(to)
    await registerUser(service, { email: to })
    expectError(await confirm(token), 409, 'email_taken')
    expect(await addressOf()).toBe(user.email)

    const wanted = newEmail('wanted')
    const rivals = await atOnce(5, () => registerUser(service))
    const tokens: string[] = []
    for (const rival of rivals) {
      user = rival
      tokens.push(await askFor(wanted))
    }
    const answers = await atOnce(5, (index) => confirm(tokens[index] as string, rivals[index]))
    const taken = Array(4).fill('409 email_taken')
    expect(answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body?.code}`)).sort()).toEqual([
      '200',
      ...taken,
    ])
  })

  describe('to an unverified email address that teams have added', () => {
    const TEMPORARY = 'handed over by the help desk'
    const call = async (by: TestUser, method: string, path: string, body?: object) => {
      const answer = await service.api(method, `/api/v1${path}`, { token: by.token, body })
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    }

    it('succeeds and moves the memberships with their team profiles', async () => {
      const [team, other] = [await registerUser(service), await registerUser(service)]
      await verifyEmailAddress(service, user)
      const to = newEmail('placeholder')
      const added = await addUser(service, team, { email: to, firstName: 'Kim', temporaryPassword: TEMPORARY })
      await addUser(service, other, { email: to })
      const group = await makeGroup(service, team.teamId)
      await call(team, 'PUT', `/users/${added.id}/groups`, { groupIds: [group] })
      const app = await registerApplication(service, team)
      await call(team, 'PUT', `/users/${added.id}/applications`, { applicationIds: [app.id] })

      expect(comparable(await ask(to))).toEqual(comparable(await ask(newEmail('free'))))
      const token = await askFor(to)
      expect(await kindsTo(to)).not.toContain('address_in_use')
      expect((await confirm(token)).status).toBe(200)
      const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: user.token })
      expect([me.user.id, me.user.email, me.emailVerified, me.team.id]).toEqual([user.id, to, true, user.teamId])

      const waiting = await call(user, 'GET', '/organizations/waiting')
      expect(waiting.data.map(({ id }: { id: string }) => id).sort()).toEqual([team.teamId, other.teamId].sort())
      const members = await call(team, 'GET', '/users')
      const member = members.data.find(({ email }: { email: string }) => email === to)
      expect(member).toMatchObject({ id: user.id, firstName: 'Kim', emailVerified: false })
      for (const table of ['group_members', 'application_users'])
        expect(
          await service.sql(`SELECT user_id AS id FROM ${table} WHERE organization_id = $1`, [team.teamId]),
        ).toEqual([{ id: user.id }])
      const log = await call(team, 'GET', '/audit/logs?limit=20')
      const entries = log.data.map(({ action, resource }: Record<string, string>) => `${action} ${resource}`)
      expect(entries).toEqual(
        expect.arrayContaining([`member.removed user:${added.id}`, `member.added user:${user.id}`]),
      )
      // Credentials that a team had set for the placeholder are not valid.
      for (const teamId of [undefined, team.teamId])
        expectError(
          await service.api('POST', '/api/v1/auth/login', { body: { email: to, password: TEMPORARY, teamId } }),
          401,
          'invalid_credentials',
        )
      expect(await service.sql('SELECT 1 FROM users WHERE id = $1', [added.id])).toEqual([])
    })

    it('succeeds after the address was used to sign in to the team', async () => {
      const team = await registerUser(service)
      const to = newEmail('placeholder')
      await addUser(service, team, { email: to, temporaryPassword: TEMPORARY })
      await service.api('POST', '/api/v1/auth/login', {
        body: { email: to, password: TEMPORARY, teamId: team.teamId },
      })
      expect(await service.sql('SELECT 1 FROM team_sign_ins WHERE organization_id = $1', [team.teamId])).toHaveLength(1)
      expect((await confirm(await askFor(to))).status).toBe(200)
      // The team compares a sign-in of the user with none of the placeholder.
      expect(await service.sql('SELECT 1 FROM team_sign_ins WHERE organization_id = $1', [team.teamId])).toEqual([])
    })

    it('moves or deletes the rows of every table that references a membership', async () => {
      const tables = await service.sql(
        `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
         WHERE confrelid = 'memberships'::regclass AND contype = 'f' AND cardinality(conkey) = 2 ORDER BY 1`,
      )
      // Each has a part in `createMoveMemberships`; the ID of a membership does not change.
      expect(tables.map(({ name }) => name)).toEqual([
        'application_users',
        'directory_entries',
        'group_members',
        'team_passwords',
        'team_sign_ins',
        'temporary_setters',
      ])
    })

    it('preserves the existing membership in the same team', async () => {
      const team = await registerUser(service)
      await verifyEmailAddress(service, user)
      await joinTeam(service, user, team.teamId, { role: 'ORG_ADMIN' })
      const to = newEmail('placeholder')
      await addUser(service, team, { email: to })
      expect((await confirm(await askFor(to))).status).toBe(200)
      const members = await call(team, 'GET', `/organizations/${team.teamId}/members`)
      const found = members.data.filter(({ email }: { email: string }) => email === to)
      expect(found.map(({ role }: { role: string }) => role)).toEqual(['ORG_ADMIN'])
    })

    it('fails while an administrator of the instance has suspended that account', async () => {
      const to = newEmail('suspended')
      await addUser(service, await registerUser(service), { email: to })
      const token = await askFor(to)
      await service.sql("UPDATE users SET status = 'suspended' WHERE email = $1", [to])
      expectError(await confirm(token), 409, 'email_taken')
    })

    it('succeeds once when the owner verifies that account concurrently', async () => {
      for (let round = 0; round < 3; round++) {
        user = await registerUser(service)
        const to = newEmail('contested')
        await addUser(service, await registerUser(service), { email: to })
        const token = await askFor(to)
        const link = await requestToken(service, 'magic_link', to)
        const [changed, verified] = await Promise.all([
          confirm(token),
          service.api('POST', '/api/v1/auth/verify', { body: { token: link } }),
        ])
        expect([changed.status, verified.status].sort()).toEqual(changed.status === 200 ? [200, 400] : [200, 409])
        const rows = await service.sql('SELECT id FROM users WHERE email = $1', [to])
        expect(rows).toHaveLength(1)
      }
    })
  })

  it('requires a recent sign-in and a different email address of an allowed domain', async () => {
    expectError(await ask(user.email.toUpperCase()), 400, 'invalid_request')
    expectError(await ask('no address'), 400, 'invalid_request')
    await service.sql(`UPDATE instance_settings SET allowed_domains = '{example.org}'`)
    expectError(await ask(newEmail()), 403, 'sign_up_not_allowed')
    await service.sql(`UPDATE instance_settings SET allowed_domains = '{}'`)
    const token = await askFor(newEmail('later'))
    await service.sql(`UPDATE instance_settings SET allowed_domains = '{example.org}'`)
    expectError(await confirm(token), 403, 'sign_up_not_allowed')
    await service.sql(`UPDATE instance_settings SET allowed_domains = '{}'`)
    await service.sql("UPDATE sessions SET authenticated_at = authenticated_at - interval '16 minutes'")
    expectError(await ask(newEmail()), 403, 'reauthentication_required')
  })

  it('mails only the newest of several waiting requests', async () => {
    const [first, second] = [newEmail('first'), newEmail('second')]
    await service.sql(
      `CREATE FUNCTION fail_link() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.kind = 'change_email' THEN RAISE EXCEPTION 'fails'; END IF; RETURN NEW; END $$`,
    )
    await service.sql(
      'CREATE TRIGGER fail_link BEFORE INSERT ON one_time_tokens FOR EACH ROW EXECUTE FUNCTION fail_link()',
    )
    try {
      for (const email of [first, second]) {
        expect((await ask(email)).status).toBe(200)
        await service.settle()
      }
      const other = await registerUser(service)
      expect((await ask(newEmail('other'), other)).status).toBe(200)
      await service.settle()
    } finally {
      await service.sql('DROP TRIGGER fail_link ON one_time_tokens')
      await service.sql('DROP FUNCTION fail_link')
    }
    const waiting = () =>
      service.sql(
        "SELECT payload->>'to' AS to FROM jobs WHERE kind = 'accounts.change_email' AND payload->>'userId' = $1",
        [user.id],
      )
    expect(await waiting()).toEqual([{ to: second }])
    await service.clock.advance(60_000)
    expect(await kindsTo(second)).toContain('change_email')
    expect(await kindsTo(first)).toEqual([])
    expect(await service.sql("SELECT 1 FROM jobs WHERE kind = 'accounts.change_email'")).toEqual([])
  })

  it.skipIf(!SERVER_URL)('delays no link of another user while the account is locked', async () => {
    const other = await registerUser(service)
    const mailsOf = async () => (await readMails(service.dataDir)).filter(({ to }) => to === other.email)
    await service.db.transaction(async (tx) => {
      await lockUser(tx, user.id as UserId)
      const answers = await atOnce(20, () => ask(newEmail('many')))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      await service.api('POST', '/api/v1/auth/magic-link', { body: { email: other.email } })
      await vi.waitFor(async () => expect((await mailsOf()).map(({ kind }) => kind)).toContain('magic_link'), 5_000)
    })
    await service.settle()
  })

  it('rejects a restricted session of a user with a confirmed membership elsewhere', async () => {
    const other = await registerUser(service)
    const token = await askFor(newEmail('confined'))
    await joinTeam(service, user, other.teamId)
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE user_id = $1', [user.id, user.teamId])
    expectError(await ask(newEmail()), 403, 'team_sign_in_required')
    expectError(await confirm(token), 403, 'team_sign_in_required')
  })
})
