import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
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

  it('suspends every due membership although one fails', async () => {
    const users = [await addUser(service, owner), await addUser(service, owner), await addUser(service, owner)]
    for (const { id } of users) await put(id, { leaveAt: soon() })
    await service.sql(
      `CREATE FUNCTION fail_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.user_id = '${users[0].id}' AND NEW.status = 'suspended' THEN RAISE EXCEPTION 'fails'; END IF; RETURN NEW; END $$`,
    )
    await service.sql('CREATE TRIGGER fail_one BEFORE UPDATE ON memberships FOR EACH ROW EXECUTE FUNCTION fail_one()')
    try {
      await pass(DAY + 60_000)
      const states = await Promise.all(users.map(async ({ id }) => (await read(id)).status))
      expect(states).toEqual(['pending', 'suspended', 'suspended'])
    } finally {
      await service.sql('DROP TRIGGER fail_one ON memberships')
    }
    await pass(10 * 60_000)
    expect((await read(users[0].id)).status).toBe('suspended')
  })
})
