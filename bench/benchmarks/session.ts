import type { Benchmark } from '../harness/benchmark.js'
import { startChild } from '../harness/child.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { requestBytes } from '../harness/http-load.js'
import { loadTable, number, withRange } from '../harness/report.js'
import { ratio, spread } from '../harness/rounds.js'
import type { RunningService } from '../harness/service.js'
import { startAll, withServices } from '../harness/services.js'
import { type BenchUser, registerUsers, renewSessions, walk } from '../harness/users.js'

const USERS = 1_000
const CONNECTIONS = 16
const FLOOR = 'floor on PostgreSQL'

const check = ({ accessToken }: BenchUser) =>
  requestBytes({ method: 'GET', path: '/api/v1/auth/me', token: accessToken })

async function contenderOf(name: string, service: RunningService, users: BenchUser[]): Promise<Contender> {
  await renewSessions(service, users)
  const next = walk(users.map((user) => ({ request: check(user), status: 200 })))
  return { name, load: { child: service, database: service.database, connections: CONNECTIONS, next } }
}

export const session: Benchmark = {
  name: 'session',
  title: 'Session check',
  async run(settings) {
    const services = await startAll(settings, ['PostgreSQL', 'embedded'])
    const quiet = await startAll({ ...settings, against: undefined }, ['PostgreSQL'], { LOG_LEVEL: 'warn' })
    return withServices([...services, ...quiet], async () => {
      const [first] = services
      if (!first?.service.database) throw new Error('this benchmark needs PostgreSQL')
      const seeded = [...services, ...quiet.map(({ service }) => ({ name: 'PostgreSQL, LOG_LEVEL=warn', service }))]
      const users: BenchUser[][] = []
      for (const { service } of seeded) users.push(await registerUsers(service, USERS))

      const floor = await startChild(new URL('../children/floor.mjs', import.meta.url), settings.build, {
        DATABASE_URL: first.service.database.url,
      })
      const next = walk(
        (users[0] ?? []).map(({ id }) => ({
          request: requestBytes({ method: 'GET', path: `/users/${id}` }),
          status: 200,
        })),
      )
      const contenders: Contender[] = []
      for (const [index, { name, service }] of seeded.entries())
        contenders.push(await contenderOf(name, service, users[index] ?? []))
      const livez = { request: requestBytes({ method: 'GET', path: '/livez' }), status: 200 }
      contenders.push({
        name: 'PostgreSQL, GET /livez',
        load: { child: first.service, connections: CONNECTIONS, next: () => livez },
      })
      contenders.push({
        name: FLOOR,
        load: { child: floor, database: first.service.database, connections: CONNECTIONS, next },
      })
      const rounds = await compareLoads(contenders, settings).finally(() => floor.stop())

      const cpu = (name: string) => (rounds.get(name) ?? []).map((sample) => sample.cpu)
      const toFloor = ratio(cpu('PostgreSQL'), cpu(FLOOR))
      const perCore = 1_000_000 / spread(cpu('PostgreSQL')).median
      return {
        workload: `GET /api/v1/auth/me over ${CONNECTIONS} connections, cycling through the sessions of ${USERS} users. GET /livez needs neither a session nor the database and shows the cost of the web layer. The floor is a bare Fastify route with one prepared read by primary key, the same driver and database.`,
        tables: [loadTable(rounds)],
        aims: [
          {
            what: 'processor time compared to the floor, PostgreSQL',
            aim: '≤ 2.5 ×',
            measured: `${withRange(toFloor)} ×`,
            reached: toFloor.median <= 2.5,
          },
          {
            what: 'checks/s per core, PostgreSQL',
            aim: 'about 12,000',
            measured: number(perCore),
            reached: perCore >= 11_000,
          },
        ],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
