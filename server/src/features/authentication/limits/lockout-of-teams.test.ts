import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  comparable,
  expectError,
  expectSession,
  joinTeam,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { entriesOf } from '../../../../test/harness/audit-entries.js'
import { recordStatements } from '../../../../test/harness/record-statements.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const WRONG = 'not the password'

describe('the lockout of a team', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const policy = async ({ token }: TestUser, body: object) =>
    expect((await service.api('PUT', '/api/v1/policies/password', { token, body })).status).toBe(200)
  async function owner(body: object): Promise<TestUser> {
    const user = await registerUser(service)
    await policy(user, body)
    return user
  }
  const login = ({ email }: Pick<TestUser, 'email'>, password: string, teamId?: string, request: object = {}) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password, teamId }, ...request })
  async function fail(times: number, user: TestUser, teamId?: string, request: object = {}): Promise<void> {
    for (let time = 0; time < times; time++)
      expectError(await login(user, WRONG, teamId, request), 401, 'invalid_credentials')
  }
  const signedIn = (path: string, { token }: Pick<TestUser, 'token'>, body: object) =>
    service.api('POST', `/api/v1/auth/${path}`, { token, body })
  const locks = ({ id }: TestUser) =>
    entriesOf<{ team_id: string; metadata: Record<string, unknown> }>(
      service,
      "SELECT team_id, metadata FROM audit_entries WHERE user_id = $1 AND action = 'user.locked' ORDER BY id",
      [id],
    )

  describe("of a user's only team", () => {
    it('applies the limits of the team at every sign-in method and node and after a restart, with the response of a wrong password', async () => {
      const [user, other] = [await owner({ lockoutThreshold: 4, lockoutDuration: 60 }), await registerUser(service)]
      const wrong = await login(user, WRONG)
      await fail(1, user)
      expectError(await signedIn('reauthenticate', user, { password: WRONG }), 403, 'wrong_password')
      const change = { currentPassword: WRONG, newPassword: 'a new correct horse' }
      expectError(await signedIn('change-password', user, change), 403, 'wrong_password')
      await service.restart()
      for (let node = 0; node < service.urls.length; node++) {
        const rejected = await login(user, PASSWORD, undefined, { node })
        expect(comparable(rejected)).toEqual(comparable(wrong))
        expectError(await signedIn('reauthenticate', user, { password: PASSWORD }), 403, 'wrong_password')
      }
      expect((await login(other, PASSWORD)).status).toBe(200)
      await expectSession(service, user.token, 'active')
      expect(await locks(user)).toEqual([
        { team_id: user.teamId, metadata: { email: user.email, minutes: 60, team: user.teamId } },
      ])
      await service.clock.advance(59 * MINUTE)
      expect((await login(user, PASSWORD)).status).toBe(401)
      await service.clock.advance(2 * MINUTE)
      expect((await login(user, PASSWORD)).status).toBe(200)
    })

    it('counts each of many concurrent attempts, and accepts no right password beyond the limit', async () => {
      const user = await owner({ lockoutThreshold: 6, lockoutDuration: 30 })
      const answers = await atOnce(CONCURRENT, () => login(user, WRONG))
      for (const answer of answers) expectError(answer, 401, 'invalid_credentials')
      for (const answer of await atOnce(4, () => login(user, PASSWORD))) expectError(answer, 401, 'invalid_credentials')
      expect((await locks(user)).filter(({ metadata }) => metadata.team)).toHaveLength(1)
    })

    it('leaves the limit of the instance when it is turned off, and removes existing locks', async () => {
      const user = await owner({ lockoutThreshold: 2 })
      await fail(2, user)
      expect((await login(user, PASSWORD)).status).toBe(401)
      await policy(user, { lockoutThreshold: 0 })
      for (let node = 0; node < service.urls.length; node++)
        expect((await login(user, PASSWORD, undefined, { node })).status).toBe(200)
      await fail(10, user)
      for (const teamId of [undefined, user.teamId])
        expectError(await login(user, PASSWORD, teamId), 401, 'invalid_credentials')
    })

    it('applies changed limits from the next failure, on every node', async () => {
      const user = await owner({ lockoutThreshold: 50 })
      await fail(6, user)
      await policy(user, { lockoutThreshold: 7 })
      await fail(1, user)
      for (let node = 0; node < service.urls.length; node++)
        expect((await login(user, PASSWORD, undefined, { node })).status).toBe(401)
    })

    it('applies for a week if the team configures it, despite cleanups', async () => {
      const user = await owner({ lockoutThreshold: 2, lockoutDuration: 10_080 })
      await fail(1, user)
      await service.clock.advance(6 * DAY)
      await fail(1, user)
      await service.clock.advance(3 * DAY)
      await service.settle()
      expect((await login(user, PASSWORD)).status).toBe(401)
      await service.clock.advance(4 * DAY + MINUTE)
      expect((await login(user, PASSWORD)).status).toBe(200)
    })

    it('ends after a password reset', async () => {
      const user = await owner({ lockoutThreshold: 1, lockoutDuration: 10_080 })
      await fail(3, user)
      const body = { token: await requestToken(service, 'password_reset', user.email), newPassword: 'a new horse' }
      expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
      expect((await login(user, body.newPassword)).status).toBe(200)
    })

    it('counts separately for a known device', async () => {
      const user = await owner({ lockoutThreshold: 3 })
      const { cookies } = await login(user, PASSWORD, undefined, { console: true })
      const browser = { console: true, cookies: { keyward_device: cookies.keyward_device?.value ?? '' } }
      await fail(3, user)
      expect((await login(user, PASSWORD)).status).toBe(401)
      expect((await login(user, PASSWORD, undefined, browser)).status).toBe(200)
      await fail(3, user, undefined, browser)
      expect((await login(user, PASSWORD, undefined, browser)).status).toBe(401)
    })

    it('locks only that team if the membership is unconfirmed', async () => {
      const [user, outsider] = [await registerUser(service), await owner({ lockoutThreshold: 1 })]
      await verifyEmailAddress(service, user)
      await joinTeam(service, user, outsider.teamId, { counts: false })
      await fail(8, user)
      await fail(1, user, outsider.teamId)
      expectError(await login(user, PASSWORD, outsider.teamId), 401, 'invalid_credentials')
      for (const teamId of [undefined, user.teamId]) expect((await login(user, PASSWORD, teamId)).status).toBe(200)
    })
  })

  describe('that is turned off', () => {
    const TEMPORARY = 'handed over by the help desk'
    const give = (by: Pick<TestUser, 'token'>, id: string) =>
      service.api('POST', `/api/v1/users/${id}/password-reset`, {
        token: by.token,
        body: { temporaryPassword: TEMPORARY },
      })

    it("limits guesses of the account's own password if another user made the account an owner", async () => {
      const [hostile, user] = [await owner({ lockoutThreshold: 0 }), await registerUser(service)]
      await joinTeam(service, user, hostile.teamId, { role: 'OWNER' })
      await fail(10, user, hostile.teamId)
      for (const teamId of [hostile.teamId, user.teamId, undefined])
        expectError(await login(user, PASSWORD, teamId), 401, 'invalid_credentials')
    })

    it('limits guesses of the team password in a team of another user', async () => {
      const [hostile, user] = [await owner({ lockoutThreshold: 0 }), await registerUser(service)]
      await joinTeam(service, user, hostile.teamId, { role: 'OWNER' })
      expect((await give(hostile, user.id)).status).toBe(200)
      await fail(9, user, hostile.teamId)
      expect((await login(user, TEMPORARY, hostile.teamId)).status).toBe(200)
      await fail(10, user, hostile.teamId)
      expectError(await login(user, TEMPORARY, hostile.teamId), 401, 'invalid_credentials')
    })

    it('stays off for the team password in a team that the user created', async () => {
      const [user, colleague] = [await owner({ lockoutThreshold: 0 }), await registerUser(service)]
      await verifyEmailAddress(service, user)
      await joinTeam(service, colleague, user.teamId, { role: 'OWNER' })
      const { body } = await login(colleague, PASSWORD, user.teamId)
      expect((await give({ token: body.accessToken }, user.id)).status).toBe(200)
      await fail(12, user, user.teamId)
      expectError(await login(user, PASSWORD, user.teamId), 401, 'invalid_credentials')
      expect((await login(user, TEMPORARY, user.teamId)).status).toBe(200)
    })
  })

  it('reads as many rows in a failed sign-in for one team as for three hundred', async () => {
    const [user, other] = [await registerUser(service), await owner({ lockoutThreshold: 5 })]
    await joinTeam(service, user, other.teamId)
    const rows = async (teamId?: string) => {
      const { named } = await recordStatements(() => login(user, WRONG, teamId, { node: 0 }))
      return named.filter(({ name }) => /^(policies|credentials|throttle|members)\./.test(name))
    }
    const counters = () => service.sql('SELECT key FROM throttle_counters')
    await rows()
    const few = [await rows(), await rows(other.teamId)]
    const before = (await counters()).length
    await service.sql(
      `WITH o AS (INSERT INTO organizations (id, name, slug, plan, status, allowed_domains, max_members, max_applications, settings, created_at, updated_at)
         SELECT gen_random_uuid(), 'Many', 'many-' || n, 'FREE', 'ACTIVE', '{}', 10, 10, '{}', now(), now() FROM generate_series(1, 300) n RETURNING id),
       m AS (INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
         SELECT gen_random_uuid(), $1, id, 'OWNER', 'active', false, now(), now() FROM o)
       INSERT INTO password_policies (organization_id, id, min_length, require_uppercase, require_lowercase, require_numbers, require_symbols, history_count, max_age_days,
         lockout_threshold, lockout_minutes, created_at, updated_at)
       SELECT id, gen_random_uuid(), 8, false, false, false, false, 0, 0, 5, 15, now(), now() FROM o`,
      [user.id],
    )
    expect([await rows(), await rows(other.teamId)]).toEqual(few)
    expect((await counters()).length).toBe(before)
    expect((await login(user, PASSWORD)).status).toBe(200)
  })

  describe('of a team that another user owns', () => {
    /** A member of that team alone, with an own password. */
    async function onlyThere(strict: TestUser): Promise<TestUser> {
      const user = await registerUser(service)
      await joinTeam(service, user, strict.teamId)
      await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, user.teamId])
      return user
    }

    it('creates an own team for a sign-in without a named team until the account reaches its limit', async () => {
      const strict = await owner({ lockoutThreshold: 1, lockoutDuration: 600 })
      const user = await onlyThere(strict)
      await fail(1, user, strict.teamId)
      expectError(await login(user, PASSWORD, strict.teamId), 401, 'invalid_credentials')
      const { status, body } = await login(user, PASSWORD)
      expect([status, body.team?.role, body.rejectedTeams]).toEqual([
        200,
        'OWNER',
        [{ id: strict.teamId, name: expect.any(String), reason: 'team_locked' }],
      ])
      expect((await login(user, PASSWORD)).body.team.id).toBe(body.team.id)
      const other = await onlyThere(strict)
      await fail(10, other)
      expectError(await login(other, PASSWORD), 401, 'invalid_credentials')
    })

    it('creates no own team if it is the home team, or if the instance allows none', async () => {
      const strict = await owner({ lockoutThreshold: 1, lockoutDuration: 600 })
      const user = await onlyThere(strict)
      await verifyDomain(service, strict.teamId, 'example.com')
      await fail(1, user, strict.teamId)
      expectError(await login(user, PASSWORD), 401, 'invalid_credentials')
      await service.sql('DELETE FROM team_domains WHERE organization_id = $1', [strict.teamId])
      expect((await login(user, PASSWORD)).status).toBe(200)
      const other = await onlyThere(strict)
      await fail(1, other, strict.teamId)
      await service.restart({ SELF_SERVICE_TEAMS: 'off' })
      expectError(await login(other, PASSWORD), 401, 'invalid_credentials')
      await service.restart({ SELF_SERVICE_TEAMS: 'on' })
    })
  })

  it('records the lock in the log of that team, and not of the team that the sign-in would have selected', async () => {
    const [user, strict] = [await registerUser(service), await owner({ lockoutThreshold: 3 })]
    await joinTeam(service, user, strict.teamId)
    const body = { temporaryPassword: 'handed over by the help desk' }
    await service.api('POST', `/api/v1/users/${user.id}/password-reset`, { token: strict.token, body })
    await fail(4, user)
    const locks = async ({ token }: TestUser) =>
      (await service.api('GET', '/api/v1/audit/logs?action=user.locked', { token })).text
    expect(await locks(user)).not.toContain(strict.teamId)
    expect(await locks(strict)).toContain(user.email)
  })

  it('exempts a user who created the team and no longer administers it', async () => {
    const [user, other] = [await owner({ lockoutThreshold: 1, lockoutDuration: 60 }), await registerUser(service)]
    await joinTeam(service, other, user.teamId, { role: 'OWNER' })
    await service.sql("UPDATE memberships SET role = 'MEMBER' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      user.teamId,
    ])
    await fail(1, user, user.teamId)
    const { status, body } = await login(user, PASSWORD)
    expect([status, body.rejectedTeams?.map(({ reason }: { reason: string }) => reason)]).toEqual([
      200,
      ['team_locked'],
    ])
  })

  describe('of one of several teams', () => {
    /** A member of an own team without a lockout, and of one that locks for an hour after three failures. */
    async function inTwo(): Promise<{ user: TestUser; strict: TestUser }> {
      const [user, strict] = [await registerUser(service), await owner({ lockoutThreshold: 3, lockoutDuration: 60 })]
      await joinTeam(service, user, strict.teamId)
      return { user, strict }
    }

    it('locks only that team: a sign-in selects another team, and a sign-in to the locked team returns the error for a wrong password', async () => {
      const { user, strict } = await inTwo()
      // Used last, so it is the default team.
      expect((await login(user, PASSWORD, strict.teamId)).status).toBe(200)
      expect((await login(user, PASSWORD)).body.team.id).toBe(strict.teamId)
      const wrong = await login(user, WRONG)
      await fail(2, user)
      const elsewhere = await login(user, PASSWORD)
      expect([elsewhere.status, elsewhere.body.team.id]).toEqual([200, user.teamId])
      for (const teamId of [strict.teamId, strict.teamId.toUpperCase()])
        expect(comparable(await login(user, PASSWORD, teamId))).toEqual(comparable(wrong))
      expect((await login(user, PASSWORD, user.teamId)).status).toBe(200)
      expect(await locks(user)).toEqual([
        { team_id: strict.teamId, metadata: { email: user.email, minutes: 60, team: strict.teamId } },
      ])
      await service.clock.advance(61 * MINUTE)
      expect((await login(user, PASSWORD, strict.teamId)).status).toBe(200)
    })

    it('rejects the password in a session of the team, at every endpoint that requires it', async () => {
      const { user, strict } = await inTwo()
      const { body } = await login(user, PASSWORD, strict.teamId)
      const inside = { token: body.accessToken }
      await fail(3, user)
      expectError(await signedIn('reauthenticate', inside, { password: PASSWORD }), 403, 'wrong_password')
      expect((await signedIn('reauthenticate', user, { password: PASSWORD })).status).toBe(200)
    })

    it('ignores attempts that are rejected unverified: a right password for the locked team locks nothing else', async () => {
      const { user, strict } = await inTwo()
      await fail(3, user, strict.teamId)
      for (let time = 0; time < 10; time++) await login(user, PASSWORD, strict.teamId)
      expect((await login(user, PASSWORD)).status).toBe(200)
    })

    it("applies the limit of the instance to the account, regardless of other users' teams", async () => {
      const [user, lax] = [await owner({ lockoutThreshold: 0 }), await owner({ lockoutThreshold: 1_000 })]
      await joinTeam(service, user, lax.teamId)
      await fail(10, user)
      for (const teamId of [undefined, lax.teamId, user.teamId])
        expect((await login(user, PASSWORD, teamId)).status).toBe(401)
      await service.clock.advance(16 * MINUTE)
      expect((await login(user, PASSWORD)).status).toBe(200)
    })

    it('rejects the right password like a wrong one if all teams are locked', async () => {
      const { user, strict } = await inTwo()
      await policy(user, { lockoutThreshold: 2, lockoutDuration: 30 })
      const wrong = await login(user, WRONG)
      await fail(2, user)
      await fail(3, user, strict.teamId)
      for (const teamId of [undefined, user.teamId, strict.teamId])
        expect(comparable(await login(user, PASSWORD, teamId))).toEqual(comparable(wrong))
      await service.clock.advance(31 * MINUTE)
      const { status, body } = await login(user, PASSWORD)
      expect([status, body.team.id]).toEqual([200, user.teamId])
    })

    it('ends after a password reset', async () => {
      const { user, strict } = await inTwo()
      await fail(3, user, strict.teamId)
      const body = { token: await requestToken(service, 'password_reset', user.email), newPassword: 'a new horse' }
      expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
      expect((await login(user, body.newPassword, strict.teamId)).status).toBe(200)
    })
  })
})
