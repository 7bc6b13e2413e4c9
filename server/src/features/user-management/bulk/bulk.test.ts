import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  expectError,
  expectSession,
  joinMany,
  makeGroup,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { increases, recordUpdates } from '../../../../test/factories/recorded-batches.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerUser(service)
  await service.settle()
})

const start = (body: object, { token }: Pick<TestUser, 'token'> = owner) =>
  service.api('POST', '/api/v1/users/bulk', { token, body })
const read = async (id: string, { token }: Pick<TestUser, 'token'> = owner) =>
  (await service.api('GET', `/api/v1/users/bulk/${id}`, { token })).body
const run = async (body: object, by: Pick<TestUser, 'token'> = owner) => {
  const { status, body: started } = await start(body, by)
  expect([status, started]).toEqual([201, { runId: expect.any(String), status: 'running', total: expect.any(Number) }])
  await service.settle()
  return read(started.runId, by)
}
const userOf = async (id: string) => (await service.api('GET', `/api/v1/users/${id}`, owner)).body
const setRole = (id: string, role: string) =>
  service.sql('UPDATE memberships SET role = $2 WHERE user_id = $1', [id, role])
const failuresOf = ({ failures }: { failures: { userId: string; code: string }[] }) =>
  Object.fromEntries(failures.map(({ userId, code }) => [userId, code]))
const actionsFor = async (id: string): Promise<string[]> =>
  (await service.api('GET', `/api/v1/audit/logs?resource=user:${id}&limit=100`, owner)).body.data.map(
    ({ action }: { action: string }) => action,
  )

