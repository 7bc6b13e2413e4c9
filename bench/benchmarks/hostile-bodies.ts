import type { Benchmark } from '../harness/benchmark.js'
import { withRange } from '../harness/report.js'
import { startAll, withServices } from '../harness/services.js'
import { attackTable, type Compared, measureUnderAttack, medianRatio } from '../harness/under-attack.js'
import { registerUsers } from '../harness/users.js'

const USERS = 100
const PROGRAM = new URL('../children/hostile-bodies.mjs', import.meta.url)

export const hostileBodies: Benchmark = {
  name: 'hostile-bodies',
  title: 'Session checks while two clients send hostile bodies',
  async run(settings) {
    const limited = await startAll(settings, ['PostgreSQL', 'embedded'])
    const unlimited = await startAll(settings, ['PostgreSQL'], { LIMIT_REJECTED_BODIES: '0' })
    const services = [
      ...limited,
      ...unlimited.map(({ name, service }) => ({ name: `${name}, LIMIT_REJECTED_BODIES=0`, service })),
    ]
    return withServices(services, async () => {
      const compared = new Map<string, Compared>()
      for (const { name, service } of services) {
        const users = await registerUsers(service, USERS)
        compared.set(
          name,
          await measureUnderAttack(settings, service, users, { program: PROGRAM, input: { count: 2 } }),
        )
      }
      return {
        workload:
          'GET /api/v1/auth/me, 4 connections, alone and while two clients in a separate process send arrays and brackets of up to 980 kB, forms of 16,000 fields and SAML responses of 1 MB, each as soon as the last response has arrived.',
        tables: [attackTable(compared)],
        aims: [...compared].flatMap(([name, result]) => [
          {
            what: `median compared to the undisturbed one, ${name}`,
            aim: '< 12 ×',
            measured: `${withRange(medianRatio(result))} ×`,
            reached: medianRatio(result).median < 12,
          },
          {
            what: `memory, ${name}`,
            aim: '< 400 MB',
            measured: `${Math.round(result.peak)} MiB`,
            reached: result.peak * 1.048576 < 400,
          },
        ]),
        rounds: Object.fromEntries(compared),
      }
    })
  },
}
