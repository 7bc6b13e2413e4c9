import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  atOnce,
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
