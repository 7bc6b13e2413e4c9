import type { Benchmark } from '../harness/benchmark.js'
import { number, withRange } from '../harness/report.js'
import { startAll, withServices } from '../harness/services.js'
import {
  attackTable,
  type Compared,
  measureUnderAttack,
  medianRatio,
  worstPercentile,
} from '../harness/under-attack.js'
import { PASSWORD, registerUsers } from '../harness/users.js'

const CLIENTS = 1_000
const USERS = 200
const PROGRAM = new URL('../children/sign-in-flood.mjs', import.meta.url)

export const flood: Benchmark = {
  name: 'flood',
  title: 'Session checks while 1,000 clients sign in',
  async run(settings) {
    const services = await startAll(settings, ['PostgreSQL', 'embedded'])
    return withServices(services, async () => {
      const compared = new Map<string, Compared>()
      for (const { name, service } of services) {
        const users = await registerUsers(service, USERS)
        const input = { count: CLIENTS, emails: users.map(({ email }) => email), password: PASSWORD }
        compared.set(name, await measureUnderAttack(settings, service, users, { program: PROGRAM, input }))
      }
      return {
        workload: `GET /api/v1/auth/me, 4 connections, alone and while ${CLIENTS} clients in a separate process sign in with the right password repeatedly and wait for the time in Retry-After.`,
        tables: [attackTable(compared)],
        aims: [...compared].map(([name, result]) => ({
          what: `p99 of the session checks, ${name}`,
          aim: '< 250 ms',
          measured: `${withRange(worstPercentile(result))} ms, median ${number(medianRatio(result).median)} × the undisturbed one`,
          reached: worstPercentile(result).median < 250,
        })),
        rounds: Object.fromEntries(compared),
      }
    })
  },
}
