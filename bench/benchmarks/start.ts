import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark } from '../harness/benchmark.js'
import { startBuiltProgram } from '../harness/built-program.js'
import { createDatabase } from '../harness/database.js'
import { discardLater } from '../harness/leftovers.js'
import { number, withRange } from '../harness/report.js'
import { interleave, type Subject, spread } from '../harness/rounds.js'
import type { Store } from '../harness/service.js'

interface Start {
  ready: number
  cpu: number | null
  peak: number | null
}
interface Place {
  env: Record<string, string>
  discard(): Promise<void>
}

const IDLE_MS = 10_000
const STORES: Store[] = ['embedded', 'PostgreSQL']

async function emptyPlace(store: Store): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keyward-bench-'))
  const database = store === 'PostgreSQL' ? await createDatabase() : undefined
  const key = randomBytes(32).toString('base64')
  return {
    env: { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.url, ENCRYPTION_KEY: key }) },
    discard: discardLater(async () => {
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    }),
  }
}

async function startOnce(build: URL, env: Record<string, string>): Promise<Start> {
  const program = await startBuiltProgram(build, env)
  const start = { ready: program.readyAfter, cpu: program.cpu(), peak: program.memory().peak }
  await program.stop()
  return start
}

/** Measures memory and processor time of a service without requests. */
async function idle(build: URL, place: Place): Promise<string[]> {
  const program = await startBuiltProgram(build, place.env)
  await new Promise((resume) => setTimeout(resume, IDLE_MS))
  const [memory, before] = [program.memory(), program.cpu()]
  await new Promise((resume) => setTimeout(resume, IDLE_MS))
  const used = ((program.cpu() ?? Number.NaN) - (before ?? Number.NaN)) / (IDLE_MS / 1_000)
  await program.stop()
  return [number(memory.now ?? Number.NaN), number(memory.peak ?? Number.NaN), number(used)]
}

export const start: Benchmark = {
  name: 'start',
  title: 'Start and idle memory',
  async run({ build, rounds }) {
    const later: Record<Store, Place> = {
      embedded: await emptyPlace('embedded'),
      PostgreSQL: await emptyPlace('PostgreSQL'),
    }
    try {
      for (const store of STORES) await startOnce(build, later[store].env)
      const subjects = STORES.flatMap((store): Subject<Start>[] => [
        {
          name: `${store}, first start`,
          async batch() {
            const place = await emptyPlace(store)
            return startOnce(build, place.env).finally(place.discard)
          },
        },
        { name: `${store}, later start`, batch: () => startOnce(build, later[store].env) },
      ])
      const starts = await interleave(subjects, rounds)
      const rows = [...starts].map(([name, samples]) => [
        name,
        withRange(spread(samples.map(({ ready }) => ready))),
        number(spread(samples.map(({ cpu }) => cpu ?? Number.NaN)).median),
        number(spread(samples.map(({ peak }) => peak ?? Number.NaN)).median),
      ])
      const idleRows: string[][] = []
      for (const store of STORES) idleRows.push([store, ...(await idle(build, later[store]))])
      return {
        workload:
          'node bundle/main.js, from the start of the process to the first 200 of /readyz, requested every 10 ms. First: an empty DATA_DIR, on PostgreSQL also an empty database. Idle: 10 s after the start, with no request.',
        tables: [
          { columns: ['start', 'ms to ready (range)', 'processor ms', 'peak memory MiB'], rows },
          { columns: ['idle', 'memory MiB', 'peak since the start MiB', 'processor ms per second'], rows: idleRows },
        ],
        aims: [],
        rounds: { ...Object.fromEntries(starts), idle: idleRows },
      }
    } finally {
      for (const store of STORES) await later[store].discard()
    }
  },
}
