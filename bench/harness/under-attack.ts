import type { Settings } from './benchmark.js'
import { startChild } from './child.js'
import { requestBytes } from './http-load.js'
import { measureLoad, type Sample } from './measure.js'
import { number, type Table, withRange } from './report.js'
import { ratio, spread } from './rounds.js'
import type { RunningService } from './service.js'
import { type BenchUser, renewSessions, walk } from './users.js'

const CONNECTIONS = 4
/** The time until the attack reaches its full load. */
const START_MS = 1_000

export interface Attack {
  /** A program of `bench/children` with the commands `start` and `finish`. */
  program: URL
  input: Record<string, unknown>
}

export interface Compared {
  undisturbed: Sample[]
  attacked: Sample[]
  /** The number of responses that the attackers received, by status. */
  statuses: Record<string, number>
  /** Peak memory of the service, in MiB. */
  peak: number
}

/** Measures session checks of users in rounds, alternately alone and while another process attacks the service. */
export async function measureUnderAttack(
  { build, rounds, seconds }: Settings,
  service: RunningService,
  users: BenchUser[],
  { program, input }: Attack,
): Promise<Compared> {
  await renewSessions(service, users)
  const checks = users.map(({ accessToken: token }) => ({
    request: requestBytes({ method: 'GET', path: '/api/v1/auth/me', token }),
    status: 200,
  }))
  const load = { child: service, connections: CONNECTIONS, next: walk(checks) }
  const attackers = await startChild(program, build)
  const compared: Compared = { undisturbed: [], attacked: [], statuses: {}, peak: 0 }
  try {
    await measureLoad(load, 2 * seconds)
    for (let round = 0; round < rounds; round++) {
      compared.undisturbed.push(await measureLoad(load, seconds))
      await attackers.call('start', { port: service.port, ...input })
      await new Promise((resume) => setTimeout(resume, START_MS))
      compared.attacked.push(await measureLoad(load, 2 * seconds))
      for (const [status, count] of Object.entries(await attackers.call<Record<string, number>>('finish')))
        compared.statuses[status] = (compared.statuses[status] ?? 0) + count
    }
    compared.peak = (await service.usage()).peak / 1_048_576
    return compared
  } finally {
    await attackers.stop()
  }
}

export const medianRatio = ({ undisturbed, attacked }: Compared) =>
  ratio(
    attacked.map(({ p50 }) => p50),
    undisturbed.map(({ p50 }) => p50),
  )

export const worstPercentile = ({ attacked }: Compared) => spread(attacked.map(({ p99 }) => p99))

export function attackTable(compared: Map<string, Compared>): Table {
  return {
    columns: [
      'service',
      'alone p50 ms',
      'p99 ms',
      'attacked p50 ms',
      'p99 ms',
      'ratio of p50',
      'peak MiB',
      'responses',
    ],
    rows: [...compared].map(([name, result]) => [
      name,
      ...[result.undisturbed, result.attacked].flatMap((samples) => [
        number(spread(samples.map(({ p50 }) => p50)).median),
        number(spread(samples.map(({ p99 }) => p99)).median),
      ]),
      withRange(medianRatio(result)),
      number(result.peak),
      Object.entries(result.statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    ]),
  }
}
