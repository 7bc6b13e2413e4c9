import type { Benchmark } from '../harness/benchmark.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { type Exchange, requestBytes, runLoad, times } from '../harness/http-load.js'
import { loadTable, number } from '../harness/report.js'
import { Client } from '../harness/server-library.js'
import type { RunningService } from '../harness/service.js'
import { startAll, withServices } from '../harness/services.js'
import { type BenchUser, newEmail, registerUsers, renewSessions } from '../harness/users.js'

const USERS = 100_000
const MEMBERS = 10_000
const CONNECTIONS = 8
const BATCH = 1_000
const ONE_AT_A_TIME = 'GET /Users by userName, one connection'

const SCHEMAS = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'] }
const patch = (...Operations: unknown[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })

interface Seeded {
  /** Sends a request below `/scim/v2/{orgRef}` with the SCIM token of the team. */
  exchange: (method: string, path: string, status: number, body?: unknown) => Exchange
  group: string
}

/** Fills the owner's team. The search index is created at the end, which takes a tenth of the time. */
async function fill(url: string, owner: BenchUser): Promise<{ teamId: string; group: string }> {
  // A separate connection, because those of the service have a statement timeout.
  const client = new Client({ connectionString: url })
  await client.connect()
  const sql = async (text: string, values: unknown[] = []): Promise<Record<string, string>> =>
    (await client.query(text, values)).rows[0] as Record<string, string>
  const { id: teamId = '' } = await sql('SELECT organization_id AS id FROM memberships WHERE user_id = $1', [owner.id])
  await sql('UPDATE organizations SET max_members = 1000000 WHERE id = $1', [teamId])
  const { made = '' } = await sql("SELECT pg_get_indexdef('memberships_search_keys'::regclass) AS made")
  await sql('DROP INDEX memberships_search_keys')
  for (let first = 1; first <= USERS; first += BATCH) {
    await sql(
      `WITH made AS (
         INSERT INTO users (id, email, first_name, last_name, status, self_registered, made_by_team_id, created_at, updated_at)
         SELECT gen_random_uuid(), 'person-' || i || '@example.com', 'Ada', 'Lovelace' || i, 'active', false, $3, now(), now() FROM generate_series($1::int, $2::int) i
         RETURNING id)
       INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       SELECT gen_random_uuid(), id, $3, 'MEMBER', 'active', true, now(), now() FROM made`,
      [first, first + BATCH - 1, teamId],
    )
    // The plans of the foreign key checks are for empty tables and would scan the whole table.
    if (first === 1) await sql('ANALYZE')
  }
  await sql(made)
  const { id: group = '' } = await sql(
    "INSERT INTO groups (id, organization_id, name, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'Many', now(), now()) RETURNING id",
    [teamId],
  )
  await sql(
    'INSERT INTO group_members (group_id, organization_id, user_id) SELECT $1, $2, user_id FROM memberships WHERE organization_id = $2 LIMIT $3',
    [group, teamId, MEMBERS],
  )
  await sql('VACUUM (ANALYZE)')
  await client.end()
  return { teamId, group }
}

async function seed(service: RunningService, url: string, owner: BenchUser): Promise<Seeded> {
  const { teamId, group } = await fill(url, owner)
  let token = ''
  const request = requestBytes({ method: 'POST', path: '/api/v1/directory/scim/token', token: owner.accessToken })
  const onBody = (text: string) => {
    token = (JSON.parse(text) as { token: string }).token
  }
  await runLoad(
    service.port,
    1,
    times(1, () => ({ request, status: 201, onBody })),
  )
  return {
    group,
    exchange: (method, path, status, body) => ({
      request: requestBytes({ method, path: `/scim/v2/${teamId}${path}`, token, ...(body !== undefined && { body }) }),
      status,
    }),
  }
}

export const scim: Benchmark = {
  name: 'scim',
  title: 'SCIM reads and writes of users and groups',
  async run(settings) {
    const services = await startAll({ ...settings, against: undefined }, ['PostgreSQL'])
    return withServices(services, async () => {
      const service = services[0]?.service
      if (!service?.database) throw new Error('this benchmark needs PostgreSQL')
      const { database, drain } = service
      const [owner] = await registerUsers(service, 1)
      if (!owner) throw new Error('no user was registered')
      await renewSessions(service, [owner])
      const { exchange, group } = await seed(service, database.url, owner)
      const [one] = await service.sql<{ id: string }>("SELECT id FROM users WHERE email = 'person-77777@example.com'")
      const user = `/Users/${one?.id}`
      let turn = 0
      const operations: [name: string, next: () => Exchange][] = [
        ['POST /Users, a new user', () => exchange('POST', '/Users', 201, { ...SCHEMAS, userName: newEmail() })],
        [
          'GET /Users by userName',
          () => exchange('GET', `/Users?filter=userName%20eq%20%22person-${++turn % USERS}@example.com%22`, 200),
        ],
        [
          ONE_AT_A_TIME,
          () => exchange('GET', `/Users?filter=userName%20eq%20%22person-${++turn % USERS}@example.com%22`, 200),
        ],
        ['GET /Users by ID', () => exchange('GET', user, 200)],
        ['GET /Users, two hundred', () => exchange('GET', '/Users?count=200', 200)],
        [
          'PATCH active, alternating',
          () => exchange('PATCH', user, 200, patch({ op: 'replace', path: 'active', value: ++turn % 2 === 0 })),
        ],
        [
          'PATCH /Groups, one of ten thousand, alternating',
          () => {
            const op = ++turn % 2 === 0 ? 'add' : 'remove'
            return exchange(
              'PATCH',
              `/Groups/${group}`,
              204,
              patch({ op, path: 'members', value: [{ value: one?.id }] }),
            )
          },
        ],
        ['GET /Groups by ID, ten thousand members', () => exchange('GET', `/Groups/${group}`, 200)],
      ]
      const contenders = operations
        .filter(([name]) => name.includes(settings.only ?? ''))
        .map(
          ([name, next]): Contender => ({
            name,
            load: { child: service, database, drain, connections: name === ONE_AT_A_TIME ? 1 : CONNECTIONS, next },
          }),
        )
      const rounds = await compareLoads(contenders, settings)
      return {
        workload: `One directory on ${CONNECTIONS} connections, in a team of ${number(USERS)} users with a group of ${number(MEMBERS)}.`,
        tables: [loadTable(rounds)],
        aims: [],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
