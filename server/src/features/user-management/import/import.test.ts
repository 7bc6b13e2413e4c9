import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  expectError,
  logIn,
  makeGroup,
  newEmail,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { dumpState, watchState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'

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

const post = (csv: string, options: Record<string, unknown> = {}, { token }: Pick<TestUser, 'token'> = owner) =>
  service.api('POST', '/api/v1/users/import', { token, body: { csv, ...options } })
const read = async (id: string) =>
  (await service.api('GET', `/api/v1/users/imports/${id}`, { token: owner.token })).body
const run = async (csv: string, options: Record<string, unknown> = {}, by: Pick<TestUser, 'token'> = owner) => {
  const { status, body } = await post(csv, options, by)
  expect([status, body]).toEqual([201, { runId: expect.any(String), status: 'running' }])
  await service.settle()
  return read(body.runId)
}
const memberOf = async (email: string) =>
  (
    await service.sql(
      `SELECT m.role, m.status, m.counts, m.first_name, m.last_name, m.department, m.title, m.phone, m.locale, u.made_by_team_id,
         ARRAY(SELECT g.name FROM group_members gm JOIN groups g ON g.id = gm.group_id WHERE gm.user_id = u.id AND gm.organization_id = $2 ORDER BY 1) AS groups
       FROM users u JOIN memberships m ON m.user_id = u.id AND m.organization_id = $2 WHERE u.email = $1`,
      [email, owner.teamId],
    )
  )[0]
const memberCount = async () =>
  (await service.sql('SELECT count(*)::int AS count FROM memberships WHERE organization_id = $1', [owner.teamId]))[0]
    ?.count
/** Creates a member of the owner's team only, with this role. */
const colleague = async (role: string): Promise<TestUser> => {
  const user = await registerUser(service)
  await service.sql('UPDATE memberships SET organization_id = $2, role = $3 WHERE user_id = $1', [
    user.id,
    owner.teamId,
    role,
  ])
  const signedIn = await logIn(service, user)
  await service.settle()
  return signedIn
}
const linesOf = (count: number) => Array.from({ length: count }, () => newEmail('row'))

describe('POST /users/import', () => {
  it('creates members with all columns for new addresses', async () => {
    await makeGroup(service, owner.teamId, 'Sales')
    await makeGroup(service, owner.teamId, 'Field, north')
    const [a, b] = [newEmail('a'), newEmail('b')]
    const result = await run(
      `\ufeffEMAIL,firstName,lastName,role,department,title,phone,locale,groups\r\n` +
        ` ${a.toUpperCase()} ,Ada,"Love, ""Lace""",admin,R&D,Engineer,+43 1 2345,de-AT,"Sales; Field, north"\r\n\r\n${b},,,,,,,,\r\n`,
    )
    expect(result).toMatchObject({ status: 'completed', total: 2, processed: 2, created: 2, updated: 0, failures: [] })
    expect(result).toMatchObject({ dryRun: false, startedBy: owner.id, finishedAt: expect.any(String) })
    expect(await memberOf(a)).toEqual({
      role: 'ORG_ADMIN',
      status: 'pending',
      counts: false,
      first_name: 'Ada',
      last_name: 'Love, "Lace"',
      department: 'R&D',
      title: 'Engineer',
      phone: '+43 1 2345',
      locale: 'de-AT',
      made_by_team_id: owner.teamId,
      groups: ['Field, north', 'Sales'],
    })
    expect(await memberOf(b)).toMatchObject({ role: 'MEMBER', first_name: null, groups: [] })
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=user.created', { token: owner.token })
    const imported = body.data.filter(({ metadata }: { metadata: { method: string } }) => metadata.method === 'import')
    expect(imported).toHaveLength(2)
  })

  it('updates members where the file differs, ignores empty cells and other groups, and is idempotent', async () => {
    await makeGroup(service, owner.teamId, 'Old')
    await makeGroup(service, owner.teamId, 'New')
    const email = newEmail('known')
    await run(`email,firstName,title,groups\n${email},Before,Boss,Old`)
    const csv = `email,firstName,title,role,groups\n${email},After,,viewer,New`
    expect(await run(csv)).toMatchObject({ created: 0, updated: 1, unchanged: 0 })
    expect(await memberOf(email)).toMatchObject({
      first_name: 'After',
      title: 'Boss',
      role: 'VIEWER',
      groups: ['New', 'Old'],
    })
    expect(await run(csv)).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=user.updated', { token: owner.token })
    expect(body.data[0].metadata).toMatchObject({
      changed: ['firstName', 'role'],
      role: { from: 'MEMBER', to: 'VIEWER' },
    })
    expect(body.total).toBe(1)
  })

  it('adds an existing account unconfirmed and does not change its own profile', async () => {
    const known = await registerUser(service)
    expect(await run(`email,firstName\n${known.email},Ours`)).toMatchObject({ created: 1 })
    expect(await memberOf(known.email)).toMatchObject({ counts: false, first_name: 'Ours', made_by_team_id: null })
    const { body } = await service.api('GET', '/api/v1/auth/me', { token: known.token })
    expect(body.user.firstName).toBeNull()
  })

  it('imports valid rows and reports a code for each other row', async () => {
    const good = newEmail('good')
    const result = await run(
      [
        'email,role,groups,locale,firstName',
        `${good},,,,`,
        'no address,,,,',
        ',,,,x',
        `${newEmail()},boss,,,`,
        `${newEmail()},,Unknown,,`,
        `${newEmail()},,,not a locale,`,
        `${newEmail()},,,,${'x'.repeat(101)}`,
        `${good.toUpperCase()},,,,Twice`,
        `${owner.email},member,,,`,
      ].join('\n'),
    )
    expect(result).toMatchObject({ status: 'completed', total: 9, processed: 9, created: 1, updated: 0, unchanged: 0 })
    const failures = Object.fromEntries(
      result.failures.map(({ line, code }: { line: number; code: string }) => [line, code]),
    )
    expect(failures).toEqual({
      3: 'invalid_request',
      4: 'invalid_request',
      5: 'invalid_request',
      6: 'group_not_found',
      7: 'invalid_request',
      8: 'invalid_request',
      9: 'duplicate_row',
      10: 'last_admin',
    })
    expect(await memberOf(good)).toMatchObject({ first_name: null })
    expect(await memberOf(owner.email)).toMatchObject({ role: 'OWNER' })
    expect(await memberCount()).toBe(2)
    // A failed row leaves nothing behind, not even an account.
    const [orphans] = await service.sql(
      'SELECT count(*)::int AS count FROM users u WHERE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id)',
    )
    expect(orphans?.count).toBe(0)
  })

  it('stops at the member limit of the team', async () => {
    await service.sql('UPDATE organizations SET max_members = 3 WHERE id = $1', [owner.teamId])
    const csv = ['email', ...linesOf(5)].join('\n')
    for (const dryRun of [true, false]) {
      const result = await run(csv, { dryRun })
      expect(result).toMatchObject({ created: 2, processed: 5 })
      expect(result.failures.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('limit_reached'))
    }
    expect(await memberCount()).toBe(3)
  })

  it('rejects rows above the role of the user who started it', async () => {
    const userAdmin = await colleague('USER_ADMIN')
    const email = newEmail()
    const result = await run(`email,role,title\n${email},admin,\n${owner.email},,Renamed\n`, {}, userAdmin)
    expect(result.failures.map(({ code }: { code: string }) => code)).toEqual(['role_protected', 'role_protected'])
    expect(await memberOf(email)).toBeUndefined()
    expect(await memberOf(owner.email)).toMatchObject({ title: null })
  })

  it('restricts an import with an API token to the scopes of the token', async () => {
    const { body: made } = await service.api('POST', '/api/v1/api-tokens', {
      token: owner.token,
      body: { name: 'Reader', scopes: ['users:read', 'users:write'] },
    })
    const email = newEmail()
    const result = await run(`email,role\n${email},owner\n`, {}, { ...owner, token: made.token })
    expect(result.failures.map(({ code }: { code: string }) => code)).toEqual(['role_protected'])
    expect(await memberOf(email)).toBeUndefined()
  })

  it('rejects group membership without groups:members', async () => {
    const { body: group } = await service.api('POST', '/api/v1/groups', {
      token: owner.token,
      body: { name: 'Secret' },
    })
    const { body: made } = await service.api('POST', '/api/v1/api-tokens', {
      token: owner.token,
      body: { name: 'Writer', scopes: ['users:read', 'users:write'] },
    })
    const result = await run(`email,groups\n${newEmail()},Secret\n`, {}, { ...owner, token: made.token })
    expect(result.failures.map(({ code }: { code: string }) => code)).toEqual(['forbidden'])
    const { body } = await service.api('GET', `/api/v1/groups/${group.id}/users`, { token: owner.token })
    expect(body.users).toEqual([])
  })

  it('mails a link only to new members, and only if requested', async () => {
    const [quiet, notified] = [newEmail('quiet'), newEmail('notified')]
    await run(`email\n${quiet}`)
    await run(`email\n${notified}\n${quiet}`, { onboardingMethod: 'magic_link' })
    expect((await service.mails(notified)).map(({ kind }) => kind)).toEqual(['welcome'])
    expect(await service.mails(quiet)).toEqual([])
  })
})

describe('POST /users/import with dryRun', () => {
  it('revokes nothing that a lost role would revoke', async () => {
    const [setter, target] = [await colleague('ORG_ADMIN'), await colleague('ORG_ADMIN')]
    const body = { temporaryPassword: 'handed over by the help desk' }
    const path = `/api/v1/users/${target.id}/password-reset`
    expect((await service.api('POST', path, { token: setter.token, body })).status).toBe(200)
    const csv = `email,role\n${setter.email},member\n`
    expect(await run(csv, { dryRun: true })).toMatchObject({ dryRun: true, updated: 1 })
    const logInWith = () => logIn(service, { email: target.email, password: body.temporaryPassword })
    await logInWith()
    await run(csv)
    await expect(logInWith()).rejects.toThrow()
  })

  it('reports the results and changes nothing', async () => {
    await makeGroup(service, owner.teamId, 'Dry')
    const csv = `email,firstName,groups\n${newEmail()},New,Dry\n${owner.email},Changed,\n${newEmail()},,Missing`
    const before = await dumpState(service)
    const dry = await run(csv, { dryRun: true, onboardingMethod: 'magic_link' })
    const after = await dumpState(service)
    expect(dry).toMatchObject({ dryRun: true, status: 'completed', created: 1, updated: 1, unchanged: 0 })
    expect(dry.failures).toHaveLength(1)
    const { import_runs: _, audit_entries: entries, ...rest } = after
    const { import_runs: __, audit_entries: earlier, ...expected } = before
    expect(rest).toEqual(expected)
    expect(entries).toHaveLength((earlier?.length ?? 0) + 2)
    const real = await run(csv)
    expect([real.created, real.updated, real.failures]).toEqual([dry.created, dry.updated, dry.failures])
  })
})

describe('POST /users/import with an invalid file', () => {
  it.each([
    ['no header', ''.padEnd(3), 'email'],
    ['no email column', 'firstName\nAda', 'email'],
    ['an unknown column', 'email,password\na@example.com,x', 'password'],
    ['a duplicate column', 'email,role,Role\na@example.com,,', 'role'],
    ['too many cells', 'email,role\na@example.com,member,x', 'line 2'],
    ['an unterminated quote', 'email\n"a@example.com', 'CSV'],
    ['400,000 columns', `email${',x'.repeat(400_000)}`, 'more than 10,000 commas'],
    ['400,000 empty columns', `email${','.repeat(400_000)}`, 'more than 10,000 commas'],
    ['a line of 70,000 characters', `email\n${'x'.repeat(70_000)}`, 'Max Record Size'],
    ['over 20,000 lines', `email${'\nx'.repeat(20_001)}`, 'more than 20,000 lines'],
    ['300,000 lines', `email${'\nx'.repeat(300_000)}`, 'more than 20,000 lines'],
    ['no rows', 'email\n\n', 'no line'],
  ])('rejects %s with the reason and stores nothing', async (_, csv, mention) => {
    const { expectUnchanged } = await watchState(service)
    const answer = await post(csv)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.errors[0].path).toBe('/csv')
    expect(answer.body.detail).toContain(mention)
    await expectUnchanged()
  })
})

