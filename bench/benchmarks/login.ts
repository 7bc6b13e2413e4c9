import { availableParallelism } from 'node:os'
import type { Benchmark, Settings } from '../harness/benchmark.js'
import { startChild } from '../harness/child.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { measure, type Sample } from '../harness/measure.js'
import { loadTable, withRange } from '../harness/report.js'
import { ratio } from '../harness/rounds.js'
import { startAll, withServices } from '../harness/services.js'
import { PASSWORD, registerUsers, signIn, walk } from '../harness/users.js'

const USERS = 500
const CONNECTIONS = 4
const FLOOR = 'Argon2id verification alone'

/** The number of verifications that the service runs at the same time. */
const IN_FLIGHT = availableParallelism()

async function floorOf({ build }: Settings, encoded: string) {
  const child = await startChild(new URL('../children/argon2.mjs', import.meta.url), build)
  const verify = (seconds: number): Promise<Sample> =>
    measure({ child }, async () => {
      const count = await child.call<number>('verify', { encoded, password: PASSWORD, inFlight: IN_FLIGHT, seconds })
      return { count, seconds, latencies: [(1_000 * seconds * IN_FLIGHT) / count] }
    })
  return { child, verify }
}

export const login: Benchmark = {
  name: 'login',
  title: 'Sign-in by password',
  async run(settings) {
    const services = await startAll(settings, ['PostgreSQL', 'embedded'])
    return withServices(services, async () => {
      const contenders: Contender[] = []
      for (const { name, service } of services) {
        const users = await registerUsers(service, USERS)
        const next = walk(users.map(({ email }) => ({ request: signIn(email), status: 200 })))
        const { database, drain } = service
        contenders.push({ name, load: { child: service, database, connections: CONNECTIONS, next, drain } })
      }
      const [row] = (await services[0]?.service.sql<{ hash: string }>('SELECT hash FROM passwords LIMIT 1')) ?? []
      const floor = await floorOf(settings, row?.hash ?? '')
      contenders.push({ name: FLOOR, batch: floor.verify })
      const rounds = await compareLoads(contenders, settings).finally(() => floor.child.stop())

      const cpu = (name: string) => (rounds.get(name) ?? []).map((sample) => sample.cpu)
      const toFloor = ratio(cpu('PostgreSQL'), cpu(FLOOR))
      return {
        workload: `POST /api/v1/auth/login with the correct password over ${CONNECTIONS} connections, cycling through ${USERS} users, including the sealing of the audit entries. The floor verifies the same kind of hash in a separate process, ${IN_FLIGHT} at the same time, as many as the service allows.`,
        tables: [loadTable(rounds)],
        aims: [
          {
            what: 'processor time compared to the hash alone, PostgreSQL',
            aim: '≤ 1.35 ×',
            measured: `${withRange(toFloor)} ×`,
            reached: toFloor.median <= 1.35,
          },
        ],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