describe('POST /users/bulk', () => {
  it('suspends and activates like the single user, with an audit entry for each and for the run', async () => {
    const [active, other] = [await addColleague(service, owner), await addUser(service, owner)]
    const users = [active.id, other.id]
    expect(await run({ action: 'suspend', users })).toMatchObject({
      action: 'suspend',
      status: 'completed',
      total: 2,
      processed: 2,
      updated: 2,
      unchanged: 0,
      failures: [],
      startedBy: owner.id,
      finishedAt: expect.any(String),
    })
    await expectSession(service, active.token, 'revoked')
    expect((await userOf(active.id)).status).toBe('suspended')
    expect(await actionsFor(active.id)).toContain('user.suspended')
    expect(await run({ action: 'suspend', users })).toMatchObject({ updated: 0, unchanged: 2 })
    expect(await run({ action: 'activate', users })).toMatchObject({ updated: 2 })
    expect((await userOf(other.id)).status).toBe('active')
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=users.bulk_changed', owner)
    expect(body.data[0].metadata).toMatchObject({ status: 'completed', action: 'activate', total: 2, updated: 2 })
    expect(body.data[1].metadata).toMatchObject({ status: 'started', action: 'activate', total: 2 })
  })

  it('reports a code for each user that is unknown, of another team, or protected, and changes the others', async () => {
    const admin = await addColleague(service, owner, 'admin')
    await setRole(admin.id, 'USER_ADMIN')
    const user = await addUser(service, owner)
    const foreign = await addUser(service, await registerUser(service))
    const result = await run({ action: 'suspend', users: [owner.id, 'x', foreign.id, user.id, randomUUID()] }, admin)
    expect(result).toMatchObject({ status: 'completed', processed: 5, updated: 1 })
    expect(Object.values(failuresOf(result)).sort()).toEqual([
      'role_protected',
      'user_not_found',
      'user_not_found',
      'user_not_found',
    ])
    expect(failuresOf(result)[owner.id]).toBe('role_protected')
    // The email address of a user of another team stays hidden.
    const emails = result.failures.map(({ userId, email }: { userId: string; email: string | null }) => [userId, email])
    expect(Object.fromEntries(emails)).toMatchObject({ [owner.id]: owner.email, [foreign.id]: null, x: null })
    expect((await userOf(user.id)).status).toBe('suspended')
  })

  it.each([
    { action: 'suspend' },
    { action: 'set_role', role: 'viewer' },
    { action: 'reset_mfa' },
    { action: 'end_sessions' },
    { action: 'send_password_reset' },
  ])('rejects the own account of the caller for $action', async (body) => {
    await addColleague(service, owner, 'owner')
    const before = await userOf(owner.id)
    expect(failuresOf(await run({ ...body, users: [owner.id.toUpperCase()] }))).toEqual({ [owner.id]: 'own_account' })
    expect(await userOf(owner.id)).toEqual(before)
    await expectSession(service, owner.token, 'active')
  })

  it('keeps the last owner', async () => {
    const second = await addColleague(service, owner, 'owner')
    await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [second.id])
    const third = await addColleague(service, second, 'owner')
    // The sessions of both depend on the first owner, who set the temporary password of the second.
    await service.sql('UPDATE sessions SET temporary_set_by = NULL WHERE user_id = ANY($1)', [[second.id, third.id]])
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1", [owner.id])
    const result = await run({ action: 'set_role', role: 'member', users: [second.id] }, third)
    expect(failuresOf(result)).toEqual({ [second.id]: 'last_admin' })
  })

  it('sets the role within the permissions of the caller', async () => {
    const helper = await addColleague(service, owner)
    await setRole(helper.id, 'USER_ADMIN')
    const [one, admin] = [await addUser(service, owner), await addUser(service, owner, { role: 'admin' })]
    expect(failuresOf(await run({ action: 'set_role', role: 'owner', users: [one.id] }, helper))).toEqual({
      [one.id]: 'role_protected',
    })
    const result = await run({ action: 'set_role', role: 'viewer', users: [one.id, admin.id] }, helper)
    expect(failuresOf(result)).toEqual({ [admin.id]: 'role_protected' })
    expect((await userOf(one.id)).role).toBe('viewer')
  })

  it('adds users to a group and removes them, the caller included', async () => {
    const user = await addUser(service, owner)
    const groupId = await makeGroup(service, owner.teamId)
    const members = async () =>
      (await service.api('GET', `/api/v1/groups/${groupId}/users`, owner)).body.users.map(
        ({ id }: { id: string }) => id,
      )
    expect(await run({ action: 'add_to_group', groupId, filter: {} })).toMatchObject({ updated: 2, groupId })
    expect((await members()).sort()).toEqual([owner.id, user.id].sort())
    expect(await run({ action: 'add_to_group', groupId, users: [user.id] })).toMatchObject({ unchanged: 1 })
    expect(await run({ action: 'remove_from_group', groupId, users: [user.id] })).toMatchObject({ updated: 1 })
    expect(await members()).toEqual([owner.id])
    expect(await run({ action: 'remove_from_group', groupId, users: [user.id] })).toMatchObject({ unchanged: 1 })
    expect((await actionsFor(user.id)).filter((action) => action === 'user.groups_replaced')).toHaveLength(2)
    expectError(
      await start({ action: 'add_to_group', groupId: randomUUID(), users: [user.id] }),
      404,
      'group_not_found',
    )
  })

  it('fails the remaining users when the group is deleted meanwhile', async () => {
    const user = await addUser(service, owner)
    const groupId = await makeGroup(service, owner.teamId)
    const { body } = await start({ action: 'add_to_group', groupId, users: [user.id] })
    await service.sql('DELETE FROM groups WHERE id = $1', [groupId])
    await service.settle()
    const { status, updated } = await read(body.runId)
    expect([status, updated]).toEqual(['completed', expect.any(Number)])
  })

  it('mails links within the limits of the single route, and reports the others', async () => {
    await verifyEmailAddress(service, owner)
    const [pending, active] = [await addUser(service, owner), await addColleague(service, owner)]
    const result = await run({ action: 'resend_invitation', users: [pending.id, active.id] })
    expect(failuresOf(result)).toEqual({ [active.id]: 'not_pending' })
    const mails = async () => (await service.mails(pending.email)).filter(({ kind }) => kind === 'welcome').length
    expect(await mails()).toBe(2)
    for (let sent = 0; sent < 3; sent++) await run({ action: 'resend_invitation', users: [pending.id] })
    expect(failuresOf(await run({ action: 'resend_invitation', users: [pending.id] }))).toEqual({
      [pending.id]: 'rate_limited',
    })
    expect(await mails()).toBe(5)
    expect(await run({ action: 'send_password_reset', users: [active.id] })).toMatchObject({ updated: 1 })
    expect((await service.mails(active.email)).map(({ kind }) => kind)).toContain('password_reset')
  })

  it('resets factors and ends sessions in this team only', async () => {
    const user = await addColleague(service, owner)
    expect(await run({ action: 'end_sessions', users: [user.id] })).toMatchObject({ updated: 1 })
    await expectSession(service, user.token, 'revoked')
    expect(await run({ action: 'end_sessions', users: [user.id] })).toMatchObject({ unchanged: 1 })
    expect(await run({ action: 'reset_mfa', users: [user.id] })).toMatchObject({ updated: 1 })
    expect(await actionsFor(user.id)).toEqual(expect.arrayContaining(['user.sessions_ended', 'user.factors_reset']))
  })

  it('selects users by a filter at the time of the request', async () => {
    const viewer = await addUser(service, owner, { role: 'viewer' })
    const member = await addUser(service, owner)
    const { body } = await start({ action: 'suspend', filter: { role: 'viewer,admin', status: 'pending' } })
    expect(body.total).toBe(1)
    await service.settle()
    expect((await userOf(viewer.id)).status).toBe('suspended')
    expect((await userOf(member.id)).status).toBe('pending')
    expect(await run({ action: 'suspend', filter: { search: 'matches no user' } })).toMatchObject({
      status: 'completed',
      total: 0,
    })
  })

  it.each([
    { action: 'suspend' },
    { action: 'suspend', users: [] },
    { action: 'suspend', users: ['x'], filter: {} },
    { action: 'explode', users: ['x'] },
    { action: 'set_role', users: ['x'] },
    { action: 'set_role', users: ['x'], role: 'SUPER_ADMIN' },
    { action: 'add_to_group', users: ['x'] },
    { action: 'suspend', filter: { role: 'boss' } },
  ])('rejects %o', async (body) => expectError(await start(body), 400, 'invalid_request'))

  it.each([
    ['HELP_DESK_ADMIN', 'end_sessions', 'suspend'],
    ['USER_ADMIN', 'suspend', undefined],
    ['GROUP_MEMBERSHIP_ADMIN', undefined, 'suspend'],
    ['VIEWER', undefined, 'end_sessions'],
  ])('requires the permission of the action of %s', async (role, allowed, denied) => {
    const caller = await addColleague(service, owner)
    await setRole(caller.id, role)
    const users = [(await addUser(service, owner)).id]
    if (allowed) expect((await start({ action: allowed, users }, caller)).status).toBe(201)
    if (denied) expectError(await start({ action: denied, users }, caller), 403, 'forbidden')
    if (role === 'GROUP_MEMBERSHIP_ADMIN') {
      const groupId = await makeGroup(service, owner.teamId)
      expect((await start({ action: 'add_to_group', groupId, users }, caller)).status).toBe(201)
    }
  })
})