describe('a running import', () => {
  it('imports every row once, although its job is duplicated and the service restarts', async () => {
    const count = LONG ? 250 : 110
    const emails = linesOf(count)
    const { body } = await post(['email', ...emails].join('\n'))
    for (let copy = 0; copy < 3; copy++)
      await service.sql(
        `INSERT INTO jobs (id, kind, payload, run_at, created_at, attempts) SELECT $1, kind, payload, run_at, created_at, 0 FROM jobs WHERE payload->>'runId' = $2 LIMIT 1`,
        [randomUUID(), body.runId],
      )
    await service.restart()
    // The job of a node that stopped is taken over when its lease expires.
    await service.clock.advance(3 * 60_000)
    await service.settle()
    expect(await read(body.runId)).toMatchObject({
      status: 'completed',
      total: count,
      processed: count,
      created: count,
      failures: [],
    })
    expect(await memberCount()).toBe(count + 1)
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=member.added&limit=1', {
      token: owner.token,
    })
    // One entry is from the owner's own registration.
    expect(log.total).toBe(count + 1)
    const [waiting] = await service.sql('SELECT rows FROM import_runs WHERE id = $1', [body.runId])
    expect(waiting?.rows).toEqual([])
  })

  it.each([
    ['is removed from the team', 'DELETE FROM memberships WHERE user_id = $1'],
    ['is suspended', "UPDATE memberships SET status = 'suspended' WHERE user_id = $1"],
    ['gets a lesser role', "UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1"],
    ['is deleted', 'DELETE FROM users WHERE id = $1'],
  ])('fails without importing further rows if the user who started it %s', async (_, statement) => {
    const admin = await colleague('ORG_ADMIN')
    // No row may be imported before the statement: the run is inserted as if a node had stopped right after accepting the file.
    const emails = linesOf(3)
    const runId = randomUUID()
    await service.sql(
      `INSERT INTO import_runs (id, organization_id, started_by, dry_run, status, rows, options, total, processed, created, updated, unchanged, failures, created_at)
       VALUES ($1, $2, $3, false, 'running', $4, $5, 3, 0, 0, 0, 0, '[]', now())`,
      [
        runId,
        owner.teamId,
        admin.id,
        JSON.stringify(emails.map((email, index) => ({ line: String(index + 2), email }))),
        JSON.stringify({
          onboardingMethod: 'none',
          origin: { ip: null, userAgent: null, requestId: 'test' },
          permissions: ['users:write'],
        }),
      ],
    )
    await service.sql(statement, [admin.id])
    await service.sql(
      `INSERT INTO jobs (id, kind, payload, run_at, created_at, attempts) VALUES ($1, 'users.import', $2, $3, $3, 0)`,
      [randomUUID(), JSON.stringify({ runId }), service.clock.now()],
    )
    await service.settle()
    const result = await read(runId)
    expect(result).toMatchObject({ status: 'failed', processed: 0, created: 0 })
    expect(result.failures).toEqual([{ line: 0, email: '', code: 'forbidden', message: expect.any(String) }])
    expect(await memberOf(emails[0] as string)).toBeUndefined()
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=users.imported&limit=1', {
      token: owner.token,
    })
    expect(body.data[0]).toMatchObject({ result: 'FAILURE', metadata: { status: 'failed', total: 3, processed: 0 } })
  })

  /** Every row of this list causes an internal error. */
  const failingInternally = async (during: () => Promise<void>) => {
    await service.sql(
      `CREATE OR REPLACE FUNCTION import_is_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    )
    await service.sql(
      `CREATE TRIGGER import_is_down BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.email LIKE 'fault-%') EXECUTE FUNCTION import_is_down()`,
    )
    try {
      await during()
    } finally {
      await service.sql('DROP TRIGGER import_is_down ON users')
    }
  }

  it.each([
    ['failed too often', 11],
    ['ended every node that tried it', 12],
  ])('fails, deletes its rows and records an audit entry if its job %s', async (_, attempts) => {
    const email = newEmail('fault')
    await failingInternally(async () => {
      const { body } = await post(`email\n${email}`)
      await service.settle()
      expect(await read(body.runId)).toMatchObject({ status: 'running' })
      await service.sql(`UPDATE jobs SET attempts = $2 WHERE payload->>'runId' = $1`, [body.runId, attempts])
      await service.clock.advance(6_000)
      await service.settle()
      const result = await read(body.runId)
      expect(result).toMatchObject({ status: 'failed', processed: 0, created: 0, finishedAt: expect.any(String) })
      expect(result.failures).toEqual([{ line: 0, email: '', code: 'internal_error', message: expect.any(String) }])
      const [stored] = await service.sql('SELECT rows FROM import_runs WHERE id = $1', [body.runId])
      expect(stored?.rows).toEqual([])
      const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=users.imported&limit=1', {
        token: owner.token,
      })
      expect(log.data[0]).toMatchObject({
        userId: owner.id,
        result: 'FAILURE',
        resource: `import:${body.runId}`,
        metadata: { status: 'failed', total: 1, processed: 0 },
      })
    })
  })

  describe('with more than 500 failures', () => {
    it('stores the first 500 failed rows, and the number of all', async () => {
      const failed = LONG ? 700 : 510
      const invalid = Array.from({ length: failed }, (_, index) => `invalid-${index}-${'x'.repeat(500)}`)
      const result = await run(['email', ...invalid, newEmail()].join('\n'), { dryRun: true })
      expect(result).toMatchObject({ status: 'completed', processed: failed + 1, created: 1, failed })
      expect(result.failures.map(({ line }: { line: number }) => line)).toEqual(
        Array.from({ length: 500 }, (_, index) => index + 2),
      )
      expect(result.failures[0].email).toBe(invalid[0]?.slice(0, 254))
      const { body: list } = await service.api('GET', '/api/v1/users/imports', { token: owner.token })
      expect(list.data[0]).toMatchObject({ id: result.id, failed })
      const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=users.imported&limit=1', {
        token: owner.token,
      })
      expect(log.data[0].metadata).toMatchObject({ status: 'completed', failed })
    })

    it('stores 500 repeated addresses of a small file', async () => {
      const { text } = await service.api(
        'GET',
        `/api/v1/users/imports/${(await run(`email${'\na'.repeat(19_990)}`)).id}`,
        {
          token: owner.token,
        },
      )
      expect(JSON.parse(text)).toMatchObject({ status: 'completed', processed: 19_990, failed: 19_990 })
      expect(text.length).toBeLessThan(100_000)
    })

    it('stores the failure of the run as a whole in addition', async () => {
      await failingInternally(async () => {
        const { body } = await post(`email${`\n${newEmail('fault')}`.repeat(600)}`)
        await service.settle()
        await service.sql(`UPDATE jobs SET attempts = 11 WHERE payload->>'runId' = $1`, [body.runId])
        await service.clock.advance(6_000)
        await service.settle()
        const { status, failed, failures } = await read(body.runId)
        expect([status, failed, failures.length]).toEqual(['failed', 600, 501])
        expect(failures.at(-1)).toMatchObject({ line: 0, code: 'internal_error' })
      })
    })
  })

  it('deletes the oldest reports of the team when it has more than 200', async () => {
    const other = await registerUser(service)
    const ended = await service.sql<{ id: string }>(
      `INSERT INTO import_runs (id, organization_id, action, dry_run, status, rows, options, total, processed, created, updated, unchanged, failures, created_at, finished_at)
       SELECT gen_random_uuid(), team::uuid, CASE WHEN n % 2 = 1 THEN '{"name":"suspend"}'::jsonb END, false, 'completed', '[]', '{}', 0, 0, 0, 0, 0, '[]', $3::timestamptz + n * interval '1 second', $3
       FROM generate_series(1, 202) n, unnest(ARRAY[$1, $2]) team ORDER BY team = $1 DESC, n RETURNING id`,
      [owner.teamId, other.teamId, new Date(service.clock.ms() - 3_600_000)],
    )
    const { id } = await run(`email\n${newEmail()}`)
    const stored = await service.sql<{ id: string }>(
      'SELECT id FROM import_runs WHERE organization_id = $1 ORDER BY created_at',
      [owner.teamId],
    )
    expect(stored.map((one) => one.id)).toEqual([...ended.slice(2, 202).map((one) => one.id), id])
    const [others] = await service.sql('SELECT count(*)::int AS count FROM import_runs WHERE organization_id = $1', [
      other.teamId,
    ])
    expect(others?.count).toBe(202)
  })

  it('cancels an import once, and not after its end', async () => {
    const { body } = await post(['email', ...linesOf(300)].join('\n'))
    const cancel = () => service.api('DELETE', `/api/v1/users/imports/${body.runId}`, { token: owner.token })
    const answers = await atOnce(5, cancel)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    await service.settle()
    const ended = await read(body.runId)
    expect(ended).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) })
    expect(ended.processed).toBeLessThan(300)
    expect(await memberCount()).toBe(1 + ended.created)
    expectError(await cancel(), 409, 'import_finished')
  })

  it('records its start and end with counts, and appears in the list', async () => {
    const first = await run(`email\n${newEmail()}`)
    await service.clock.advance(1_000)
    const second = await run(`email\n${newEmail()}\nunknown`, { dryRun: true })
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=users.imported', { token: owner.token })
    expect(log.data.slice(0, 2).map(({ metadata }: { metadata: object }) => metadata)).toEqual([
      { status: 'completed', dryRun: true, total: 2, processed: 2, created: 1, updated: 0, unchanged: 0, failed: 1 },
      { status: 'started', dryRun: true, total: 2, onboardingMethod: 'none' },
    ])
    const { body } = await service.api('GET', '/api/v1/users/imports?limit=1', { token: owner.token })
    expect(body).toMatchObject({ total: 2, page: 1, limit: 1, data: [{ id: second.id, failed: 1 }] })
    expect(body.data[0]).not.toHaveProperty('failures')
    const { body: rest } = await service.api('GET', '/api/v1/users/imports?limit=1&page=2', { token: owner.token })
    expect(rest.data[0].id).toBe(first.id)
  })

  it('returns 404 to another team', async () => {
    const { id } = await run(`email\n${newEmail()}`)
    const outsider = await registerUser(service)
    for (const method of ['GET', 'DELETE'])
      for (const run of [id, randomUUID(), 'x'])
        expectError(
          await service.api(method, `/api/v1/users/imports/${run}`, { token: outsider.token }),
          404,
          'import_not_found',
        )
  })

  it('accepts 20,000 rows, and no body above the size limit', async () => {
    const line = () => `${newEmail('x').slice(0, 20)}`
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index}${line()}`)
    const big = await post(['email', ...rows].join('\n'), { dryRun: true })
    expect(big.status).toBe(201)
    await service.api('DELETE', `/api/v1/users/imports/${big.body.runId}`, { token: owner.token })
    expectError(await post(`email\n${'x'.repeat(1_048_576)}`), 413, 'payload_too_large')
  })
})
