// npm run bench -- [names] [--quick] [--rounds 9] [--seconds 2] [--profile] [--only <part of a name>] [--build <checkout to measure>] [--against <folder of another checkout>]
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { BENCHMARKS } from './benchmarks/index.js'
import type { Settings } from './harness/benchmark.js'
import { discardOnSignals } from './harness/leftovers.js'
import { describeMachine } from './harness/machine.js'
import { formatTable, type Report } from './harness/report.js'

const RESULTS = new URL('results/', import.meta.url)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    profile: { type: 'boolean', default: false },
    only: { type: 'string' },
    build: { type: 'string', default: '.' },
    against: { type: 'string' },
  },
})

const unknown = positionals.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const serverOf = (checkout: string): URL => pathToFileURL(`${resolve(checkout, 'server')}/`)
const settings: Settings = {
  build: serverOf(values.build),
  against: values.against === undefined ? undefined : serverOf(values.against),
  rounds: Number(values.rounds ?? (values.quick ? 2 : 9)),
  seconds: Number(values.seconds ?? (values.quick ? 0.5 : 2)),
  profiles: values.profile ? new URL('profiles/', RESULTS) : undefined,
  only: values.only,
}

discardOnSignals()
const machine = await describeMachine(settings.build)
console.log(
  Object.entries(machine)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
)
console.log(`rounds: ${settings.rounds}, of ${settings.seconds} s for each subject, interleaved`)

const reports: Record<string, Report> = {}
for (const { name, title, run } of BENCHMARKS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  console.log(`\n## ${title} (${name})\n`)
  const report = await run(settings)
  reports[name] = report
  console.log(report.workload)
  for (const table of report.tables) console.log(`\n${formatTable(table)}`)
  for (const { what, aim, measured, reached } of report.aims)
    console.log(`\nAim: ${what} ${aim}: ${measured} – ${reached ? 'reached' : 'not reached'}`)
}

mkdirSync(RESULTS, { recursive: true })
const file = new URL(`${machine.date?.replace(/[:.]/g, '-')}.json`, RESULTS)
writeFileSync(file, `${JSON.stringify({ machine, settings, reports }, null, 2)}\n`)
console.log(`\nEvery round is in bench/results/${file.pathname.split('/').at(-1)}`)
process.exit(0)
