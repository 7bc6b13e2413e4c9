import type { Benchmark } from '../harness/benchmark.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { loadTable } from '../harness/report.js'
import { startAll, withServices } from '../harness/services.js'
import { refreshExchange, registerUsers, walk } from '../harness/users.js'

const USERS = 500
const CONNECTIONS = 16

export const refresh: Benchmark = {
  name: 'refresh',
  title: 'Session refresh',
  async run(settings) {
    const services = await startAll(settings, ['PostgreSQL', 'embedded'])
    return withServices(services, async () => {
      const contenders: Contender[] = []
      for (const { name, service } of services) {
        const nextUser = walk(await registerUsers(service, USERS))
        const { database, drain } = service
        const next = () => refreshExchange(nextUser())
        contenders.push({ name, load: { child: service, database, connections: CONNECTIONS, next, drain } })
      }
      const rounds = await compareLoads(contenders, settings)
      return {
        workload: `POST /api/v1/auth/refresh of ${USERS} sessions, each time with the token of the previous response, ${CONNECTIONS} connections; including the sealing of the audit entries.`,
        tables: [loadTable(rounds)],
        aims: [],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
