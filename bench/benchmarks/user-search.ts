import type { Benchmark } from '../harness/benchmark.js'
import { startChild } from '../harness/child.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { requestBytes } from '../harness/http-load.js'
import { loadTable, number, withRange } from '../harness/report.js'
import { spread } from '../harness/rounds.js'
import { Client } from '../harness/server-library.js'
import { startAll, withServices } from '../harness/services.js'
import { type BenchUser, registerUsers, renewSessions } from '../harness/users.js'

const USERS = 100_000
const OTHER_TEAMS = 1_000
const IN_OTHERS = 20_000
const BATCH = 500
const CONNECTIONS = 4
const FLOOR = 'floor on PostgreSQL'

const SEARCHES: [name: string, query: string][] = [
  ['first page, no search', ''],
  ['rare part of an email address', 'search=er77777'],
  ['rare name in two parts', 'search=jor%20sonne777'],
  ['one in sixteen, part of a name', 'search=gisel'],
  ['one letter, one in sixteen', 'search=j'],
  ['every user, part of an email address', 'search=example'],
  ['role without members', 'role=viewer'],
]

/** Generates common names: 16 first names, and last names of two parts with a number. */
const NAMES = `SELECT i, (array['Anna','Bert','Carla','Dieter','Eva','Frank','Gisela','Hans','Ines','Jörg','Karin','Lars','Marta','Nils','Olga','Peter'])[1 + (i * 7) % 16] AS first,
  (array['Berg','Sonne','Feld','Wald','Stein','Bach','Moor','Heide'])[1 + i % 8] || i AS last FROM generate_series($1::int, $2::int) i`

/** Inserts users into the owner's team and into other teams. */
async function seed(url: string, owner: BenchUser): Promise<void> {
  // A separate connection, because those of the service have a statement timeout.
  const client = new Client({ connectionString: url })
  await client.connect()
  const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query(text, values)).rows as Row[]
  await sql(
    `INSERT INTO organizations (id, name, slug, plan, status, allowed_domains, max_members, max_applications, settings, created_at, updated_at)
     SELECT gen_random_uuid(), 'Other ' || i, 'other-' || i, 'FREE', 'ACTIVE', '{}', 10000, 100, '{}', now(), now() FROM generate_series(1, $1::int) i`,
    [OTHER_TEAMS],
  )
  const [team] = await sql<{ id: string }>('SELECT organization_id AS id FROM memberships WHERE user_id = $1', [
    owner.id,
  ])
  const others = await sql<{ id: string }>("SELECT id FROM organizations WHERE slug LIKE 'other-%'")
  for (let first = 1; first <= USERS + IN_OTHERS; first += BATCH)
    await sql(
      `WITH names AS (${NAMES}), made AS (
         INSERT INTO users (id, email, first_name, last_name, status, self_registered, created_at, updated_at)
         SELECT gen_random_uuid(), lower(translate(first, 'ö', 'o') || '.' || last || '.user' || i || '@example.com'), first, last, 'active', false, now(), now() FROM names
         RETURNING id, split_part(split_part(email, '@', 1), '.user', 2)::int AS i)
       INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       SELECT gen_random_uuid(), id, CASE WHEN i <= $4::int THEN $3::uuid ELSE ($5::uuid[])[1 + i % cardinality($5::uuid[])] END, 'MEMBER', 'active', true,
         now() - i * interval '1 minute', now() FROM made`,
      [first, first + BATCH - 1, team?.id, USERS, others.map(({ id }) => id)],
    )
  await sql('VACUUM (ANALYZE) memberships')
  await sql('ANALYZE')
  await client.end()
}

export const userSearch: Benchmark = {
  name: 'user-search',
  title: 'Search for users',
  async run(settings) {
    const services = await startAll({ ...settings, against: undefined }, ['PostgreSQL'])
    return withServices(services, async () => {
      const service = services[0]?.service
      if (!service?.database) throw new Error('this benchmark needs PostgreSQL')
      const [owner] = await registerUsers(service, 1)
      if (!owner) throw new Error('no user was registered')
      await seed(service.database.url, owner)
      await renewSessions(service, [owner])

      const floor = await startChild(new URL('../children/floor.mjs', import.meta.url), settings.build, {
        DATABASE_URL: service.database.url,
      })
      const read = { request: requestBytes({ method: 'GET', path: `/users/${owner.id}` }), status: 200 }
      const { database } = service
      const contenders: Contender[] = SEARCHES.filter(([name]) => name.includes(settings.only ?? '')).map(
        ([name, query]) => {
          const request = requestBytes({ method: 'GET', path: `/api/v1/users?${query}`, token: owner.accessToken })
          return {
            name,
            load: { child: service, database, connections: CONNECTIONS, next: () => ({ request, status: 200 }) },
          }
        },
      )
      contenders.push({ name: FLOOR, load: { child: floor, database, connections: CONNECTIONS, next: () => read } })
      const rounds = await compareLoads(contenders, settings).finally(() => floor.stop())

      // The database's processor time. Response times depend on the load, because it shares the cores with the service.
      const inDatabase = (name: string) =>
        spread((rounds.get(name) ?? []).map(({ database }) => (database ?? Number.NaN) / 1_000))
      const within = (name: string, most: number) => ({
        what: `PostgreSQL's processor time, ${name}`,
        aim: `≤ ${most} ms`,
        measured: `${withRange(inDatabase(name))} ms`,
        reached: inDatabase(name).median <= most,
      })
      return {
        workload: `GET /api/v1/users, the first 50 of the list with its exact total, in a team of ${number(USERS)} next to ${number(OTHER_TEAMS)} teams with ${number(IN_OTHERS)} users, ${CONNECTIONS} connections. The floor is a bare Fastify route with one prepared read by primary key, the same driver and database.`,
        tables: [loadTable(rounds)],
        aims: [
          within('first page, no search', 25),
          within('rare part of an email address', 5),
          within('every user, part of an email address', 150),
        ],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
