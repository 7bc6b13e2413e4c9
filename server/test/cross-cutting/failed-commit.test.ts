import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addColleague, newEmail, PASSWORD, registerUser, type TestUser } from '../factories/factories.js'
import { makeDirectory } from '../factories/scim.js'
import { dumpState } from '../harness/dump.js'
import { startService, type TestService } from '../harness/service.js'

/** Sequences keep the value that a transaction set although it is rolled back: they say what it had written until then. */
const WRITTEN = ['audit_entries', 'jobs', 'mails'] as const
type Written = Record<(typeof WRITTEN)[number], number>

interface Act {
  method: string
  path: string
  token: string | undefined
  body?: object
  headers?: Record<string, string>
}

describe('a transaction that fails after its audit entry was written', () => {
  let service: TestService
  let owner: TestUser
  let member: TestUser
  beforeAll(async () => {
    service = await startService()
    for (const table of WRITTEN) await service.sql(`CREATE SEQUENCE written_${table} MINVALUE 0`)
    const counts = WRITTEN.map((table) => `PERFORM setval('written_${table}', (SELECT count(*) FROM ${table}));`)
    await service.sql(
      `CREATE FUNCTION fail_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${counts.join(' ')} RAISE EXCEPTION 'no'; END $$`,
    )
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    member = await addColleague(service, owner, 'admin')
    await makeDirectory(service, member)
    await service.settle()
    // Deferred: the transaction has written everything, and fails at its COMMIT.
    await service.sql(
      `CREATE CONSTRAINT TRIGGER fail_commit AFTER INSERT ON audit_entries DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION fail_commit()`,
    )
  })
  afterEach(() => service.sql('DROP TRIGGER IF EXISTS fail_commit ON audit_entries'))

  const countRows = async (): Promise<Written> => {
    const counts = WRITTEN.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
    return (await service.sql<Written>(`SELECT ${counts.join(', ')}`))[0] as Written
  }
  const writtenUntilCommit = async (): Promise<Written> => {
    const values = WRITTEN.map((table) => `(SELECT last_value::int FROM written_${table}) AS ${table}`)
    return (await service.sql<Written>(`SELECT ${values.join(', ')}`))[0] as Written
  }
  const send = async ({ method, path, token, body, headers }: Act): Promise<number> => {
    // Not by `service.api`, which fails the test at every 500.
    const { status } = await fetch(`${service.urls[0]}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return status
  }

  const byOwner = (method: string, path: string, body?: object): Act => ({
    method,
    path,
    token: owner.token,
    ...(body && { body }),
  })
  it.each<[string, () => Act, ('jobs' | 'mails')[]]>([
    [
      'POST /auth/register',
      () => ({ ...byOwner('POST', '/auth/register', { email: newEmail(), password: PASSWORD }), token: undefined }),
      ['jobs', 'mails'],
    ],
    ['POST /users', () => byOwner('POST', '/users', { email: newEmail(), firstName: 'Ada' }), ['jobs', 'mails']],
    [
      'POST /organizations/{orgId}/members/invite',
      () => byOwner('POST', `/organizations/${owner.teamId}/members/invite`, { email: newEmail(), role: 'MEMBER' }),
      ['jobs', 'mails'],
    ],
    [
      'PUT /users/{id} (suspended)',
      () => byOwner('PUT', `/users/${member.id}`, { status: 'suspended' }),
      ['jobs', 'mails'],
    ],
    ['PUT /users/{id} (role)', () => byOwner('PUT', `/users/${member.id}`, { role: 'member' }), ['jobs', 'mails']],
    [
      'POST /users/{id}/password-reset',
      () => byOwner('POST', `/users/${member.id}/password-reset`, { temporaryPassword: 'a temporary passphrase' }),
      ['jobs', 'mails'],
    ],
    ['POST /users/import', () => byOwner('POST', '/users/import', { csv: `email\n${newEmail()}` }), ['jobs']],
    ['DELETE /users/{id}', () => byOwner('DELETE', `/users/${member.id}`), ['jobs', 'mails']],
    ['PUT /organizations/{orgId}', () => byOwner('PUT', `/organizations/${owner.teamId}`, { name: 'Renamed' }), []],
  ])('leaves no change, entry, job or mail: %s', async (_, actOf, alsoWritten) => {
    const act = actOf()
    const [before, rows] = [await dumpState(service), await countRows()]
    expect([500, 503]).toContain(await send(act))
    const written = await writtenUntilCommit()
    for (const table of ['audit_entries', ...alsoWritten] as const)
      expect(written[table], `${table} before the failure`).toBeGreaterThan(rows[table])
    expect(await dumpState(service)).toEqual(before)
    expect(await countRows()).toEqual(rows)
    await service.sql('DROP TRIGGER fail_commit ON audit_entries')
    // The same request is complete once it can be committed: nothing of the first one stands in its way.
    expect(await send(act)).toBeLessThan(300)
  })
})