describe('a bulk run', () => {
  const many = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID())
    await joinMany(service, ids, owner.teamId)
    return ids
  }

  it('processes at most 20 users per transaction', async () => {
    const users = await many(45)
    const recorded = await recordUpdates(service, 'import_runs', 'NEW.processed')
    try {
      expect(await run({ action: 'suspend', users })).toMatchObject({ status: 'completed', updated: 45, failures: [] })
      for (const rows of increases(await recorded.values())) expect(rows).toBeLessThanOrEqual(20)
    } finally {
      await recorded.end()
    }
  })

  it('stops when the caller loses the permission', async () => {
    const caller = await addColleague(service, owner)
    await setRole(caller.id, 'USER_ADMIN')
    const users = await many(3)
    const { body: first } = await start({ action: 'suspend', users }, caller)
    await service.sql("UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1", [caller.id])
    await service.settle()
    const { status, failures, updated } = await read(first.runId)
    // The job may have processed some users before.
    if (updated < 3)
      expect([status, failures]).toEqual(['failed', [expect.objectContaining({ userId: null, code: 'forbidden' })]])
    await service.sql(
      "UPDATE import_runs SET status = 'running', processed = 0, rows = $2, finished_at = NULL, failures = '[]' WHERE id = $1",
      [first.runId, JSON.stringify(users.map((userId) => ({ userId })))],
    )
    await service.sql(
      `INSERT INTO jobs (id, kind, team_id, payload, run_at, attempts, created_at) VALUES (gen_random_uuid(), 'users.bulk', $1, $2, $3, 0, $3)`,
      [owner.teamId, JSON.stringify({ runId: first.runId }), service.clock.now()],
    )
    await service.settle()
    expect(await read(first.runId)).toMatchObject({
      status: 'failed',
      processed: 0,
      failures: [{ userId: null, code: 'forbidden' }],
    })
  })

  it('ends as cancelled when the user who started it loses access', async () => {
    const caller = await addColleague(service, owner)
    await setRole(caller.id, 'USER_ADMIN')
    const users = await many(1)
    await service.sql(
      "INSERT INTO import_runs (id, organization_id, dry_run, status, rows, options, total, processed, created, updated, unchanged, failures, created_at) VALUES (gen_random_uuid(), $1, false, 'running', '[]', '{}', 0, 0, 0, 0, 0, '[]', now())",
      [owner.teamId],
    )
    const { body } = await start({ action: 'suspend', users }, caller)
    expect(body.status).toBe('queued')
    await service.api('PUT', `/api/v1/users/${caller.id}`, { token: owner.token, body: { status: 'suspended' } })
    expect(await read(body.runId)).toMatchObject({ status: 'cancelled', processed: 0 })
    expect((await userOf(users[0] as string)).status).toBe('active')
  })

  it('stores the first 500 failed users, and the number of all', async () => {
    const result = await run({ action: 'suspend', users: Array.from({ length: 600 }, () => randomUUID()) })
    expect(result).toMatchObject({ status: 'completed', processed: 600, failed: 600 })
    expect(result.failures).toHaveLength(500)
  })

  it('gets rejected while 20 others of the team wait', async () => {
    const users = await many(1)
    await service.sql(
      `INSERT INTO import_runs (id, organization_id, action, dry_run, status, rows, options, total, processed, created, updated, unchanged, failures, created_at)
       SELECT gen_random_uuid(), $1, '{"name":"suspend"}', false, CASE WHEN n = 1 THEN 'running' ELSE 'queued' END, '[]', '{}', 0, 0, 0, 0, 0, '[]', now() FROM generate_series(1, 20) n`,
      [owner.teamId],
    )
    const rejected = await start({ action: 'suspend', users })
    expectError(rejected, 429, 'rate_limited')
    expect(rejected.headers.get('retry-after')).toBe('60')
  })

  it('waits for other runs of the team, can be cancelled once, and is separate from imports', async () => {
    await service.sql(
      "INSERT INTO import_runs (id, organization_id, dry_run, status, rows, options, total, processed, created, updated, unchanged, failures, created_at) VALUES (gen_random_uuid(), $1, false, 'running', '[]', '{}', 0, 0, 0, 0, 0, '[]', now())",
      [owner.teamId],
    )
    const { body } = await start({ action: 'suspend', users: await many(2) })
    expect(body.status).toBe('queued')
    const helper = await addColleague(service, owner)
    await setRole(helper.id, 'HELP_DESK_ADMIN')
    const cancel = (by: TestUser) => service.api('DELETE', `/api/v1/users/bulk/${body.runId}`, by)
    expectError(await cancel(helper), 403, 'forbidden')
    expect((await cancel(owner)).body).toMatchObject({ status: 'cancelled', processed: 0 })
    expectError(await cancel(owner), 409, 'run_finished')
    expectError(await service.api('GET', `/api/v1/users/imports/${body.runId}`, owner), 404, 'import_not_found')
    const { body: imports } = await service.api('GET', '/api/v1/users/imports', owner)
    expect(imports.total).toBe(1)
    expectError(await service.api('GET', `/api/v1/users/bulk/${imports.data[0].id}`, owner), 404, 'run_not_found')
    expectError(
      await service.api('GET', `/api/v1/users/bulk/${body.runId}`, await registerUser(service)),
      404,
      'run_not_found',
    )
  })
})
