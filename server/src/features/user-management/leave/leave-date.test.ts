import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  atOnce,
  claimsOf,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const DAY = 86_400_000

describe('leaveAt', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const soon = () => new Date(service.clock.ms() + DAY).toISOString()
  const put = (id: string, body: object, { token }: Pick<TestUser, 'token'> = owner) =>
    service.api('PUT', `/api/v1/users/${id}`, { token, body })
  const read = async (id: string) => (await service.api('GET', `/api/v1/users/${id}`, owner)).body
  const entries = async (id: string, action: string) =>
    (await service.api('GET', `/api/v1/audit/logs?resource=user:${id}&action=${action}`, owner)).body.data
  /** Lets the time pass, and the jobs run. Signs the owner in again, because access tokens expire. */
  const pass = async (milliseconds: number) => {
    await service.clock.advance(milliseconds)
    await service.settle()
    owner = await logIn(service, owner)
  }

  it('takes a time from POST and PUT, clears it by null, shows it on reads and records it', async () => {
    const leaveAt = soon()
    const user = await addUser(service, owner, { leaveAt })
    expect(user.leaveAt).toBe(leaveAt)
    expect((await entries(user.id, 'member.added'))[0].metadata).toMatchObject({ leaveAt })
    const later = new Date(Date.parse(leaveAt) + DAY).toISOString()
    expect((await put(user.id, { leaveAt: later })).body.leaveAt).toBe(later)
    expect((await entries(user.id, 'user.updated'))[0].metadata).toMatchObject({
      changed: ['leaveAt'],
      leaveAt: later,
    })
    expect((await put(user.id, { leaveAt: later })).body.leaveAt).toBe(later)
    expect(await entries(user.id, 'user.updated')).toHaveLength(1)
    expect((await put(user.id, { leaveAt: null })).body.leaveAt).toBeNull()
    await pass(3 * DAY)
    expect((await read(user.id)).status).toBe('pending')
  })

  it.each(['2001-01-01T00:00:00Z', 'tomorrow', '', '+012345-01-01T00:00:00Z', 7])('rejects %s', async (leaveAt) => {
    const user = await addUser(service, owner)
    expectError(await put(user.id, { leaveAt }), 400, 'invalid_request')
    const added = await service.api('POST', '/api/v1/users', {
      token: owner.token,
      body: { email: `new-${user.email}`, leaveAt },
    })
    expectError(added, 400, 'invalid_request')
  })

  it('suspends the membership once when the time is reached, also after a restart, and not before', async () => {
    const user = await addColleague(service, owner)
    const leaveAt = soon()
    await put(user.id, { leaveAt })
    await pass(DAY - 120_000)
    const { token } = await logIn(service, user)
    await expectSession(service, token, 'active')
    await service.restart()
    await pass(240_000)
    expect(await read(user.id)).toMatchObject({ status: 'suspended', leaveAt: null })
    await expectSession(service, token, 'revoked')
    const [entry, ...others] = await entries(user.id, 'user.suspended')
    expect(entry).toMatchObject({ userId: null, result: 'SUCCESS', metadata: { reason: 'leave_date', leaveAt } })
    expect(others).toEqual([])
    // A later reactivation stays.
    await put(user.id, { status: 'active' })
    await pass(10 * 60_000)
    expect((await read(user.id)).status).toBe('active')
  })

  it('suspends in this team only', async () => {
    const user = await registerUser(service)
    await joinTeam(service, user, owner.teamId)
    await put(user.id, { leaveAt: soon() })
    await pass(DAY + 60_000)
    expect((await read(user.id)).status).toBe('suspended')
    await service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } })
    const rows = await service.sql('SELECT status FROM memberships WHERE user_id = $1 AND organization_id = $2', [
      user.id,
      user.teamId,
    ])
    expect(rows).toEqual([{ status: 'active' }])
  })

  it('keeps the last owner active and records why', async () => {
    let alone = await registerUser(service)
    await put(alone.id, { leaveAt: soon() }, alone)
    await pass(DAY + 60_000)
    alone = await logIn(service, alone)
    const { body } = await service.api('GET', `/api/v1/users/${alone.id}`, alone)
    expect(body).toMatchObject({ status: 'active', leaveAt: null })
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=user.suspended', alone)
    expect(log.data).toEqual([
      expect.objectContaining({
        userId: null,
        result: 'FAILURE',
        metadata: expect.objectContaining({ reason: 'leave_date', code: 'last_admin' }),
      }),
    ])
  })

  it('keeps a user active whose role is above that of the administrator who set the date', async () => {
    const helper = await addColleague(service, owner)
    await service.sql("UPDATE memberships SET role = 'USER_ADMIN' WHERE user_id = $1", [helper.id])
    const user = await addUser(service, owner)
    expectError(await put(owner.id, { leaveAt: soon() }, helper), 403, 'role_protected')
    expect((await put(user.id, { leaveAt: soon() }, helper)).status).toBe(200)
    await put(user.id, { role: 'owner' })
    await pass(DAY + 60_000)
    expect(await read(user.id)).toMatchObject({ status: 'pending', leaveAt: null })
    expect((await entries(user.id, 'user.suspended'))[0]).toMatchObject({
      result: 'FAILURE',
      metadata: { code: 'role_protected' },
    })
  })

  describe('of a setter', () => {
    const setRole = (id: string, role: string) =>
      service.sql('UPDATE memberships SET role = $3 WHERE user_id = $1 AND organization_id = $2', [
        id,
        owner.teamId,
        role,
      ])
    /** Returns an administrator and a member, for whom the administrator set a leave date. */
    const dated = async (): Promise<{ admin: TestUser; user: { id: string } }> => {
      const admin = await addColleague(service, owner, 'admin')
      const user = await addUser(service, owner)
      expect((await put(user.id, { leaveAt: soon() }, admin)).status).toBe(200)
      return { admin, user }
    }
    const expectKept = async (id: string) => {
      expect(await read(id)).toMatchObject({ status: 'pending', leaveAt: null })
      expect(await entries(id, 'user.suspended')).toEqual([
        expect.objectContaining({
          userId: null,
          result: 'FAILURE',
          metadata: expect.objectContaining({ reason: 'leave_date', code: 'role_protected' }),
        }),
      ])
    }

    it('takes effect while the administrator who set it has the permissions, also if a new user was added with it', async () => {
      const { admin, user } = await dated()
      const added = await addUser(service, admin, { leaveAt: soon() })
      await setRole(admin.id, 'USER_ADMIN')
      await pass(DAY + 60_000)
      for (const { id } of [user, added]) expect((await read(id)).status).toBe('suspended')
    })

    it.each<[string, (admin: TestUser) => Promise<unknown>]>([
      ['was demoted', ({ id }) => put(id, { role: 'member' })],
      ['was suspended', ({ id }) => put(id, { status: 'suspended' })],
      ['was removed', ({ id }) => service.api('DELETE', `/api/v1/users/${id}`, owner)],
      ['was deleted', ({ id }) => service.sql('DELETE FROM users WHERE id = $1', [id])],
      ['has another epoch', ({ id }) => service.sql('UPDATE users SET epoch = epoch + 1 WHERE id = $1', [id])],
    ])('has no effect if the administrator who set it %s', async (_, lose) => {
      const { admin, user } = await dated()
      const added = await addUser(service, admin, { leaveAt: soon() })
      await lose(admin)
      await pass(DAY + 60_000)
      for (const { id } of [user, added]) await expectKept(id)
    })

    it('has no effect if a member was demoted who set the temporary password of the administrator', async () => {
      const first = await addColleague(service, owner, 'admin')
      const admin = await addColleague(service, first, 'admin')
      const user = await addUser(service, owner)
      expect((await put(user.id, { leaveAt: soon() }, admin)).status).toBe(200)
      await setRole(first.id, 'MEMBER')
      await pass(DAY + 60_000)
      await expectKept(user.id)
    })

    it('has no effect if the editor of the provider was demoted that signed the administrator in', async () => {
      const editor = await addColleague(service, owner, 'admin')
      const admin = await addColleague(service, owner, 'admin')
      const user = await addUser(service, owner)
      const source = `INSERT INTO sign_in_editors (id, organization_id, source_id, saved_by, saved_epoch, saved_permissions, created_at)
        VALUES ($1, $2, $1, $3, 0, '{}', now())`
      const origin = randomUUID()
      await service.sql(source, [origin, owner.teamId, editor.id])
      await service.sql('UPDATE sessions SET temporary_set_by = $2 WHERE id = $1', [claimsOf(admin.token).sid, origin])
      expect((await put(user.id, { leaveAt: soon() }, admin)).status).toBe(200)
      await setRole(editor.id, 'MEMBER')
      await pass(DAY + 60_000)
      await expectKept(user.id)
    })

    it('depends on the administrator who changed it last', async () => {
      const { admin, user } = await dated()
      expect((await put(user.id, { leaveAt: new Date(service.clock.ms() + 2 * DAY).toISOString() })).status).toBe(200)
      await put(admin.id, { role: 'member' })
      await pass(2 * DAY + 60_000)
      expect((await read(user.id)).status).toBe('suspended')
    })

    it('takes effect without a setter, as before the upgrade', async () => {
      const { admin, user } = await dated()
      const forget = 'UPDATE memberships SET leave_set_by = NULL, leave_set_epoch = NULL WHERE user_id = $1'
      await service.sql(forget, [user.id])
      await put(admin.id, { role: 'member' })
      await pass(DAY + 60_000)
      expect((await read(user.id)).status).toBe('suspended')
    })
  })

  it('suspends every due membership although a whole batch fails', async () => {
    const failing = await atOnce(6, () => addUser(service, owner, { leaveAt: soon() }))
    await service.clock.advance(1)
    const others = await atOnce(6, () => addUser(service, owner, { leaveAt: soon() }))
    const statuses = async (users: { id: string }[]) =>
      Promise.all(users.map(async ({ id }) => (await read(id)).status))
    await service.sql(
      `CREATE FUNCTION fail_some() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.user_id IN (${failing.map(({ id }) => `'${id}'`).join()}) AND NEW.status = 'suspended' THEN RAISE EXCEPTION 'fails'; END IF; RETURN NEW; END $$`,
    )
    await service.sql('CREATE TRIGGER fail_some BEFORE UPDATE ON memberships FOR EACH ROW EXECUTE FUNCTION fail_some()')
    try {
      await pass(DAY + 60_000)
      expect(await statuses(failing)).toEqual(Array(6).fill('pending'))
      expect(await statuses(others)).toEqual(Array(6).fill('suspended'))
      expect(service.logLines.join()).toContain('was not suspended at its leave date')
    } finally {
      await service.sql('DROP TRIGGER fail_some ON memberships')
    }
    await pass(60_000)
    expect(await statuses(failing)).toEqual(Array(6).fill('suspended'))
    for (const { id } of [...failing, ...others]) expect(await entries(id, 'user.suspended')).toHaveLength(1)
  })

  it('suspends the member of another team before most members of a large team', async () => {
    const hostile = await registerUser(service)
    const many = await atOnce(30, () => addUser(service, hostile, { leaveAt: soon() }))
    await service.clock.advance(1_000)
    const user = await addUser(service, owner, { leaveAt: soon() })
    await service.sql('CREATE TABLE suspensions (place serial, user_id uuid)')
    await service.sql(
      `CREATE FUNCTION note_suspension() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO suspensions (user_id) VALUES (NEW.user_id); RETURN NEW; END $$`,
    )
    await service.sql(
      `CREATE TRIGGER note_suspension AFTER UPDATE ON memberships FOR EACH ROW WHEN (NEW.status = 'suspended')
         EXECUTE FUNCTION note_suspension()`,
    )
    try {
      await pass(DAY + 60_000)
      const rows = await service.sql<{ userId: string }>('SELECT user_id AS "userId" FROM suspensions ORDER BY place')
      const order = rows.map(({ userId }) => userId)
      expect(order.toSorted()).toEqual([user.id, ...many.map(({ id }) => id)].sort())
      expect(order.indexOf(user.id)).toBeLessThan(15)
    } finally {
      await service.sql('DROP TRIGGER note_suspension ON memberships')
    }
  })
})
