import type { Benchmark } from '../harness/benchmark.js'
import { connect, type Exchange, exchangeOn, requestBytes } from '../harness/http-load.js'
import { number, type Table } from '../harness/report.js'
import { spread } from '../harness/rounds.js'
import type { RunningService } from '../harness/service.js'
import { startAll, withServices } from '../harness/services.js'
import { newEmail, registerUsers, signIn, walk } from '../harness/users.js'

/** Runs of each kind. They alternate between many accounts, because ten failures lock an account. */
const RUNS = 400
const USERS = 100
const LOCKED = 20
const FAILURES_UNTIL_LOCKED = 10

type Kinds = Record<string, () => Exchange>

const forgot = (email: string): Exchange => ({
  request: requestBytes({ method: 'POST', path: '/api/v1/auth/forgot-password', body: { email } }),
  status: 200,
})
const wrong = (email: string): Exchange => ({ request: signIn(email, 'not the password'), status: 401 })

async function accounts(service: RunningService) {
  const users = (await registerUsers(service, 2 * USERS + LOCKED)).map(({ email }) => email)
  const [active, passwordless, locked] = [users.slice(0, USERS), users.slice(USERS, 2 * USERS), users.slice(2 * USERS)]
  await service.sql(
    'WITH chosen AS (UPDATE users SET password_set_at = NULL WHERE email = ANY($1) RETURNING id) DELETE FROM passwords WHERE user_id IN (SELECT id FROM chosen)',
    [passwordless],
  )
  const socket = await connect(service.port)
  for (const email of locked)
    for (let failure = 0; failure < FAILURES_UNTIL_LOCKED; failure++) await exchangeOn(socket, wrong(email))
  socket.destroy()
  return { active, passwordless, locked }
}

/**
 * Sends the kinds alternately on one connection. After each response there is a pause for background work, so that it does not affect
 * the next kind. With `after`, the returned latencies are those of that request, which follows immediately.
 */
async function latencies(
  service: RunningService,
  kinds: Kinds,
  after?: () => Exchange,
): Promise<Record<string, number[]>> {
  const names = Object.keys(kinds)
  const taken: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  const socket = await connect(service.port)
  for (let run = 0; run < RUNS; run++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(run + turn) % names.length] ?? ''
      const exchange = kinds[name]?.()
      if (!exchange) continue
      const own = await exchangeOn(socket, exchange)
      taken[name]?.push(after ? await exchangeOn(socket, after()) : own)
      await new Promise((resume) => setTimeout(resume, 25))
    }
  }
  socket.destroy()
  return taken
}

function table(title: string, taken: Record<string, number[]>): Table {
  const [first = 0] = Object.values(taken).map((values) => spread(values).median)
  return {
    columns: [title, 'median ms', 'p10', 'p90', 'median compared to the first'],
    rows: Object.entries(taken).map(([name, values]) => {
      const sorted = [...values].sort((a, b) => a - b)
      const at = (share: number) => number(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
      const { median } = spread(values)
      return [
        name,
        number(median),
        at(0.1),
        at(0.9),
        `${median >= first ? '+' : '−'}${number(Math.abs(median - first))}`,
      ]
    }),
  }
}

export const timing: Benchmark = {
  name: 'timing',
  title: 'Timing side channels of responses',
  async run(settings) {
    // Beyond the hourly limit of mails, a request for a known account would do less work.
    const services = await startAll({ ...settings, against: undefined }, ['PostgreSQL', 'embedded'], {
      LIMIT_MAILS: '0',
      LIMIT_TEAM_MAILS: '0',
    })
    return withServices(services, async () => {
      const tables: Table[] = []
      const rounds: Record<string, unknown> = {}
      for (const { name, service } of services) {
        const { active, passwordless, locked } = await accounts(service)
        const [nextActive, nextPasswordless, nextLocked] = [walk(active), walk(passwordless), walk(locked)]
        const unknown = walk(Array.from({ length: USERS }, newEmail))
        const links: Kinds = { known: () => forgot(nextActive()), unknown: () => forgot(unknown()) }
        const failures: Kinds = {
          'wrong password': () => wrong(nextActive()),
          unknown: () => wrong(unknown()),
          locked: () => wrong(nextLocked()),
          'no password': () => wrong(nextPasswordless()),
        }
        const parts: [string, Record<string, number[]>][] = [
          [`forgot-password, ${name}`, await latencies(service, links)],
          [`the request right after it, ${name}`, await latencies(service, links, () => forgot(unknown()))],
          [`login, ${name}`, await latencies(service, failures)],
        ]
        for (const [title, taken] of parts) {
          tables.push(table(title, taken))
          rounds[title] = taken
        }
      }
      return {
        workload: `One connection, ${RUNS} runs of each kind, alternately, with 25 ms between two, over ${USERS} email addresses of each kind (locked: ${LOCKED}). The request after forgot-password is another one for an unknown email address.`,
        tables,
        aims: [],
        rounds,
      }
    })
  },
}
