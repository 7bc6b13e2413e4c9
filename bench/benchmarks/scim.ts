import type { Benchmark } from '../harness/benchmark.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { type Exchange, requestBytes, runLoad, times } from '../harness/http-load.js'
import { loadTable, number } from '../harness/report.js'
import type { RunningService } from '../harness/service.js'
import { startAll, withServices } from '../harness/services.js'
import { type BenchUser, newEmail, registerUsers, renewSessions } from '../harness/users.js'

const USERS = 100_000
const MEMBERS = 10_000
const CONNECTIONS = 8
const BATCH = 1_000

const SCHEMAS = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'] }
const patch = (...Operations: unknown[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })

interface Seeded {
  /** Behind `/scim/v2/{orgRef}`, with the token of the team's directory. */
  exchange: (method: string, path: string, status: number, body?: unknown) => Exchange
  group: string
}

async function seed(service: RunningService, owner: BenchUser): Promise<Seeded> {
  const [team] = await service.sql<{ id: string }>('SELECT organization_id AS id FROM memberships WHERE user_id = $1', [
    owner.id,
  ])
  const teamId = team?.id ?? ''
  await service.sql('UPDATE organizations SET max_members = 1000000 WHERE id = $1', [teamId])
  for (let first = 1; first <= USERS; first += BATCH)
    await service.sql(
      `WITH made AS (
         INSERT INTO users (id, email, first_name, last_name, status, self_registered, created_at, updated_at)
         SELECT gen_random_uuid(), 'person-' || i || '@example.com', 'Ada', 'Lovelace' || i, 'active', false, now(), now() FROM generate_series($1::int, $2::int) i
         RETURNING id)
       INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       SELECT gen_random_uuid(), id, $3, 'MEMBER', 'active', true, now(), now() FROM made`,
      [first, first + BATCH - 1, teamId],
    )
  const [group] = await service.sql<{ id: string }>(
    "INSERT INTO groups (id, organization_id, name, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'Many', now(), now()) RETURNING id",
    [teamId],
  )
  await service.sql(
    'INSERT INTO group_members (group_id, organization_id, user_id) SELECT $1, $2, user_id FROM memberships WHERE organization_id = $2 LIMIT $3',
    [group?.id, teamId, MEMBERS],
  )
  await service.sql('ANALYZE')
  let token = ''
  const request = requestBytes({ method: 'POST', path: '/api/v1/directory/scim/token', token: owner.accessToken })
  const answered = (text: string) => {
    token = (JSON.parse(text) as { token: string }).token
  }
  await runLoad(
    service.port,
    1,
    times(1, () => ({ request, status: 201, answered })),
  )
  return {
    group: group?.id ?? '',
    exchange: (method, path, status, body) => ({
      request: requestBytes({ method, path: `/scim/v2/${teamId}${path}`, token, ...(body !== undefined && { body }) }),
      status,
    }),
  }
}

export const scim: Benchmark = {
  name: 'scim',
  title: 'A directory writes and reads people and groups',
  async run(settings) {
    const services = await startAll({ ...settings, against: undefined }, ['PostgreSQL'])
    return withServices(services, async () => {
      const service = services[0]?.service
      if (!service?.database) throw new Error('the service is the one on PostgreSQL')
      const { database } = service
      const [owner] = await registerUsers(service, 1)
      if (!owner) throw new Error('nobody was registered')
      await renewSessions(service, [owner])
      const { exchange, group } = await seed(service, owner)
      const [one] = await service.sql<{ id: string }>("SELECT id FROM users WHERE email = 'person-77777@example.com'")
      const user = `/Users/${one?.id}`
      let turn = 0
      const operations: [name: string, next: () => Exchange][] = [
        ['POST /Users, a new person', () => exchange('POST', '/Users', 201, { ...SCHEMAS, userName: newEmail() })],
        [
          'GET /Users by userName',
          () => exchange('GET', `/Users?filter=userName%20eq%20%22person-${++turn % USERS}@example.com%22`, 200),
        ],
        ['GET /Users by id', () => exchange('GET', user, 200)],
        ['GET /Users, two hundred', () => exchange('GET', '/Users?count=200', 200)],
        [
          'PATCH active, in turns',
          () => exchange('PATCH', user, 200, patch({ op: 'replace', path: 'active', value: ++turn % 2 === 0 })),
        ],
        [
          'PATCH /Groups, one of ten thousand in turns',
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
        ['GET /Groups by id, ten thousand members', () => exchange('GET', `/Groups/${group}`, 200)],
      ]
      const contenders = operations
        .filter(([name]) => name.includes(settings.only ?? ''))
        .map(
          ([name, next]): Contender => ({ name, load: { child: service, database, connections: CONNECTIONS, next } }),
        )
      const rounds = await compareLoads(contenders, settings)
      return {
        workload: `One directory on ${CONNECTIONS} connections, in a team of ${number(USERS)} people with a group of ${number(MEMBERS)}.`,
        tables: [loadTable(rounds)],
        aims: [],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
