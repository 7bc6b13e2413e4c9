import type { Benchmark } from '../harness/benchmark.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { loadTable } from '../harness/report.js'
import { startAll, withServices } from '../harness/services.js'
import { newEmail, registration } from '../harness/users.js'

const CONNECTIONS = 4

export const register: Benchmark = {
  name: 'register',
  title: 'Registration',
  async run(settings) {
    const services = await startAll(settings, ['PostgreSQL', 'embedded'])
    return withServices(services, async () => {
      const contenders = services.map(({ name, service }): Contender => {
        const { database, drain } = service
        const next = () => ({ request: registration(newEmail()), status: 201 })
        return { name, load: { child: service, database, connections: CONNECTIONS, next, drain } }
      })
      const rounds = await compareLoads(contenders, settings)
      return {
        workload: `POST /api/v1/auth/register, each with a new email address, ${CONNECTIONS} connections. Includes the background work: the mail (a file in the outbox) and the seals of four audit entries.`,
        tables: [loadTable(rounds)],
        aims: [],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
