import { afterAll, expect, it } from 'vitest'
import { registerUser } from '../../../../test/factories/factories.js'
import { writeEntries } from '../../../../test/harness/audit-entries.js'
import { startService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'

const service = await startService()
afterAll(() => service.close())

/** More than the number of parameters of a PostgreSQL statement; fewer on the embedded database, which takes five times as long. */
const MEMBERS = SERVER_URL || LONG ? 66_000 : 6_600

it('searches the log of a team by the email addresses of more members than a statement has parameters', async () => {
  const owner = await registerUser(service)
  // Without the triggers and the index of the user search, which this test does not use.
  await service.sql('DROP INDEX memberships_search_keys')
  for (let start = 0; start < MEMBERS; start += 3_300)
    await service.sql(
      `SET session_replication_role = replica;
       WITH made AS (
         INSERT INTO users (id, email, status, self_registered, created_at, updated_at)
         SELECT gen_random_uuid(), 'many-' || number || '@example.com', 'active', false, now(), now()
         FROM generate_series(${start + 1}, ${start + 3_300}) number RETURNING id)
       INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at, search)
       SELECT gen_random_uuid(), id, '${owner.teamId}', 'MEMBER', 'active', false, now(), now(), '' FROM made;
       RESET session_replication_role`,
    )
  const [last] = await service.sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    `many-${MEMBERS}@example.com`,
  ])
  const [entry] = await writeEntries(service, owner.teamId, [
    { userId: last?.id ?? null, createdAt: '2026-03-01T00:00:00.000Z' },
  ])
  const ask = (what: string) =>
    service.api('GET', `/api/v1/audit/${what}?q=MANY-&startDate=2026-03-01&endDate=2026-03-01`, { token: owner.token })
  const { status, body } = await ask('logs')
  expect([status, body.total, body.data?.[0]?.id], JSON.stringify(body)).toEqual([200, 1, entry?.id])
  expect((await ask('stats')).body.totalEvents).toBe(1)
  expect((await ask('logs/export')).text).toContain(entry?.id)
})
